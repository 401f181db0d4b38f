"""The frame of a `skill.md`: what stands between the two `---`, and where (§2.1).

python-frontmatter drives the reading through a handler of ours. Its own handler gives no places, and takes an unclosed
`---`, a byte order mark before it, or a list for a file without metadata; so ours splits and loads by itself.
"""

from __future__ import annotations

import re
from typing import Any

import frontmatter
from frontmatter.default_handlers import BaseHandler

from inspector_core.classes import NamedTuple
from inspector_core.mantle.reading.lines import lines_with
from inspector_core.mantle.reading.yaml import Document, load
from inspector_core.source import Source

__all__ = ["Fault", "Frame", "SkillHandler", "read_frontmatter"]

_FENCE = re.compile(r"^[^\S\n]*---[^\S\n]*$", re.MULTILINE)
_OPENING = re.compile(r"---[^\S\n]*(?:\n|\Z)")
_METADATA = re.compile(r"(?:[^\S\n].*|#.*|- .*|[\w.-]+[^\S\n]*:.*|[^\S\n]*)(?:\n|\Z)")
"""A line that may belong to a frontmatter that is never closed."""


class Fault(NamedTuple):
    """Why the engine finds no frontmatter."""

    message: str
    hint: str


class Frame(NamedTuple):
    """Where the parts of the file lie, as offsets. With a fault, where they are likely meant to lie."""

    start: int
    end: int
    """Of the frontmatter, without its fences."""
    body: int
    body_end: int
    fault: Fault | None = None
    guessed: bool = False
    """A fence is missing, so that what is metadata and what is prose can't be told for sure."""


class SkillHandler(BaseHandler):
    """Reads one source; what the library then returns as metadata and content has its places in `frame`."""

    FM_BOUNDARY = _FENCE
    START_DELIMITER = END_DELIMITER = "---"

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.source = source
        self.frame = _frame(source.text)
        self.document = Document(None)

    def detect(self, text: str) -> bool:
        return self.frame.fault is None

    def split(self, text: str) -> tuple[str, str]:
        """The two parts of the source. The library's text is the same one, stripped, so its offsets are of no use."""
        frame, whole = self.frame, self.source.text
        return whole[frame.start : frame.end], whole[frame.body : frame.body_end]

    def load(self, fm: str) -> dict[str, Any]:
        self.document = load(self.source, self.frame.start, self.frame.end)
        value = self.document.node.value if self.document.node else None
        return {str(key): item for key, item in value.items()} if isinstance(value, dict) else {}


def read_frontmatter(source: Source) -> tuple[Frame, Document]:
    """Split a file and read its frontmatter; whatever is wrong with either is told in them."""
    handler = SkillHandler(source)
    frontmatter.parse(source.text[: handler.frame.body], handler=handler)
    return handler.frame, handler.document


def _frame(text: str) -> Frame:
    start, stop = len(text) - len(text.lstrip()), len(text.rstrip())
    fault = None
    if text.startswith("\ufeff", start):
        fault = Fault("an invisible byte order mark stands before the first `---`", "save the file as UTF-8 without it")
        start += 1
    opening = _OPENING.match(text, start)
    if opening is None:
        fault = fault or Fault("the file does not open with `---`", "put the frontmatter between two lines of `---`")
        return Frame(start, start, start, max(start, stop), fault, guessed=True)
    first = opening.end()
    for begin, end in lines_with(text, "---", first, len(text)):
        if text[begin:end].strip() == "---":
            body = min(end + 1, len(text))
            return Frame(first, begin, body, max(body, stop), fault)
    fault = fault or Fault("the frontmatter that this `---` opens is never closed", "put a line of `---` below it")
    end = _likely_end(text, first)
    return Frame(first, end, end, max(end, stop), fault, guessed=True)


def _likely_end(text: str, start: int) -> int:
    """Where the prose seems to begin, in a file whose frontmatter is not closed."""
    while start < len(text) and (line := _METADATA.match(text, start)):
        start = line.end()
    return start
