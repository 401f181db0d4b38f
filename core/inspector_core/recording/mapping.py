"""Where a recording carries no memory: which part of a tool's result is which memory entry, by the author's own word.

    get_customer:
      result.customer_id: project.customer_id
      arguments.name: project.name

Nothing else is ever taken for memory. What such a file gets wrong is a finding with its place.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, cast

from inspector_core.classes import NamedTuple
from inspector_core.finding import Finding, Severity, did_you_mean, in_order
from inspector_core.mantle.reading.words import clip, described
from inspector_core.mantle.reading.yaml import Node, load
from inspector_core.mantle.wire.kinds import completed
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.recording.sessions import Recorded, Session
from inspector_core.source import Source, Span

__all__ = ["INFERRED", "MemoryMapping", "Write", "read_mapping", "undeclared", "written"]

INFERRED = "inspector_mapping"
"""Where the metadata of an inferred write says by which line of the file it was."""

_ROOTS = ("result", "arguments")
_PATH = re.compile(r'(\w+)((?:\.[^.\[\]"\s]+|\[\d{1,9}\]|\["[^"]+"\])*)')
_STEP = re.compile(r'\.([^.\[\]"\s]+)|\[(\d+)\]|\["([^"]+)"\]')
_KEY = re.compile(r"[\w-]+\.[\w-]+")
_MISSING = object()


class Write(NamedTuple):
    """One line of the file: a part of what a tool was given or gave back, and the entry that holds it."""

    root: Literal["result", "arguments"]
    steps: tuple[str | int, ...]
    key: str
    text: str
    """The path as it was written."""
    span: Span


class MemoryMapping(NamedTuple):
    """A file as far as it could be read."""

    tools: Mapping[str, tuple[Write, ...]]
    spans: Mapping[str, Span]
    """Where each tool is named."""
    findings: tuple[Finding, ...] = ()

    @property
    def broken(self) -> bool:
        return any(finding.severity is Severity.ERROR for finding in self.findings)


def read_mapping(source: Source) -> MemoryMapping:
    """A mapping file; never raises."""
    document = load(source)
    reader = _Reader()
    if document.node is not None:
        reader.file(document.node)
    elif not document.findings:
        reader.wrong("there is nothing in this file", source.span(0), "begin with the name of a tool")
    return MemoryMapping(reader.tools, reader.spans, in_order([*document.findings, *reader.findings]))


class _Reader:
    def __init__(self) -> None:
        self.tools: dict[str, tuple[Write, ...]] = {}
        self.spans: dict[str, Span] = {}
        self.findings: list[Finding] = []

    def wrong(self, message: str, span: Span, hint: str | None = None) -> None:
        self.findings.append(Finding("inspector.mapping.wrong", Severity.ERROR, message, span, hint))

    def file(self, node: Node) -> None:
        if node.kind != "mapping":
            self.wrong(f"it is {described(node)}, and has to be a mapping of tools", node.span)
            return
        for tool, name, value in node.pairs():
            self.spans[tool] = name.span
            if value.kind != "mapping":
                self.wrong(
                    f"`{clip(tool)}` has to be a mapping such as `result.id: project.id`, not {described(value)}",
                    value.span,
                )
                continue
            self.tools[tool] = tuple(write for pair in value.pairs() for write in self._writes(*pair))

    def _writes(self, text: str, path: Node, value: Node) -> Iterator[Write]:
        found = _PATH.fullmatch(text)
        if found is None or found[1] not in _ROOTS:
            close = did_you_mean(found[1], _ROOTS) if found else None
            self.wrong(f"`{clip(text)}` is no path", path.span, close or "such as `result.id` or `result.items[0].id`")
            return
        steps = tuple(int(at) if at else name or quoted for name, at, quoted in _STEP.findall(found[2]))
        for item in value.items if value.kind == "sequence" else (value,):
            if self._is_key(item):
                root = cast(Literal["result", "arguments"], found[1])
                yield Write(root, steps, str(item.value), text, path.span)

    def _is_key(self, node: Node) -> bool:
        key = node.value
        if isinstance(key, str) and _KEY.fullmatch(key) and not key.startswith("system."):
            return True
        hint = "such as `project.customer_id`"
        if isinstance(key, str) and key.startswith("session.") and _KEY.fullmatch(key[8:]):
            hint = f"leave out `session.`: `{key[8:]}`"
        elif isinstance(key, str) and key.startswith("system."):
            hint = "entries of `system` are the engine's own"
        self.wrong(f"`{clip(node.text)}` is no memory entry", node.span, hint)
        return False


def undeclared(mapping: MemoryMapping, keys: frozenset[str]) -> tuple[Finding, ...]:
    """The entries that no file of the agent's declares."""
    return tuple(
        Finding(
            "inspector.mapping.undeclared", Severity.WARNING, f"no file declares `{write.key}`", write.span,
            did_you_mean(write.key, keys),
        )
        for writes in mapping.tools.values() for write in writes if write.key not in keys
    )  # fmt: skip


