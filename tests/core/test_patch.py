"""Patches of the stack: made as the engine makes them, applied whatever they say (§8.1)."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.mantle.wire import frames
from inspector_core.mantle.wire.patch import apply, make

SHOP: dict[str, object] = {"frame_id": "f1", "skill_id": "shop", "frame_type": "regular", "type": "skill"}
BLOCK: dict[str, object] = {
    "frame_id": "f2", "skill_id": "shop", "block_id": "main", "step_id": "START", "frame_type": "regular",
    "type": "ordered_block",
}  # fmt: skip
PARKED = {**SHOP, "frame_type": "interrupt", "previous_frame_type": "regular"}
FRAMES = st.lists(
    st.dictionaries(st.sampled_from(["frame_id", "step_id", "a/b", "m~n", "", "0", "-"]), st.text(max_size=2)),
    max_size=4,
)
POINTERS = st.sampled_from(
    ["", "/0", "/1", "/-", "/0/step_id", "/00", "/a", "x", "/0/a~1b", "/9" * 40, "/0/frame_id/x"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=2),
    lambda v: st.lists(v, max_size=2) | st.dictionaries(st.text(max_size=2), v, max_size=2), max_leaves=4,
)  # fmt: skip
OPERATIONS = st.fixed_dictionaries(
    {"op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test", "?"])},
    optional={"path": POINTERS | JSON, "from": POINTERS | JSON, "value": JSON},
)


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ([], [SHOP], [{"op": "add", "path": "/0", "value": SHOP}]),
        ([SHOP, BLOCK], [], [{"op": "remove", "path": "/0"}, {"op": "remove", "path": "/0"}]),
        ([SHOP, BLOCK], [SHOP, {**BLOCK, "step_id": "pay"}], [
            {"op": "replace", "path": "/1/step_id", "value": "pay"},
        ]),
        ([SHOP], [PARKED], [
            {"op": "replace", "path": "/0/frame_type", "value": "interrupt"},
            {"op": "add", "path": "/0/previous_frame_type", "value": "regular"},
        ]),
        ([PARKED, BLOCK], [SHOP], [
            {"op": "remove", "path": "/0/previous_frame_type"},
            {"op": "replace", "path": "/0/frame_type", "value": "regular"},
            {"op": "remove", "path": "/1"},
        ]),
        ([SHOP], [SHOP], []),
    ],
)  # fmt: skip
def test_a_patch_names_what_changed_place_by_place(
    before: list[dict[str, object]], after: list[dict[str, object]], patch: list[dict[str, object]]
) -> None:
    assert make(before, after) == patch


@given(FRAMES, FRAMES)
def test_a_patch_applied_to_the_stack_before_gives_the_stack_after(
    before: list[dict[str, object]], after: list[dict[str, object]]
) -> None:
    assert apply(before, make(before, after)) == (after, None)


@given(FRAMES, st.lists(OPERATIONS | JSON, max_size=4) | JSON)
def test_any_patch_is_applied_whole_or_not_at_all(before: list[dict[str, object]], patch: object) -> None:
    kept, sent = copy.deepcopy(before), copy.deepcopy(patch)
    document, problem = apply(before, patch)
    assert before == kept
    assert patch == sent
    assert problem is None or document == kept


@pytest.mark.parametrize(
    ("patch", "after"),
    [
        ([{"op": "replace", "path": "", "value": [SHOP]}], [SHOP]),
        ([{"op": "move", "from": "/0", "path": "/1"}], [BLOCK, SHOP]),
        ([{"op": "copy", "from": "/1", "path": "/-"}], [SHOP, BLOCK, BLOCK]),
        ([{"op": "test", "path": "/0/skill_id", "value": "shop"}, {"op": "remove", "path": "/1"}], [SHOP]),
    ],
)
def test_every_operation_of_a_json_patch_is_known(patch: object, after: list[object]) -> None:
    assert apply([SHOP, BLOCK], patch) == (after, None)


@pytest.mark.parametrize(
    ("patch", "problem"),
    [
        ({}, "it is no list of operations"),
        (["?"], "one of its operations is no mapping"),
        ([{"op": "swap", "path": "/0"}], "`swap` is no operation of a patch"),
        ([{"op": "add", "path": "/0"}], "one of its operations has no value"),
        ([{"op": "add", "value": 1}], "one of its operations has no proper `path`"),
        ([{"op": "remove", "path": "/2"}], "there is no frame `2` in the stack before it"),
        ([{"op": "remove", "path": "/1/step"}], "there is no `/1/step` in the stack before it"),
        ([{"op": "test", "path": "/0/skill_id", "value": "?"}], "its test of `/0/skill_id` fails"),
        (
            [{"op": "remove", "path": "/0"}, {"op": "remove", "path": "/1"}],
            "there is no frame `1` in the stack before it",
        ),
        ([{"op": "replace", "path": "", "value": {}}], "it leaves no list behind"),
    ],
)
def test_a_patch_that_does_not_fit_says_why_and_changes_nothing(patch: object, problem: str) -> None:
    assert apply([SHOP, BLOCK], patch) == ([SHOP, BLOCK], problem)


def test_what_a_patch_puts_in_is_not_changed_by_its_later_operations() -> None:
    patch = [{"op": "add", "path": "/0", "value": {}}, {"op": "add", "path": "/0/step_id", "value": "END"}]
    assert apply([], patch).document == [{"step_id": "END"}]
    assert patch[0]["value"] == {}


def test_a_patch_nested_without_end_is_a_problem_and_no_crash() -> None:
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    assert apply([deep], [{"op": "copy", "from": "/0", "path": "/-"}]).problem == "it is nested too deep"


def test_frames_are_read_back_as_they_were_shown() -> None:
    found, problems = frames.read([SHOP, BLOCK, PARKED])
    assert [frames.shown(f) for f in found] == [SHOP, BLOCK, PARKED]
    assert problems == ()


@pytest.mark.parametrize(
    "form", [None, [], {}, {"frame_id": "f"}, {**SHOP, "frame_type": "odd"}, {**SHOP, "frame_type": []}]
)
def test_a_frame_that_is_none_is_left_out_and_told(form: object) -> None:
    found, problems = frames.read([form, SHOP])
    assert [f.frame_id for f in found] == ["f1"]
    assert len(problems) == 1


def test_copies_of_copies_are_refused_before_they_fill_the_memory() -> None:
    once = [{"op": "copy", "from": "/0/x", "path": "/0/x/-"}]
    stack: list[object] = [{**SHOP, "x": ["letters" * 100]}]

    assert "without end" in (apply(stack, once * 60).problem or "")

    for _ in range(60):
        stack = apply(stack, once).document
    assert len(str(stack)) < 1_000_000
    assert apply(stack, once).problem is not None
    assert apply(stack, [{"op": "add", "path": "/-", "value": BLOCK}]).problem is None


def test_the_list_before_a_patch_stays_as_it_was_and_what_is_left_alone_is_shared() -> None:
    before: list[object] = [{"a": {"b": 1}, "c": [1]}, {"d": 2}]
    after = apply(before, [{"op": "replace", "path": "/0/a/b", "value": 3}, {"op": "add", "path": "/-", "value": 4}])
    assert after.document == [{"a": {"b": 3}, "c": [1]}, {"d": 2}, 4]
    assert before == [{"a": {"b": 1}, "c": [1]}, {"d": 2}]
    assert after.document[1] is before[1]
