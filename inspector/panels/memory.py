"""The memory panel: the declared entries as typed fields, grouped by who may read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar

from inspector.messages import EditWanted, ValueSet, WriteWanted
from inspector.panels.lines import Lines, Row, bindings, clip, pad
from inspector.pieces import Piece
from inspector.view import View
from inspector_core.mantle.project import Field
from inspector_core.mantle.values import as_text, choices, mistyped, next_flip

__all__ = ["Memory"]


class Memory(Lines):
    """Values with their types and their last writer; `space` flips, `enter` edits."""

    BINDINGS: ClassVar = bindings("memory")
    ABOUT: ClassVar = (
        "Memory as the skill that is looked at may read it: its own public and private entries, the project's,"
        " and what it reads of other skills. `space` flips a bool or walks a list of values, through `unset`;"
        " `enter` types a value, and after `=` any JSON, of a wrong type too. What you write here is written by"
        " hand: no rule of the engine stops it. Dimmed at the right: who wrote the value last. `≠ type` marks a"
        " value that isn't of the declared type."
    )

    def __init__(self, title: str, *, id: str, on_key: Callable[[str], None]) -> None:
        super().__init__(title, id=id)
        self.on_key = on_key

    names = 10
    """Cells for the names: as many as the longest one needs, if there is room."""

    def show(self, view: View) -> None:
        self.view = view
        self.names = 10
        self.show_rows(self._rows(view))
        if self.has_focus:
            self.moved()

    def _rows(self, view: View) -> Iterator[Row]:
        skill = view.project.skill_by_id.get(view.look.skill or "")
        own = skill.fields if skill else ()
        yield from self._group(view, view.look.skill or "", [f for f in own if f.scope == "public"])
        yield from self._group(view, "private", [f for f in own if f.scope == "private"])
        yield from self._group(view, "project", view.project.fields)
        yield from self._group(view, "readable from others", self._others(view))
        yield from self._undeclared(view)
        yield from self._system(view)

    def _group(self, view: View, heading: str, fields: Iterable[Field]) -> Iterator[Row]:
        named = [(f, f.key if heading.startswith("readable") else f.entry) for f in fields]
        if named:
            yield Row(("heading", heading), ((heading, "head"),), quiet=True)
            self.names = max(self.names, *(len(name) for _, name in named))
            yield from (self._row(view, *each) for each in named)

    def _others(self, view: View) -> list[Field]:
        """Other skills' public entries that are set, or read by the skill that is looked at; all, under a filter."""
        owner = view.look.skill
        fields = [f for s in view.project.skills if s.id != owner for f in s.fields if f.scope == "public"]
        if self.needle:
            return fields
        wanted = _keys_read(view)
        return [f for f in fields if f.key in wanted or f.key in view.state.memory]

    def _undeclared(self, view: View) -> Iterator[Row]:
        strays = [k for k in view.state.memory if k not in view.project.field_by_key]
        if strays:
            told = "as recorded" if view.unknown else "declared nowhere"
            yield Row(("heading", "strays"), ((told, "head"),), quiet=True)
            self.names = max(self.names, *map(len, strays))
            yield from (self._line(view, key, None, key) for key in strays)

    def _system(self, view: View) -> Iterator[Row]:
        pending = view.state.pending
        if pending is not None:
            yield Row(("heading", "system"), (("system", "head"),), quiet=True)
            text = f"pending_tool_confirmation  {pending.tool}"
            yield Row(("system", "pending"), ((text, "ask"),), text)

    def _row(self, view: View, field: Field, name: str) -> Row:
        return self._line(view, field.key, field, name)

    def _line(self, view: View, key: str, field: Field | None, name: str) -> Row:
        value = view.state.memory.get(key)
        kind = field.type if field else "any"
        write = view.state.writes.get(key)
        told = as_text(value)
        by = "" if write is None else write.by or ("by hand" if write.writer == "author" else write.writer)
        odd = "≠ type " if mistyped(field, value) else ""
        more = " ▾" if field and choices(field) else ""

        def draw(width: int) -> tuple[Piece, ...]:
            room = min(self.names, max(width - 18, 8))
            label: Piece = (pad(name, room) + " ", "plain")
            room = max(width - room - 1 - 6 - len(odd) - len(told) - len(more) - 2, 0)
            who: Piece = (f"  {clip(by, room)}" if by and room > 2 else "", "dim")
            words: Piece = (f"{told}{more}", "dim" if value is None else "value")
            return label, (pad(_KINDS.get(kind, kind), 6), "dim"), (odd, "error"), words, who

        text = f"{name} {kind} {told} {by}"
        return Row(key, draw, text, field.span if field else None, key in view.marked_keys, copy=f"{key}={told}")

    # -- acting --------------------------------------------------------------------------------------------------

    @property
    def key(self) -> str | None:
        """The memory key under the cursor."""
        row = self.current
        return row.id if row and isinstance(row.id, str) and not row.quiet else None

    def moved(self) -> None:
        if self.key:
            self.on_key(self.key)

    def on_focus(self) -> None:
        self.moved()

    def filter(self, needle: str) -> None:
        self.needle = needle
        self.show(self.view)
        super().filter(needle)

    def action_flip(self) -> None:
        if key := self.key:
            field, value = self.view.project.field_by_key.get(key), self.view.state.memory.get(key)
            flipped = next_flip(field, value)
            if field is not None and choices(field) is None and flipped is value:
                self.post_message(EditWanted(key))
            else:
                self.post_message(ValueSet(key, flipped))

    def action_edit(self) -> None:
        if key := self.key:
            self.post_message(EditWanted(key))

    def action_written(self) -> None:
        if key := self.key:
            self.post_message(WriteWanted(key))

    def action_unset(self) -> None:
        if key := self.key:
            self.post_message(ValueSet(key, None))

    def chosen(self) -> None:
        self.action_edit()


_KINDS = {"categorical": "enum"}
"""Type names too long for their column."""


def _keys_read(view: View) -> frozenset[str]:
    skill = view.project.skill_by_id.get(view.look.skill or "")
    if skill is None:
        return frozenset()
    gates = [*skill.gates, *(g for b in skill.blocks for g in b.gates)]
    conditions = [g.requires for g in gates] + [p.condition for p in skill.paragraphs]
    return frozenset(key for c in conditions if c is not None for key in c.keys)
