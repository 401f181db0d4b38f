"""A line to type into that shows what it holds."""

from __future__ import annotations

from rich.segment import Segment
from textual.strip import Strip
from textual.widgets import Input

from inspector.visible import visible

__all__ = ["Line"]


class Line(Input):
    """Values, suggestions and placeholders may come from the author's files: what would act is drawn as a sign."""

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        seen = Strip([Segment(visible(text), style) for text, style, _ in strip])
        return seen.crop_extend(0, self.scrollable_content_region.width + 1, self.rich_style)
