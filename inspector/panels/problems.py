"""The problems panel: findings, each a link to its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from rich.cells import cell_len

from inspector.messages import PlaceWanted
from inspector.panels.lines import Lines, Row, bindings, cut, wrap
from inspector.pieces import Tone
from inspector.view import View
from inspector_core.finding import Finding, Severity

__all__ = ["Problems"]

_SIGNS: dict[Severity, tuple[str, Tone]] = {
    Severity.ERROR: ("✗ error  ", "error"), Severity.WARNING: ("! warning", "ask"), Severity.INFO: ("· info   ", "dim"),
}  # fmt: skip


MOST = 500
"""More are not laid out: nobody mends them one by one, and the screen has to keep up."""


class Problems(Lines):
    """Everything that reading and checking the folder found; the gravest first, then by place."""

    BINDINGS: ClassVar = bindings("problems")
    ABOUT: ClassVar = (
        "What reading and checking the folder found. `error` is what the engine would refuse; `warning` is what"
        " it would accept, though it hardly means what it says; `info` is worth a look. `enter` opens the place"
        " in your editor."
    )

    def __init__(self, title: str, *, id: str) -> None:
        super().__init__(title, id=id)
        self.findings: tuple[Finding, ...] | None = None
        self.reading = True

    def show(self, view: View) -> None:
        if self.findings is not view.findings or self.reading != view.reading:
            self.findings, self.reading = view.findings, view.reading
            self.border_title = f"{self.title} · {len(view.findings)}" if view.findings else self.title
            self._lay()

    def on_resize(self) -> None:
        self._lay()
        super().on_resize()

    def _lay(self) -> None:
        width = self.scrollable_content_region.width - 1
        if width > 0:
            self.show_rows(self._rows(width))

    def _rows(self, width: int) -> Iterator[Row]:
        if not self.findings:
            text = "reading the folder…" if self.reading else "none: all files are well"
            yield Row("none", ((text, "dim"),), quiet=True)
        ordered = sorted(self.findings or (), key=lambda f: list(Severity).index(f.severity))
        for number, finding in enumerate(ordered[:MOST]):
            yield from _rows(number, finding, width)
        if len(ordered) > MOST:
            yield Row("more", ((f"… and {len(ordered) - MOST} more: `inspector check` lists all", "dim"),), quiet=True)

    def action_visit(self) -> None:
        if self.current and self.current.span:
            self.post_message(PlaceWanted(self.current.span))

    def chosen(self) -> None:
        self.action_visit()


def _rows(number: int, finding: Finding, width: int) -> Iterator[Row]:
    """The message, broken where it is long; below it where, and what to do. The cursor stops at the message."""
    sign, tone = _SIGNS[finding.severity]
    text = f"{finding.span} {finding.message} [{finding.code}]"
    message = wrap(finding.message, width - cell_len(sign) - 1)
    about = (finding.code, str(finding.span), number)
    yield Row(about, ((f"{sign} ", tone), (message[0], "plain")), text, finding.span, copy=text)
    indent = " " * (cell_len(sign) + 1)
    for part, line in enumerate(message[1:]):
        yield Row((number, "message", part), ((indent + line, "plain"),), quiet=True, detail=True)
    place = cut(str(finding.span), max(width - len(indent), 12))
    room = width - len(indent) - cell_len(place) - 2
    code = f"  {finding.code}" if cell_len(finding.code) <= room else ""
    yield Row((number, "place"), ((indent + place + code, "dim"),), quiet=True, detail=True)
    for part, line in enumerate(wrap(finding.hint, width - len(indent)) if finding.hint else []):
        yield Row((number, "hint", part), ((indent + line, "dim"),), quiet=True, detail=True)
