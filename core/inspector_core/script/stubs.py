"""What a tool is said to do: `returns`, `writes`, `says`, `raises`, `next`, `interrupted`."""

from __future__ import annotations

from inspector_core.events import Next, Stub
from inspector_core.mantle.reading.yaml import Node
from inspector_core.script.parts import Entries, Parts

__all__ = ["STUB", "stub"]

STUB = ("returns", "writes", "says", "raises", "next", "interrupted")
"""The keys that say what a tool does, in the order in which they are written."""


def stub(parts: Parts, entries: Entries, returns: str = "returns") -> Stub | None:
    """The author's word for what a tool does; `None` where nothing is said of it."""
    given = {name: entries[name][1] for name in STUB if name in entries and name != "returns"}
    if returns in entries:
        given["returns"] = entries[returns][1]
    if not given:
        return None
    return Stub(
        parts.value(given["returns"]) if "returns" in given else None,
        _writes(parts, given["writes"]) if "writes" in given else (),
        tuple(text for text, _ in parts.texts(given["says"], "`says`")) if "says" in given else (),
        parts.text(given["raises"], "`raises`") if "raises" in given else None,
        tuple(_next(parts, given["next"])) if "next" in given else (),
        bool(parts.flag(given["interrupted"], "`interrupted`")) if "interrupted" in given else False,
    )


def _writes(parts: Parts, node: Node) -> tuple[tuple[str, object], ...]:
    """A mapping; or a list of mappings, where one entry is written more than once."""
    mappings = node.items if node.kind == "sequence" else (node,)
    return tuple(pair for mapping in mappings for pair in parts.values(mapping, "`writes`").items())


def _next(parts: Parts, node: Node) -> list[Next]:
    """One skill or a list of them, each a name, or a mapping with the block to enter."""
    found = []
    for item in node.items if node.kind == "sequence" else (node,):
        if item.kind == "mapping":
            given = parts.entries(item, "`next`")
            parts.only(given, ("skill", "block"), "part of `next`")
            texts = {name: parts.text(value, f"`{name}`") for name, (_, value) in given.items()}
            found.append(Next(texts.get("skill") or "", texts.get("block")))
        elif (name := parts.text(item, "`next`")) is not None:
            found.append(Next(name))
    return found
