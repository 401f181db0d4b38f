"""`utter`: responses spoken word for word, when the skill starts or when a condition turns true (§2.2, §6.5)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.finding import did_you_mean
from inspector_core.mantle.project import Named, Trigger
from inspector_core.mantle.reading.completion import condition
from inspector_core.mantle.reading.nodes import Node
from inspector_core.mantle.reading.notes import Notes
from inspector_core.mantle.reading.words import described, quoted

__all__ = ["triggers"]

_CODE = "skill.markdown.invalid_utter"
_FORM = "write `on: activate`, or `when:` and a condition, below the response's name"


def triggers(node: Node | None, notes: Notes) -> tuple[Trigger, ...]:
    """The entries of `utter`; a faulty one hides no other."""
    if node is None or node.value is None:
        return ()
    if node.kind != "sequence":
        message = f"`utter` takes a list with one response an entry, not {described(node)}"
        notes.error(_CODE, message, node, "write `- ` before each response")
        return tuple(_trigger(key, value, notes) for _, key, value in node.pairs())
    seen: dict[str, Node] = {}
    return tuple(trigger for item in node.items for trigger in _entry(item, seen, notes))


def _entry(item: Node, seen: dict[str, Node], notes: Notes) -> Iterator[Trigger]:
    pairs = list(item.pairs())
    if len(pairs) != 1:
        what = "several keys" if pairs else described(item)
        notes.error(_CODE, f"an entry of `utter` is one response with its trigger, not {what}", item, _FORM)
        return
    name, key, value = pairs[0]
    if name in seen:
        message = f"{quoted(name)} has an entry in line {seen[name].span.line} already"
        notes.error(_CODE, message, key, "one response can have `on` and `when` in the same entry")
    seen[name] = key
    yield _trigger(key, value, notes)


def _trigger(key: Node, options: Node, notes: Notes) -> Trigger:
    response = Named(str(key.value), key.span)
    if not isinstance(key.value, str):
        notes.error(_CODE, f"a response's name is a text, not {described(key)}", key)
    if options.kind != "mapping":
        place = key if options.value is None else options
        notes.error(_CODE, f"{quoted(response.name)} has {described(options)} for a trigger", place, _FORM)
        return Trigger(response, False, None)
    on, when = options.key(True) or options.key("on"), options.get("when")
    unknown = [place for name, place, _ in options.pairs() if place is not on and name != "when"]
    for place in unknown:
        hint = did_you_mean(place.text, ("on", "when")) or "it takes `on` and `when`"
        notes.error(_CODE, f"{quoted(place.text)} is no trigger of a response", place, hint)
    if on is None and (when is None or when.value is None) and not unknown:
        notes.error(_CODE, f"{quoted(response.name)} has no trigger", options.key("when") or options, _FORM)
    parsed, span = condition(when, "when", _CODE, notes)
    return Trigger(response, on is not None and _activates(options, on, notes), parsed, span)


def _activates(options: Node, on: Node, notes: Notes) -> bool:
    """Whether `on` says `activate`, which is all it can say; nothing says the same."""
    node = options.get(True if on.value is True else "on")
    if node is None or node.value in (None, "activate"):
        return True
    hint = did_you_mean(str(node.value), ("activate",)) or "write `on: activate`"
    notes.error(_CODE, f"`on` takes `activate` only, not {described(node)}", node, hint)
    return False
