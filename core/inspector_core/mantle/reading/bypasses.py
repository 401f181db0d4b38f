"""Where a tool file reaches past the view of memory that tools are given (§5.5)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from inspector_core.mantle.reading.python import Code, walk
from inspector_core.source import Span

__all__ = ["bypasses"]

_WORDS = ("clear_entries", "memory._", "MemoryManager")


def bypasses(code: Code) -> Iterator[Span]:
    """Uses of `clear_entries`, of what `memory` keeps to itself, and of the engine's own memory manager."""
    if not any(word in code.source.text for word in _WORDS):
        return
    for node in walk(code.tree, code.lines_with(_WORDS)):
        match node:
            case ast.Attribute(attr="clear_entries"):
                yield code.span(node)
            case ast.Attribute(attr=attr, value=ast.Attribute(attr="memory")) if attr.startswith("_"):
                yield code.span(node)
            case ast.ImportFrom(module=str() as module) if module.startswith("rasa."):
                if any(alias.name == "MemoryManager" for alias in node.names):
                    yield code.span(node)
