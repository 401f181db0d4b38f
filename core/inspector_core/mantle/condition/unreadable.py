"""Why a text can't be read as a condition at all: where the first thing stands that no condition has."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from inspector_core.classes import NamedTuple
from inspector_core.mantle.condition.faults import shown, unnameable
from inspector_core.mantle.condition.tokens import Token, tokens

__all__ = ["RIGHT", "Trouble", "trouble"]

RIGHT: Final = {
    "=": "==",
    "===": "==",
    "!==": "!=",
    "<>": "!=",
    "=<": "<=",
    "=>": ">=",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "&&": "and",
    "||": "or",
    "&": "and",
    "|": "or",
    "!": "not",
    "AND": "and",
    "OR": "or",
    "NOT": "not",
    "“": "'",
    "”": "'",
    "‘": "'",
    "’": "'",
}
"""Other languages' signs and what they are here."""
_ABSENT: Final = {
    "contains": "a list can't be searched: let a tool write what it finds as an entry of its own",
    "includes": "a list can't be searched: let a tool write what it finds as an entry of its own",
    "has": "a list can't be searched: let a tool write what it finds as an entry of its own",
    "matches": "there are no patterns: compare whole texts with `==`",
    "like": "there are no patterns: compare whole texts with `==`",
    "startswith": "there are no patterns: compare whole texts with `==`",
    "endswith": "there are no patterns: compare whole texts with `==`",
    "equals": "write `==`",
    "eq": "write `==`",
    "gt": "write `>`",
    "lt": "write `<`",
    "exists": "name the entry alone, or write `!= None`",
}
_ENTRY: Final = "an entry is written `session.<skill>.<entry>`"
_SIGNS: Final = {
    ";": "only one condition is allowed: join two with `and`",
    "{{": "write the entry without braces",
    "}}": "write the entry without braces",
    "@": "`@memory.` is for prose: an entry is written `session.<skill>.<entry>`",
    "$": _ENTRY,
    "?": None,
}
_OPENING: Final = {"(": ")", "[": "]", "{": "}"}
_JOINING: Final = frozenset({"and", "or", "not", "==", "!=", "<", "<=", ">", ">=", "in", "is", "+", "-", "*", "/"})
_VALUES: Final = frozenset({"name", "number", "text"})


class Trouble(NamedTuple):
    message: str
    start: int
    end: int
    advice: str | None = None


def trouble(text: str, error: SyntaxError) -> Trouble:
    """What to say of a text that Python's parser refuses."""
    words = [token for token in tokens(text) if token.kind not in ("space", "note")]
    for rule in _RULES:
        found = next(rule(text, words), None)
        if found is not None:
            return found
    return _as_the_parser_says(text, error)


def _empty(text: str, words: Sequence[Token]) -> Iterator[Trouble]:
    if all(word.kind == "line" for word in words):
        yield Trouble("the condition is empty", 0, len(text), "write `True` for one that always holds")


def _characters(text: str, words: Sequence[Token]) -> Iterator[Trouble]:
    for at, character in enumerate(text):
        if character == "\0" or "\ud800" <= character <= "\udfff":
            yield Trouble(f"a character that can't be used: {character!a}", at, at + 1, "leave it out")


def _space_before(text: str, words: Sequence[Token]) -> Iterator[Trouble]:
    if text[:1] in (" ", "\t"):
        space = len(text) - len(text.lstrip(" \t"))
        yield Trouble("the condition starts with a space", 0, space, "begin without it")


def _odd_words(text: str, words: Sequence[Token]) -> Iterator[Trouble]:
    for at, word in enumerate(words):
        before = words[at - 1] if at else None
        after = words[at + 1] if at + 1 < len(words) else None
        found = _odd_name(word, before) if word.kind == "name" else _odd_sign(word, before, after)
        if found is not None:
            yield Trouble(found[0], word.start, word.end, found[1])


def _odd_name(word: Token, before: Token | None) -> tuple[str, str | None] | None:
    if before is not None and before.text == ".":
        if keyword.iskeyword(word.text):
            return f"`{word.text}` can't be a name in a condition: Python keeps it for itself", "rename the entry"
        return None
    if word.text in RIGHT:
        return f"unknown word `{word.text}`", f"write `{RIGHT[word.text]}`"
    if word.text in _ABSENT and before is not None and before.kind in _VALUES:
        return f"`{word.text}` can't be used in a condition", _ABSENT[word.text]
    if word.text == "if" and before is None:
        return "a condition doesn't begin with `if`", "leave it out"
    return None


