"""The prompt in lines: what the model would get, what is kept from it and why, and what a flip would change."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from types import MappingProxyType

from inspector.pieces import Line, Piece, Tone
from inspector.reports.text import blank, say
from inspector.reports.values import shown
from inspector_core.mantle.prompt import (
    Candidate,
    Difference,
    Filled,
    Flip,
    MemoryLine,
    Offer,
    Passage,
    PassageKind,
    Prompt,
)
from inspector_core.proof import Truth

__all__ = ["flip_lines", "prompt_lines"]

LONGEST = 40_000
"""More characters of a passage are not shown: they are more than a whole prompt may have."""
MOST = 12
"""So many of the values that an argument may have stand beside its name."""

_LABELS: Mapping[PassageKind, str] = {
    "collects": "collects ", "description": "described as ", "question": "asked word for word: ",
}  # fmt: skip
"""What stands before a text that a step has for the model."""

Flips = Mapping[str, tuple[Flip, ...]]


def prompt_lines(made: Prompt, opened: Container[str] = (), flips: Flips = MappingProxyType({})) -> tuple[Line, ...]:
    """All parts in order; `opened`: the tools whose schemas are written out; `flips`: the entries that are unfolded."""
    return tuple(_lines(made, opened, flips))


def _lines(made: Prompt, opened: Container[str], flips: Flips) -> Iterator[Line]:
    if made.pending is not None:
        yield _head("confirmation that waits")
        given = "  ".join(f"{name}={shown(value)}" for name, value in made.pending.arguments.items())
        yield say(f"  {made.pending.tool}", (f"  {given}", "value"), ("  to be resolved first", "ask"))
        yield blank()
    yield from _instructions(made)
    yield from _catalogue(made.catalogue)
    yield blank()
    yield from _tools(made.tools, opened)
    yield from _memory(made.memory, flips)
    for kind, passages in groupby(made.agent, key=lambda p: p.kind):
        yield blank()
        yield _head("rules of the agent" if kind == "rule" else "persona")
        for passage in passages:
            yield from _text(passage, "- " if kind == "rule" else "")


def _head(title: str, note: str = "") -> Line:
    return say((title, "head"), (f"  {note}" if note else "", "dim"))


# -- text ----------------------------------------------------------------------------------------------------------


def _instructions(made: Prompt) -> Iterator[Line]:
    prose = [p for p in made.passages if p.step is None]
    if prose:
        yield _head("instructions")
    for number, passage in enumerate(prose):
        if number:
            yield blank()
        if passage.condition is not None:
            yield _condition(passage)
        yield from _text(passage)
    for step, passages in groupby((p for p in made.passages if p.step is not None), key=lambda p: p.step):
        yield from _step(step or "", list(passages))
    if made.remark:
        yield say((f"  {made.remark}", "dim"))


def _step(step: str, passages: list[Passage]) -> Iterator[Line]:
    first = passages[0]
    yield _head(f"step {step}", "" if first.shown else first.why)
    for passage in passages:
        yield from _text(passage, _LABELS.get(passage.kind, ""))


def _condition(passage: Passage) -> Line:
    glyph, word, tone = _VERDICTS[passage.truth]
    condition = f"if {' '.join((passage.condition or '').split())}"
    why: Piece = (f"  {passage.why}" if passage.why else "", tone)
    return Line(((f"{glyph} {word}  ", tone), (condition, "dim"), why), span=passage.condition_span, wraps=True)


_VERDICTS: Mapping[Truth, tuple[str, str, Tone]] = {
    Truth.HOLDS: ("✓", "shown", "good"), Truth.FAILS: ("✗", "hidden", "bad"), Truth.ERRORS: ("!", "error", "error"),
}  # fmt: skip


def _text(passage: Passage, label: str = "") -> Iterator[Line]:
    """A passage line by line, as the author broke it; values that stand for tokens apart from his words."""
    text, at, tokens = passage.text.rstrip(), 0, list(reversed(passage.filled))
    for number, line in enumerate(text[:LONGEST].split("\n")):
        before: Piece = (f"  {label}" if number == 0 else "  ", "dim")
        here = _coloured(passage, at, at + len(line), tokens)
        yield Line((before, *here), span=passage.span, wraps=True, flush=True)
        at += len(line) + 1
    if len(text) > LONGEST:
        yield say((f"  … and {len(text) - LONGEST} more characters", "dim"))


def _coloured(passage: Passage, start: int, end: int, tokens: list[Filled]) -> Iterator[Piece]:
    """One line of a passage; the tokens in it are taken from the end of the list of those still to come."""
    tone: Tone = "plain" if passage.shown else "dim"
    at = start
    while tokens and tokens[-1].end <= end:
        token = tokens.pop()
        yield passage.text[at : token.start], tone
        named: Tone = "error" if token.text is None else "value"
        yield passage.text[token.start : token.end], named if passage.shown else "dim"
        at = token.end
    yield passage.text[at:end], tone


def _catalogue(candidates: tuple[Candidate, ...]) -> Iterator[Line]:
    if candidates:
        yield _head("skills to choose from")
    for candidate in candidates:
        if candidate.listed:
            named = f" · {candidate.name}" if candidate.name else ""
            pieces: tuple[Piece, ...] = (f"  {candidate.skill}", "plain"), (named, "dim"), (_after(candidate), "dim")
        else:
            pieces = ((f"  {candidate.skill}  left out: {candidate.why}", "dim"),)
        yield Line(pieces, span=candidate.span, wraps=True)


def _after(candidate: Candidate) -> str:
    return f"  {candidate.description or 'no description: routing has only the name to go by'}"


# -- memory and tools ----------------------------------------------------------------------------------------------


def _memory(lines: tuple[MemoryLine, ...], flips: Flips) -> Iterator[Line]:
    """What is set, entry by entry; what is not, in one line."""
    unset = [_entry(line) for line in lines if line.text is None]
    if lines:
        yield blank()
        yield _head("memory")
    for line in lines:
        if line.text is not None:
            told: Piece = (line.text or "an empty text", "value")
            yield Line(((f"  {_entry(line)}  ", "plain"), told), span=line.field.span, key=line.field.key, wraps=True)
            for unfolded in flip_lines(line.field.key, flips.get(line.field.key, ())):
                yield replace(unfolded, pieces=(("    ", "plain"), *unfolded.pieces))
    if unset:
        yield Line(((f"  unset: {', '.join(unset)}", "dim"),), wraps=True)


def _entry(line: MemoryLine) -> str:
    return line.field.entry if line.group == "own" else line.field.key


def _tools(offers: tuple[Offer, ...], opened: Container[str]) -> Iterator[Line]:
    yield _head(f"tools {len(offers)}", "" if offers else "none")
    for offer in offers:
        span = offer.verdict.span
        described = " ".join(offer.description.split())
        given: Piece = (f"({_arguments(offer)})", "dim")
        yield Line(
            (("  ", "plain"), (offer.tool, "plain"), given, (f"  {described}" if described else "", "dim")), span=span,
            wraps=True, tool=offer.tool,
        )  # fmt: skip
        if offer.tool in opened:
            yield from _schema(offer)


def _arguments(offer: Offer) -> str:
    if offer.schema is None:
        return "as its server says"
    properties, required = offer.schema.get("properties"), offer.schema.get("required")
    if not isinstance(properties, Mapping):
        return ""
    needed = required if isinstance(required, (list, tuple)) else list(properties)
    return ", ".join(_argument(name, schema, name in needed) for name, schema in properties.items())


def _argument(name: str, schema: object, needed: bool) -> str:
    options = schema.get("enum") if isinstance(schema, Mapping) else None
    kind = schema.get("type", "any") if isinstance(schema, Mapping) else "any"
    told = _options(list(options)) if isinstance(options, (list, tuple)) and options else str(kind)
    return f"{name}{'' if needed else '?'}: {told}"


def _options(options: list[object]) -> str:
    """The first of the values to choose from; all of them stand in the schema."""
    more = len(options) - MOST
    return " | ".join(map(str, options[:MOST])) + (f" | {more} more" if more > 0 else "")


def _schema(offer: Offer) -> Iterator[Line]:
    """The schema as JSON; what it says of the engine's own tools is only what can be known of them."""
    if offer.schema is None:
        yield say(("    its server is never asked", "dim"))
        return
    for line in json.dumps(offer.schema, indent=2, ensure_ascii=False, default=str).split("\n"):
        yield say((f"    {line}", "dim"))


