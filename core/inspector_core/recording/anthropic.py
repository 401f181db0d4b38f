"""What the content of a message tells, block by block: Anthropic's `tool_use` and `tool_result`, and plain texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from inspector_core.recording.openai import text_of
from inspector_core.recording.told import Asked, Other, Part, Returned, Said, words

__all__ = ["parts"]

_TEXTS = ("text", "input_text", "output_text")
_USES = ("tool_use", "server_tool_use", "mcp_tool_use")


def parts(content: object, who: str) -> Iterator[Part]:
    """The parts of a message's content; texts that follow one another are one."""
    if isinstance(content, str):
        content = [content]
    if not isinstance(content, list):
        return
    said: list[str] = []
    for block in content:
        text = _text(block)
        if text is not None:
            said.append(text)
            continue
        yield from _said(said, who)
        said = []
        yield _part(block)
    yield from _said(said, who)


def _said(texts: list[str], who: str) -> Iterator[Part]:
    text = "\n".join(text for text in texts if text)
    if text:
        yield Said(who, text)


def _text(block: object) -> str | None:
    if isinstance(block, str):
        return block
    if not isinstance(block, Mapping):
        return None
    if block.get("type") == "refusal":
        return text_of(block, "refusal")
    text = block.get("text")
    return text if isinstance(text, str) and block.get("type", "text") in _TEXTS else None


def _part(block: object) -> Part:
    if not isinstance(block, Mapping):
        return Other("block", block)
    kind = text_of(block, "type")
    if kind in _USES:
        server = text_of(block, "server_name") or None
        return Asked(text_of(block, "id"), text_of(block, "name"), block.get("input"), server)
    if kind.endswith("tool_result"):
        failed = block.get("is_error") is True or _is_error(block.get("content"))
        return Returned(text_of(block, "tool_use_id"), "", words(block.get("content")), failed)
    return Other(kind or "block", block, words(block.get("thinking")) or "" if kind == "thinking" else "")


def _is_error(content: object) -> bool:
    """The form in which the results of tools that the maker runs itself tell an error."""
    return isinstance(content, Mapping) and text_of(content, "type").endswith("_tool_result_error")
