"""The author's own words, in messages."""

from __future__ import annotations

from datetime import date

from inspector_core.mantle.reading.nodes import Node

__all__ = ["clip", "described", "quoted"]


def clip(text: str, width: int = 60) -> str:
    """In one line, and not longer than that."""
    if 0 < len(text) <= width and text.isprintable():
        return text
    from textwrap import shorten

    return shorten(text, width, placeholder="…") or "…"


def quoted(text: str) -> str:
    """In backticks; nothing is said to be nothing."""
    return f"`{clip(text)}`" if text.strip() else "an empty text"


def described(node: Node) -> str:
    """What kind of value stands there: `a list`, "the text `true`"."""
    match node.value:
        case None:
            return "nothing"
        case bool():
            word = str(node.value).lower()
            return (
                f"`{word}`"
                if node.text.lower() == word
                else f"`{word}`, which is how YAML reads a bare `{clip(node.text)}`"
            )
        case str():
            return f"the text {quoted(node.value)}" if node.value.strip() else "an empty text"
        case int() | float():
            return f"the number `{clip(node.text)}`"
        case list():
            return "a list"
        case dict():
            return "a mapping"
        case date():
            return f"the date `{clip(node.text)}`"
        case _:
            return f"`{clip(node.text)}`"
