"""Conditions that mean something else than their author thinks."""

from __future__ import annotations

import pytest
from hypothesis import given

from inspector_core.analysis.traps import traps
from inspector_core.mantle.condition import parse
from inspector_core.proof import Truth
from tests.core.test_opens import FIELDS
from tests.core.written import accepted, texts


def found(text: str) -> list[tuple[str, str | None]]:
    """Each trap's short code and hint."""
    return [(t.code.rpartition(".")[2], t.hint) for t in traps(parse(text), FIELDS.get)]


def messages(text: str) -> list[str]:
    return [trap.message for trap in traps(parse(text), FIELDS.get)]


@pytest.mark.parametrize(
    "text",
    [
        "session.pay.amount >= 100",
        "session.a.x or session.b.y >= 3",
        "not session.a.submitted",
        "not session.a.submitted and session.a.flag",
        "session.z.ready and session.z.reason != 'lost'",
        "session.z.reason != None",
        "session.z.y != None and session.z.y >= 3 or session.z.x",
        "session.z.y != None and not session.z.y >= 3",
        "session.z.y == None or not session.z.y >= 3",
        "session.a.flag == 1",
        "session.a.part == 1",
        "session.a.text",
        "session.a.whole == None",
        "session.a.flag and True",
        "session.z.undeclared == True",
        "session.a.text == true",
        "foo",
    ],
)
def test_sound_conditions_and_refused_ones_have_no_trap(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("session.z.b != 'x'", "session.z.b != None and session.z.b != 'x'"),
        ("'x' != session.z.b", "session.z.b != None and 'x' != session.z.b"),
        ("session.z.b != 'x' or session.z.c", "session.z.b != None and session.z.b != 'x' or session.z.c"),
        ("not (session.z.c and session.z.c) and session.z.b != 1", None),
    ],
)
def test_open_when_unset(text: str, better: str | None) -> None:
    """T5."""
    ((code, hint),) = found(text)
    assert code == "open-when-unset"
    assert hint is not None
    if better:
        assert hint == f"write `{better}`"
    assert parse(hint.removeprefix("write `").removesuffix("`")).truth({}) is not Truth.HOLDS


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("session.b.y >= 3 or session.a.x", "session.a.x or session.b.y >= 3"),
        ("(session.b.y >= 3\n or session.a.x)", "(session.a.x or session.b.y >= 3)"),
        ("session.a.z and (session.b.y >= 3 or session.a.x)", "session.a.z and (session.a.x or session.b.y >= 3)"),
        ("session.b.y >= 3 or session.b.x >= 4", "session.b.y != None and session.b.y >= 3 or session.b.x >= 4"),
    ],
)
def test_order_dependent(text: str, better: str) -> None:
    """T4."""
    assert found(text) == [("order-dependent", f"write `{better}`")]


def test_a_swap_mends_what_depends_on_the_order() -> None:
    memory = {"a.x": True}
    assert parse("session.b.y >= 3 or session.a.x").truth(memory) is Truth.ERRORS
    assert parse("session.a.x or session.b.y >= 3").truth(memory) is Truth.HOLDS


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("'always'", None),
        ("1 == 1", None),
        ("False", None),
        ("'session.a.flag'", "leave the quotes out: `session.a.flag`"),
        ("session.z.t == 'x' or 'y'", "write `session.z.t == 'x' or session.z.t == 'y'`"),
        ("session.z.t == 'x' and 'y'", "write `session.z.t == 'x' and session.z.t == 'y'`"),
    ],
)
def test_constant(text: str, hint: str | None) -> None:
    """T11."""
    assert found(text) == [("constant", hint)]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("session.a.text >= 10", "write `session.a.text >= '10'`"),
        ("session.a.whole >= '10'", "write `session.a.whole >= 10`"),
        ("session.a.text == True", "write `session.a.text == 'true'`"),
        ("session.a.flag == 'true'", "write `session.a.flag == True`"),
        ("session.a.whole == True", "write `1`, or name the entry alone"),
        ("session.a.reason == 'stoln'", "did you mean `stolen`?"),
        ("session.a.list == 'x'", "declare `list` as `text`, or compare it with another value"),
        ("session.a.whole == 1.5", None),
        ("session.a.text < session.a.whole", None),
    ],
)
def test_type_mismatch(text: str, hint: str | None) -> None:
    """T6, T7, T12."""
    assert found(text) == [("type-mismatch", hint)]


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("not (session.z.y >= 3)", "session.z.y == None or session.z.y < 3"),
        ("session.z.x and not session.z.y > 3", "session.z.x and (session.z.y == None or session.z.y <= 3)"),
        (
            "not (session.z.x or session.z.y >= 3)",
            "session.z.y == None or not (session.z.x or session.z.y >= 3)",
        ),
    ],
)
def test_both_closed(text: str, better: str) -> None:
    """T2."""
    assert found(text) == [("both-closed", f"write `{better}`")]


def test_messages_use_the_authors_words() -> None:
    assert messages("session.pay.reason != 'x'") == [
        "it holds while `reason` is unset: `session.pay.reason != 'x'` is true of nothing too"
    ]
    assert messages("session.b.y >= 3 or session.a.x") == [
        "while `y` is unset, `session.b.y >= 3` errors before `session.a.x` is looked at"
    ]
    assert messages("not session.b.y >= 3") == [
        "while `y` is unset, `not session.b.y >= 3` errors too: `not` opens nothing"
    ]
    assert messages("session.a.text >= 10") == ["`text` is declared `text`, and `10` is a number: `>=` always errors"]
    assert messages("'always'") == ["`'always'` always holds: it reads no memory"]


@given(texts)
def test_traps_lie_in_the_text(text: str) -> None:
    for trap in traps(parse(text), FIELDS.get):
        assert 0 <= trap.start <= trap.end <= len(text)


@given(accepted)
def test_what_a_trap_proposes_is_accepted(text: str) -> None:
    for trap in traps(parse(text), FIELDS.get):
        if trap.hint and trap.hint.startswith("write `") and trap.code != "inspector.condition.type-mismatch":
            assert parse(trap.hint.removeprefix("write `").removesuffix("`")).accepted