def _odd_sign(word: Token, before: Token | None, after: Token | None) -> tuple[str, str | None] | None:
    if word.text in RIGHT:
        return f"`{word.text}` can't be used in a condition", f"write `{RIGHT[word.text]}`"
    if word.text == "`":
        return "a backtick can't be used in a condition", "leave it out"
    if word.text in _SIGNS:
        return f"`{word.text}` can't be used in a condition", _SIGNS[word.text]
    if word.kind == "open":
        return f"the quote is never closed: `{shown(word.text, 30)}`", f"close it with another {word.text[0]}"
    if word.kind == "number" and before is not None and before.text == "." and before.end == word.start:
        return f"a name can't start with a digit: `{shown(word.text, 30)}`", "rename the entry"
    return _odd_dot(word, after)


def _odd_dot(word: Token, after: Token | None) -> tuple[str, str | None] | None:
    if word.text.startswith("..") and word.text != "...":
        return "a name is missing between two dots", _ENTRY
    if word.text == "." and (after is None or after.kind not in ("name", "number")):
        return "a name is missing after the dot", _ENTRY
    return None


def _hyphens(text: str, words: Sequence[Token]) -> Iterator[Trouble]:
    end = -1
    for at, word in enumerate(words):
        if word.text == "session" and at > end:  # no path starts within another
            end = at
            while end + 1 < len(words) and words[end + 1].start == words[end].end and _in_path(words[end + 1]):
                end += 1
            path = text[word.start : words[end].end]
            found = unnameable(path)
            if found is not None:
                yield Trouble(found[0], word.start, words[end].end, found[1])


def _in_path(word: Token) -> bool:
    return word.kind in ("name", "number") or word.text in (".", "-")


def _lines(text: str, words: Sequence[Token]) -> Iterator[Trouble]:
    said = [at for at, word in enumerate(words) if word.kind != "line"]
    for word in words[said[0] : said[-1]] if said else ():
        if word.kind == "line":
            advice = "write it on one line, or put it all in parentheses"
            yield Trouble("a line break outside parentheses", word.start, word.end, advice)


def _parentheses(text: str, words: Sequence[Token]) -> Iterator[Trouble]:
    waiting: list[Token] = []
    for word in words:
        if word.text in _OPENING:
            waiting.append(word)
        elif word.text in _OPENING.values():
            if not waiting or _OPENING[waiting[-1].text] != word.text:
                yield Trouble(f"`{word.text}` closes nothing", word.start, word.end, "leave it out")
                return
            waiting.pop()
    if waiting:
        last = waiting[-1]
        yield Trouble(f"`{last.text}` is never closed", last.start, last.end, f"close it with `{_OPENING[last.text]}`")


def _loose_ends(text: str, words: Sequence[Token]) -> Iterator[Trouble]:
    ends = [word for word in words if word.kind != "line"]
    if ends and ends[-1].text in _JOINING:
        last = ends[-1]
        yield Trouble(f"nothing follows `{last.text}`", last.start, last.end, "leave it out, or say what follows")
    for left, right in pairwise(ends):
        if left.text in _JOINING and left.text != "not" and right.text in _JOINING - {"not", "-", "+"}:
            message = f"nothing stands between `{left.text}` and `{right.text}`"
            yield Trouble(message, right.start, right.end, "leave one of them out")
        if _is_value(left) and _is_value(right) and not (left.kind == right.kind == "text"):
            message = f"`{shown(right.text, 30)}` follows `{shown(left.text, 30)}` with nothing between"
            yield Trouble(message, right.start, right.end, "join two conditions with `and` or `or`")


def _is_value(word: Token) -> bool:
    return word.kind in ("number", "text") or (word.kind == "name" and not keyword.iskeyword(word.text))


_RULES: Final[tuple[Callable[[str, Sequence[Token]], Iterator[Trouble]], ...]] = (
    _characters,
    _empty,
    _space_before,
    _hyphens,
    _odd_words,
    _parentheses,
    _lines,
    _loose_ends,
)


def _as_the_parser_says(text: str, error: SyntaxError) -> Trouble:
    starts = [0, *[at + 1 for at, character in enumerate(text) if character == "\n"]]
    line = min(max(error.lineno or 1, 1), len(starts))
    at = min(max(starts[line - 1] + (error.offset or 1) - 1, 0), len(text))
    rest, why = text[at:].strip(), _in_our_words(error.msg)
    if not rest:
        return Trouble(f"can't be read: {why}", 0, len(text))
    return Trouble(f"can't be read from `{shown(rest, 30)}` on: {why}", at, len(text))


def _in_our_words(message: str) -> str:
    """The parser's message, without what it says of itself to programmers."""
    if message.startswith("Exceeds the limit"):
        return "a number of so many digits can't be read"
    return message.rstrip(".")
