"""The parts of a script's YAML: words as they are written, plain values, and what is wrong with either."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import date

from inspector_core.finding import Finding, Severity, did_you_mean
from inspector_core.mantle.reading.words import clip, described
from inspector_core.mantle.reading.yaml import Node
from inspector_core.script.values import Mention, MentionKind
from inspector_core.source import Span

__all__ = ["Entries", "Parts"]

Entries = Mapping[str, tuple[Node, Node]]
"""Key as written to its key node and value node."""


class Parts:
    """Takes nodes apart and gathers what is wrong with them; what is wrong is left out of the script."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.worded: set[Span] = set()
        """Places that were read as words, whatever YAML would make of them: `customer: yes`."""
        self.mentions: list[Mention] = []

    def wrong(self, message: str, span: Span, hint: str | None = None, what: str = "wrong") -> None:
        self.findings.append(Finding(f"inspector.script.{what}", Severity.ERROR, message, span, hint))

    def mention(self, kind: MentionKind, name: str, span: Span) -> None:
        """A name that nothing else will miss if no file has it."""
        self.mentions.append(Mention(kind, name, span))

    def unknown(self, word: str, span: Span, known: Collection[str], what: str) -> None:
        hint = did_you_mean(word, tuple(known)) or f"one of {', '.join(sorted(known))}"
        self.wrong(f"`{clip(word)}` is no {what}", span, hint, "unknown")

    def word(self, node: Node) -> str:
        """A scalar in the author's own letters: `yes` stays `yes`, and `4821` is a text; a mapping gives nothing."""
        if isinstance(node.value, str):
            return node.value.removesuffix("\n") if node.text.startswith(("|", ">")) else node.value
        if node.kind != "scalar":
            return ""
        self.worded.add(node.span)
        return node.text

    def text(self, node: Node, what: str) -> str | None:
        """Words that have to be there."""
        if node.kind == "scalar" and (isinstance(node.value, str) or node.text):
            return self.word(node)
        self.wrong(f"{what} is {described(node)}, and has to be a text", node.span)
        return None

    def optional(self, node: Node, what: str) -> str | None:
        """Words, or `None` for an empty value."""
        return None if node.kind == "scalar" and node.value is None else self.text(node, what)

    def texts(self, node: Node, what: str) -> Iterator[tuple[str, Span]]:
        """One text or a list of them."""
        for item in node.items if node.kind == "sequence" else (node,):
            text = self.text(item, what)
            if text is not None:
                yield text, item.span

    def flag(self, node: Node, what: str) -> bool | None:
        if isinstance(node.value, bool):
            self.worded.add(node.span)
            return node.value
        self.wrong(f"{what} is {described(node)}, and has to be `true` or `false`", node.span)
        return None

    def entries(self, node: Node, what: str) -> Entries:
        """The keys and values of a mapping; an empty value has none."""
        if node.kind == "mapping":
            return {self.word(key): (key, value) for key, value in node.entries}
        if node.kind == "sequence" or node.value is not None:
            self.wrong(f"{what} is {described(node)}, and has to be a mapping", node.span)
        return {}

    def memory(self, node: Node, what: str) -> dict[str, object]:
        """A mapping of memory keys to plain values."""
        for name, (key, _) in self.entries(node, what).items():
            self.mention("key", name, key.span)
        return self.values(node, what)

    def values(self, node: Node, what: str) -> dict[str, object]:
        """A mapping as plain values."""
        return {name: self.value(value) for name, (_, value) in self.entries(node, what).items()}

    def value(self, node: Node) -> object:
        """A value as JSON has them; a date, which JSON has not, is the text that was written."""
        match node.kind:
            case "mapping":
                return {self.word(key): self.value(value) for key, value in node.entries}
            case "sequence":
                return [self.value(item) for item in node.items]
            case _ if isinstance(node.value, date):
                return self.word(node)
            case _ if isinstance(node.value, bytes):
                self.wrong("binary data can't be a value", node.span)
                return None
            case _:
                return node.value

    def only(self, entries: Entries, known: Collection[str], what: str) -> None:
        """Say of each key that is none of the known ones what it may be meant to be."""
        for name, (key, _) in entries.items():
            if name not in known:
                self.unknown(name, key.span, known, what)
