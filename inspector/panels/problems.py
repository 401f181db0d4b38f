"""The problems panel: findings, each a link to its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from inspector.messages import PlaceWanted
from inspector.panels.lines import Lines, Row, bindings
from inspector.pieces import Piece, Tone
from inspector.view import View
from inspector_core.finding import Finding, Severity

__all__ = ["Problems"]

_SIGNS: dict[Severity, tuple[str, Tone]] = {
    Severity.ERROR: ("✗ error  ", "error"), Severity.WARNING: ("! warning", "ask"), Severity.INFO: ("· note   ", "dim"),
}  # fmt: skip


class Problems(Lines):
    """Everything that reading and checking the folder found; the gravest first, then by place."""

    BINDINGS: ClassVar = bindings("problems")
    ABOUT: ClassVar = (
        "What reading and checking the folder found. `error` is what the engine would refuse; `warning` is what"
        " it would accept, though it hardly means what it says; `note` is worth a look. `enter` opens the place"
        " in your editor."
    )

    def show(self, view: View) -> None:
        if self.border_title != self._titled(view) or getattr(self, "shown", None) is not view.findings:
            self.shown = view.findings
            self.border_title = self._titled(view)
            self.show_rows(self._rows(view))

    def _titled(self, view: View) -> str:
        return f"{self.title} · {len(view.findings)}" if view.findings else self.title

    def _rows(self, view: View) -> Iterator[Row]:
        if not view.findings:
            yield Row(
                "none", (("reading the folder…" if view.reading else "none: all files are well", "dim"),), quiet=True
            )
        ordered = sorted(view.findings, key=lambda f: list(Severity).index(f.severity))
        for number, finding in enumerate(ordered):
            yield _row(number, finding)
            if finding.hint:
                yield Row((number, "hint"), ((f"    {finding.hint}", "dim"),), quiet=True)

    def action_visit(self) -> None:
        if self.current and self.current.span:
            self.post_message(PlaceWanted(self.current.span))

    def chosen(self) -> None:
        self.action_visit()


def _row(number: int, finding: Finding) -> Row:
    sign, tone = _SIGNS[finding.severity]
    text = f"{finding.span} {finding.message} [{finding.code}]"
    pieces: tuple[Piece, ...] = ((f"{sign} ", tone), (f"{finding.span} ", "dim"), (finding.message, "plain"))
    return Row(
        (finding.code, str(finding.span), number),
        (*pieces, (f"  {finding.code}", "dim")),
        text,
        finding.span,
        copy=text,
    )
