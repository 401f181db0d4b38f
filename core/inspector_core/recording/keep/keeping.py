"""The one door: a conversation in, the text of a test out, and what was taken out of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Literal, get_args

from inspector_core.classes import NamedTuple
from inspector_core.events import Record
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.gatelist import RESERVED
from inspector_core.mantle.project import Project
from inspector_core.mantle.wire.flags import status_of
from inspector_core.recording.keep.conversation import Conversation
from inspector_core.recording.keep.marks import EVERYTHING, Marks
from inspector_core.recording.keep.redacting import redacted
from inspector_core.recording.keep.redactor import Redaction
from inspector_core.recording.keep.script import script
from inspector_core.recording.keep.suites import end_to_end, scenario
from inspector_core.script.reading import read
from inspector_core.script.running import run
from inspector_core.session import begin
from inspector_core.source import Source

__all__ = ["FORMS", "Form", "KeptTest", "keep"]

Form = Literal["script", "e2e", "scenario"]
FORMS: tuple[Form, ...] = get_args(Form)


class KeptTest(NamedTuple):
    """The text of a test, and what the author should know before it is saved."""

    text: str
    redactions: tuple[Redaction, ...]
    """What is private in the conversation, in the order in which it is met; the kept ones too."""
    notes: tuple[str, ...] = ()
    """What can't be kept, in words."""
    problem: str | None = None
    """Why a script does not pass over the files as they are, in words; `None` where it does, or nobody knows."""
    name: str = ""
    """What it is called in the text."""


def keep(
    conversation: Conversation, form: Form, project: Project | None = None, *, marks: Marks = EVERYTHING,
    shown: Collection[str] = (), name: str = "", tried: bool = True,
) -> KeptTest:  # fmt: skip
    """A conversation as a test.

    `marks`: the events that it is about; `shown`: private values that are to stay, by the names of their redactions
    (`email 1`) or by their kind (`email`); `tried`: a script is played, to say whether it passes. The project knows
    which entries are private; without one only what looks private is found.
    """
    found = redacted(_with_runs(conversation, project), project, shown, name or "a kept conversation")
    told, called = found.conversation, found.name
    notes = told.notes if form == "script" else _unsaid(told, marks)
    if project is None:
        notes = (*notes, "without the agent's files nobody knows which entries are private")
    match form:
        case "script":
            text = script(told, marks, called)
        case "e2e":
            text = end_to_end(told, marks, called, found.stands_in)
        case "scenario":
            text = scenario(told, marks, called, found.stands_in)
    problem = _problem(text, project) if tried and form == "script" and project is not None else None
    return KeptTest(text, found.redactions, notes, problem, called)


def _problem(text: str, project: Project) -> str | None:
    """The first thing that is not as the script expects."""
    document = read(Source("script", text))
    if document.broken:
        first = document.findings[0]
        return f"line {first.span.line}: {first.message}"
    failures = run(MANTLE, project, document.script).failures
    return f"line {failures[0].span.line}: expected {failures[0].expected}, but {failures[0].was}" if failures else None


_ASSERTED = (
    "user",
    "bot",
    "tool_executed",
    "memory_set",
    "memory_cleared",
    "stack",
    "bot_turn_ended",
    "session_started",
)
_NO_NEWS = ("action", "inspector_note", "inspector_set", "inspector_cleared")


def _unsaid(conversation: Conversation, marks: Marks) -> tuple[str, ...]:
    """What was marked and has no word in the vocabulary of assertions."""
    numbered = enumerate(conversation.records, 1)
    names = Counter(r.event for n, r in numbered if marks.has(n) and not r.event.startswith(("skill_", "ordered_")))
    rest = {name: count for name, count in names.items() if name not in (*_ASSERTED, *_NO_NEWS)}
    return tuple(f"no assertion can be made about `{name}` ({count})" for name, count in rest.items())


# -- which tools really ran ------------------------------------------------------------------------------------------


def _with_runs(conversation: Conversation, project: Project | None) -> Conversation:
    """A recording doesn't say of a call that failed whether the tool ran: played again over the files, it shows."""
    records = conversation.records
    if any(record.ran for record in records):
        return conversation
    unsure = [i for i, record in enumerate(records) if _is_unsure(record)]
    ran = _played(conversation, project) if unsure and project is not None else Counter()
    return conversation._replace(records=tuple(_with_run(record, ran) for record in records))


def _with_run(record: Record, ran: Counter[tuple[object, object]]) -> Record:
    if not _is_unsure(record):
        return replace(record, ran=_surely_ran(record))
    key = (record.fields.get("tool_name"), record.fields.get("result"))
    ran[key] -= 1
    return replace(record, ran=ran[key] >= 0)


def _is_unsure(record: Record) -> bool:
    failed = record.event == "tool_executed" and record.fields.get("is_error") is True
    return failed and record.fields.get("tool_name") not in RESERVED


def _surely_ran(record: Record) -> bool:
    tool, result = record.fields.get("tool_name"), record.fields.get("result")
    if record.event != "tool_executed" or tool in RESERVED:
        return False
    return status_of(result) not in ("awaiting_confirmation", "declined", "cancelled")


def _played(conversation: Conversation, project: Project) -> Counter[tuple[object, object]]:
    session = begin(MANTLE, project, conversation.memory)
    for move in conversation.moves:
        session = session.apply(move.event)
    every: Sequence[Record] = [record for moment in session.moments for record in moment.records]
    return Counter((r.fields.get("tool_name"), r.fields.get("result")) for r in every if r.ran)
