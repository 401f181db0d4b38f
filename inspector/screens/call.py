"""Calling a tool: its arguments in a form made from its schema, and what it is taken to return and write."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Input, Static

from inspector.panels.line import Line
from inspector.screens.dialog import Dialog
from inspector.typed import Wrong, assignments
from inspector.visible import visible
from inspector_core.classes import dataclass
from inspector_core.events import Stub
from inspector_core.report import Verdict
from inspector_core.tool import Tool

__all__ = ["CallForm", "FilledCall"]


@dataclass(frozen=True, slots=True)
class FilledCall:
    """A call as filled in."""

    arguments: Mapping[str, object]
    stub: Stub


class CallForm(Dialog[FilledCall | None]):
    """Enter in any line calls; a line that can't be understood is refused in place, and nothing is called."""

    BINDINGS: ClassVar = [Binding("escape", "dismiss(None)", "leave"), Binding("ctrl+g", "call", "call")]

    def __init__(self, tool: Tool, stub: Stub, given: Mapping[str, object], verdict: Verdict | None) -> None:
        super().__init__()
        self.tool, self.stub, self.start, self.verdict = tool, stub, given, verdict
        self.asks = verdict is not None and verdict.confirmation is not None
        self.warned = ""

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog") as dialog:
            dialog.border_title = Content(visible(f"call {self.tool.name}"))
            dialog.border_subtitle = "enter calls · esc leaves"
            with VerticalScroll(can_focus=False):
                yield Static(Content(visible(self._about(), lines=True)), classes="dim")
                for name, schema in self._properties():
                    yield from self._argument(name, schema)
                if self.tool.kind == "mcp":
                    yield from _line("arguments", "arguments", "", "name=value …  or a JSON object")
                yield from _line("returns", "result", json.dumps(self.stub.payload, ensure_ascii=False), "JSON")
                yield from _line("writes", "writes", _writes(self.stub), "entry=value …")
                yield from _line("raises", "raises", self.stub.raises or "", "the text of an exception, if it fails")
            yield Static("", id="refused", classes="refused")
            with Horizontal(id="buttons"):
                yield Button("ask the customer" if self.asks else "call", id="call", compact=True)
                yield Button("leave", id="leave", compact=True)

    def _about(self) -> str:
        if self.tool.kind == "mcp":
            return (
                f"of the server `{self.tool.server}`, which is not asked: its arguments and its result are yours to say"
            )
        run = "nothing runs: what it returns and writes is what you say here, read off its code at first"
        ask = "\na call asks the customer first; this is what it does if they agree" if self.asks else ""
        barred = self.verdict is not None and not self.verdict.admissible
        refused = f"\nthe engine refuses a call now: {self.verdict.why}" if barred and self.verdict else ""
        return f"{self.tool.description.strip()}\n{run}{ask}{refused}".strip()

    def _properties(self) -> list[tuple[str, object]]:
        properties = self.tool.schema.get("properties")
        return list(properties.items()) if isinstance(properties, Mapping) else []

    def _argument(self, name: str, schema: object) -> ComposeResult:
        kind = str(schema.get("type", "any")) if isinstance(schema, Mapping) else "any"
        needed = "" if name in self.tool.required else ", may be left empty"
        value = self.start.get(name, "")
        text = value if isinstance(value, str) else json.dumps(value)
        id = f"argument-{self.tool.parameters.index(name)}"
        yield from _line(f"{name}  {kind}", id, text, f"{kind}{needed}")

    def on_mount(self) -> None:
        for line in self.query(Input):
            line.cursor_position = 0
        first = next(iter(self.query(Input)), None)
        if first is not None:
            first.focus()

    def on_input_submitted(self) -> None:
        self.action_call()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "call":
            self.action_call()
        else:
            self.dismiss(None)

    def action_call(self) -> None:
        filled = self._filled()
        if isinstance(filled, Wrong):
            self.query_one("#refused", Static).update(Content(visible(filled.message)))
        else:
            self.dismiss(filled)

    def _unknown_arguments(self) -> dict[str, object] | Wrong:
        """Arguments of a tool whose schema isn't known, as they were typed."""
        if self.tool.kind != "mcp":
            return {}
        given = assignments(self.query_one("#arguments", Input).value)
        return Wrong(f"arguments: {given.message}") if isinstance(given, Wrong) else given

    def _filled(self) -> FilledCall | Wrong:
        given = self._unknown_arguments()
        if isinstance(given, Wrong):
            return given
        arguments: dict[str, object] = dict(given)
        for index, (name, schema) in enumerate(self._properties()):
            typed = self.query_one(f"#argument-{index}", Input).value
            if typed or name in self.tool.required:
                arguments[name] = _typed(typed, schema)
                odd = _odd(name, arguments[name], schema)
                if odd and self.warned != odd:
                    self.warned = odd
                    return Wrong(f"{odd}; enter again calls with it all the same, as a model may")
        try:
            payload: object = json.loads(self.query_one("#result", Input).value or "null")
        except (ValueError, RecursionError) as problem:
            return Wrong(f"returns: not JSON: {problem}")
        writes = assignments(self.query_one("#writes", Input).value)
        if isinstance(writes, Wrong):
            return Wrong(f"writes: {writes.message}")
        raises = self.query_one("#raises", Input).value or None
        return FilledCall(arguments, Stub(payload, tuple(writes.items()), self.stub.says, raises))


def _line(label: str, id: str, value: str, placeholder: str) -> ComposeResult:
    with Horizontal(classes="line"):
        yield Static(Content(visible(label)), classes="label")
        yield Line(value, id=id, placeholder=placeholder, compact=True)


def _writes(stub: Stub) -> str:
    return json.dumps(dict(stub.writes), ensure_ascii=False) if stub.writes else ""


_KINDS: Mapping[str, tuple[type, ...]] = {
    "integer": (int,), "number": (int, float), "boolean": (bool,), "array": (list,), "object": (dict,),
}  # fmt: skip


def _odd(name: str, value: object, schema: object) -> str:
    """Why a value is none of the argument's type; empty where it is one."""
    kind = str(schema.get("type", "")) if isinstance(schema, Mapping) else ""
    wanted = _KINDS.get(kind)
    if wanted is None or (isinstance(value, wanted) and (kind == "boolean" or not isinstance(value, bool))):
        return ""
    return f"{name}: {json.dumps(value, ensure_ascii=False)} is no {kind}"


def _typed(text: str, schema: object) -> object:
    """The JSON that was typed, unless the argument is a string: then the text itself, as the model would send it."""
    if isinstance(schema, Mapping) and schema.get("type") == "string":
        return text
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value