def written(sessions: tuple[Session, ...], mapping: MemoryMapping) -> tuple[tuple[Session, ...], tuple[Finding, ...]]:
    """The sessions with the memory that their calls wrote, each write before its call (§8.3); and lines without use.

    A call that failed writes nothing, a part that a result has not writes nothing, and a `null` clears.
    """
    used: Counter[Span] = Counter()
    told = tuple(one._replace(events=tuple(_session(one.events, mapping, used))) for one in sessions)
    return told, tuple(_unused(mapping, used))


def _unused(mapping: MemoryMapping, used: Counter[Span]) -> Iterator[Finding]:
    for tool, writes in mapping.tools.items():
        span = mapping.spans[tool]
        if span not in used:
            message = f"the recording has no call of `{tool}` that came back"
            yield Finding("inspector.mapping.not-called", Severity.INFO, message, span)
            continue
        for write in writes:
            if write.span not in used:
                message = f"no call of `{tool}` has `{write.text}`"
                yield Finding("inspector.mapping.unused", Severity.WARNING, message, write.span)


def _session(events: tuple[Recorded, ...], mapping: MemoryMapping, used: Counter[Span]) -> Iterator[Recorded]:
    position = 0
    for one in events:
        tool = one.event.fields.get("tool_name")
        if one.event.name == "tool_executed" and isinstance(tool, str) and _came_back(one.event):
            for write, value in _found(one.event, mapping.tools.get(tool, ()), used):
                position += 1
                yield one._replace(event=_write(one.event, write, value, position))
            if tool in mapping.spans:
                used[mapping.spans[tool]] += 1
        yield one


def _came_back(event: TrackerEvent) -> bool:
    return not event.fields.get("is_error") and event.fields.get("result") is not None


def _found(event: TrackerEvent, writes: tuple[Write, ...], used: Counter[Span]) -> Iterator[tuple[Write, object]]:
    roots = {"arguments": event.fields.get("arguments"), "result": _read(event.fields.get("result"))} if writes else {}
    for write in writes:
        value = _part(roots[write.root], write.steps)
        if value is not _MISSING:
            used[write.span] += 1
            yield write, value


def _read(result: object) -> object:
    """What a result says: of JSON its value, of any other text the text."""
    try:
        return json.loads(result) if isinstance(result, str) else result
    except (ValueError, RecursionError):
        return result


def _part(value: object, steps: tuple[str | int, ...]) -> object:
    for step in steps:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and step < len(value) else _MISSING
        else:
            value = value.get(step, _MISSING) if isinstance(value, Mapping) else _MISSING
    return value


def _write(call: TrackerEvent, write: Write, value: object, position: int) -> TrackerEvent:
    """The write as the engine would have recorded it, with the word that it is inferred."""
    provenance = {
        "tool": call.fields.get("tool_name"), "skill_id": None, "step": None, "frame_id": None,
        "arguments": call.fields.get("arguments"), "position": position,
        "tool_call_id": call.metadata.get("tool_call_id"),
    }  # fmt: skip
    name = "memory_cleared" if value is None else "memory_set"
    fields = {"key": write.key} if value is None else {"key": write.key, "value": value}
    metadata = {"mantle_write_provenance": provenance, INFERRED: f"{write.text}: {write.key}"}
    return call._replace(name=name, fields=completed(name, fields), metadata=metadata)
