"""What a skill says of its tools: `tool_constraints`, and the `tools` of a block (§2.2, §2.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from inspector_core.finding import did_you_mean
from inspector_core.mantle.condition import Condition, parse
from inspector_core.mantle.project import ConfirmationRule, Gate, Named
from inspector_core.mantle.reading.nodes import Node
from inspector_core.mantle.reading.notes import Notes
from inspector_core.mantle.reading.places import text_span
from inspector_core.mantle.reading.words import clip, described, quoted
from inspector_core.source import Span

__all__ = ["block_tools", "tool_constraints"]

_CODE = "skill.markdown.invalid_tool_constraints"
_new = tuple.__new__
"""Makes a named tuple in half the time that its own constructor takes."""
_OPTIONS = ("requires", "requires_confirmation", "on_success", "on_failure")
_KNOWN = frozenset(_OPTIONS)
_CONFIRMATION = ("enabled", "utter_for_confirmation", "utter_on_user_denial")


def tool_constraints(node: Node | None, notes: Notes) -> tuple[Gate, ...]:
    """The gates of `tool_constraints`; a faulty entry hides no other."""
    if node is None or node.value is None:
        return ()
    if node.kind == "sequence":
        return tuple(gate for item in node.items for gate in _entry(item, notes))
    message = f"`tool_constraints` takes a list with one tool an entry, not {described(node)}"
    notes.error(_CODE, message, node, "write `- ` before each tool")
    return tuple(_gate(key, value, notes) for _, key, value in node.pairs())


def _entry(item: Node, notes: Notes) -> Iterator[Gate]:
    pairs = list(item.pairs())
    if len(pairs) == 1:
        yield _gate(pairs[0][1], pairs[0][2], notes)
    elif not pairs:
        message = f"an entry of `tool_constraints` is a tool with its options, not {described(item)}"
        name = isinstance(item.value, str) and item.value.strip()
        notes.error(_CODE, message, item, f"write `- {clip(name)}:`" if name else None)
        if name:
            yield Gate(name, "tool_constraints", item.span)
    else:
        yield from _crowded(item, pairs, notes)


def _crowded(item: Node, pairs: list[tuple[str, Node, Node]], notes: Notes) -> Iterator[Gate]:
    """An entry of several keys: several tools, or one whose options are not indented enough."""
    first, others = pairs[0], pairs[1:]
    if first[2].value is None and all(name in _OPTIONS for name, _, _ in others):
        message = f"{quoted(others[0][0])} stands beside {quoted(first[0])}, not below it"
        notes.error(_CODE, message, item, "indent the options further than the tool's name")
        options = item._replace(entries=tuple((key, value) for _, key, value in others))
        yield _gate(first[1], options, notes)
        return
    message = f"{quoted(first[0])} and {quoted(others[0][0])} stand in one entry"
    notes.error(_CODE, message, item, "write `- ` before each tool")
    for _, key, value in pairs:
        yield _gate(key, value, notes)


def _gate(key: Node, options: Node, notes: Notes) -> Gate:
    if not isinstance(key.value, str):
        notes.error(_CODE, f"a tool's name is a text, not {described(key)}", key)
    tool = str(key.value)
    if options.kind != "mapping":
        if options.value is not None:
            message = f"the options of {quoted(tool)} are a mapping, not {described(options)}"
            notes.error(_CODE, message, options, f"write one or more of {_listed(_OPTIONS)} below the name")
        return Gate(tool, "tool_constraints", key.span)
    if not options.has_only(_KNOWN):
        _check_options(options, notes)
    return _with_options(tool, "tool_constraints", key.span, None, options, notes)


def _check_options(options: Node, notes: Notes) -> None:
    for name, place, _ in options.pairs():
        if name not in _OPTIONS:
            hint = did_you_mean(name, _OPTIONS) or f"it takes {_listed(_OPTIONS)}"
            notes.error(_CODE, f"{quoted(name)} is no option of a tool", place, hint)


def block_tools(node: Node | None, block: str, notes: Notes) -> tuple[Gate, ...]:
    """The gates of a block's `tools`: names, or mappings with a `name` whose other keys no one reads."""
    if node is None or node.value is None:
        return ()
    if node.kind != "sequence":
        message = f"`tools` takes a list of tools, not {described(node)}, so the block has none"
        notes.warn("inspector.block.tools", message, node, "write `- ` before each tool")
        return ()
    return tuple(gate for item in node.items if (gate := _block_tool(item, block, notes)))


