"""Reports on agents of any kind: they know the verdicts, the records and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from inspector.dialects import Kind
from inspector.pieces import GLYPHS, Line, Tone, standing_tone
from inspector.reports.json import verdict
from inspector.reports.proof import TRUTHS
from inspector.reports.text import blank, say
from inspector_core.classes import NamedTuple
from inspector_core.events import Record
from inspector_core.proof import Proof
from inspector_core.report import Verdict
from inspector_core.session import Moment, Session

__all__ = ["Replayed", "replayed_json", "replayed_lines", "spaced", "tool_lines", "why_lines"]

_LONGEST_NAME = 40


class Replayed(NamedTuple):
    """One event of a recording, and the moment after it."""

    number: int
    line: int
    moment: Moment[Any]


def title(kind: Kind[Any, Any], session: Session[Any, Any]) -> Line:
    """The agent's name, whose behaviour is shown, and how its tools stand."""
    counts = Counter(v.standing for v in session.now.report.verdicts)
    told = ", ".join(f"{n} {standing}" for standing, n in counts.items()) or "no tools"
    return say((kind.title(session.project), "head"), (f" · {kind.about} · {told}", "dim"))


def spaced(lines: Iterable[Line]) -> Iterator[Line]:
    """Lines with an empty one before them."""
    yield blank()
    yield from lines


def tool_lines(kind: Kind[Any, Any], session: Session[Any, Any]) -> Iterator[Line]:
    """Every tool in a line: how it stands, and why."""
    verdicts = tuple(session.now.report.verdicts)
    width = min(max((len(v.tool) for v in verdicts), default=0), _LONGEST_NAME)
    yield title(kind, session)
    yield blank()
    for one in verdicts:
        tone = standing_tone(one.standing)
        standing = (f"  {GLYPHS[one.standing]} {one.standing:<12} ", tone)
        yield say(standing, f"{one.tool:<{width}}  ", (one.why or _plain(one), "plain" if tone == "dim" else tone))


def _plain(one: Verdict) -> str:
    return "" if one.reason == "offered" else "a call is first put to a person" if one.confirmation else one.reason


def why_lines(one: Verdict) -> Iterator[Line]:
    """One tool's standing, and every rule that bears on it with what it does."""
    tone = standing_tone(one.standing)
    yield say((one.tool, "head"))
    yield say((f"  {GLYPHS[one.standing]} {one.standing}", tone), (f" ({one.reason})", "dim"), f"  {one.why}".rstrip())
    if one.proof is not None:
        yield from _parts(one.proof, "  ")


def _parts(proof: Proof, indent: str) -> Iterator[Line]:
    for part in proof.children:
        glyph, tone, _ = TRUTHS[part.truth]
        why = part.error or (part.value if isinstance(part.value, str) else "")
        yield say((f"{indent}{glyph} {part.text}", tone), (f"  {why}".rstrip(), "dim"))
        yield from _parts(part, indent + "  ")


# -- replays -----------------------------------------------------------------------------------------------------------


def replayed_lines(
    kind: Kind[Any, Any], session: Session[Any, Any], name: str, told: Sequence[Replayed]
) -> Iterator[Line]:
    """Every event with what it came to by today's files, and the tools whose standing it changed."""
    yield title(kind, session)
    yield say((f"session {name}", "dim"))
    for one in told:
        yield blank()
        for record in one.moment.records:
            yield say((f"{one.number:>4}  ", "dim"), (_record(record), _tone(record)))
        for change in one.moment.moved:
            yield say((f"        {change}", "dim"))


def _tone(record: Record) -> Tone:
    if record.event == "inspector_refused" or (record.fields.get("is_error") is True and not record.ran):
        return "bad"
    return "dim" if record.event == "inspector_note" else "plain"


def _record(record: Record) -> str:
    fields = record.fields
    match record.event:
        case "user" | "bot":
            who = "customer" if record.event == "user" else "agent"
            return f"{who}: {fields.get('text')}"
        case "tool_executed":
            did = "ran" if record.ran else "did not run"
            return f"{fields.get('tool_name')} {did}: {fields.get('error_message') or fields.get('result')}"
        case "inspector_note" | "inspector_refused":
            word = "note" if record.event == "inspector_note" else "refused"
            return f"{word} ({fields.get('reason')}): {fields.get('message')}"
        case event:
            return event


def replayed_json(told: Sequence[Replayed]) -> list[dict[str, object]]:
    """The same for programs, with every tool's verdict after each event."""
    return [
        {
            "number": one.number,
            "line": one.line,
            "records": [{"event": r.event, "ran": r.ran, **r.fields} for r in one.moment.records],
            "moved": [{"tool": c.tool, "before": c.before, "after": c.after} for c in one.moment.moved],
            "tools": [verdict(v) for v in one.moment.report.verdicts],
        }
        for one in told
    ]
