"""The values that a JSON text holds, one after the other: an array's items, lines, or objects in a row.

One that can't be read costs only itself, and a text that was cut off is read up to there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from json import JSONDecodeError, JSONDecoder
from typing import NamedTuple

from inspector_core.recording.text import decoded

__all__ = ["BLANK", "Entry", "Fault", "Scan", "entries", "events_of_trackers", "streamed"]

BLANK = " \t\r\n"
_DECODE = JSONDecoder().raw_decode
_LINE = 65_536
"""How far ahead the end of a line is looked for."""
_MISSES = 100
"""So often a value is looked for in all the text that follows; after that, in its line alone."""


class Entry(NamedTuple):
    """A value, and the line it begins on, counted from 1."""

    value: object
    line: int
    conversation: str | None = None
    """Whose it is, where what stands around it says so."""


class Fault(NamedTuple):
    """Something that can't be read, in words, and its line."""

    message: str
    line: int


def entries(text: str) -> Iterator[Entry | Fault]:
    """The text's values; of an array at the top, its items."""
    return Scan(text).values()


def events_of_trackers(text: str) -> Iterator[Entry | Fault]:
    """The events of each tracker in the text, under its conversation; objects that are no trackers as they are."""
    return Scan(text).trackers()


def streamed(lines: Iterable[bytes]) -> Iterator[Entry | Fault]:
    """The values of JSON lines, each as its line comes in; blank lines hold none."""
    for number, line in enumerate(lines, 1):
        text, problem = decoded(line) if number == 1 else decoded_line(line)
        if problem is not None:
            yield Fault("it is no text", number)
        elif text.strip():
            yield _value(text, number)


def decoded_line(line: bytes) -> tuple[str, str | None]:
    """One line of UTF-8, and what is wrong with it."""
    try:
        return line.decode(), None
    except UnicodeDecodeError:
        return "", "it is not UTF-8"


def _value(text: str, number: int) -> Entry | Fault:
    try:
        return Entry(json.loads(text), number)
    except (ValueError, RecursionError) as error:
        return Fault(_why(error, text), number)


def _why(error: ValueError | RecursionError, text: str) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    if not isinstance(error, JSONDecodeError):
        return "it holds a number that is too long"
    rest = text[error.pos : error.pos + 100]
    ends = not (rest.strip() or text[error.pos + 100 : error.pos + 101]) or error.msg.startswith("Unterminated string")
    return "it ends in the middle of a value" if ends else "it can't be read as JSON"


def _under(one: Entry | Fault, sender: object) -> Entry | Fault:
    return one._replace(conversation=sender) if isinstance(one, Entry) and isinstance(sender, str) else one


class Scan:
    """A place in the text, moving forward; it lives for one reading."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.wide = False
        """Whether the latest value took several lines."""
        self.misses = 0
        """How often a value was looked for in all the text that follows, and there was none."""

    def values(self) -> Iterator[Entry | Fault]:
        while self.to_next(BLANK):
            if self.text[self.at] == "[":
                self.forward(self.at + 1)
                yield from self.items()
            else:
                found = self.one()
                yield found
                if isinstance(found, Fault):
                    self.next_start(self.at)

    def items(self) -> Iterator[Entry | Fault]:
        """An array's items up to its end; commas too many or too few are passed over."""
        while self.to_next(BLANK + ","):
            if self.text[self.at] == "]":
                self.forward(self.at + 1)
                return
            found = self.one()
            yield found
            if isinstance(found, Fault) and not self.next_start(self.at):
                return
        yield Fault("it ends in the middle of an array", self.line)

    def trackers(self) -> Iterator[Entry | Fault]:
        while self.to_next(BLANK + ",[]"):
            if self.text[self.at] == "{":
                yield from self._tracker()
            else:
                found = self.one()
                yield found
                if isinstance(found, Fault):
                    self.next_start(self.at)

    def _tracker(self) -> Iterator[Entry | Fault]:
        """One tracker, member by member: so its events have lines, and those before a cut are not lost."""
        start, line = self.at, self.line
        members: dict[str, object] = {}
        events: list[Entry | Fault] = []
        self.forward(start + 1)
        problem = self._members(members, events)
        if problem is None:
            self.forward(self.at + 1)
        else:
            self.next_start(start)
        yield from (_under(one, members.get("sender_id")) for one in events)
        if problem is not None:
            yield problem
        elif "events" not in members:
            yield Entry(members, line)

    def _members(self, members: dict[str, object], events: list[Entry | Fault]) -> Entry | Fault | None:
        """An object's members up to its end, of which the events go into a list of their own."""
        while self.to_next(BLANK + ","):
            if self.text[self.at] == "}":
                return None
            if self.text[self.at] != '"':
                return Fault("it can't be read as JSON", self.line)
            key = self.one()
            if isinstance(key, Entry) and key.value == "events" and self.to_next(BLANK + ":") and self._opens():
                members["events"] = None
                events.extend(self.items())
                if events and isinstance(events[-1], Fault) and self.text[self.at - 1] != "]":
                    return events.pop()
                continue
            problem = self._member(key, members)
            if problem is not None:
                return problem
        return Fault("it ends in the middle of an object", self.line)

    def _opens(self) -> bool:
        """Whether an array begins here; if so, it is entered."""
        opens = self.text[self.at] == "["
        if opens:
            self.forward(self.at + 1)
        return opens

    def _member(self, key: Entry | Fault, members: dict[str, object]) -> Fault | None:
        if isinstance(key, Fault):
            return key
        if not isinstance(key.value, str) or not self.to_next(BLANK + ":"):
            return Fault("it can't be read as JSON", key.line)
        value = self.one()
        if isinstance(value, Fault):
            return value
        members[key.value] = value.value
        return None

    def to_next(self, passed: str) -> bool:
        at, text = self.at, self.text
        while at < len(text) and text[at] in passed:
            at += 1
        self.forward(at)
        return at < len(text)

    def forward(self, at: int) -> None:
        self.line += self.text.count("\n", self.at, at)
        self.at = at

    def one(self) -> Entry | Fault:
        """The value that begins here: in its line alone where it can, since a miss costs all that was looked at."""
        end = -1 if self.wide else self.text.find("\n", self.at, self.at + _LINE)
        found = self._within(self.text[self.at : end], 0) if end >= 0 else None
        if found is None or (isinstance(found, Fault) and self.misses < _MISSES):
            wide = self._within(self.text, self.at)
            self.misses += isinstance(wide, Fault)
            if found is None or isinstance(wide, Entry):
                found = wide
        return found

    def _within(self, text: str, at: int) -> Entry | Fault:
        if at and self.misses >= _MISSES:
            return Fault("it can't be read as JSON", self.line)
        try:
            value, end = _DECODE(text, at)
        except (ValueError, RecursionError) as error:
            return Fault(_why(error, text), self.line)
        line = self.line
        self.forward(self.at + end - at)
        self.wide = self.line > line
        return Entry(value, line)

    def next_start(self, start: int) -> bool:
        """Go on with the next line that begins as the one did where something that can't be read starts."""
        begin = self.text.rfind("\n", 0, start) + 1
        indent = self.text[begin:start]
        if indent.strip():
            end = self.text.find("\n", self.at)
            self.forward(end if end >= 0 else len(self.text))
            return False
        after = max(start, self.at - len(indent) - 1)
        found = re.compile(f"\n{re.escape(indent)}(?=[{{\\[])").search(self.text, after)
        self.forward(found.end() - len(indent) if found else len(self.text))
        return found is not None
