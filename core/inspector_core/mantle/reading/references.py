"""What a skill's prose and step instructions refer to (§2.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from inspector_core.finding import did_you_mean
from inspector_core.mantle.project import Block, Named
from inspector_core.mantle.reading.body import Place
from inspector_core.mantle.reading.fences import Stray
from inspector_core.mantle.reading.notes import Notes
from inspector_core.mantle.reading.places import Cursor
from inspector_core.mantle.reading.tokens import Token, TokenKind, matches, scan
from inspector_core.source import Source

__all__ = ["check_block_references", "references"]


def references(source: Source, places: Iterable[Place], blocks: tuple[Block, ...]) -> Mapping[TokenKind, list[Named]]:
    """Complete references by kind: all kinds in prose, tools and memory in step instructions too."""
    found: dict[TokenKind, list[Named]] = {"skill": [], "block": [], "tool": [], "memory": []}
    for place in places:
        if source.text.find("@", place.start, place.end) >= 0:
            _add(found, scan(source.text[place.start : place.end], source, place.start))
    _add(found, (t for t in _instructed(source, blocks) if t.kind in ("tool", "memory")))
    return found


def _add(found: dict[TokenKind, list[Named]], tokens: Iterable[Token]) -> None:
    for token in tokens:
        if token.complete:
            found[token.kind].append(Named(token.name, token.span))


def _instructed(source: Source, blocks: tuple[Block, ...]) -> Iterator[Token]:
    for step in (step for block in blocks for step in block.steps):
        if step.instructions and step.instructions_span and "@" in step.instructions:
            cursor = Cursor(source, step.instructions_span, step.instructions)
            for match in matches(step.instructions):
                yield Token(match.kind, match.name, cursor.part(match.start, match.end), match.complete)


def check_block_references(named: list[Named], blocks: tuple[Block, ...], strays: list[Stray], notes: Notes) -> None:
    """Tell references to blocks that are not there, and fences that are none, unless a reference tells it already."""
    known = {block.id for block in blocks}
    lost = {stray.id: stray for stray in strays if stray.id}
    for reference in named:
        if reference.name not in known:
            stray = lost.get(reference.name)
            hint = f"line {stray.span.line}: {stray.message}; {stray.hint}" if stray else None
            hint = hint or did_you_mean(reference.name, frozenset(known))
            message = f"this skill has no block `{reference.name}`"
            notes.error("skill.markdown.invalid_block_reference", message, reference.span, hint)
    told = {reference.name for reference in named} - known
    for stray in strays:
        if stray.id not in told:
            notes.warn("inspector.block.fence-not-recognised", stray.message, stray.span, stray.hint)
