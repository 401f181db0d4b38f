"""JSON with positions, also where it lies within a text of JSON."""

from __future__ import annotations

import re
from json import JSONDecodeError, JSONDecoder

from inspector_core.letta.reading.tree import Node, Place, Unreadable
from inspector_core.source import Source

__all__ = ["load"]

_DEEPEST = 150
_STRING = JSONDecoder(strict=False).raw_decode
_SPACE = re.compile(r"[ \t\r\n\ufeff]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_WORDS = {
    "null": None, "true": True, "false": False, "NaN": float("nan"), "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}  # fmt: skip
_LONGEST_NUMBER = 300


def load(source: Source) -> tuple[Node, bool]:
    """The value of a file, and whether it lay within a text of JSON. Raises `Unreadable`."""
    node = _Reader(source.text, source.span).whole()
    if not isinstance(node.value, str) or node.value.lstrip()[:1] not in ("{", "["):
        return node, False
    whole = node.span
    return _Reader(node.value, lambda start, end: whole).whole(), True


class _Reader:
    def __init__(self, text: str, place: Place) -> None:
        self.text, self.place, self.at = text, place, 0

    def whole(self) -> Node:
        node = self.value(0)
        if self.look():
            raise self.wrong("nothing may follow the value")
        return node

    def look(self) -> str:
        """The next sign; empty at the end."""
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def wrong(self, message: str) -> Unreadable:
        return Unreadable(message, self.place(self.at, self.at + 1))

    def value(self, depth: int) -> Node:
        sign = self.look()
        if depth > _DEEPEST:
            raise self.wrong(f"it is nested more than {_DEEPEST} deep")
        match sign:
            case "{":
                return self.mapping(depth)
            case "[":
                return self.sequence(depth)
            case '"':
                return self.string()
            case _:
                return self.bare()

    def string(self) -> Node:
        start = self.at
        try:
            value, self.at = _STRING(self.text, start)
        except JSONDecodeError as error:
            self.at = error.pos
            raise self.wrong(error.msg[:1].lower() + error.msg[1:]) from None
        return Node("scalar", value, self.place(start, self.at))

    def bare(self) -> Node:
        start = self.at
        number = _NUMBER.match(self.text, start)
        word = next((w for w in _WORDS if self.text.startswith(w, start)), None)
        if word is not None:
            self.at += len(word)
            return Node("scalar", _WORDS[word], self.place(start, self.at))
        if number is None or len(number[0]) > _LONGEST_NUMBER:
            raise self.wrong("a value is expected here" if self.look() else "the text ends too early")
        self.at = number.end()
        value = int(number[0]) if number[0].lstrip("-").isdigit() else float(number[0])
        return Node("scalar", value, self.place(start, self.at))

    def sequence(self, depth: int) -> Node:
        start, items = self.at, []
        self.at += 1
        if self.look() != "]":
            items.append(self.value(depth + 1))
            while self.look() == ",":
                self.at += 1
                items.append(self.value(depth + 1))
        self.closed("]")
        return Node("sequence", None, self.place(start, self.at), items=tuple(items))

    def mapping(self, depth: int) -> Node:
        start, entries = self.at, []
        self.at += 1
        if self.look() != "}":
            entries.append(self.entry(depth))
            while self.look() == ",":
                self.at += 1
                entries.append(self.entry(depth))
        self.closed("}")
        return Node("mapping", None, self.place(start, self.at), tuple(entries))

    def entry(self, depth: int) -> tuple[Node, Node]:
        if self.look() != '"':
            raise self.wrong("a key in quotes is expected here")
        key = self.string()
        if self.look() != ":":
            raise self.wrong("a key needs a `:` after it")
        self.at += 1
        return key, self.value(depth + 1)

    def closed(self, sign: str) -> None:
        if self.look() != sign:
            raise self.wrong(f"`,` or `{sign}` is expected here")
        self.at += 1
