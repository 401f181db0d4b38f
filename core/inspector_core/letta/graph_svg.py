"""The picture of rules as SVG: boxes in rows, by how many calls lead to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from inspector_core.classes import NamedTuple
from inspector_core.letta.graph import END, NOT_ALL, START, Box, Edge, Graph

__all__ = ["svg"]

_CHARACTER, _HEIGHT, _GAP, _ROW, _EDGE, _LANE = 8, 34, 40, 96, 24, 14
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
    row_of = {box.name: number for number, row in enumerate(rows) for box in row}
    far = {edge: n for n, edge in enumerate(e for e in of.edges if row_of[e.target] - row_of[e.source] > 1)}
    margin = _LANE * (len(far) + 1) + max((len(e.label) * _CHARACTER for e in far), default=0) if far else _EDGE
    places = dict(_places(rows, margin))
    width = max((p.x + p.width / 2 for p in places.values()), default=0) + _EDGE * 3
    height = len(rows) * _ROW + _EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" '
        f'height="{height}" role="img">',
        f"<title>tool rules{'' if of.exact else f' ({NOT_ALL})'}</title><style>{_STYLE}</style>",
        '<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0L8 4L0 8z" style="fill:#555"/></marker></defs>',
        *(_edge(edge, places, None if edge not in far else _LANE * (far[edge] + 1)) for edge in of.edges),
        *(_box(box, places[box.name]) for box in of.boxes),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _rows(of: Graph) -> list[list[Box]]:
    """Boxes below all that lead to them; the end stands below those, and what is never met in a row of its own."""
    ranks = _ranks(of)
    last = max(ranks.values(), default=0) + 1
    rows: dict[int, list[Box]] = {}
    for box in of.boxes:
        row = last if box.role == "end" else ranks.get(box.name, last + 1)
        rows.setdefault(row, []).append(box)
    return [rows[row] for row in sorted(rows)]


def _ranks(of: Graph) -> Mapping[str, int]:
    """The longest way from the start to each box, where edges that lead back to a box on the way count for nothing."""
    after: dict[str, list[str]] = {}
    for edge in of.edges:
        if edge.target != END:
            after.setdefault(edge.source, []).append(edge.target)
    ranks: dict[str, int] = {START: 0}
    for name, onward in _from_the_start(after):
        for target in onward:
            ranks[target] = max(ranks.get(target, 0), ranks[name] + 1)
    return ranks


def _from_the_start(after: Mapping[str, list[str]]) -> list[tuple[str, list[str]]]:
    """Every box that is met, before all that it leads onward to."""
    done: list[tuple[str, list[str]]] = []
    onward: dict[str, list[str]] = {START: []}
    way = [(START, iter(after.get(START, ())))]
    open_: set[str] = {START}
    while way:
        name, targets = way[-1]
        target = next(targets, None)
        if target is None:
            way.pop()
            open_.discard(name)
            done.append((name, onward[name]))
            continue
        if target not in open_:
            onward[name].append(target)
        if target not in onward:
            onward[target] = []
            open_.add(target)
            way.append((target, iter(after.get(target, ()))))
    return done[::-1]


def _places(rows: list[list[Box]], margin: float) -> Iterator[tuple[str, _Place]]:
    wide = [sum(_width(b) + _GAP for b in row) - _GAP for row in rows]
    widest = max(wide, default=0)
    for number, row in enumerate(rows):
        x = margin + (widest - wide[number]) / 2
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


def _edge(edge: Edge, places: Mapping[str, _Place], lane: float | None) -> str:
    """A curve down to the next row; round the right side where it leads back; down a lane at the left past rows."""
    a, b = places[edge.source], places[edge.target]
    middle, middle2 = a.y + _HEIGHT / 2, b.y + _HEIGHT / 2
    if lane is not None:
        x2, above = b.x - b.width / 4, b.y - 12 - lane / _LANE % 3 * 13
        path = f"M{a.x - a.width / 2:.0f} {middle:.0f}H{lane:.0f}V{above:.0f}H{x2:.0f}V{b.y:.0f}"
        label = _label(edge.label, x2 - 4, above - 3, "end")
    elif b.y > a.y:
        x, y, x2, y2 = a.x, a.y + _HEIGHT, b.x, b.y
        path = f"M{x:.0f} {y:.0f}C{x:.0f} {y + 28:.0f} {x2:.0f} {y2 - 28:.0f} {x2:.0f} {y2:.0f}"
        label = _label(edge.label, (x + x2) / 2 + 4, (y + y2) / 2, "start")
    else:
        x, x2 = a.x + a.width / 2, b.x + b.width / 2
        out = max(x, x2) + 28
        path = f"M{x:.0f} {middle:.0f}C{out:.0f} {middle:.0f} {out:.0f} {middle2:.0f} {x2:.0f} {middle2:.0f}"
        label = _label(edge.label, out, (middle + middle2) / 2, "middle")
    return f'<path d="{path}" marker-end="url(#a)"/>{label}'


def _label(text: str, x: float, y: float, anchor: str) -> str:
    shown = escape("".join(c if c.isprintable() else "�" for c in text))
    style = f'class="label" style="text-anchor:{anchor}"'
    return f'<text {style} x="{x:.0f}" y="{y:.0f}">{shown}</text>' if text else ""
