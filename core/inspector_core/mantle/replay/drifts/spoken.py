"""What the agent said by named responses, held against the words and the uses of today's files."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from inspector_core.mantle.engine.responses import render
from inspector_core.mantle.engine.standing import CANCEL
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.gatelist import every_gate
from inspector_core.mantle.project import ConfirmationRule, Named, Project
from inspector_core.mantle.reading.bundled import PACKAGED_RESPONSES
from inspector_core.mantle.replay.drifts.calls import gate_of
from inspector_core.mantle.replay.drifts.recorded import Recorded
from inspector_core.mantle.replay.drifts.values import Drift
from inspector_core.mantle.replay.replay import Replay
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.source import Span

__all__ = ["Spoken"]

_BACK = 20
"""So many calls of a turn may have had said what is said after them."""
_OWN_WORDS = "in the model's own words"


class Spoken:
    """The words of one recording."""

    def __init__(self, replay: Replay, calls: Sequence[Recorded], barred: frozenset[int]) -> None:
        self.replay, self.project = replay, replay.project
        self.calls = calls
        self.barred = barred
        """The calls that would not have come so far at all, or not asked: what was said of them is not judged."""

    def drift(self) -> Iterator[Drift]:
        """What the customer would read otherwise."""
        judged = [call for call in self.calls if call.number not in self.barred]
        asks = [drift for call in judged if call.outcome == "asked" for drift in self._asked(call)]
        others = [drift for call in judged for drift in self._followed(call)]
        yield from (*asks, *others)
        turns = {self._turn(drift.number) for drift in others}
        for number, event in enumerate(self.replay.events, 1):
            name = _name(event)
            if name is not None and number not in self._apart:
                yield from self._said(number, event, name, told=self._turn(number) in turns)

    @cached_property
    def _apart(self) -> frozenset[int]:
        """The asks, which are judged with their calls, and all that belongs to a call that is barred."""
        every = self.replay.confirmations
        barred = {n for one in every if self.barred & {*one.events} for start in one.events for n in self._next(start)}
        return frozenset(barred | {one.ask for one in every if one.ask is not None})

    def _next(self, number: int) -> range:
        """What is said at once after an event: up to the next call or the end of the turn."""
        end = number + 1
        while end <= len(self.replay) and self.replay.events[end - 1].name not in ("tool_executed", "user"):
            end += 1
        return range(number, end)

    def _turn(self, number: int) -> int:
        """The event with which the turn of an event began; 0 before the first."""
        return self.replay.previous_turn(number + 1) or 0

    # -- asks ------------------------------------------------------------------------------------------------------

    def _asked(self, call: Recorded) -> Iterator[Drift]:
        """A question that would be put in other words."""
        state, pending = self.replay.rebuilt(call.start).state, self.replay.pending(call.number)
        rule = self._rule(call, state)
        if pending is None or pending.tool != call.tool or rule is None:
            return
        ask = render(self.project, state.skill, rule.ask.name, state.memory).text if rule.ask is not None else None
        if ask != pending.ask:
            one = self.replay.confirmation_of.get(call.number)
            number = one.ask if one is not None and one.ask is not None else call.number
            place = self._place(rule.ask) if rule.ask is not None else rule.span
            was, now = pending.ask or _OWN_WORDS, ask or _OWN_WORDS
            yield Drift(number, "ask-words", call.tool, state.skill, was, now, "text", None, place)

    def _rule(self, call: Recorded, state: State) -> ConfirmationRule | None:
        if call.tool == CANCEL:
            constraint = self.project.agent.constraint(CANCEL)
            return constraint.confirmation if constraint is not None else None
        gate = gate_of(self.project, call, state)
        return gate.confirmation if gate is not None else None

    # -- what follows a call ---------------------------------------------------------------------------------------

    def _followed(self, call: Recorded) -> Iterator[Drift]:
        """A response that would be spoken after a call, and was not."""
        state = self.replay.rebuilt(call.start).state
        expected = self._expected(call, state)
        if expected is None:
            return
        end = self.replay.next_turn(call.number) or len(self.replay) + 1
        if _between(self._spoken.get(expected.name, ()), call.number, end) is not None:
            return
        if _between(self._went_on, call.number, end) is None:
            return  # the customer cut the turn short, before anything was said
        skill = state.pending.skill_id if state.pending is not None and call.who == "answer" else state.skill
        after = self.replay.rebuilt(call.number).state
        text = render(self.project, skill, expected.name, after.memory)
        if not text.blank:
            other = _between(self._unused, call.number, end)
            was = f"`{_name(self.replay.events[other - 1])}` was said" if other is not None else "it was not said"
            yield Drift(call.number, "words", call.tool, state.skill, was, f"`{expected.name}` is said: {text.text}",
                        "other-response", None, expected.span)  # fmt: skip

    def _expected(self, call: Recorded, state: State) -> Named | None:
        if call.outcome == "declined":
            rule = self._rule(call, state)
            return rule.denial if rule is not None else None
        if call.who == "check" or (call.outcome != "ran" and not call.surely_ran):
            return None
        gate = gate_of(self.project, call, state)
        if gate is None:
            return None
        return gate.on_failure if call.outcome == "failed" else gate.on_success if call.outcome == "ran" else None

    @cached_property
    def _spoken(self) -> Mapping[str, list[int]]:
        """Each response, with the events in which it was spoken."""
        found: dict[str, list[int]] = {}
        for number, event in enumerate(self.replay.events, 1):
            name = _name(event)
            if name is not None:
                found.setdefault(name, []).append(number)
        return found

    @cached_property
    def _unused(self) -> Sequence[int]:
        """Where responses were spoken that nothing in today's files has spoken."""
        return sorted(n for name, numbers in self._spoken.items() if name not in self._used for n in numbers)

    @cached_property
    def _went_on(self) -> Sequence[int]:
        """Where a turn came to speaking, or to its end."""
        every = enumerate(self.replay.events, 1)
        return [n for n, e in every if e.name == "bot_turn_ended" or _source(e) in ("verbatim", "rephrased", "llm")]

    # -- every response that was spoken ----------------------------------------------------------------------------

    def _said(self, number: int, event: TrackerEvent, name: str, *, told: bool) -> Iterator[Drift]:
        active = self.replay.rest(number).state.skill
        recorded = str(event.fields.get("text"))
        if name not in self.project.response_by_name:
            if name not in PACKAGED_RESPONSES and recorded != name:
                yield Drift(number, "gone", name, active, recorded, f"there is no response `{name}`", "no-response")
        elif name not in self._used:
            if not told:
                now = f"nothing in the files says `{name}`"
                yield Drift(number, "words", name, active, recorded, now, "not-said", None, self._span(name))
        elif _source(event) == "verbatim":
            texts = self._texts(number, name)
            if recorded not in texts:
                yield Drift(number, "words", name, active, recorded, texts[0], "text", None, self._span(name))

    def _texts(self, number: int, name: str) -> list[str]:
        """What the response would say at this event, or as of an earlier call of the turn that had it said."""
        states = [self.replay.rebuilt(number - 1).state]
        first, end = (bisect_left(self.calls, n, key=lambda c: c.number) for n in (self._turn(number), number))
        states += [self.replay.rebuilt(call.start).state for call in self.calls[max(first, end - _BACK) : end]]
        skills = {s.skill for s in states} | {s.pending.skill_id for s in states if s.pending is not None} | {None}
        ordered = [states[0].skill, *(skills - {states[0].skill})]
        return [render(self.project, skill, name, state.memory).text for state in states for skill in ordered]

    def _span(self, name: str) -> Span | None:
        response = self.project.response_by_name.get(name)
        return response.span if response is not None else None

    def _place(self, named: Named) -> Span:
        return self._span(named.name) or named.span

    @cached_property
    def _used(self) -> frozenset[str]:
        return PACKAGED_RESPONSES.union(_used(self.project))


