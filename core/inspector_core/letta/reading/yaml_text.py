"""YAML with positions; aliases, tags and depth can't make it run or explode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import yaml

from inspector_core.letta.reading.tree import Node, Unreadable
from inspector_core.source import Source

__all__ = ["load"]

_LOADER: Callable[[str], Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DEEPEST = 100
_MOST = 200_000
"""Values made of one file, aliases included."""


def load(source: Source) -> Node:
    """The value of a file. Raises `Unreadable`."""
    loader = _LOADER(source.text)
    try:
        found = loader.get_single_node()
        if found is None:
            raise Unreadable("the file is empty", source.span(0))
        return _Maker(source, loader.construct_object).node(found, 0)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = mark.index if mark else 0
        raise Unreadable(error.problem or "it can't be read as YAML", source.span(at, at + 1)) from None
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
        raise Unreadable(f"it can't be read as YAML: {str(error).splitlines()[0]}", source.span(0)) from None


class _Maker:
    def __init__(self, source: Source, construct: Callable[[yaml.Node], object]) -> None:
        self.source, self.construct, self.made = source, construct, 0

    def node(self, found: yaml.Node, depth: int) -> Node:
        self.made += 1
        span = self.source.span(found.start_mark.index, found.end_mark.index)
        if depth > _DEEPEST or self.made > _MOST:
            raise Unreadable("it holds more than can be read", span)
        match found:
            case yaml.MappingNode():
                pairs = ((self.node(k, depth + 1), self.node(v, depth + 1)) for k, v in found.value)
                return Node("mapping", None, span, tuple(pairs))
            case yaml.SequenceNode():
                return Node("sequence", None, span, items=tuple(self.node(v, depth + 1) for v in found.value))
            case _:
                return Node("scalar", self.scalar(found), span)

    def scalar(self, found: yaml.Node) -> object:
        """The plain value; dates and whatever has a tag of its own stay the text that they are."""
        name = found.tag.removeprefix("tag:yaml.org,2002:")
        if name not in ("null", "bool", "int", "float"):
            return found.value
        try:
            return self.construct(found)
        except (yaml.YAMLError, ValueError, OverflowError):
            return found.value
