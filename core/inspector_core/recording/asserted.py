"""The engine's published assertions (§8.4) as checks of ours, each only where it says exactly the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from inspector_core.classes import NamedTuple
from inspector_core.mantle.reading.yaml import Node
from inspector_core.script.parts import Parts
from inspector_core.script.values import Check, Pattern

__all__ = ["Understood", "checks"]

_MATCHING = re.compile(r"[\\^$|?*+()\[\]{}]")
"""Signs with which a text is a pattern rather than words; a dot is taken for a dot."""


class Understood(NamedTuple):
    """What an assertion comes to, and the part of it that is not understood: a name, or nothing for all of it."""

    checks: tuple[Check, ...] = ()
    left: str | None = None


_NOTHING = Understood((), "")


def checks(parts: Parts, name: str, value: Node) -> Understood:
    """The checks that an assertion stands for."""
    read = _READ.get(name)
    return read(parts, name, value) if read is not None else _NOTHING


def _fields(node: Node, bare: str) -> dict[str, Node]:
    """The parts of an assertion; a bare text is the one that it is about."""
    return {key: value for key, _, value in node.pairs()} if node.kind == "mapping" else {bare: node}


def _pattern(event: str, about: str, fields: Mapping[str, object]) -> Pattern:
    return Pattern(event, about, {key: value for key, value in fields.items() if value is not None})


def _skill(parts: Parts, name: str, node: Node) -> Understood:
    given = _fields(node, "skill_id")
    skill = parts.word(given["skill_id"]) if "skill_id" in given else ""
    if not skill:
        return _NOTHING
    step = parts.word(given["step_id"]) if "step_id" in given else None
    return _one(name, node, _pattern(name, skill, {"step_id": step}), _rest(given, "skill_id", "step_id"))


def _block(parts: Parts, name: str, node: Node) -> Understood:
    given = _fields(node, "block_id")
    block = parts.word(given["block_id"]) if "block_id" in given else ""
    if not block:
        return _NOTHING
    fields: dict[str, object] = {name: parts.word(given[name]) for name in ("skill_id", "step_id") if name in given}
    return _one(name, node, _pattern(name, block, fields), _rest(given, "block_id", "skill_id", "step_id"))


def _one(name: str, node: Node, pattern: Pattern, left: str | None) -> Understood:
    """One event that has to be there: by its own expectation where a name is all that is said of it."""
    if pattern.fields:
        return Understood((Check("order", node.span, patterns=(pattern,)),), left)
    return Understood((Check("happened", node.span, pattern.about, patterns=(pattern,)),), left)


def _rest(given: Mapping[str, Node], *known: str) -> str | None:
    return next((key for key in given if key not in known), None)


def _memory(parts: Parts, name: str, node: Node) -> Understood:
    """Entries that are written: `name` with or without its `value`, or the older `key: value`."""
    event = "memory_set" if name == "memory_was_set" else "memory_cleared"
    found: list[Check] = []
    left: str | None = None
    for item in node.items if node.kind == "sequence" else (node,):
        given = _fields(item, "name")
        if "name" in given:
            pairs = [(parts.word(given["name"]), given.get("value"))]
            left = left or _rest(given, "name", "value")
        else:
            pairs = list(given.items())
        for key, value in pairs:
            fields = {"key": key} if value is None else {"key": key, "value": parts.value(value)}
            found.append(Check("order", item.span, patterns=(Pattern(event, "", fields),)))
    return Understood(tuple(found), left) if found else _NOTHING


def _tool(parts: Parts, name: str, node: Node) -> Understood:
    found = _call(parts, node)
    if found is None:
        return _NOTHING
    pattern, left = found
    return Understood((Check("order", node.span, patterns=(pattern,)),), left)


def _call(parts: Parts, node: Node) -> tuple[Pattern, str | None] | None:
    given = _fields(node, "tool_name")
    key = next((key for key in ("tool_name", "name", "tool") if key in given), None)
    tool = parts.word(given[key]) if key is not None else ""
    if not tool:
        return None
    failed = given["is_error"].value if "is_error" in given else None
    source = parts.word(given["source"]) if "source" in given else None
    fields = {"tool_name": tool, "source": source, "is_error": failed if isinstance(failed, bool) else None}
    return _pattern("tool_executed", "", fields), _rest(given, key or "", "source", "is_error")


def _tools(parts: Parts, name: str, node: Node) -> Understood:
    given = _fields(node, "calls")
    calls = given.get("calls")
    found = [_call(parts, item) for item in calls.items] if calls is not None else []
    if calls is None or not found or None in found:
        return _NOTHING
    patterns = tuple(one[0] for one in found if one is not None)
    left = _rest(given, "calls", "ordered", "allow_extra_calls") or next((one[1] for one in found if one), None)
    if "allow_extra_calls" in given and given["allow_extra_calls"].value is False:
        left = "allow_extra_calls"
    if "ordered" in given and given["ordered"].value is True:
        return Understood((Check("order", node.span, patterns=patterns),), left)
    return Understood(tuple(Check("order", node.span, patterns=(one,)) for one in patterns), left)


def _said(parts: Parts, name: str, node: Node) -> Understood:
    """A response by its name, or words that are no pattern."""
    kind = "not_said" if name == "bot_did_not_utter" else "said"
    given = _fields(node, "utter_name")
    found: list[Check] = []
    left = _rest(given, "utter_name", "text_matches")
    if "utter_name" in given:
        found.append(Check("said" if kind == "said" else "not_said", node.span, parts.word(given["utter_name"])))
    if "text_matches" in given:
        words = parts.word(given["text_matches"])
        if _MATCHING.search(words):
            left = "text_matches"
        else:
            found.append(Check("said" if kind == "said" else "not_said", node.span, words))
    if len(found) + (left is not None) > 1 and kind == "not_said":
        return _NOTHING  # one message that is both is not to be said: each by itself may be
    return Understood(tuple(found), left) if found else _NOTHING


def _sequence(parts: Parts, name: str, node: Node) -> Understood:
    """Assertions in the order in which their events have to come; all of them are understood, or none."""
    found: list[Pattern] = []
    for item in node.items:
        pairs = list(item.pairs()) if item.kind == "mapping" else []
        understood = checks(parts, pairs[0][0], pairs[0][2]) if len(pairs) == 1 else _NOTHING
        if understood.left is not None or any(not check.patterns for check in understood.checks):
            return _NOTHING
        found += [pattern for check in understood.checks for pattern in check.patterns]
    return Understood((Check("order", node.span, patterns=tuple(found)),)) if found else _NOTHING


_READ: Mapping[str, Callable[[Parts, str, Node], Understood]] = {
    **{f"skill_{how}": _skill for how in ("activated", "completed", "cancelled", "interrupted", "resumed")},
    **{f"ordered_block_{how}": _block for how in ("entered", "completed", "cancelled", "interrupted", "resumed")},
    "memory_was_set": _memory, "memory_was_cleared": _memory, "tool_executed": _tool, "tools_within_one_turn": _tools,
    "bot_uttered": _said, "bot_did_not_utter": _said, "said": _said, "sequencing": _sequence,
}  # fmt: skip
