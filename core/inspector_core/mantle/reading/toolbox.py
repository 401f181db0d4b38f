"""The tools of several files together: imports resolved, later files laid over earlier ones (§5.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from inspector_core.classes import NamedTuple
from inspector_core.finding import Finding, Severity
from inspector_core.mantle.reading.shelf import Shelf
from inspector_core.mantle.reading.tools import ImportedName, ToolsText, read_tools
from inspector_core.source import Span
from inspector_core.tool import MemoryUse, Tool, ToolKind

__all__ = ["Toolbox", "tool_files", "toolbox"]

_DEEPEST_IMPORT = 5
_MOST_LOOKUPS = 1_000
"""Imports that are followed for one skill; each may lead to a module that is gone through as a whole."""


class Toolbox(NamedTuple):
    """The tools that a set of files registers."""

    tools: tuple[Tool, ...] = ()
    findings: tuple[Finding, ...] = ()
    writes: tuple[MemoryUse, ...] = ()
    bypasses: tuple[Span, ...] = ()


class _Provided(NamedTuple):
    """A tool as one of the files registers it."""

    tool: Tool
    path: str


def tool_files(paths: Iterable[str], home: str) -> list[str]:
    """The tool modules right in a directory, in the order in which the engine takes them."""
    found = [p for p in paths if p.startswith(home) and p.endswith(".py") and "/" not in p[len(home) :]]
    return sorted(p for p in found if p != f"{home}__init__.py")


def toolbox(shelf: Shelf, paths: list[str], kind: ToolKind) -> tuple[tuple[ToolsText, ...], Toolbox]:
    """The tools of these files, and every part that they were read from."""
    resolver = _Resolver(shelf, kind)
    provided = [p for path in paths for p in resolver.file(path)]
    texts = [resolver.used[path] for path in paths if path in resolver.used]
    found: dict[str, _Provided] = {}
    findings = [f for text in resolver.used.values() for f in text.findings]
    for each in provided:
        earlier = found.get(each.tool.name)
        if earlier is not None and earlier.path != each.path:
            findings.append(_duplicate(each, earlier))
        found[each.tool.name] = each
    return tuple(resolver.used.values()), Toolbox(
        tuple(p.tool for p in found.values()), tuple(findings), tuple(w for text in texts for w in text.writes),
        tuple(b for text in texts for b in text.bypasses),
    )  # fmt: skip


def _duplicate(later: _Provided, earlier: _Provided) -> Finding:
    message = f"`{later.tool.name}` is defined in `{earlier.path}` too, and the one here counts"
    span = later.tool.span
    return Finding("inspector.tools.duplicate", Severity.WARNING, message, span, "give one of them another name")


class _Resolver:
    """Finds the tools that files define, and those that they import from other modules of the agent."""

    def __init__(self, shelf: Shelf, kind: ToolKind) -> None:
        self.shelf = shelf
        self.kind: ToolKind = kind
        self.used: dict[str, ToolsText] = {}
        """Every file that was read for it."""
        self._left = _MOST_LOOKUPS

    def file(self, path: str) -> Iterator[_Provided]:
        """The tools that one file registers."""
        text = self.shelf.part(path, ToolsText, partial(read_tools, kind=self.kind))
        if text is None:
            return
        self.used[path] = text
        for entry in text.entries.values():
            found = [entry] if isinstance(entry, Tool) else self._imported(entry, 1)
            yield from (_Provided(tool, path) for tool in found)

    def _imported(self, wanted: ImportedName, depth: int) -> Iterator[Tool]:
        """The tools that a name stands for in another module; what that module has from elsewhere is followed."""
        path, self._left = _module_path(self.shelf, wanted.module), self._left - 1
        if path is None or depth > _DEEPEST_IMPORT or self._left < 0:
            return
        text = self.shelf.part(path, ToolsText, partial(read_tools, kind=self.kind))
        if text is None:
            return
        self.used.setdefault(path, text)
        for entry in _wanted(text, wanted.original):
            if isinstance(entry, Tool):
                name = entry.name if wanted.name == "*" else wanted.name
                yield replace(entry, name=name, kind=self.kind)
            else:
                yield from self._imported(_further(wanted, entry), depth + 1)


def _further(wanted: ImportedName, behind: ImportedName) -> ImportedName:
    """The import behind an import, under the name that is wanted."""
    if behind.name == "*":
        return replace(behind, name=wanted.name, original=wanted.original)
    return behind if wanted.name == "*" else replace(behind, name=wanted.name)


def _wanted(text: ToolsText, name: str) -> Iterator[Tool | ImportedName]:
    """What a module has under a name, or under any public one; or where it may have it from."""
    if name != "*" and name in text.entries:
        yield text.entries[name]
        return
    for entry in text.entries.values():
        if entry.name == "*" or (name == "*" and not entry.name.startswith("_")):
            yield entry


def _module_path(shelf: Shelf, module: str) -> str | None:
    base = module.replace(".", "/")
    return next((p for p in (f"{base}.py", f"{base}/__init__.py") if p in shelf.sources), None)
