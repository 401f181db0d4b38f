"""The values in a JSON text as `entries` gives them, only that each message in them knows its line.

Of a value that is cut off or broken in the middle, what stands before that is given all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from inspector_core.recording.entries import BLANK, Entry, Fault, Scan

__all__ = ["Placed", "line_of", "placed"]

_LISTS = frozenset({
    "messages", "traj", "choices", "agents", "resourceSpans", "resource_spans", "scopeSpans", "scope_spans",
    "instrumentationLibrarySpans", "spans", "events",
})  # fmt: skip
_HOLDERS = frozenset({"request", "response", "body", "agent"})
"""What lists of messages stand under, and what holds such a list in turn."""
_DEEPEST = 12


class Placed(dict[str, object]):
    """An object, and the line it begins on."""

    __slots__ = ("line",)

    def __init__(self, members: dict[str, object], line: int) -> None:
        super().__init__(members)
        self.line = line


def line_of(value: object, other: int) -> int:
    """The line of a value; of one that doesn't know it, the line of what it stands in."""
    return value.line if isinstance(value, Placed) else other


def placed(text: str) -> Iterator[Entry | Fault]:
    """The text's values; of an array at the top, its items."""
    return _Walk(text).every()


class _Walk(Scan):
    """Goes through a text value by value, and into those that hold messages."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.problem: Fault | None = None
        """What is wrong in the value that is being walked through; nothing behind it is read."""

    def every(self) -> Iterator[Entry | Fault]:
        inside = False
        while self.to_next(BLANK + ("," if inside else "")):
            sign = self.text[self.at]
            if sign == ("]" if inside else "["):
                inside = not inside
                self.forward(self.at + 1)
            else:
                yield from self._next()
        if inside:
            yield Fault("it ends in the middle of an array", self.line)

    def _next(self) -> Iterator[Entry | Fault]:
        """The next value: as one where it is whole, else as far as it goes."""
        at, line = self.at, self.line
        found = self.one()
        if isinstance(found, Entry) and not self.wide:
            yield found
            return
        end = self.at if isinstance(found, Entry) else self._bound(at)
        walk = _Walk(self.text[at:end])
        walk.line = line
        value = walk.value(0)
        if isinstance(found, Entry):
            yield found._replace(value=value)
            return
        if _holds(value):
            yield Entry(value, line)
        yield walk.problem or found
        self.next_start(at)

    def _bound(self, start: int) -> int:
        """Where the next value begins, as far as its indentation tells: a broken one reaches no further."""
        begin = self.text.rfind("\n", 0, start) + 1
        indent = self.text[begin:start]
        found = None if indent.strip() else re.compile(f"\n{re.escape(indent)}(?=[{{\\[])").search(self.text, start)
        return found.start() if found else len(self.text)

    def value(self, depth: int, key: str | None = None) -> object:
        """The value that begins here; one that can't be read is a problem, and nothing."""
        sign = self.text[self.at : self.at + 1]
        if depth < _DEEPEST and sign == "{" and (key is None or key in _HOLDERS):
            return self._object(depth)
        if depth < _DEEPEST and sign == "[" and (key is None or key in _LISTS):
            return self._list(depth)
        found = self.one()
        if isinstance(found, Entry):
            return found.value
        self.problem = found
        return None

    def _list(self, depth: int) -> list[object]:
        items: list[object] = []
        self.forward(self.at + 1)
        while self.to_next(BLANK + ","):
            if self.text[self.at] == "]":
                self.forward(self.at + 1)
                return items
            item = self.value(depth + 1)
            if self.problem is None or _holds(item):
                items.append(item)
            if self.problem is not None:
                return items
        self.problem = Fault("it ends in the middle of an array", self.line)
        return items

    def _object(self, depth: int) -> Placed:
        found = Placed({}, self.line)
        self.forward(self.at + 1)
        while self.to_next(BLANK + ","):
            if self.text[self.at] == "}":
                self.forward(self.at + 1)
                return found
            key = self._key()
            if key is None:
                return found
            value = self.value(depth + 1, key)
            if self.problem is None or value:
                found[key] = value
            if self.problem is not None:
                return found
        self.problem = Fault("it ends in the middle of an object", self.line)
        return found

    def _key(self) -> str | None:
        """A member's name, up to its value."""
        line = self.line
        key = self.one() if self.text[self.at] == '"' else None
        if not isinstance(key, Entry) or not isinstance(key.value, str) or not self.to_next(BLANK):
            self.problem = key if isinstance(key, Fault) else Fault("it can't be read as JSON", line)
            return None
        if self.text[self.at] != ":":
            self.problem = Fault("it can't be read as JSON", line)
            return None
        self.forward(self.at + 1)
        if not self.to_next(BLANK):
            self.problem = Fault("it ends in the middle of an object", self.line)
            return None
        return key.value


def _holds(value: object) -> bool:
    """Whether messages are in what was read of it: half a message is none."""
    return isinstance(value, dict) and any(value[key] for key in value.keys() & (_LISTS | _HOLDERS))
