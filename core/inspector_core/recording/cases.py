"""The engine's end-to-end tests and evaluation scenarios as scripts (§8.4): what the customer says, what is expected.

What our own expectations can't say is kept as it is written, with its place, and never quietly left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from inspector_core.classes import NamedTuple
from inspector_core.events import CustomerSaid, SessionBegan
from inspector_core.finding import Finding, Severity, in_order
from inspector_core.mantle.reading.words import clip
from inspector_core.mantle.reading.yaml import Node, load
from inspector_core.mantle.wire.kinds import completed
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.recording.asserted import checks
from inspector_core.recording.detect import Format
from inspector_core.recording.sessions import Recorded, Session
from inspector_core.script.emit import key
from inspector_core.script.parts import Parts
from inspector_core.script.values import Check, Expectation, Move, Script, Step
from inspector_core.source import Source, Span

__all__ = ["Case", "NotOurs", "cases", "sessions_of"]

_LEFT = "inspector.test.not-understood"
_OLDER = {"slot_was_set": "memory_was_set", "slot_was_not_set": "memory_was_not_set"}
_KNOWN = ("test_case", "steps", "fixtures", "metadata")
_BESIDE = ("user", "assertions", "assertion_order_enabled", "metadata")


class NotOurs(NamedTuple):
    """A part of a test that we have no word for, as it is written."""

    span: Span
    text: str
    value: object


class Case(NamedTuple):
    """One test."""

    name: str
    span: Span
    memory: dict[str, object]
    parts: tuple[Step | NotOurs, ...]
    path: str
    kind: Literal["test", "scenario"]
    own: tuple[Finding, ...] = ()
    """What is wrong with how it is written."""

    @property
    def script(self) -> Script:
        """What of it can be played."""
        steps = tuple(part for part in self.parts if not isinstance(part, NotOurs))
        return Script(self.name, self.memory, steps, self.path)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong, and what is not understood."""
        left = [
            Finding(_LEFT, Severity.INFO, f"`{clip(part.text)}` is not understood", part.span)
            for part in self.parts if isinstance(part, NotOurs)
        ]  # fmt: skip
        return in_order([*self.own, *left])


def cases(source: Source) -> tuple[Case, ...]:
    """The tests in a file; never raises."""
    document, parts = load(source), Parts()
    node = document.node if document.node is not None else document.partial
    found = list(_cases(parts, node, source)) if node is not None else []
    wrong = in_order([*document.findings, *parts.findings])
    told = [f for f in wrong if f.severity is not Severity.INFO]  # plain words are meant here
    if not found:
        found = [Case(source.path, source.span(0), {}, (), source.path, "test")]
    return (found[0]._replace(own=tuple(told)), *found[1:])


def _cases(parts: Parts, node: Node, source: Source) -> Iterator[Case]:
    scenario = node.get("scenario") if node.kind == "mapping" else None
    if scenario is not None:
        yield _scenario(parts, scenario, source)
        return
    listed = node.get("test_cases") if node.kind == "mapping" else node
    fixtures = _fixtures(parts, node.get("fixtures")) if node.kind == "mapping" else {}
    for item in listed.items if listed is not None else ():
        if item.kind == "mapping":
            yield _test(parts, item, fixtures, source)
        else:
            parts.wrong("a test is a mapping with `test_case` and `steps`", item.span)


def _fixtures(parts: Parts, node: Node | None) -> dict[str, dict[str, object]]:
    """Memory that tests begin with, by its name."""
    found: dict[str, dict[str, object]] = {}
    for item in node.items if node is not None else ():
        for name, (_, value) in parts.entries(item, "a fixture").items():
            held = found.setdefault(name, {})
            for one in value.items if value.kind == "sequence" else (value,):
                held.update(parts.values(one, "a fixture"))
    return found


def _test(parts: Parts, node: Node, fixtures: dict[str, dict[str, object]], source: Source) -> Case:
    entries = parts.entries(node, "a test")
    name = parts.text(entries["test_case"][1], "the name of a test") if "test_case" in entries else None
    memory: dict[str, object] = {}
    if "fixtures" in entries:
        for fixture, _ in parts.texts(entries["fixtures"][1], "each of `fixtures`"):
            memory.update(fixtures.get(fixture, {}))
    steps = entries["steps"][1] if "steps" in entries else None
    told = [part for item in (steps.items if steps is not None else ()) for part in _step(parts, item)]
    told += [_left(entry, value) for key, (entry, value) in entries.items() if key not in _KNOWN]
    return Case(name or "a test", node.span, memory, tuple(told), source.path, "test")