def _between(numbers: Sequence[int], start: int, end: int) -> int | None:
    """The first of some events after one and before another."""
    place = bisect_right(numbers, start)
    return numbers[place] if place < len(numbers) and numbers[place] < end else None


def _used(project: Project) -> Iterator[str]:
    """Every response that something in the files may have spoken."""
    for constraint in project.agent.constraints:
        yield from _of_rule(constraint.confirmation)
    for skill in project.skills:
        for gate in every_gate(skill):
            yield from (named.name for named in (gate.on_success, gate.on_failure) if named is not None)
            yield from _of_rule(gate.confirmation)
        yield from (trigger.response.name for trigger in skill.triggers)
        for step in (step for block in skill.blocks for step in block.steps):
            yield from (named.name for named in (step.utterance, step.target) if named is not None)


def _of_rule(rule: ConfirmationRule | None) -> Iterator[str]:
    if rule is not None:
        yield from (named.name for named in (rule.ask, rule.denial) if named is not None)


def _name(event: TrackerEvent) -> str | None:
    """The response that a message of the agent's was, where it was one."""
    found = event.metadata.get("utter_action") if event.name == "bot" else None
    return found if isinstance(found, str) else None


def _source(event: TrackerEvent) -> object:
    return event.metadata.get("mantle_response_source") if event.name == "bot" else None
