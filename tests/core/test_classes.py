"""Our dataclasses behave as those of the standard library that they stand for."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field, replace

import pytest

from inspector_core.classes import NamedTuple, dataclass


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 2
    tags: tuple[str, ...] = field(default_factory=tuple)
    note: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Pixel(Point):
    colour: str = "red"

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError(self.x)


@dataclass(frozen=True, slots=True)
class Nothing:
    pass


@dataclass(frozen=True, slots=True)
class NothingElse:
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Itself:
    x: int


@dataclass
class Open:
    names: list[str] = field(default_factory=list)


class Pair(NamedTuple):
    """Two of a kind."""

    left: int
    right: int = 0

    @property
    def total(self) -> int:
        return self.left + self.right


def test_equal_values_are_equal_and_have_the_same_hash() -> None:
    assert Point(1) == Point(1, 2, (), "another note")
    assert hash(Point(1)) == hash(Point(1, note="x"))
    assert Point(1) != Point(2)
    assert len({Point(1), Point(1), Point(1, 3)}) == 2


def test_classes_are_told_apart_whatever_they_hold() -> None:
    assert Nothing() == Nothing()
    assert len({Nothing(), NothingElse()}) == 2
    assert Point(1) != Pixel(1)
    assert Point(1) != (1, 2, ())


def test_one_compared_by_identity_stays_so() -> None:
    one = Itself(1)
    assert one != Itself(1)
    assert len({one, Itself(1), one}) == 2


def test_what_is_frozen_can_be_neither_set_nor_deleted() -> None:
    point = Point(1)
    with pytest.raises(FrozenInstanceError):
        point.x = 2
    with pytest.raises(FrozenInstanceError):
        delattr(point, "x")
    assert not hasattr(point, "__dict__")


def test_what_is_open_has_a_list_of_its_own_and_no_hash() -> None:
    one, other = Open(), Open()
    one.names.append("a")
    assert other.names == []
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_it_is_a_dataclass_to_everyone() -> None:
    pixel = Pixel(1, note="n")
    assert [f.name for f in dataclasses.fields(pixel)] == ["x", "y", "tags", "note", "colour"]
    assert replace(pixel, x=4) == Pixel(4)
    assert dataclasses.asdict(pixel) == {"x": 1, "y": 2, "tags": (), "note": "n", "colour": "red"}
    assert repr(pixel) == "Pixel(x=1, y=2, tags=(), colour='red')"
    match pixel:
        case Pixel(x, y):
            assert (x, y) == (1, 2)


def test_a_check_after_its_making_runs_for_copies_too() -> None:
    with pytest.raises(ValueError, match="-1"):
        Pixel(-1)
    with pytest.raises(ValueError, match="-2"):
        replace(Pixel(1), x=-2)


def test_it_survives_a_pickle_and_a_deep_copy() -> None:
    pixel = Pixel(1, 3, ("a",))
    assert pickle.loads(pickle.dumps(pixel)) == pixel == copy.deepcopy(pixel)


def test_what_is_missing_is_told() -> None:
    with pytest.raises(TypeError, match="'x'"):
        Point(**{"y": 1})


def test_a_named_tuple_is_one_to_everyone() -> None:
    pair = Pair(1)
    assert pair == (1, 0)
    assert pair.total == 1
    assert pair._replace(right=4) == Pair(1, 4) == Pair(right=4, left=1)
    assert (repr(pair), Pair.__doc__, Pair._fields) == ("Pair(left=1, right=0)", "Two of a kind.", ("left", "right"))
    assert Pair.__annotations__ == {"left": "int", "right": "int"}
    assert pickle.loads(pickle.dumps(pair)) == pair
    assert type(pickle.loads(pickle.dumps(pair))) is Pair
