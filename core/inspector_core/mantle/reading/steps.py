"""Steps of an ordered block, their kinds inferred as the engine infers them (§2.6)."""

from __future__ import annotations

from typing import assert_never

from inspector_core.finding import did_you_mean
from inspector_core.mantle.condition import parse
from inspector_core.mantle.project import Branch, Named, Step, StepKind
from inspector_core.mantle.reading.branches import branches
from inspector_core.mantle.reading.nodes import Node
from inspector_core.mantle.reading.notes import Notes
from inspector_core.mantle.reading.places import text_span
from inspector_core.mantle.reading.words import described, quoted

__all__ = ["steps"]

_CODE = "skill.step.invalid"
_KINDS: tuple[tuple[str, StepKind], ...] = (
    ("utter", "action"),
    ("instructions", "autonomous"),
    ("collect", "collect"),
    ("action", "action"),
    ("execute_tool", "execute_tool"),
    ("set_memory", "set_memory"),
    ("call", "call"),
    ("link", "link"),
)
"""The key that makes a step what it is; the first one that is there wins."""

_KEYS: dict[StepKind, tuple[str, ...]] = {
    "route": ("id", "noop", "next"),
    "action": ("id", "utter", "action", "next"),
    "autonomous": ("id", "instructions", "complete_when", "optional", "next"),
    "collect": ("id", "collect", "utterance", "description", "ask_before_filling", "dtmf", "next"),
    "execute_tool": ("id", "execute_tool", "parameters", "next"),
    "set_memory": ("id", "set_memory", "next"),
    "call": ("id", "call", "next"),
    "link": ("id", "link"),
}
_KNOWN = {kind: frozenset(keys) for kind, keys in _KEYS.items()}
_OUTDATED = {
    "force_collection": ("skill.step.outdated_force_collection", "use `ask_before_filling: true`"),
    "tool": ("skill.step.outdated_collect_tool", "name the tool `run_after_setting_<entry>`"),
}
"""Keys of a collect step that older engines read."""


def steps(node: Node | None, notes: Notes) -> tuple[Step, ...]:
    """The steps of a block; a faulty one hides no other."""
    if node is None or node.value is None:
        return ()
    if node.kind != "sequence":
        message = f"`steps` takes a list, not {described(node)}, so the block has no steps"
        notes.warn("inspector.block.steps", message, node, "write `- ` before each step")
        return ()
    return tuple(_step(item, notes) for item in node.items)


def _step(item: Node, notes: Notes) -> Step:
    if item.kind != "mapping":
        notes.error(_CODE, f"a step is a mapping with an `id`, not {described(item)}", item)
        return Step("", "invalid", item.span)
    step_id = _id(item, notes)
    if step_id == "END":
        return Step("END", "end", item.span)
    kind, key = _kind(item)
    if kind == "invalid":
        _report_no_kind(item, step_id, notes)
    else:
        _check_keys(item, kind, key, notes)
    return _Reader(item, notes).step(step_id, kind, key)


def _id(item: Node, notes: Notes) -> str:
    node = item.get("id")
    if node is not None and isinstance(node.value, str) and node.value.strip():
        return node.value
    if node is None:
        near = next((name for name, key, _ in item.pairs() if key.value in ("ID", "Id", "name")), None)
        hint = f"write `id` in place of `{near}`" if near else "every step has one"
        notes.error(_CODE, "this step has no `id`", item, hint)
        return ""
    place = item.key("id") if node.value is None else None
    notes.error(_CODE, f"a step's `id` is a text, not {described(node)}", place or node)
    return "" if node.value is None else str(node.value)


def _kind(item: Node) -> tuple[StepKind, str]:
    """What a step is, and the key that makes it so."""
    noop = item.get("noop")
    if noop is not None and noop.value is True:
        return "route", "noop"
    written = item.value if isinstance(item.value, (dict, set)) else ()
    for key, kind in _KINDS:
        if key in written:
            return kind, key
    return "invalid", ""


def _report_no_kind(item: Node, step_id: str, notes: Notes) -> None:
    known = ("noop", *(key for key, _ in _KINDS))
    written = [name for name, _, _ in item.pairs() if name not in ("id", "next")]
    hint = next((hint for name in written if (hint := did_you_mean(name, known))), None)
    if "noop" in written:
        hint = "only `noop: true` makes it a step that just leads on"
    message = f"nothing says what {quoted(step_id) if step_id else 'this step'} does"
    notes.error(_CODE, message, item, hint or f"give it one of {', '.join(f'`{key}`' for key in known)}")