def _step(parts: Parts, item: Node) -> Iterator[Step | NotOurs]:
    if item.kind != "mapping":
        yield NotOurs(item.span, item.text, item.value)
        return
    entries = parts.entries(item, "a step")
    if "user" in entries:
        said = entries["user"][1]
        text = parts.text(said, "what the customer says")
        if text is not None:
            event = SessionBegan() if text == "/session_start" else CustomerSaid(text)
            yield Move(said.span, f"user: {text}", (event,))
    for name, (entry, value) in entries.items():
        if name == "assertions":
            yield from _expected(parts, [_pair(one) for one in value.items])
        elif name in ("bot", "utter"):
            yield from _expected(parts, [("said", entry, value)])
        elif name in _OLDER:
            yield from _expected(parts, [(_OLDER[name], entry, value)])
        elif name not in _BESIDE:
            yield _left(entry, value)


def _pair(node: Node) -> tuple[str, Node, Node]:
    """An assertion: its name, and what it is about."""
    pairs = list(node.pairs()) if node.kind == "mapping" else []
    return pairs[0] if len(pairs) == 1 else ("", node, node)


def _expected(parts: Parts, asserted: list[tuple[str, Node, Node]]) -> Iterator[Step | NotOurs]:
    """One expectation of everything that is understood, and the rest."""
    found: list[Check] = []
    rest: list[NotOurs] = []
    for name, entry, value in asserted:
        understood = checks(parts, name, value)
        found += understood.checks
        if understood.left is not None:
            rest.append(_left(entry, value, understood.left))
    if found:
        yield Expectation(found[0].span, "assertions", tuple(found))
    yield from rest


def _left(entry: Node, value: Node, part: str = "") -> NotOurs:
    """Something that is not understood; the part of it that isn't, where the rest is."""
    start, end = entry.start, max(entry.end, value.end)
    text = " ".join(entry.source.text[start:end].split())
    span = entry.source.span(start, end)
    plain = value.value if entry is value else {str(entry.value): value.value}
    return NotOurs(span, f"{key(part)} of {text}" if part else text, plain)


def _scenario(parts: Parts, node: Node, source: Source) -> Case:
    """A scenario: the customer is played by a model, so that there is nothing it says; only what has to come of it."""
    entries = parts.entries(node, "`scenario`")
    name = parts.text(entries["name"][1], "the name of the scenario") if "name" in entries else None
    memory: dict[str, object] = {}
    told: list[Step | NotOurs] = []
    for part, (entry, value) in entries.items():
        if part == "setup":
            setup = parts.entries(value, "`setup`")
            memory = parts.values(setup["initial_slots"][1], "`initial_slots`") if "initial_slots" in setup else {}
            told += [_left(*pair) for key_, pair in setup.items() if key_ != "initial_slots"]
        elif part == "goals":
            goals = parts.entries(value, "`goals`")
            if "assertions" in goals:
                told += _expected(parts, [_pair(one) for one in goals["assertions"][1].items])
            told += [_left(*pair) for key_, pair in goals.items() if key_ != "assertions"]
        elif part != "name":
            told.append(_left(entry, value))
    return Case(name or "a scenario", node.span, memory, tuple(told), source.path, "scenario")


def sessions_of(found: tuple[Case, ...], form: Format) -> tuple[Session, ...]:
    """Each test as a conversation of which only the customer's side is there, with what is expected of it."""
    told = ((case, tuple(_events(case, form))) for case in found)
    return tuple(Session(case.name, None, events) for case, events in told if events)


def _events(case: Case, form: Format) -> Iterator[Recorded]:
    for part in case.parts:
        match part:
            case Move(span, label, _):
                text = label.removeprefix("user: ")
                yield _recorded("user", completed("user", {"text": text}), case, span)
            case Expectation(_, _, found):
                for check in found:
                    yield _recorded(f"{form.value}.expected", {"text": _words(check)}, case, check.span)
            case NotOurs(span, text, value):
                yield _recorded(f"{form.value}.not-understood", {"text": text, "entry": value}, case, span)


def _words(check: Check) -> str:
    told = [check.kind if check.kind != "happened" else "", check.name if not check.patterns else ""]
    return " ".join([*filter(None, told), *map(str, check.patterns)])


def _recorded(name: str, fields: dict[str, object], case: Case, span: Span) -> Recorded:
    return Recorded(TrackerEvent(name, fields, conversation_id=case.name), span.line)
