"""What is said of a condition: why it does not hold, and why it is refused."""

from __future__ import annotations

import pytest

from inspector_core.mantle.condition import parse
from inspector_core.mantle.condition.words import causes, describe


@pytest.mark.parametrize(
    ("text", "memory", "words"),
    [
        ("session.card.selected_card_id", {}, "selected_card_id is unset"),
        ("session.card.reason == 'stolen'", {"card.reason": "lost"}, "reason is 'lost', not 'stolen'"),
        ("session.card.reason == 'stolen'", {}, "reason is unset, not 'stolen'"),
        ("session.card.reason != 'lost'", {"card.reason": "lost"}, "reason is 'lost'"),
        ("session.card.reason != None", {}, "reason is unset"),
        ("session.login.attempts < 3", {"login.attempts": 3}, "attempts is 3: not < 3"),
        ("3 > session.login.attempts", {"login.attempts": 3}, "attempts is 3: not < 3"),
        ("not session.card.submitted", {"card.submitted": True}, "submitted is true"),
        ("not session.a.n >= 5", {"a.n": 7}, "n is 7: >= 5"),
        ("not session.a.t == 'x'", {"a.t": "x"}, "t is 'x'"),
        ("session.a.t == True", {"a.t": "true"}, "t is 'true', not true"),
        ("session.a.t", {"a.t": ""}, "t is empty"),
        ("session.a.x < session.a.y", {"a.x": 5, "a.y": 3}, "x is 5: not < y (3)"),
        ("50 < session.a.x < 150", {"a.x": 200}, "x is 200: not < 150"),
        ("1 == 2", {}, "`1 == 2` is false"),
        ("session.a.x or session.a.y", {"a.y": False}, "x is unset, y is false"),
        ("session.a.x and session.a.y and session.a.z >= 3", {}, "x is unset (+2 more)"),
        ("session.a.x and session.a.y", {"a.y": True}, "x is unset"),
        ("session.a.x == 1 or session.b.x == 1", {}, "a.x is unset, not 1, b.x is unset, not 1"),
        ("not (session.a.x or session.a.y)", {"a.y": 1}, "y is 1"),
        ("not (session.a.x and session.a.y)", {"a.x": 2, "a.y": 1}, "x is 2, y is 1"),
        ("session.a.x >= 3 or session.a.y", {"a.y": 1}, "x is unset: None >= 3"),
        ("session.a.x or True", {}, ""),
        (" or ".join(f"session.a.k{n}" for n in range(9)), {}, "k0 is unset, k1 is unset, k2 is unset (+6 more)"),
        ("session.a.x == 1", {"a.x": "z" * 99}, f"x is '{'z' * 38}…, not 1"),
    ],
)
def test_the_reason_is_the_deepest_part_that_decides(text: str, memory: dict[str, object], words: str) -> None:
    assert describe(parse(text).prove(memory)) == words