# -- what a flip would change --------------------------------------------------------------------------------------

_SIGNS: Mapping[str, tuple[str, Tone]] = {"appears": ("+", "good"), "goes": ("-", "bad"), "changes": ("~", "value")}
_PARTS: Mapping[str, str] = {
    "target": "active", "text": "text", "skill": "skill", "memory": "memory", "pending": "waits", "tool": "tool",
}  # fmt: skip


def flip_lines(key: str, flips: Iterable[Flip]) -> tuple[Line, ...]:
    """For each value that an entry could hold instead, what would be another in the prompt besides the entry itself."""
    told = [(flip, [d for d in flip.differences if (d.part, d.name) != ("memory", key)]) for flip in flips]
    if told and not any(differences for _, differences in told):
        values = ", ".join(shown(flip.value) for flip, _ in told)
        return (say((f"if {key} were {values}", "accent"), ("  nothing else changes", "dim")),)
    return tuple(line for flip, differences in told for line in _flip(key, flip, differences))


def _flip(key: str, flip: Flip, differences: list[Difference]) -> Iterator[Line]:
    nothing: Piece = ("" if differences else "  nothing else changes", "dim")
    yield say((f"if {key} were {shown(flip.value)}", "accent"), nothing)
    yield from map(_difference, differences)


def _difference(difference: Difference) -> Line:
    sign, tone = _SIGNS[difference.change]
    words: list[Piece] = [(f"  {sign} ", tone), (f"{_PARTS[difference.part]:<7}", "dim")]
    name = " ".join(difference.name.split())
    words.append((name, "plain"))
    if difference.change == "changes":
        words += _change(difference)
    return Line(tuple(words), span=difference.span, wraps=True)


def _change(difference: Difference) -> Iterator[Piece]:
    if difference.part == "tool":
        if difference.before:
            yield f"  without {difference.before}", "bad"
        if difference.after:
            yield f"  with {difference.after}", "good"
    elif difference.part != "text":
        yield f"  {difference.before} → {difference.after}", "value"
    else:
        yield f"  → {' '.join(difference.after.split())}", "value"
