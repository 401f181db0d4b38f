"""The `tool_rules: […]` of a TypeScript or JavaScript program: its literals, found by a scanner that knows no more."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inspector_core.classes import NamedTuple
from inspector_core.letta.project import Agent, Attached
from inspector_core.letta.reading.agent import made
from inspector_core.letta.reading.findings import Findings
from inspector_core.letta.reading.tree import UNREAD, Node
from inspector_core.source import Source, Span

__all__ = ["load"]

_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?(?:\*/|\Z))
      | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)
      | (?P<number>(?:0|[1-9][\d_]*)(?:\.\d+)?(?:[eE][-+]?\d+)?)
      | (?P<name>[A-Za-z_$][\w$]*)
      | (?P<sign>\.\.\.|=>|.)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r?\n|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_WORDS = {"true": True, "false": False, "null": None, "undefined": None}
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_RULES = frozenset({"tool_rules", "toolRules"})
_DEEPEST = 60
_MOST = 100_000
"""Values made of one program, those that names repeat included."""


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def load(source: Source, name: str, findings: Findings) -> tuple[Agent, ...]:
    """Every agent that the program gives rules to; a list of rules that nothing takes is one too. Never raises."""
    program = _Program(source)
    given = list(program.agents())
    plain = [about for about in given if _has_list(about)]
    if not plain and (loose := list(program.loose())):
        return tuple(made(name, rules, (), None, findings, program=True) for rules in loose)
    return tuple(_agent(about, name, findings) for about in plain or given)


def _has_list(about: Node) -> bool:
    """Its rules are written there, where a type would only be declared."""
    rules = about.get(*_RULES)
    return rules is not None and rules.kind == "sequence"


def _agent(about: Node, name: str, findings: Findings) -> Agent:
    tools = about.get("tools")
    items = tools.items if tools is not None else ()
    found = tuple(Attached(i.value, span=i.span) for i in items if isinstance(i.value, str))
    rules = about.get(*_RULES)
    known = bool(items) and len(found) == len(items)
    return made(about.text("name") or name, rules, found, about, findings, program=True, known=known)


class _Program:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = [t for t in _tokens(source.text) if t.kind != "space"]
        self.at = self.made = 0
        self.values: dict[str, int] = {}
        """Name to the token at which the value of its `const` begins."""
        for i in range(len(self.tokens) - 2):
            if self.tokens[i].text in ("const", "let", "var") and self.tokens[i + 1].kind == "name":
                begun = self.value_of(i + 2)
                if begun is not None:
                    self.values[self.tokens[i + 1].text] = begun

    def value_of(self, at: int) -> int | None:
        """Behind the `=` of a declaration, its type left out."""
        depth = 0
        for i in range(at, min(at + 60, len(self.tokens))):
            text = self.tokens[i].text
            if text == "=" and depth == 0:
                return i + 1
            depth += (text in _OPEN) - (text in _CLOSE)
            if text == ";" or depth < 0:
                return None
        return None

    def agents(self) -> Iterator[Node]:
        """The objects that have rules among their fields, the innermost ones, in the order of the text."""
        opened: list[int] = []
        for i, token in enumerate(self.tokens):
            if token.text == "{":
                opened.append(i)
            elif token.text == "}" and opened:
                opened.pop()
            elif token.text.strip("\"'") in _RULES and opened and self.is_field(i):
                self.at = opened[-1]
                yield self.mapping(0)

    def is_field(self, i: int) -> bool:
        before, after = self.tokens[i - 1].text, self.tokens[i + 1].text if i + 1 < len(self.tokens) else ""
        return before in ("{", ",") and after in (":", ",", "}")

    def loose(self) -> Iterator[Node]:
        for name in sorted(_RULES & self.values.keys()):
            yield self.named(name, 0)

    def named(self, name: str, depth: int) -> Node:
        kept, self.at = self.at, self.values[name]
        node = self.value(depth + 1)
        self.at = kept
        return node

    # -- values --------------------------------------------------------------------------------------------------------

    def peek(self) -> str:
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def value(self, depth: int) -> Node:
        """The value that begins here; the position is then behind it, whatever stood there."""
        start = self.at
        node = self.literal(depth)
        while self.peek() in ("as", "satisfies") or (self.peek() == "!" and node is not None):
            self.skip_type()
        if self.peek() not in (",", "}", "]", ")", ";", "") and not self.new_line():
            node = None
        if node is None:
            self.skip(start)
            return Node("scalar", UNREAD, self.span(start))
        return node

    def new_line(self) -> bool:
        """A statement may end with its line."""
        before, here = self.tokens[self.at - 1], self.tokens[self.at]
        return "\n" in self.source.text[before.end : here.start] and here.kind == "name"

    def skip_type(self) -> None:
        self.at += 1
        while self.peek() not in (",", "}", "]", ")", ";", "") and not self.new_line():
            self.at += 1
            if self.peek() == "]" and self.tokens[self.at - 1].text == "[":
                self.at += 1

    def skip(self, start: int) -> None:
        """To the end of an expression that is no literal."""
        self.at, depth = start, 0
        while self.at < len(self.tokens):
            text = self.peek()
            if depth == 0 and (text in _CLOSE or text in (",", ";")):
                return
            depth += (text in _OPEN) - (text in _CLOSE)
            self.at += 1

    def literal(self, depth: int) -> Node | None:
        self.made += 1
        if depth > _DEEPEST or self.made > _MOST or self.at >= len(self.tokens):
            return None
        token, start = self.tokens[self.at], self.at
        match token.kind, token.text:
            case "sign", "{":
                return self.mapping(depth)
            case "sign", "[":
                return self.sequence(depth)
            case "sign", "-" if self.at + 1 < len(self.tokens) and self.tokens[self.at + 1].kind == "number":
                self.at += 2
                return Node("scalar", -_number(self.tokens[self.at - 1].text), self.span(start))
            case "text", text if text[0] != "`" or "${" not in text:
                self.at += 1
                return Node("scalar", _unquoted(text), self.span(start))
            case "number", text:
                self.at += 1
                return Node("scalar", _number(text), self.span(start))
            case "name", text if text in _WORDS:
                self.at += 1
                return Node("scalar", _WORDS[text], self.span(start))
            case "name", text if text in self.values and self.values[text] != self.at:
                self.at += 1
                return self.named(text, depth)._replace(span=self.span(start))
            case _:
                return None

    def sequence(self, depth: int) -> Node:
        start, items = self.at, []
        self.at += 1
        while self.peek() not in ("]", ""):
            items.append(self.value(depth + 1))
            self.past_comma()
        self.at += 1
        return Node("sequence", None, self.span(start), items=tuple(items))

    def mapping(self, depth: int) -> Node:
        start, entries = self.at, []
        self.at += 1
        while self.peek() not in ("}", ""):
            entry = self.entry(depth)
            if entry is not None:
                entries.append(entry)
            self.past_comma()
        self.at += 1
        return Node("mapping", None, self.span(start), tuple(entries))

    def past_comma(self) -> None:
        if self.peek() == ",":
            self.at += 1
        elif self.peek() in (")", ";", "]", "}"):
            self.at += self.peek() in (")", ";")

    def entry(self, depth: int) -> tuple[Node, Node] | None:
        """A key and its value; `None` for a spread or a method, which is passed over."""
        start, token = self.at, self.tokens[self.at]
        key = Node("scalar", _unquoted(token.text) if token.kind == "text" else token.text, self.span(start, 1))
        self.at += 1
        if token.kind in ("name", "text", "number") and self.peek() == ":":
            self.at += 1
            return key, self.value(depth + 1)
        if token.kind == "name" and self.peek() in (",", "}"):
            self.at = start
            return key, self.value(depth + 1)
        self.skip(start)
        self.at += self.at == start
        return None

    def span(self, start: int, count: int | None = None) -> Span:
        end = start + count if count else max(self.at, start + 1)
        last = self.tokens[min(end, len(self.tokens)) - 1]
        return self.source.span(self.tokens[min(start, len(self.tokens) - 1)].start, last.end)


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            return
        yield _Token(found.lastgroup, found[0], at, found.end())
        at = found.end()


def _number(text: str) -> float:
    plain = text.replace("_", "")
    return int(plain) if plain.isdigit() else float(plain)


def _unquoted(text: str) -> str:
    return _ESCAPE.sub(_escaped, text[1:-1])


def _escaped(found: re.Match[str]) -> str:
    code = found[1]
    if len(code) > 1 and code[0] in "ux":
        number = int(code.strip("ux{}"), 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
    return "" if code.endswith("\n") else _ESCAPES.get(code, code)
