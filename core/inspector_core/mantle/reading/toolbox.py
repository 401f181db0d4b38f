"""The tools of several files together: imports resolved, later files laid over earlier ones (§5.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from inspector_core.finding import Finding, Severity
from inspector_core.mantle.reading.shelf import Shelf
from inspector_core.mantle.reading.tools import ImportedName, ToolsText, read_tools
from inspector_core.source import Source, Span
from inspector_core.tool import MemoryUse, Tool, ToolKind

__all__ = ["Toolbox", "tool_files", "toolbox"]

_DEEPEST_IMPORT = 5


@dataclass(frozen=True, slots=True, eq=False)
class Toolbox:
    """The tools that a set of files registers."""

    tools: tuple[Tool, ...] = ()
    findings: tuple[Finding, ...] = ()
    writes: tuple[MemoryUse, ...] = ()
    bypasses: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class _Provided:
    """A tool as one of the files registers it."""

    tool: Tool
    path: str


def tool_files(paths: Iterable[str], home: str) -> list[str]:
    """The tool modules right in a directory, in the order in which the engine takes them."""
    found = [p for p in paths if p.startswith(home) and p.endswith(".py") and "/" not in p[len(home) :]]
    return sorted(p for p in found if p != f"{home}__init__.py")


def toolbox(shelf: Shelf, paths: list[str], kind: ToolKind) -> tuple[tuple[ToolsText, ...], Toolbox]:
    """The tools of these files, and every part that they were read from."""
    used: dict[str, ToolsText] = {}
    provided = [p for path in paths for p in _of_file(shelf, path, kind, used)]
    own = [used[path] for path in paths if path in used]
    found: dict[str, _Provided] = {}
    findings = [f for text in used.values() for f in text.findings]
    for each in provided:
        earlier = found.get(each.tool.name)
        if earlier is not None and earlier.path != each.path:
            findings.append(_duplicate(each, earlier))
        found[each.tool.name] = each
    return tuple(used.values()), Toolbox(
        tuple(p.tool for p in found.values()), tuple(findings), tuple(w for text in own for w in text.writes),
        tuple(b for text in own for b in text.bypasses),
    )  # fmt: skip


def _duplicate(later: _Provided, earlier: _Provided) -> Finding:
    message = f"`{later.tool.name}` is defined in `{earlier.path}` too, and the one here counts"
    span = later.tool.span
    return Finding("inspector.tools.duplicate", Severity.WARNING, message, span, "give one of them another name")


def _of_file(shelf: Shelf, path: str, kind: ToolKind, used: dict[str, ToolsText]) -> Iterator[_Provided]:
    text = shelf.part(path, ToolsText, partial(read_tools, kind=kind))
    if text is None:
        return
    used[path] = text
    for entry in text.entries:
        if isinstance(entry, Tool):
            yield _Provided(entry, path)
        else:
            for tool in _imported(shelf, entry, kind, used, 1):
                yield _Provided(tool, path)


def _imported(
    shelf: Shelf, wanted: ImportedName, kind: ToolKind, used: dict[str, ToolsText], depth: int
) -> Iterator[Tool]:
    """The tools that a name stands for in another module of the agent."""
    path = _module_path(shelf, wanted.module)
    text = shelf.part(path, ToolsText, partial(_read_module, kind=kind)) if path and depth <= _DEEPEST_IMPORT else None
    if path is None or text is None:
        return
    used.setdefault(path, text)
    for entry in text.entries:
        if wanted.original not in ("*", entry.name) or (wanted.original == "*" and entry.name.startswith("_")):
            continue
        found = [entry] if isinstance(entry, Tool) else _imported(shelf, entry, kind, used, depth + 1)
        for tool in found:
            name = tool.name if wanted.name == "*" else wanted.name
            yield tool if (tool.name, tool.kind) == (name, kind) else replace(tool, name=name, kind=kind)


def _read_module(source: Source, kind: ToolKind) -> ToolsText:
    """Any other module of the agent: most of them know no tools, and need not be parsed."""
    return read_tools(source, kind) if "tool" in source.text else ToolsText()


def _module_path(shelf: Shelf, module: str) -> str | None:
    base = module.replace(".", "/")
    return next((p for p in (f"{base}.py", f"{base}/__init__.py") if p in shelf.sources), None)
