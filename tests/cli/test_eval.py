"""`inspector eval`: one condition or many, as the engine would evaluate them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Inspector


@pytest.mark.parametrize(
    ("settings", "value", "error"),
    [
        (["--set", "pay.amount=100"], True, False),
        (["--set", "pay.amount=99"], False, False),
        (["--set", "session.pay.amount=100"], True, False),
        (["--set", "pay.amount=100", "--set", "pay.amount=null"], None, True),
        (["--set", 'pay.amount="100"'], None, True),
        (["--set", "pay.amount=a hundred"], None, True),
        ([], None, True),
    ],
)
def test_a_condition_is_evaluated_over_what_is_set(
    inspector: Inspector, settings: list[str], value: object, error: bool
) -> None:
    ran = inspector("eval", "session.pay.amount >= 100", *settings, "--format", "json")
    assert ran.code == 0
    told = ran.json
    assert (told["value"], told["error"], told["accepted_at_train"]) == (value, error, True)


def test_the_proof_is_a_tree_of_parts(inspector: Inspector) -> None:
    proof = inspector("eval", "session.a.b or session.a.c", "--set", "a.b=1", "--format", "json").json["proof"]
    assert isinstance(proof, dict)
    assert (proof["kind"], proof["truth"]) == ("or", "holds")
    parts = [(c["key"], c["value"], c["evaluated"]) for c in proof["children"]]
    assert parts == [("a.b", 1, True), ("a.c", None, False)]


def test_text_says_the_outcome_first(inspector: Inspector) -> None:
    assert inspector("eval", "session.a.b", "--set", "a.b=true").out.startswith("✓ true\n")
    assert inspector("eval", "session.a.b").out.startswith("✗ false\n")
    assert inspector("eval", "session.a.b > 1").out.startswith("! error")


def test_a_refused_condition_says_why(inspector: Inspector) -> None:
    told = inspector("eval", "session.a.b == true", "--format", "json").json
    assert told["accepted_at_train"] is False
    assert isinstance(told["problem"], dict)
    assert told["problem"]["start"] == 15


def test_memory_comes_from_json_and_from_yaml_flat_and_grouped(inspector: Inspector, tmp_path: Path) -> None:
    for name, text in {
        "a.json": '{"pay.amount": 100}',
        "b.json": '{"pay": {"amount": 100}}',
        "c.yml": "session.pay.amount: 100\n",
        "d.yml": "pay:\n  amount: 100\n",
    }.items():
        (tmp_path / name).write_text(text)
        ran = inspector("eval", "session.pay.amount >= 100", "--memory", tmp_path / name, "--format", "json")
        assert ran.json["value"] is True, name


def test_what_is_set_wins_over_the_memory_file(inspector: Inspector) -> None:
    arguments = ("--memory", "-", "--set", "pay.amount=1", "--format", "json")
    ran = inspector("eval", "session.pay.amount >= 100", *arguments, stdin='{"pay.amount": 100}')
    assert ran.json["value"] is False


def test_lines_are_answered_in_order(inspector: Inspector) -> None:
    questions = [
        {"condition": "session.a.b", "memory": {"a.b": True}},
        {"condition": "session.a.b", "memory": {}},
        {"condition": "session.a.b > 1"},
        {"condition": "session.a.b == true", "memory": {"a": {"b": 1}}},
    ]
    ran = inspector("eval", "--jsonl", stdin="\n".join(map(json.dumps, questions)))
    assert ran.code == 0
    assert ran.lines == [
        {"value": True, "error": False, "accepted_at_train": True},
        {"value": False, "error": False, "accepted_at_train": True},
        {"value": None, "error": True, "accepted_at_train": True},
        {"value": None, "error": True, "accepted_at_train": False},
    ]


@pytest.mark.parametrize(
    "bad", [b"nonsense", b"[1]", b'{"condition": 1}', b'{"condition": "True", "memory": 3}', b"\xff", b"[" * 100_000]
)
def test_a_bad_line_is_an_error_in_its_place_and_the_rest_goes_on(inspector: Inspector, bad: bytes) -> None:
    good = b'{"condition": "True"}'
    ran = inspector("eval", "--jsonl", stdin=b"\n".join([good, bad, b"", good]))
    first, second, third = ran.lines
    assert first == third == {"value": True, "error": False, "accepted_at_train": True}
    assert isinstance(second["error"], dict)
    assert second["error"]["line"] == 2
    assert ran.code == 1


@pytest.mark.parametrize("arguments", [[], ["True", "--jsonl"], ["True", "--set", "x"], ["True", "--set", "x=1"]])
def test_what_can_not_be_followed_is_wrong_usage(inspector: Inspector, arguments: list[str]) -> None:
    ran = inspector("eval", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("content", ["- a\n", "a: [\n", "3", ""])
def test_a_memory_file_that_holds_no_memory_is_wrong_usage(inspector: Inspector, tmp_path: Path, content: str) -> None:
    (tmp_path / "m.yml").write_text(content)
    ran = inspector("eval", "True", "--memory", tmp_path / "m.yml")
    assert ran.code == 2
    assert len(ran.err.splitlines()) == 1


def test_a_missing_memory_file_is_wrong_usage(inspector: Inspector, tmp_path: Path) -> None:
    ran = inspector("eval", "True", "--memory", tmp_path / "none.json")
    assert ran.code == 2
    assert "no such file" in ran.err
