"""The skills panel: what there is, what is active, what is looked at; where a block stands; and the stack below."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar, Final

from rich.cells import cell_len

from inspector.messages import LookedAt, Played
from inspector.panels.lines import Lines, Row, bindings, cut
from inspector.pieces import Piece, Tone
from inspector.view import Look, View
from inspector_core.events import Activated
from inspector_core.finding import Severity
from inspector_core.mantle.engine.state import Frame, FrameType
from inspector_core.mantle.project import Block, Skill

__all__ = ["Skills"]

FRAMES: Final[Mapping[FrameType, tuple[str, str]]] = {
    "regular": ("•", ""),
    "call": ("↳", "call"),
    "interrupt": ("‖", "interrupt"),
    "pending": ("…", "pending"),
    "inline_reference": ("‹", "inline_reference"),
}
"""A sign for each kind of frame, and the engine's word for it; a regular one needs none."""

AROUND: Final = 3
"""So many steps before and after the one where a block stands are shown."""


class Skills(Lines):
    """Skills with their blocks, in the order the engine reads them."""

    BINDINGS: ClassVar = bindings("skills")
    ABOUT: ClassVar = (
        "The agent's skills and their ordered blocks. `●` is active, `◂` is looked at: the tools and the memory"
        " are shown as that skill, or that block, would have them; `routing` is what the model has while no skill is"
        " active. The engine's own default skills are counted below. While skills run, their stack stands at the top,"
        " the live frame first: `↳ call` goes back to what called it, `‖ interrupt` waits to be resumed, `… pending`"
        " waits for its precondition, `‹ inline_reference` is a parked block of the skill that runs. Under a live"
        " block are its steps: `✓` was passed, `▸` is where it stands."
    )

    looked: Look | None = None
    view: View | None = None

    def show(self, view: View) -> None:
        moved = self.looked != view.look
        other = self.view is None or self.view.state.stack != view.state.stack
        self.looked, self.view = view.look, view
        self.show_rows([*self._stack(view), *self._skills(view), *self._defaults(view)])
        if moved:
            self.select(view.look)
        if other and view.state.stack:
            self.scroll_to(y=0, animate=False, immediate=True)

    def on_resize(self) -> None:
        if self.view is not None:
            self.show(self.view)
        super().on_resize()

    def _skills(self, view: View) -> Iterator[Row]:
        if view.unknown and not view.project.own_skills:
            yield Row(("none", "recorded"), (("no agent's files", "dim"),), quiet=True)
            return
        if not view.project.own_skills:
            for line in ("reading the folder…",) if view.reading else ("no skills yet: add", "skills/<id>/skill.md"):
                yield Row(("none", line), ((line, "dim"),), quiet=True)
            return
        troubled = {f.skill for f in view.findings if f.severity is Severity.ERROR}
        yield Row(Look(), _marked(view, "routing", "", Look()), "routing")
        for skill in view.project.own_skills:
            yield _skill_row(view, skill, skill.id in troubled)
            for block in skill.blocks:
                look = Look(skill.id, block.id)
                yield Row(look, _marked(view, f"  › {block.id}", "", look), f"{skill.id} {block.id}", block.span)

    def _defaults(self, view: View) -> Iterator[Row]:
        count = sum(s.bundled for s in view.project.skills)
        if count and not view.unknown:
            yield Row("defaults", ((f"default skills {count}", "dim"),), quiet=True)
        if not view.state.stack and not view.unknown:
            yield Row("stack gap", (), quiet=True)
            yield Row("stack empty", (("nothing runs: s starts", "dim"),), quiet=True)

    def _stack(self, view: View) -> Iterator[Row]:
        """The frames, the live one first, with the steps of a block that is live."""
        width = max(self.scrollable_content_region.width - 1, 12)
        if view.state.stack:
            yield Row("stack", (("stack", "head"),), quiet=True)
        for frame in reversed(view.state.stack):
            yield from _frame(view, frame, width)
            skill = view.project.skill_by_id.get(frame.skill_id)
            block = skill.block(frame.block_id) if skill is not None and frame.block_id is not None else None
            if frame is view.state.top and block is not None:
                yield from _steps(block, frame)
        if view.state.stack:
            yield Row("stack gap", (), quiet=True)

    # -- acting --------------------------------------------------------------------------------------------------

    def _looked(self) -> Look | None:
        match self.current.id if self.current else None:
            case Look() as look:
                return look
            case ("frame", str(), str(skill), block):
                return Look(skill, block if isinstance(block, str) else None)
            case _:
                return None

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
    active = look == (Look(top.skill_id, top.block_id) if top is not None else Look())
    signs = ("●" if active else "") + ("◂" if view.look == look else "")

    def draw(width: int) -> tuple[Piece, ...]:
        tail = f"{note} {signs}".strip()
        words = cut(name, width - len(tail) - bool(tail))
        gap = " " * (width - cell_len(words) - len(tail))
        return (words, "plain"), (gap + note + (" " if note and signs else ""), "dim"), (signs, "accent")

    return draw


def _steps(block: Block, frame: Frame) -> Iterator[Row]:
    """The steps of the live block: which were passed, and where it stands; of a long one those around that."""
    at = next((n for n, step in enumerate(block.steps) if step.id == frame.step_id), 0)
    first, last = max(at - AROUND, 0), min(at + AROUND + 1, len(block.steps))
    if first:
        yield Row(("steps", "before"), ((f"     … {first} before", "dim"),), quiet=True)
    for step in block.steps[first:last]:
        here = step.id == frame.step_id
        pointer = _pointer(here, step.id in frame.visited)
        words: Piece = (step.id, "plain" if here else "dim")
        yield Row(("step", step.id, step.span), _step(pointer, words), step.id, step.span)
    if last < len(block.steps):
        yield Row(("steps", "after"), ((f"     … {len(block.steps) - last} more", "dim"),), quiet=True)


def _pointer(here: bool, passed: bool) -> Piece:
    if here:
        return "     ▸ ", "accent"
    return ("     ✓ ", "good") if passed else ("     · ", "dim")


def _step(pointer: Piece, words: Piece) -> Callable[[int], tuple[Piece, ...]]:
    return lambda width: (pointer, (cut(words[0], width - len(pointer[0])), words[1]))


def _frame(view: View, frame: Frame, width: int) -> Iterator[Row]:
    """A frame by its sign, its name and the engine's word for it, the word below where both don't fit."""
    glyph, word = FRAMES[frame.frame_type]
    live = frame is view.state.top
    name = frame.skill_id if frame.block_id is None else f"› {frame.block_id}"
    at = f" · {frame.step_id}" if frame.block_id is not None and frame.step_id and not live else ""
    fits = cell_len(name) + cell_len(at) + cell_len(word) + 5 <= width
    told = f"{name}{at}{f' {word}' if word else ''}"
    id = ("frame", frame.frame_id, frame.skill_id, frame.block_id)

    def draw(width: int) -> tuple[Piece, ...]:
        tail = f"  {word}" if word and fits else ""
        words = cut(f"{name}{at}", width - 4 - len(tail))
        return (f" {glyph} ", "accent" if live else "ask" if word else "dim"), (words, _tone(live)), (tail, "dim")

    yield Row(id, draw, told)
    if word and not fits:
        yield Row((*id, "word"), ((f"     {word}", "dim"),), quiet=True, detail=True)


def _tone(live: bool) -> Tone:
    return "plain" if live else "dim"
