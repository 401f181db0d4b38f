"""The picture of rules for other programs to draw: Mermaid and DOT."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.letta.graph import NOT_ALL, Box, Graph, Role

__all__ = ["dot", "mermaid"]

_SHAPES: Mapping[Role, tuple[str, str]] = {
    "start": ("([", "])"), "end": ("([", "])"), "choice": ("{{", "}}"), "tool": ("[", "]"), "missing": ("[", "]"),
}  # fmt: skip
_DOT: Mapping[Role, str] = {
    "start": "shape=oval", "end": "shape=oval", "choice": "shape=hexagon", "tool": "shape=box",
    "missing": "shape=box, style=dashed",
}  # fmt: skip


def mermaid(of: Graph) -> str:
    """A flowchart; names stand in labels alone, so that no name can be taken for a word of the language."""
    ids = _ids(of)
    lines = ["flowchart TD", *([] if of.exact else [f"  %% {NOT_ALL}"])]
    lines += [f'  {ids[b.name]}{_SHAPES[b.role][0]}"{_quoted(b.label)}"{_SHAPES[b.role][1]}' for b in of.boxes]
    for edge in of.edges:
        label = f'|"{_quoted(edge.label)}"|' if edge.label else ""
        lines.append(f"  {ids[edge.source]} -->{label} {ids[edge.target]}")
    lines += [f"  style {ids[b.name]} stroke-width:4px" for b in of.boxes if b.here]
    lines += [f"  style {ids[b.name]} stroke-dasharray:4" for b in of.boxes if b.role == "missing"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """Text that Mermaid shows as it is."""
    signs = {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "`": "#96;"}
    return "".join(signs.get(c, c if c.isprintable() else "�") for c in text)


def dot(of: Graph) -> str:
    """A digraph for Graphviz."""
    ids = _ids(of)
    lines = [
        "digraph rules {",
        *([] if of.exact else [f"  // {NOT_ALL}"]),
        "  rankdir=TB;",
        '  node [fontname="sans-serif"];',
    ]
    lines += [f'  {ids[b.name]} [label="{_escaped(b.label)}", {_style(b)}];' for b in of.boxes]
    for edge in of.edges:
        label = f' [label="{_escaped(edge.label)}"]' if edge.label else ""
        lines.append(f"  {ids[edge.source]} -> {ids[edge.target]}{label};")
    return "\n".join([*lines, "}"]) + "\n"


def _style(box: Box) -> str:
    return f"{_DOT[box.role]}, penwidth=3" if box.here else _DOT[box.role]


def _escaped(text: str) -> str:
    safe = "".join(c if c.isprintable() else "�" for c in text)
    return safe.replace("\\", "\\\\").replace('"', '\\"')


def _ids(of: Graph) -> Mapping[str, str]:
    return {box.name: f"n{number}" for number, box in enumerate(of.boxes)}
