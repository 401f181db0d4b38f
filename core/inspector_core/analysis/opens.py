"""What would open a condition, what never can, and what always does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from inspector_core.analysis.candidates import FieldOf, candidates, everything, pairs
from inspector_core.analysis.outcomes import outcomes
from inspector_core.analysis.search import Search, is_searchable
from inspector_core.classes import NamedTuple, dataclass
from inspector_core.mantle.condition import Condition
from inspector_core.mantle.condition.tree import ORDERINGS, Constant, Memory
from inspector_core.mantle.condition.values import RAISED, literal, names_for, ordered, spoken
from inspector_core.proof import Truth

__all__ = ["ChangeTo", "FieldOf", "Opening", "always_holds", "never_opens", "openers"]

_MOST_CHANGES: Final = 3
_MOST_OPENINGS: Final = 6
_INVERSE: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_BOUNDS: Final = {"<": "less than {}", "<=": "{} or less", ">": "more than {}", ">=": "{} or more"}


class ChangeTo(NamedTuple):
    """One entry's change, to one value of those that do it."""

    key: str
    value: object
    """A JSON value; `None` clears the entry."""
    words: str
    """All values that do it, in words: `any text`, `'stolen'`, `true`, `unset`, `100 or more`."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Changes that together make a condition hold, none of which could be left out."""

    changes: tuple[ChangeTo, ...]


def openers(condition: Condition, memory: Mapping[str, object], field_of: FieldOf) -> tuple[Opening, ...]:
    """The smallest sets of changes that make the condition hold, each tried out; at most six, of at most three keys."""
    if not is_searchable(condition) or condition.truth(memory) is Truth.HOLDS:
        return ()
    memory = {key: memory.get(key) for key in condition.keys}
    search = Search(condition, candidates(condition, memory, field_of), evaluations=2000, expansions=80)
    found = islice(search.smallest(memory, _MOST_CHANGES), _MOST_OPENINGS)
    return tuple([Opening(tuple([_change(condition, key, value) for key, value in changes])) for changes in found])


def never_opens(condition: Condition, field_of: FieldOf) -> str | None:
    """Why no memory makes the condition hold, values of the declared types supposed; `None` where one may."""
    if not is_searchable(condition) or not _told_by_values(condition):
        return None
    if not condition.keys:
        return None if condition.truth({}) is Truth.HOLDS else "it reads no memory"
    search = Search(condition, everything(condition, field_of), evaluations=4000, expansions=400)
    if condition.truth({}) is Truth.HOLDS or search.any({}) is not None or search.exhausted:
        return None
    names = names_for(condition.keys)
    entries = " and ".join([f"`{name}`" for name in islice(names.values(), _MOST_CHANGES)])
    more = f" and {len(names) - _MOST_CHANGES} more" if len(names) > _MOST_CHANGES else ""
    return f"no value of {entries}{more} makes it hold"


def always_holds(condition: Condition) -> bool:
    """Whether the condition holds whatever memory is: `'always'`, `1 == 1`, `session.a.b == 'x' or 'y'`."""
    return is_searchable(condition) and outcomes(condition, condition.tree) == {True}


def _told_by_values(condition: Condition) -> bool:
    """Whether every entry is compared with constants alone, so that trying its values is a proof."""
    return not any(isinstance(pair.other, Memory) for pair in pairs(condition.tree))


def _change(condition: Condition, key: str, value: object) -> ChangeTo:
    return ChangeTo(key, value, _words(condition, key, value))


def _words(condition: Condition, key: str, value: object) -> str:
    own = [pair for pair in pairs(condition.tree) if pair.key == key]
    met = [(pair.sign, pair.other.value) for pair in own if isinstance(pair.other, Constant)]
    if value is None or isinstance(value, bool) or len(met) < len(own):
        return spoken(value)
    equalities = [bound for sign, bound in met if sign not in ORDERINGS]
    if any(_stands("==", value, bound) for bound in equalities):
        return spoken(value)
    bounds = _bounds(met, value)
    if bounds or not equalities:
        return bounds or _any(value)
    return f"anything but {' or '.join(dict.fromkeys([literal(bound) for bound in equalities]))}"


def _any(value: object) -> str:
    match value:
        case str():
            return "any text" if value else "empty"
        case list():
            return "a list with something in it" if value else "empty"
        case int() | float():
            return "any number but 0" if value else "0"
        case _:
            return spoken(value)


def _bounds(met: list[tuple[str, object]], value: object) -> str:
    """The range that a value stands for: the nearest bound on each side."""
    true = [
        (sign if _stands(sign, value, bound) else _INVERSE[sign], bound) for sign, bound in met if sign in ORDERINGS
    ]
    low = [bound for bound in true if bound[0] in (">", ">=") and _stands(bound[0], value, bound[1])]
    high = [bound for bound in true if bound[0] in ("<", "<=") and _stands(bound[0], value, bound[1])]
    said = list(_nearest(low, ">")) + list(_nearest(high, "<"))
    return ", ".join(said)


def _nearest(bounds: list[tuple[str, object]], outward: str) -> Iterator[str]:
    nearest: tuple[str, object] | None = None
    for sign, bound in bounds:
        if nearest is None or _stands(outward, bound, nearest[1]) or (bound == nearest[1] and sign == outward):
            nearest = sign, bound
    if nearest is not None:
        yield _BOUNDS[nearest[0]].format(literal(nearest[1]))


def _stands(sign: str, left: object, right: object) -> bool:
    try:
        return ordered(sign, left, right)
    except RAISED:
        return False