def _check_keys(item: Node, kind: StepKind, key: str, notes: Notes) -> None:
    """Tell keys that this kind of step does not have, all of them at once; older engines' own words apart."""
    if item.has_only(_KNOWN[kind]):
        return
    unknown = []
    for name, place, value in item.pairs():
        if name in _KEYS[kind]:
            continue
        notes.expect(value)
        if kind == "collect" and name in _OUTDATED:
            code, hint = _OUTDATED[name]
            notes.outdated(code, f"`{name}` on a step that collects is refused", place, hint)
        else:
            unknown.append(place)
    if unknown:
        names = ", ".join(quoted(place.text) for place in unknown)
        message = f"a step with `{key}` does not take {names}"
        near = did_you_mean(str(unknown[0].value), _KEYS[kind])
        takes = ", ".join(f"`{name}`" for name in _KEYS[kind] if name not in ("id", key))
        notes.error(_CODE, message, unknown[0], near or f"beside its `id` it takes {takes or 'nothing'}")


class _Reader:
    """Reads the properties of one step, each told apart if it has the wrong type."""

    def __init__(self, item: Node, notes: Notes) -> None:
        self.item = item
        self.notes = notes

    def step(self, step_id: str, kind: StepKind, key: str) -> Step:
        span = self.item.span
        after = None if kind == "link" else branches(self.item, self.notes)
        match kind:
            case "action" | "call" | "link":
                return Step(step_id, kind, span, after, target=self.named(key, needed=True))
            case "collect":
                return self.collect(step_id, after)
            case "autonomous":
                return self.autonomous(step_id, after)
            case "execute_tool":
                target, parameters = self.named(key, needed=True), self.mapping("parameters")
                return Step(step_id, kind, span, after, target=target, parameters=parameters)
            case "set_memory":
                return Step(step_id, kind, span, after, writes=self.mapping("set_memory", needed=True))
            case "route":
                self.boolean("noop")
                return Step(step_id, kind, span, after)
            case "end" | "invalid":
                return Step(step_id, kind, span, after)
            case _:
                assert_never(kind)

    def collect(self, step_id: str, after: tuple[Branch, ...] | None) -> Step:
        self.dtmf()
        return Step(
            step_id,
            "collect",
            self.item.span,
            after,
            target=self.named("collect", needed=True),
            utterance=self.named("utterance"),
            description=self.text("description"),
            ask_before_filling=self.boolean("ask_before_filling") or self.boolean("force_collection"),
        )

    def autonomous(self, step_id: str, after: tuple[Branch, ...] | None) -> Step:
        instructions, condition = self.item.get("instructions"), self.item.get("complete_when")
        when = self.text("complete_when")
        return Step(
            step_id,
            "autonomous",
            self.item.span,
            after,
            instructions=self.text("instructions", needed=True),
            instructions_span=text_span(instructions) if instructions else None,
            complete_when=None if when is None else parse(when),
            complete_when_span=None if when is None or condition is None else text_span(condition),
            optional=self.boolean("optional"),
        )

    def text(self, key: str, needed: bool = False) -> str | None:
        node = self.item.get(key)
        if node is None or (node.value is None and not needed):
            return None
        if isinstance(node.value, str) and (node.value.strip() or not needed):
            return node.value
        self.refuse(key, node, "a text")
        return None

    def named(self, key: str, needed: bool = False) -> Named | None:
        name, node = self.text(key, needed), self.item.get(key)
        return None if name is None or node is None else Named(name, node.span)

    def boolean(self, key: str) -> bool:
        node = self.item.get(key)
        if node is None or node.value is None:
            return False
        if isinstance(node.value, bool):
            self.notes.expect(node)
        else:
            self.refuse(key, node, "`true` or `false`")
        return node.value is True

    def mapping(self, key: str, needed: bool = False) -> dict[str, object]:
        node = self.item.get(key)
        if node is None or (node.value is None and not needed):
            return {}
        if node.kind != "mapping":
            self.refuse(key, node, "a mapping")
        return {name: value.value for name, _, value in node.pairs()}

    def dtmf(self) -> None:
        node = self.item.get("dtmf")
        if node is None or node.value is None:
            return
        ways = [key for key in ("length", "finish_on_key") if node.get(key)]
        if audio := node.get("allow_audio_input"):
            self.notes.expect(audio)
        if node.kind != "mapping":
            self.refuse("dtmf", node, "a mapping")
        elif len(ways) != 1:
            message = f"`dtmf` takes {'either' if ways else 'one of'} `length` or `finish_on_key`"
            self.notes.error(_CODE, message + (", not both" if ways else ""), node)

    def refuse(self, key: str, node: Node, wanted: str) -> None:
        place = self.item.key(key) if node.value is None else None
        self.notes.error(_CODE, f"`{key}` takes {wanted}, not {described(node)}", place or node)
