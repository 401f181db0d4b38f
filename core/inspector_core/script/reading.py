"""A script's text to a script; whatever is wrong is a finding with its place."""

from __future__ import annotations

from inspector_core.finding import Finding, Severity, in_order
from inspector_core.mantle.reading.words import clip
from inspector_core.mantle.reading.yaml import Node, load
from inspector_core.script.expecting import checks
from inspector_core.script.moves import MOVES, events
from inspector_core.script.parts import Entries, Parts
from inspector_core.script.values import Expectation, Move, Script, ScriptText, Step, Tap
from inspector_core.source import Source

__all__ = ["STEPS", "read"]

STEPS = (*MOVES, "tap", "expect")
"""The keys that a step can begin with."""

MAX_STEPS = 10_000
"""A conversation of this length takes seconds to play, and nobody writes one."""
_PARTS = ("script", "memory", "steps")


def read(source: Source) -> ScriptText:
    """A script, as far as it can be read; never raises."""
    document, parts = load(source), Parts()
    script = _script(parts, document.node, source) if document.node is not None else Script(source.path, {}, ())
    told = [f for f in document.findings if not _meant(parts, f)]
    if document.node is None and not told:
        parts.wrong("there is nothing in this file", source.span(0), "begin with `steps:`")
    return ScriptText(script, in_order([*told, *parts.findings]), tuple(parts.mentions))


def _meant(parts: Parts, finding: Finding) -> bool:
    """A plain word that YAML takes for something else, and that is taken as it is written here."""
    return finding.severity is Severity.INFO and finding.span in parts.worded


def _script(parts: Parts, node: Node, source: Source) -> Script:
    entries = parts.entries(node, "a script")
    parts.only(entries, _PARTS, "part of a script")
    name = parts.text(entries["script"][1], "the name of the script") if "script" in entries else None
    memory = parts.memory(entries["memory"][1], "`memory`") if "memory" in entries else {}
    steps = entries["steps"][1] if "steps" in entries else None
    if steps is None or (steps.kind != "sequence" and steps.value is not None):
        parts.wrong("a script has a list of `steps`", steps.span if steps else node.span)
    items = steps.items if steps is not None else ()
    if len(items) > MAX_STEPS:
        parts.wrong(f"a script has {MAX_STEPS:,} steps at most, and this is one more", items[MAX_STEPS].span)
    found = (_step(parts, item) for item in items[:MAX_STEPS])
    kept = {key: value for key, value in memory.items() if value is not None}
    return Script(name or source.path, kept, tuple(step for step in found if step is not None), source.path)


def _step(parts: Parts, item: Node) -> Step | None:
    """A step as a mapping; or as a bare word, where nothing need be said of it: `- listen`."""
    if item.kind == "sequence":
        parts.wrong("a step is a mapping such as `customer: hello`, not a list", item.span)
        return None
    bare = item.kind == "scalar"
    entries: Entries = {parts.word(item): (item, _nothing(item))} if bare else parts.entries(item, "a step")
    name = next((n for n in entries if n in STEPS), None)
    if name is None:
        first = next(iter(entries), "")
        parts.unknown(first, entries[first][0].span if first in entries else item.span, STEPS, "step")
        return None
    more = MOVES[name].more if name in MOVES else ()
    for key, (at, _) in entries.items():
        if key in STEPS and key not in (name, *more):
            parts.wrong(f"`{name}` and `{key}` are two steps", at.span, f"begin another step with `- {key}:`")
    parts.only({k: v for k, v in entries.items() if k not in STEPS}, (name, *more), f"part of `{name}`")
    return _read(parts, name, item, entries)


def _read(parts: Parts, name: str, item: Node, entries: Entries) -> Step | None:
    node, span = entries[name][1], item.span
    label = clip(item.text.partition("\n")[0])
    if name == "expect":
        return Expectation(span, label, checks(parts, node))
    if name == "tap":
        title = parts.text(node, "the title of the button")
        return None if title is None else Tap(span, label, title)
    return Move(span, label, events(parts, name, node, entries))


def _nothing(item: Node) -> Node:
    return item._replace(value=None, start=item.end, quoted=False)
