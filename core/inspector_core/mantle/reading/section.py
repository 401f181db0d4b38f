"""A mapping of a configuration file, asked for values by type: one of another type is a finding, and no value."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from inspector_core.finding import Finding, Severity, did_you_mean
from inspector_core.mantle.project import Named
from inspector_core.mantle.reading.yaml import Node
from inspector_core.source import Span

__all__ = ["Section"]


class Section:
    """One mapping node, the code that its mistakes get, and the list that they go to."""

    def __init__(self, node: Node, code: str, findings: list[Finding]) -> None:
        self.node = node
        self.code = code
        self.findings = findings

    def refuse(self, message: str, span: Span, hint: str | None = None, code: str | None = None) -> None:
        """What the engine refuses."""
        self.findings.append(Finding(code or self.code, Severity.ERROR, message, span, hint))

    def warn(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        self.findings.append(Finding(code, Severity.WARNING, message, span, hint))

    def value(self, key: str) -> Node | None:
        """What stands under a key, unless that is nothing."""
        node = self.node.get(key)
        return None if node is None or node.value is None else node

    def text(self, key: str) -> Named | None:
        node = self.value(key)
        if node is None or isinstance(node.value, str):
            return node and Named(str(node.value), node.span)
        self.refuse(f"`{key}` is no text", node.span, "put it in quotes" if node.kind == "scalar" else None)
        return None

    def flag(self, key: str, default: bool) -> bool:
        node = self.value(key)
        if node is None or isinstance(node.value, bool):
            return default if node is None else bool(node.value)
        self.refuse(f"`{key}` is neither `true` nor `false`", node.span)
        return default

    def number(self, key: str) -> float | None:
        """A number, which may be written `${…}` and is then no one's yet."""
        node = self.value(key)
        if node is None or "${" in node.text:
            return None
        if isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
            return _float(node.value)
        self.refuse(f"`{key}` is no number", node.span)
        return None

    def section(self, key: str) -> Section | None:
        """A mapping inside this one."""
        node = self.value(key)
        if node is None or node.kind == "mapping":
            return node and Section(node, self.code, self.findings)
        self.refuse(f"`{key}` is no mapping", node.span)
        return None

    def sections(self) -> Iterator[tuple[Named, Section]]:
        """The mappings that stand under names of the author's own; an empty one counts as a mapping."""
        for name, key, node in self.node.pairs():
            if node.kind == "mapping" or node.value is None:
                yield Named(name, key.span), Section(node, self.code, self.findings)
            else:
                self.refuse(f"`{name}` is no mapping", node.span)

    def unknown(self, known: Collection[str]) -> Iterator[tuple[str, Span, str | None]]:
        """Keys that are none of the known ones, with the one that may be meant."""
        for name, key, _ in self.node.pairs():
            if name not in known:
                yield name, key.span, did_you_mean(name, tuple(known))


def _float(value: float) -> float | None:
    try:
        return float(value)
    except OverflowError:
        return None
