"""A file's bytes as text, whatever they are: a recording comes from anywhere."""

from __future__ import annotations

import codecs

from inspector_core.classes import NamedTuple

__all__ = ["Text", "decoded"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
"""Byte order marks; those of UTF-32 first, since one of them begins like one of UTF-16."""


class Text(NamedTuple):
    """What was read, and what is wrong with it, if anything is."""

    text: str
    problem: str | None = None


def decoded(data: bytes) -> Text:
    """Text by its byte order mark, else UTF-8; what can't be read stands as a replacement sign."""
    encoding, start = _encoding(data)
    try:
        return Text(data[start:].decode(encoding))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, start + error.start) + 1
        text = data[start:].decode(encoding, "replace")
        return Text(text, f"it is not {encoding.upper()} throughout: the first odd byte is on line {line}")


def _encoding(data: bytes) -> tuple[str, int]:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name, len(mark)
    head = data[:4]
    if head[1:2] == b"\0" and head[:1] != b"\0":
        return "utf-16-le", 0
    if head[:1] == b"\0" and head[1:2] != b"\0":
        return "utf-16-be", 0
    return "utf-8", 0
