"""Conditions that the engine accepts and that mean something else than their author thinks."""

from __future__ import annotations

from inspector_core.analysis.candidates import FieldOf
from inspector_core.analysis.constant import constants
from inspector_core.analysis.mismatch import mismatches
from inspector_core.analysis.search import is_searchable
from inspector_core.analysis.trap import Trap
from inspector_core.analysis.unset import both_closed, open_when_unset, order_dependent
from inspector_core.mantle.condition import Condition

__all__ = ["Trap", "traps"]


def traps(condition: Condition, field_of: FieldOf) -> tuple[Trap, ...]:
    """All traps in a condition that the engine accepts, in source order; one that is constant has no other."""
    if not condition.accepted or not is_searchable(condition):
        return ()
    constant = tuple(constants(condition))
    if any(trap.whole for trap in constant):
        return constant
    found = (
        *constant,
        *open_when_unset(condition),
        *order_dependent(condition),
        *both_closed(condition),
        *mismatches(condition, field_of),
    )
    return tuple(sorted(dict.fromkeys(found), key=lambda trap: (trap.start, trap.end, trap.code)))
