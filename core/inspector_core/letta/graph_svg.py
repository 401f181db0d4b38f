"""The picture of rules as SVG: boxes in rows, by how many calls lead to them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from html import escape

from inspector_core.classes import NamedTuple
from inspector_core.letta.graph import END, NOT_ALL, START, Box, Edge, Graph

__all__ = ["svg"]

_CHARACTER, _HEIGHT, _GAP, _ROW, _EDGE = 8, 34, 40, 96, 24
_STYLE = (
    "text{font:13px sans-serif;text-anchor:middle;fill:#222}rect{fill:#fff;stroke:#222}"
    "path{fill:none;stroke:#555}.here{stroke-width:4}.missing{stroke-dasharray:5}.label{font-size:11px;fill:#555}"
)


class _Place(NamedTuple):
    x: float
    """The middle."""
    y: float
    """The top."""
    width: float


def svg(of: Graph) -> str:
    """A picture that stands alone; nothing in it is loaded or runs."""
    rows = _rows(of)
    places = dict(_places(rows))
    width = max((p.x + p.width / 2 for p in places.values()), default=0) + _EDGE * 3
    height = len(rows) * _ROW + _EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" '
        f'height="{height}" role="img">',
        f"<title>tool rules{'' if of.exact else f' ({NOT_ALL})'}</title><style>{_STYLE}</style>",
        '<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0L8 4L0 8z" style="fill:#555"/></marker></defs>',
        *(_edge(edge, places) for edge in of.edges),
        *(_box(box, places[box.name]) for box in of.boxes),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _rows(of: Graph) -> list[list[Box]]:
    """Boxes by their distance from the start; the end stands below all, and what is never met in a row of its own."""
    after: dict[str, list[str]] = {}
    for edge in of.edges:
        after.setdefault(edge.source, []).append(edge.target)
    depth, left = {START: 0}, deque([START])
    while left:
        name = left.popleft()
        for target in after.get(name, ()):
            if target not in depth and target != END:
                depth[target] = depth[name] + 1
                left.append(target)
    last = max(depth.values()) + 1
    rows: dict[int, list[Box]] = {}
    for box in of.boxes:
        row = last if box.role == "end" else depth.get(box.name, last + 1)
        rows.setdefault(row, []).append(box)
    return [rows[row] for row in sorted(rows)]


def _places(rows: list[list[Box]]) -> Iterator[tuple[str, _Place]]:
    wide = [sum(_width(b) + _GAP for b in row) - _GAP for row in rows]
    widest = max(wide, default=0)
    for number, row in enumerate(rows):
        x = _EDGE + (widest - wide[number]) / 2
        for box in row:
            width = _width(box)
            yield box.name, _Place(x + width / 2, _EDGE / 2 + number * _ROW, width)
            x += width + _GAP


def _width(box: Box) -> float:
    return len(box.label) * _CHARACTER + 24


def _box(box: Box, at: _Place) -> str:
    round_ends = 17 if box.role in ("start", "end") else 4
    kinds = " ".join(name for name, is_so in (("here", box.here), ("missing", box.role == "missing")) if is_so)
    return (
        f'<rect x="{at.x - at.width / 2:.0f}" y="{at.y:.0f}" width="{at.width:.0f}" height="{_HEIGHT}" '
        f'rx="{round_ends}" class="{kinds}"/><text x="{at.x:.0f}" y="{at.y + 22:.0f}">{escape(box.label)}</text>'
    )


def _edge(edge: Edge, places: Mapping[str, _Place]) -> str:
    """A curve: downwards from box to box, and round the side where it leads back or stays."""
    a, b = places[edge.source], places[edge.target]
    if b.y > a.y:
        x, y, x2, y2 = a.x, a.y + _HEIGHT, b.x, b.y
        path = f"M{x:.0f} {y:.0f}C{x:.0f} {y + 28:.0f} {x2:.0f} {y2 - 28:.0f} {x2:.0f} {y2:.0f}"
    else:
        x, y, x2, y2 = a.x + a.width / 2, a.y + 12, b.x + b.width / 2, b.y + _HEIGHT - 12
        out = max(x, x2) + 28
        path = f"M{x:.0f} {y:.0f}C{out:.0f} {y:.0f} {out:.0f} {y2:.0f} {x2:.0f} {y2:.0f}"
    label = ""
    if edge.label:
        shown = escape("".join(c if c.isprintable() else "�" for c in edge.label))
        label = f'<text class="label" x="{(x + x2) / 2:.0f}" y="{(y + y2) / 2:.0f}">{shown}</text>'
    return f'<path d="{path}" marker-end="url(#a)"/>{label}'
