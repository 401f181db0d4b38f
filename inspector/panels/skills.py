"""The skills panel: what there is, what is active, what is looked at; and the stack below."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from rich.cells import cell_len

from inspector.messages import LookedAt, Played
from inspector.panels.lines import Lines, Row, bindings, cut
from inspector.pieces import Piece
from inspector.view import Look, View
from inspector_core.events import Activated
from inspector_core.finding import Severity
from inspector_core.mantle.project import Skill

__all__ = ["Skills"]


class Skills(Lines):
    """Skills with their blocks, in the order the engine reads them."""

    BINDINGS: ClassVar = bindings("skills")
    ABOUT: ClassVar = (
        "The agent's skills and their ordered blocks. `●` is active, `◂` is looked at: the tools and the memory"
        " are shown as that skill, or that block, would have them. The engine's own default skills are counted"
        " below, then comes the stack of running skills, the live one first."
    )

    looked: Look | None = None

    def show(self, view: View) -> None:
        moved = self.looked != view.look
        self.looked = view.look
        self.view = view
        self.show_rows([*self._skills(view), *self._defaults(view), *self._stack(view)])
        if moved:
            self.select(view.look)

    def _skills(self, view: View) -> Iterator[Row]:
        if not view.project.own_skills:
            for line in ("reading the folder…",) if view.reading else ("no skills yet: add", "skills/<id>/skill.md"):
                yield Row(("none", line), ((line, "dim"),), quiet=True)
        troubled = {f.skill for f in view.findings if f.severity is Severity.ERROR}
        for skill in view.project.own_skills:
            yield _skill_row(view, skill, skill.id in troubled)
            for block in skill.blocks:
                look = Look(skill.id, block.id)
                yield Row(look, _marked(view, f"  › {block.id}", "", look), f"{skill.id} {block.id}", block.span)

    def _defaults(self, view: View) -> Iterator[Row]:
        count = sum(s.bundled for s in view.project.skills)
        if count:
            yield Row("defaults", ((f"default skills {count}", "dim"),), quiet=True)

    def _stack(self, view: View) -> Iterator[Row]:
        yield Row("stack gap", (), quiet=True)
        yield Row("stack", (("stack", "head"),), quiet=True)
        if not view.state.stack:
            yield Row("stack empty", (("  nothing runs: s starts", "dim"),), quiet=True)
        for frame in reversed(view.state.stack):
            name = frame.skill_id if frame.block_id is None else f"{frame.skill_id} › {frame.block_id}"
            live = frame is view.state.top
            note = "" if frame.frame_type == "regular" else f" {frame.frame_type}"
            yield Row(("frame", frame.frame_id), ((f"  {name}", "plain" if live else "dim"), (note, "dim")), quiet=True)

    def _looked(self) -> Look | None:
        return self.current.id if self.current and isinstance(self.current.id, Look) else None

    def action_look(self) -> None:
        if look := self._looked():
            self.post_message(LookedAt(look))

    def action_start(self) -> None:
        if (look := self._looked()) and look.skill:
            target = look.skill if look.block is None else f"{look.skill}__{look.block}"
            self.post_message(Played((Activated(target),)))

    def chosen(self) -> None:
        self.action_look()


def _skill_row(view: View, skill: Skill, troubled: bool) -> Row:
    notes = [
        word for word, on in (("hidden", skill.hidden), ("disabled", skill.disabled), ("broken", skill.broken)) if on
    ]
    note = "  ".join(notes) or ("!" if troubled else "")
    look = Look(skill.id)
    return Row(look, _marked(view, skill.id, note, look), skill.id, skill.span)


def _marked(view: View, name: str, note: str, look: Look) -> Callable[[int], tuple[Piece, ...]]:
    """The name, and at the right edge what is to be said of it: a note, `●` for active, `◂` for looked at."""
    top = view.state.top
    active = top is not None and top.skill_id == look.skill and top.block_id == look.block
    signs = ("●" if active else "") + ("◂" if view.look == look else "")

    def draw(width: int) -> tuple[Piece, ...]:
        tail = f"{note} {signs}".strip()
        words = cut(name, width - len(tail) - bool(tail))
        gap = " " * (width - cell_len(words) - len(tail))
        return (words, "plain"), (gap + note + (" " if note and signs else ""), "dim"), (signs, "accent")

    return draw