def _block_tool(item: Node, block: str, notes: Notes) -> Gate | None:
    if isinstance(item.value, str):
        return Gate(item.value, "block", item.span, block=block)
    name = item.get("name")
    if name is None or not isinstance(name.value, str):
        message = f"a block's tool is a name, or a mapping with a `name`, not {described(name or item)}"
        first = next((key for key, _, value in item.pairs() if value.kind == "mapping" or value.value is None), None)
        notes.warn("inspector.block.tools", message, name or item, f"write `- name: {clip(first)}`" if first else None)
        return None
    return _with_options(name.value, "block", name.span, block, item, notes)


def _with_options(
    tool: str, origin: Literal["tool_constraints", "block"], span: Span, block: str | None, options: Node, notes: Notes
) -> Gate:
    requires, requires_span = _requires(options.get("requires"), notes)
    confirmation = done = failed = None
    if len(options.entries) > 1 or requires is None:
        confirmation = _confirmation(options, notes)
        done, failed = _response(options, "on_success", notes), _response(options, "on_failure", notes)
    return _new(Gate, (tool, origin, span, requires, requires_span, confirmation, done, failed, block))


def _requires(node: Node | None, notes: Notes) -> tuple[Condition | None, Span | None]:
    if node is None or node.value is None:
        return None, None
    if isinstance(node.value, str):
        return parse(node.value), text_span(node)
    hint = "leave `requires` out if nothing is required" if node.value is True else "put the condition in quotes"
    notes.error(_CODE, f"`requires` takes a condition, not {described(node)}", node, hint)
    return (parse(str(node.value)), node.span) if node.kind == "scalar" else (None, None)


def _confirmation(options: Node, notes: Notes) -> ConfirmationRule | None:
    node = options.get("requires_confirmation")
    if node is None:
        return None
    if node.kind != "mapping":
        place = options.key("requires_confirmation") if node.value is None else node
        message = f"`requires_confirmation` takes a mapping, not {described(node)}"
        notes.error(_CODE, message, place or node, "write `requires_confirmation: {enabled: true}`")
        return ConfirmationRule(node.value is True, None, None, node.span)
    for name, place, _ in node.pairs():
        if name not in _CONFIRMATION:
            hint = did_you_mean(name, _CONFIRMATION) or f"it takes {_listed(_CONFIRMATION)}"
            notes.error(_CODE, f"{quoted(name)} is no key of `requires_confirmation`", place, hint)
    ask, denial = (_response(node, key, notes) for key in _CONFIRMATION[1:])
    return ConfirmationRule(_enabled(node.get("enabled"), notes), ask, denial, node.span)


def _enabled(node: Node | None, notes: Notes) -> bool:
    if node is None or node.value is None:
        return False
    if not isinstance(node.value, bool):
        message = f"`enabled` is `true` or `false`, not {described(node)}"
        notes.error(_CODE, message, node, "write it without quotes" if node.quoted else None)
        return str(node.value).lower() == "true"
    notes.expect(node)
    return node.value


def _response(options: Node, key: str, notes: Notes) -> Named | None:
    """The response that an option names."""
    node = options.get(key)
    if node is None or node.value is None:
        return None
    if isinstance(node.value, str):
        return Named(node.value, node.span)
    notes.error(_CODE, f"`{key}` takes the name of a response, not {described(node)}", node)
    return None


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
