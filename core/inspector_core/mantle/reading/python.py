"""Python files as trees with positions: parsed, and never imported."""

from __future__ import annotations

import ast
import re
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Any

from inspector_core.classes import NamedTuple
from inspector_core.finding import Finding, Severity
from inspector_core.source import NO_FILE, Source, Span

__all__ = ["BRANCHES", "PARTS", "STATEMENTS", "Code", "Function", "import_failed", "parse", "touches", "walk"]

Function = ast.FunctionDef | ast.AsyncFunctionDef

_LINE_END = re.compile(r"\r\n?|\n")
_BOM = "\ufeff"
_new = tuple.__new__
"""Makes a named tuple in half the time that its own constructor takes."""


_NO_CODE = frozenset((
    "annotation", "arg", "asname", "attr", "conversion", "ctx", "decorator_list", "id", "is_async", "kind", "level",
    "module", "name", "names", "op", "operators", "ops", "returns", "simple", "type_comment", "type_ignores",
    "type_params",
))  # fmt: skip


def _parts(kind: type[ast.AST]) -> tuple[str, ...]:
    if issubclass(kind, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return ("body",)
    return tuple(f for f in reversed(kind._fields) if f not in _NO_CODE)


PARTS = {
    kind: () if issubclass(kind, (ast.Constant, ast.arguments)) else _parts(kind)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
"""For each kind of node the fields that may hold running code, last first; what a signature says is left out."""

BRANCHES = frozenset(kind for kind, parts in PARTS.items() if parts)
"""Kinds of node that have such parts."""

STATEMENTS = frozenset(kind for kind in PARTS if issubclass(kind, ast.stmt))


def walk(root: ast.AST, lines: list[int]) -> Iterator[ast.AST]:
    """A node and the parts of it that may run, as written, without the statements that reach over none of the lines."""
    stack: list[Any] = [root]
    while stack:
        node = stack.pop()
        kind = node.__class__
        if kind in STATEMENTS and not touches(node, lines):
            continue
        yield node
        for name in PARTS[kind]:
            part = getattr(node, name)
            if part.__class__ is list:
                stack += [p for p in reversed(part) if p.__class__ in PARTS]
            elif part.__class__ in PARTS:
                stack.append(part)


def touches(statement: ast.stmt, lines: list[int]) -> bool:
    """Whether a statement reaches over one of the lines."""
    at = bisect_left(lines, statement.lineno)
    return at < len(lines) and lines[at] <= (statement.end_lineno or statement.lineno)


class Code(NamedTuple):
    """A file's tree, able to say where each part of it was written."""

    source: Source
    tree: ast.Module
    starts: tuple[int, ...]
    """The offset at which each line starts, as Python counts lines."""
    ascii: bool
    same_lines: bool
    """Python counts the same lines as the source, which knows no lone carriage return."""

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """Where a part was written."""
        line, column = node.lineno, node.col_offset
        end_line, end_column = node.end_lineno or line, node.end_col_offset or 0
        if self.ascii and self.same_lines:
            return _new(Span, (self.source.path, line, column + 1, end_line, end_column + 1))
        return self._span(line, self._column(line, column), end_line, self._column(end_line, end_column))

    def name_span(self, function: Function) -> Span:
        """Where a function's own name stands."""
        word = "async def" if isinstance(function, ast.AsyncFunctionDef) else "def"
        start = self.starts[function.lineno - 1]
        at = self.source.text.find(
            function.name, start + self._column(function.lineno, function.col_offset) + len(word)
        )
        return self.source.span(at, at + len(function.name)) if at >= 0 else self.source.span(start)

    def word_span(self, statement: ast.stmt, word: str) -> Span:
        """Where a word stands in a statement; the whole statement where it is written in another way."""
        start = self.starts[statement.lineno - 1] + self._column(statement.lineno, statement.col_offset)
        at = self.source.text.find(word, start)
        span = self.source.span(at, at + len(word))
        return span if at >= 0 and span.line <= (statement.end_lineno or 0) else self.span(statement)

    def lines_with(self, words: Iterable[str]) -> list[int]:
        """The lines on which any of the words occurs, even inside a longer one, in order."""
        text, starts = self.source.text, self.starts
        found: set[int] = set()
        for word in words:
            at = text.find(word)
            while at >= 0:
                found.add(bisect_right(starts, at))
                at = text.find(word, at + 1)
        return sorted(found)

    def _column(self, line: int, column: int) -> int:
        """A column in characters from one in UTF-8 bytes, both from 0."""
        if self.ascii:
            return column
        start = self.starts[line - 1]
        before = self.source.text[start : start + column]
        if before.isascii():
            return column
        return len(before.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))

    def _span(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        if self.same_lines:
            return Span(self.source.path, line, column + 1, end_line, end_column + 1)
        return self.source.span(self.starts[line - 1] + column, self.starts[end_line - 1] + end_column)


def parse(source: Source) -> Code | Finding:
    """The file's tree, or the finding that says why importing it fails."""
    text = source.text.removeprefix(_BOM)
    shift = len(source.text) - len(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text, NO_FILE)
    except SyntaxError as error:
        return _syntax(source, error, shift)
    except (RecursionError, MemoryError):
        return import_failed(source.span(0), "this file can't be imported: it is nested too deeply to be read")
    except ValueError as error:
        return import_failed(source.span(0), f"this file can't be imported: {_words(error)}")
    same_lines = not shift and text.count("\r") == text.count("\r\n")
    return Code(source, tree, _starts(source, shift), text.isascii() and not shift, same_lines)


def import_failed(span: Span, message: str, hint: str | None = None) -> Finding:
    """What the engine meets while it imports a tool file (§5.5)."""
    return Finding("mantle.validation.tools.import_failed", Severity.ERROR, message, span, hint)


def _starts(source: Source, shift: int) -> tuple[int, ...]:
    starts = source.starts
    if source.text.count("\r") != source.text.count("\r\n"):
        starts = (0, *(m.end() for m in _LINE_END.finditer(source.text)))
    return (shift, *starts[1:]) if shift else starts


def _syntax(source: Source, error: SyntaxError, shift: int) -> Finding:
    starts = _starts(source, shift)
    line = min(max(error.lineno or 1, 1), len(starts))
    end = starts[line] if line < len(starts) else len(source.text)
    at = min(starts[line - 1] + max((error.offset or 1) - 1, 0), end)
    return import_failed(source.span(at, min(at + 1, end)), f"this file can't be imported: {_words(error)}")


def _words(error: Exception) -> str:
    words = (error.msg if isinstance(error, SyntaxError) else "") or "its text is no Python"
    return words[:1].lower() + words[1:200]
