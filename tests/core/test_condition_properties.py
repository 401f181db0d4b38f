"""What holds of every text and every memory."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import given, settings

from inspector_core.mantle.condition import compile as compiling
from inspector_core.mantle.condition import parse
from inspector_core.mantle.condition.mend import mended
from inspector_core.mantle.condition.words import causes, describe
from inspector_core.proof import Proof, Truth
from tests.core.written import KEYS, accepted, memories, mendable, nearly, texts

OPERATIONS: dict[str, Callable[[Any, Any], object]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def every(proof: Proof) -> Iterator[Proof]:
    waiting = [proof]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(here.children)


@given(texts, memories)
def test_no_text_and_no_memory_makes_us_raise(text: str, memory: dict[str, object]) -> None:
    condition = parse(text)
    assert isinstance(condition.truth(memory), Truth)
    assert isinstance(describe(condition.prove(memory)), str)
    assert (condition.problem is None) == condition.accepted


@given(texts, memories)
def test_the_three_ways_to_evaluate_agree(text: str, memory: dict[str, object]) -> None:
    condition = parse(text)
    truth, row = compiling.interpreted(condition.text, condition.tree, condition.keys)
    proof = condition.prove(memory)
    assert condition.truth(memory) is condition.row(memory)[0] is proof.truth is truth(memory)
    assert condition.row(memory)[1] == row(memory)[1]
    assert [id(value) for value in condition.row(memory)[2]] == [id(memory.get(key)) for key in condition.keys]


@given(accepted | nearly, memories)
def test_unset_and_none_are_the_same(text: str, memory: dict[str, object]) -> None:
    condition = parse(text)
    filled = {key: memory.get(key) for key in KEYS}
    assert condition.truth(filled) is condition.truth(memory)
    assert condition.row(filled) == condition.row(memory) or "nan" in repr(memory)


@given(texts, memories)
def test_every_part_of_a_proof_lies_in_the_part_round_it(text: str, memory: dict[str, object]) -> None:
    for part in every(parse(text).prove(memory)):
        assert 0 <= part.start <= part.end <= len(text)
        assert part.text == text[part.start : part.end]
        for child in part.children:
            assert part.start <= child.start
            assert child.end <= part.end


@given(texts)
def test_a_problem_lies_in_the_text(text: str) -> None:
    problem = parse(text).problem
    if problem is not None:
        assert 0 <= problem.start <= problem.end <= len(text)
        assert problem.message == problem.message.strip()


@given(mendable, memories)
def test_a_rewriting_agrees_with_what_was_written_wherever_that_has_an_outcome(
    text: str, memory: dict[str, object]
) -> None:
    better = mended(text)
    if better is not None:
        assert parse(better).accepted
        truth = parse(text).truth(memory)
        assert truth in (Truth.ERRORS, parse(better).truth(memory))


def test_most_of_what_is_nearly_right_can_be_rewritten() -> None:
    said: list[bool] = []

    @settings(max_examples=100)
    @given(mendable)
    def rewrite(text: str) -> None:
        said.append(mended(text) is not None)

    rewrite()
    assert said.count(True) > 30


@given(texts, memories)
def test_an_error_has_one_cause_that_was_reached(text: str, memory: dict[str, object]) -> None:
    proof = parse(text).prove(memory)
    reached = list(causes(proof))
    assert (len(reached) == 1) == (proof.truth is Truth.ERRORS)
    for part in every(proof):
        assert (part.error is not None) == (part.truth is Truth.ERRORS)


@given(accepted, memories)
def test_a_reason_is_given_just_where_it_does_not_hold(text: str, memory: dict[str, object]) -> None:
    proof = parse(text).prove(memory)
    assert (describe(proof) == "") == (proof.truth is Truth.HOLDS)


@given(accepted, memories)
def test_what_is_accepted_means_what_it_means_in_python(text: str, memory: dict[str, object]) -> None:
    condition = parse(text)
    expected = _in_python(condition.prove(memory))
    assert condition.truth(memory) is expected


def _in_python(proof: Proof) -> Truth:
    """An independent reading of a proof's leaves: values compared as Python does, in Python's order."""
    try:
        return Truth.HOLDS if _value(proof) else Truth.FAILS
    except TypeError:
        return Truth.ERRORS


def _value(proof: Proof) -> object:
    match proof.kind:
        case "and":
            return all(_value(part) for part in proof.children)
        case "or":
            return any(_value(part) for part in proof.children)
        case "not":
            return not _value(proof.children[0])
        case "compare":
            return _chain(proof)
        case _:
            return proof.value


def _chain(proof: Proof) -> bool:
    left = _value(proof.children[0])
    for sign, child in zip(proof.operators, proof.children[1:], strict=True):
        right = _value(child)
        if not OPERATIONS[sign](left, right):
            return False
        left = right
    return True


@given(texts)
def test_reading_twice_gives_the_same(text: str) -> None:
    parse.cache_clear()
    first = parse(text)
    parse.cache_clear()
    second = parse(text)
    assert first == second
    assert (first.accepted, first.keys, first.tree, first.problem) == (
        second.accepted,
        second.keys,
        second.tree,
        second.problem,
    )
