"""Steps of ordered blocks put together from the values themselves, and agents that have the engine's own skills."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from inspector_core.mantle.condition import parse
from inspector_core.mantle.project import Branch, Project, Skill, Step
from inspector_core.mantle.reading.bundled import BUNDLED
from tests.core.handmade import HERE, Played, named

To = str | list[tuple[str | None, str]] | None
"""Where a step leads: nothing said, a step, or branches, each a condition (`None`: always) with a step."""

END = Step("END", "end", HERE)


def _next(to: To) -> tuple[Branch, ...] | None:
    if to is None:
        return None
    if isinstance(to, str):
        return (Branch(None, to, HERE),)
    return tuple(Branch(parse(when) if when else None, then, HERE) for when, then in to)


def routes(id: str, to: To = None) -> Step:
    return Step(id, "route", HERE, _next(to))


def does(id: str, action: str, to: To = None) -> Step:
    """`utter_…`, `action_listen` or `hangup`."""
    return Step(id, "action", HERE, _next(to), target=named(action))


def runs(id: str, tool: str, to: To = None, **parameters: object) -> Step:
    return Step(id, "execute_tool", HERE, _next(to), target=named(tool), parameters=parameters)


def sets(id: str, to: To = None, **writes: object) -> Step:
    return Step(id, "set_memory", HERE, _next(to), writes=writes)


def collects(id: str, entry: str, utterance: str | None = None, to: To = None, *, again: bool = False) -> Step:
    return Step(
        id, "collect", HERE, _next(to), target=named(entry), utterance=named(utterance) if utterance else None,
        ask_before_filling=again,
    )  # fmt: skip


def talks(id: str, until: str | None = None, to: To = None) -> Step:
    when = parse(until) if until else None
    return Step(id, "autonomous", HERE, _next(to), instructions="Talk.", complete_when=when)


def calls(id: str, target: str, to: To = None) -> Step:
    return Step(id, "call", HERE, _next(to), target=named(target))


def links(id: str, target: str) -> Step:
    return Step(id, "link", HERE, target=named(target))


def with_defaults(agent: Project, *own: Skill) -> Project:
    """An agent with the engine's own skills, but for those that it replaces, which keep what they are to the engine."""
    given = {s.id: replace(s, is_default=True, engine_managed=True) for s in own}
    return replace(agent, skills=(*agent.skills, *{**BUNDLED, **given}.values()))


def stacked(play: Played) -> list[tuple[str, str, str | None]]:
    """The frames, bottom first: block or skill, type, and step."""
    return [(f.block_id or f.skill_id, f.frame_type, f.step_id) for f in play.state.stack]


def notes(play: Played) -> list[str]:
    """The reasons of the notes that the latest event left."""
    return [str(r.fields["reason"]) for r in play.last if r.event == "inspector_note"]


def spoken(play: Played) -> list[str]:
    """What the customer has read so far."""
    return [str(r.fields["text"]) for r in play.records if r.event == "bot"]


def values(play: Played) -> Mapping[str, object]:
    """Memory without the engine's own entries."""
    return {k: v for k, v in play.state.memory.items() if not k.startswith("system.")}
