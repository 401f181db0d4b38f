"""Many recordings judged by one project: what each session drifts by, and which gates were ever seen open or closed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from inspector_core.mantle.engine.start import start
from inspector_core.mantle.engine.state import EMPTY
from inspector_core.mantle.project import Project
from inspector_core.mantle.replay.drifts import Drift, drift
from inspector_core.mantle.replay.history import GateHistory, Stretch
from inspector_core.mantle.replay.replay import Replay
from inspector_core.recording.recording import Recording
from inspector_core.recording.sessions import Session

__all__ = ["GateSeen", "Judged", "gates_seen", "judge_recording", "replay_of", "seen_in"]

Seen = frozenset[bool]
"""Whether a gate was seen open (`True`), closed (`False`), or both, while its skill was active."""


class Judged(NamedTuple):
    """One session, and where today's files would have had it go otherwise."""

    name: str
    conversation: str | None
    events: int
    drift: tuple[Drift, ...]
    seen: Mapping[tuple[str, str], Seen]
    """By skill and tool, for the skills that were active."""
    problems: Mapping[int, str]
    """The events that could not be followed."""


class GateSeen(NamedTuple):
    """What all recordings together have shown of one gate."""

    skill: str
    tool: str
    requires: str
    seen: Seen | None
    """`None`: its skill was never active."""


def replay_of(project: Project, recording: Recording, session: Session) -> Replay:
    """One session of a file; one of ours begins with the memory that its header tells."""
    header = recording.own.header if recording.own is not None else None
    begins = start(header.seed) if header is not None and session is recording.sessions[0] else EMPTY
    return Replay(project, [one.event for one in session.events], begins)


def judge_recording(project: Project, recording: Recording, before: Project | None = None) -> tuple[Judged, ...]:
    """Every session of a file, judged."""
    return tuple(_judged(replay_of(project, recording, one), one, before) for one in recording.sessions)


def _judged(replay: Replay, session: Session, before: Project | None) -> Judged:
    found = drift(replay, before)
    return Judged(session.name, session.conversation_id, len(replay), found, seen_in(replay), dict(replay.problems))


def seen_in(replay: Replay) -> Mapping[tuple[str, str], Seen]:
    """How the gates of the skills that were active stood meanwhile."""
    found: dict[tuple[str, str], Seen] = {}
    ends = [*(stretch.number for stretch in replay.way[1:]), len(replay) + 1]
    for stretch, end in zip(replay.way, ends, strict=True):
        for history in replay.histories(stretch.skill or "").values():
            at = history.skill, history.tool
            found[at] = found.get(at, frozenset()) | _stood(history, stretch, end)
    return found


def _stood(history: GateHistory, stretch: Stretch, end: int) -> Seen:
    first = bisect_right(history.at, stretch.number) - 1
    return frozenset(s in ("offered", "asks") for s in history.standings[first : bisect_right(history.at, end - 1)])


def gates_seen(project: Project, judged: Iterable[Judged]) -> tuple[GateSeen, ...]:
    """Every gate that has a condition, with what the sessions together have shown of it."""
    together: dict[tuple[str, str], Seen] = {}
    for one in judged:
        for at, seen in one.seen.items():
            together[at] = together.get(at, frozenset()) | seen
    gates = {(s.id, g.tool): g.requires.text for s in project.skills for g in s.gates if g.requires is not None}
    for skill in project.skills:
        for gate in (gate for block in skill.blocks for gate in block.gates if gate.requires is not None):
            gates.setdefault((skill.id, gate.tool), gate.requires.text if gate.requires else "")
    return tuple(GateSeen(*at, text, together.get(at)) for at, text in gates.items())
