"""Memory that remembers which memory it was made from, so that a change is known without comparing everything."""

from __future__ import annotations

from collections.abc import Mapping
from sys import intern
from weakref import ref

__all__ = ["Memory", "differing"]

_NOTHING = object()


class Memory(dict[str, object]):
    """A mapping that nobody changes once it is in a state. A plain mapping does as well; only this one is faster."""

    __slots__ = ("__weakref__", "_before", "_changed")

    def __init__(self, values: Mapping[str, object], before: Mapping[str, object] | None = None) -> None:
        if isinstance(values, Memory):
            super().__init__(values)
        else:  # conditions name keys by the same strings, which are then found without being compared
            super().__init__({intern(key) if type(key) is str else key: value for key, value in values.items()})
        self._before = ref(before) if isinstance(before, Memory) else None
        self._changed: frozenset[str] = frozenset()

    def settle(self, changed: frozenset[str]) -> None:
        """Say once which keys may differ from the memory it was made from."""
        self._changed = changed

    def since(self, other: Mapping[str, object]) -> frozenset[str] | None:
        """Which keys may differ from another memory; `None` where it was not made from that one."""
        return self._changed if self._before is not None and self._before() is other else None


def differing(before: Mapping[str, object], after: Mapping[str, object]) -> frozenset[str]:
    """The keys whose values may differ between two memories."""
    if before is after:
        return frozenset()
    for one, other in ((after, before), (before, after)):
        known = one.since(other) if isinstance(one, Memory) else None
        if known is not None:
            return known
    keys = before.keys() | after.keys()
    return frozenset(k for k in keys if before.get(k, _NOTHING) is not after.get(k, _NOTHING))
