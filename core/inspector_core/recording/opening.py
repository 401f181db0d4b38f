"""Any recording by its content: the one door through which files come in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from inspector_core.finding import Finding
from inspector_core.recording import chat, letta, mantle, otel
from inspector_core.recording.cases import cases, sessions_of
from inspector_core.recording.detect import ENGINES, Format, detect_text
from inspector_core.recording.entries import Entry, Fault
from inspector_core.recording.mapping import MemoryMapping, written
from inspector_core.recording.placed import placed
from inspector_core.recording.recording import Recording, faults_of, finding
from inspector_core.recording.sessions import Session
from inspector_core.recording.text import decoded
from inspector_core.recording.told import Message, told
from inspector_core.source import Source

__all__ = ["ENGINES", "open_recording"]

_TESTS = (Format.MANTLE_TEST, Format.MANTLE_SCENARIO)
_KINDS = {
    Format.OPENAI: "openai", Format.TAU_BENCH: "tau-bench", Format.ANTHROPIC: "anthropic",
    Format.OPENTELEMETRY: "opentelemetry", Format.LETTA: "letta", Format.LETTA_FILE: "letta",
}  # fmt: skip
"""What the names of events begin with that only this format has."""

Conversation = tuple[str | None, Iterable[Message]]


def open_recording(data: bytes, path: str, mapping: MemoryMapping | None = None) -> Recording:
    """What a file holds, whatever wrote it; of a format that is not known here, only that it is none.

    With a mapping, memory is what it says that the results of tools tell; a recording that has memory keeps its own.
    """
    text, problem = decoded(data)
    form = detect_text(text)
    if form in ENGINES:
        found = mantle.read(data, path)
    elif form is Format.UNKNOWN:
        message = "it is no recording of a kind that is known here"
        found = Recording(form, (), (finding(path, 1, "unknown", message),))
    elif form in _TESTS:
        tests = cases(Source(path, text))
        found = Recording(form, sessions_of(tests, form), tuple(f for case in tests for f in case.findings))
    else:
        found = _read(text, path, form)
    if problem is not None and form not in ENGINES:
        found = replace(found, findings=(finding(path, 1, "encoding", problem), *found.findings))
    return found if mapping is None else _with_memory(found, mapping, path)


def _with_memory(found: Recording, mapping: MemoryMapping, path: str) -> Recording:
    if found.format in ENGINES:
        message = "it has memory of its own, and so the mapping is not used"
        return replace(found, findings=(*found.findings, finding(path, 1, "mapping", message)))
    sessions, unused = written(found.sessions, mapping)
    return replace(found, sessions=sessions, findings=(*found.findings, *unused), mapped=True)


def _read(text: str, path: str, form: Format) -> Recording:
    found = list(placed(text))
    values = [one for one in found if isinstance(one, Entry)]
    told_ones = [(name, told(messages, _KINDS[form], name)) for name, messages in _conversations(values, form)]
    sessions = tuple(Session(name, None, one.events) for name, one in told_ones if one.events)
    findings = faults_of(path, [one for one in found if isinstance(one, Fault)])
    findings += _odd(path, [fault for _, one in told_ones for fault in one.odd])
    if not sessions and not findings:
        findings.append(finding(path, 1, "empty", "there is no conversation in it"))
    return Recording(form, sessions, tuple(findings))


def _odd(path: str, faults: list[Fault]) -> list[Finding]:
    return [replace(one, code="inspector.recording.odd") for one in faults_of(path, faults)]


def _conversations(values: list[Entry], form: Format) -> Iterator[Conversation]:
    match form:
        case Format.LETTA:
            every = letta.records(values)
            yield None, (letta.record(value, line) for value, line in every)
        case Format.LETTA_FILE:
            agents = tuple(agent for v in values for agent in letta.agents(v.value, v.line))
            yield from ((name, letta.talk(agent)) for name, agent in _named(agents))
        case Format.OPENTELEMETRY:
            yield from otel.conversations(values)
        case _:
            yield from ((name, chat.to_messages(talk)) for name, talk in _named(chat.talks(values)))


def _named(talks: tuple[chat.Talk, ...]) -> Iterator[tuple[str | None, chat.Talk]]:
    """Each conversation by its name; of several without one, or with the same, by its number in the file."""
    names = Counter(talk.name for talk in talks)
    for number, talk in enumerate(talks, 1):
        yield talk.name if len(talks) == 1 or (talk.name and names[talk.name] == 1) else f"{number}", talk