def test_causes_are_the_parts_that_really_raised() -> None:
    proof = parse("(True or session.a.x < 1) and session.a.y < 1").prove({})
    assert [cause.text for cause in causes(proof)] == ["session.a.y < 1"]


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("session.a.b == true", "session.a.b == True"),
        ("session.a.b == null", "session.a.b == None"),
        ("session.a.b = 'x'", "session.a.b == 'x'"),
        ("session.a.b === 'x'", "session.a.b == 'x'"),
        ("session.a.b <> 'x'", "session.a.b != 'x'"),
        ("session.a.b =< 5", "session.a.b <= 5"),
        ("session.a.b ≥ 5", "session.a.b >= 5"),
        ("session.a.b && !session.c.d", "session.a.b and not session.c.d"),
        ("session.a.b || session.c.d", "session.a.b or session.c.d"),
        ("session.a.b & session.c.d", "session.a.b and session.c.d"),
        ("NOT session.a.b AND session.c.d", "not session.a.b and session.c.d"),
        ("session.a.b in ['x', 'y']", "session.a.b == 'x' or session.a.b == 'y'"),
        ("session.a.b not in ('x',)", "session.a.b != 'x'"),
        ("not session.a.b in ('x', 'y')", "not (session.a.b == 'x' or session.a.b == 'y')"),
        ("session.c.d and session.a.b in {1, 2}", "session.c.d and (session.a.b == 1 or session.a.b == 2)"),
        ("session.a.b is None", "session.a.b == None"),
        ("session.a.b is not None", "session.a.b != None"),
        ("session.a.b > -1", "session.a.b >= 0"),
        ("-1 < session.a.b", "session.a.b >= 0"),
        ("-session.a.b < 0", "session.a.b > 0"),
        ("pay.amount > 5 and not pay.ok", "session.pay.amount > 5 and not session.pay.ok"),
        ("Session.a.b", "session.a.b"),
        ("@memory.a.b == 'x'", "session.a.b == 'x'"),
        ("{{ session.a.b == 1 }}", "session.a.b == 1"),
        ("{{session.a.b}} == 1", "session.a.b == 1"),
        ("session['a']['b'] == 1", "session.a.b == 1"),
        ("session.a.b == lost", "session.a.b == 'lost'"),
        ("session.a.b == “x”", "session.a.b == 'x'"),
        (" session.a.b", "session.a.b"),
        ("session.a.b\nand session.c.d", "session.a.b and session.c.d"),
        ("session.a.b == 'x", "session.a.b == 'x'"),
        ("(session.a.b or session.c.d", "session.a.b or session.c.d"),
    ],
)
def test_a_refused_condition_is_written_again_where_it_can_be(text: str, better: str) -> None:
    problem = parse(text).problem
    assert problem is not None
    assert problem.hint == f"write `{better}`"
    assert parse(better).accepted


@pytest.mark.parametrize(
    ("text", "message", "where"),
    [
        ("session.a.b == true", "unknown name `true`", "true"),
        ("session.a.b > -5", "negative constants are not supported: `-5`", "-5"),
        (
            "session.card-replace.reason == 'x'",
            "this skill id can't be named in a condition: `-` reads as minus: `card-replace`",
            "session.card-replace.reason",
        ),
        (
            "session.my-class.class",
            "this skill id can't be named in a condition: `-` reads as minus: `my-class`",
            "session.my-class.class",
        ),
        (
            "session.a.card-id",
            "this entry can't be named in a condition: `-` reads as minus: `card-id`",
            "session.a.card-id",
        ),
        ("session.a.b.c", "`session.a.b.c` has more than two parts after `session`: an entry is `session.a.b`", None),
        ("pay.amount", "`pay.amount` doesn't start with `session`", None),
        ("session.a", "`session.a` names no entry", None),
        ("session.a.b and session", "`session` names no entry", "session"),
        ("session.a.b  not  in ['x']", "`not in` can't be used in a condition", "not  in"),
        ("session.a.b contains 'x'", "`contains` can't be used in a condition", "contains"),
        ("session.a.b matches 'x.*'", "`matches` can't be used in a condition", "matches"),
        ("session.a.b && True", "`&&` can't be used in a condition", "&&"),
        ("{{session.a.b}}", "`{{…}}` can't be used in a condition", None),
        (" session.a.b", "the condition starts with a space", " "),
        ("session.a.b\nor True", "a line break outside parentheses", "\n"),
        ("", "the condition is empty", None),
        ("session.a.class", "`class` can't be a name in a condition: Python keeps it for itself", "class"),
        ("session.a.1x", "a name can't start with a digit: `1x`", "1x"),
        ("session..b", "a name is missing between two dots", ".."),
        ("session.a.b and", "nothing follows `and`", "and"),
        ("session.a.b)", "`)` closes nothing", ")"),
        ("len(session.a.b) > 0", "a condition can't call anything: `len(session.a.b)`", "len(session.a.b)"),
        ("session.a.b + 1 > 2", "arithmetic can't be used in a condition: `+`", "session.a.b + 1"),
    ],
)
def test_what_is_refused_is_named_where_it_stands(text: str, message: str, where: str | None) -> None:
    problem = parse(text).problem
    assert problem is not None
    assert problem.message == message
    assert text[problem.start : problem.end] == (text if where is None else where)
    assert problem.hint


def test_nothing_is_said_of_an_accepted_condition() -> None:
    assert parse("session.a.b  # a note").problem is None
