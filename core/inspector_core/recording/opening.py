"""Any recording by its content: the one door through which files come in."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.finding import Finding
from inspector_core.recording import chat, letta, mantle, spans
from inspector_core.recording.detect import Format, detect_text
from inspector_core.recording.entries import Entry, Fault, entries
from inspector_core.recording.recording import Recording, faults_of, finding
from inspector_core.recording.sessions import Recorded, Session
from inspector_core.recording.text import decoded

__all__ = ["open_recording"]

_ENGINES = (Format.OWN, Format.MANTLE, Format.TRACKER)
_CHATS = (Format.OPENAI, Format.ANTHROPIC, Format.TAU_BENCH, Format.LETTA_FILE)


def open_recording(data: bytes, path: str) -> Recording:
    """What a file holds, whatever wrote it; of a format that is not known here, only that it is none."""
    text, problem = decoded(data)
    form = detect_text(text)
    if form in _ENGINES:
        return mantle.read(data, path)
    odd = [finding(path, 1, "encoding", problem)] if problem is not None else []
    if form in (Format.UNKNOWN, Format.MANTLE_TEST):
        what = "a test, and no recording" if form is Format.MANTLE_TEST else "no recording of a kind that is known here"
        return Recording(form, (), (*odd, finding(path, 1, "unknown", f"it is {what}")))
    return _read(text, path, form, odd)


def _read(text: str, path: str, form: Format, odd: list[Finding]) -> Recording:
    found = list(entries(text))
    faults = faults_of(path, [one for one in found if isinstance(one, Fault)])
    values = [one for one in found if isinstance(one, Entry)]
    if form in _CHATS:
        told = tuple(_chats(values, form))
    elif form is Format.LETTA:
        messages = letta.of_records([v.value for v in values])
        told = _alone(Recorded(event, values[0].line) for event in chat.events_of(messages))
    else:
        told = _alone(Recorded(event, v.line) for v in values for s in spans.spans(v.value)
                      for event in spans.events_of_span(s))  # fmt: skip
    return Recording(form, told, (*odd, *faults))


def _chats(values: list[Entry], form: Format) -> Iterator[Session]:
    """Each conversation as a session; messages that stand in the file one by one are one conversation."""
    if any(isinstance(v.value, dict) and "role" in v.value and "messages" not in v.value for v in values):
        messages = [v for v in values if isinstance(v.value, dict)]
        yield from _alone(Recorded(e, messages[0].line) for e in chat.events_of([v.value for v in messages]))
        return
    for value in values:
        for name, messages_in in chat.conversations(value.value):
            read = letta.of_file(messages_in) if form is Format.LETTA_FILE else messages_in
            events = tuple(Recorded(event, value.line) for event in chat.events_of(read, name))
            if events:
                yield Session(name, None, events)


def _alone(events: Iterator[Recorded]) -> tuple[Session, ...]:
    told = tuple(events)
    return (Session(told[0].event.conversation_id, None, told),) if told else ()
