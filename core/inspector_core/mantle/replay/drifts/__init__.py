"""A recording judged by today's files: where they would have had the conversation go otherwise.

Every event is judged by itself, on what was recorded up to it. What would have followed from a difference is not
guessed: that is for playing.
"""

from __future__ import annotations

from inspector_core.mantle.project import Project
from inspector_core.mantle.replay.drifts.builtin import builtin_drift
from inspector_core.mantle.replay.drifts.calls import call_drift
from inspector_core.mantle.replay.drifts.memory import memory_drift
from inspector_core.mantle.replay.drifts.offered import offered_drift
from inspector_core.mantle.replay.drifts.places import place_drift
from inspector_core.mantle.replay.drifts.recorded import recorded_calls
from inspector_core.mantle.replay.drifts.spoken import Spoken
from inspector_core.mantle.replay.drifts.values import KINDS, Drift, Kind
from inspector_core.mantle.replay.replay import Replay

__all__ = ["KINDS", "Drift", "Kind", "drift"]


def drift(replay: Replay, before: Project | None = None) -> tuple[Drift, ...]:
    """Everything that today's files make otherwise, event by event.

    A recording does not tell what the model was offered and did not call: what is offered newly can only be told
    against the files as they were, which `before` is.
    """
    calls = recorded_calls(replay.events)
    judged = [one for call in calls for one in (*call_drift(replay, call), *builtin_drift(replay, call))]
    barred = frozenset(one.number for one in judged)
    found = [*judged, *place_drift(replay), *memory_drift(replay), *Spoken(replay, calls, barred).drift()]
    if before is not None:
        found += offered_drift(replay, calls, before)
    return tuple(sorted(found, key=lambda one: (one.number, KINDS.index(one.kind), one.subject)))
