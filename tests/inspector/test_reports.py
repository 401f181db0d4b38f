"""The printed forms of findings and proofs: right in form, and harmless whatever the files hold."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.pieces import Line
from inspector.reports.findings import Findings, finding_lines
from inspector.reports.github import github
from inspector.reports.json import dumps, plain, proof
from inspector.reports.junit import junit
from inspector.reports.proof import condition_lines
from inspector.reports.sarif import sarif
from inspector.reports.text import printed, say
from inspector_core.finding import Finding, Severity
from inspector_core.mantle.condition import parse
from inspector_core.source import Source, Span

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))
HOSTILE = "\x1b]0;owned\x07\u202e\n::error::x\r##[add-mask]y\x9b \ud800 ##vso[task.x]z"


def finding(
    message: str = "it is wrong",
    path: str = "skills/pay/skill.md",
    line: int = 3,
    severity: Severity = Severity.ERROR,
    code: str = "skill.x",
    hint: str | None = None,
) -> Finding:
    return Finding(code, severity, message, Span(path, line, 5, line, 9), hint, "pay")


def text(found: Findings) -> str:
    return printed(finding_lines(found))


def everywhere(found: Findings) -> str:
    explained = sarif(found, "1", lambda code: code)
    return text(found) + printed(finding_lines(found), color=False) + github(found) + explained + junit(found, ["pay"])


# text


def test_a_finding_is_a_line_with_its_place_and_code_and_a_line_with_its_hint() -> None:
    found = Findings((finding(hint="mend it"),), "agents/bank")
    assert text(found) == (
        "agents/bank/skills/pay/skill.md:3:5: error it is wrong  [skill.x]\n    hint: mend it\n1 error\n"
    )


def test_the_summary_counts_by_severity() -> None:
    kinds = [Severity.ERROR, Severity.WARNING, Severity.WARNING, Severity.INFO]
    found = Findings(tuple(finding(severity=s) for s in kinds))
    assert text(found).splitlines()[-1] == "1 error, 2 warnings, 1 info"


def test_without_findings_it_says_so() -> None:
    assert text(Findings(())) == "no problems\n"


def test_here_is_no_part_of_a_path() -> None:
    assert text(Findings((finding(),), ".")).startswith("skills/pay/skill.md:3:5:")


def test_colour_is_put_around_pieces_and_never_comes_from_them() -> None:
    line = say(("\x1b[2Jhead", "head"), " rest")
    assert printed([line], color=True) == "\x1b[1m␛[2Jhead\x1b[0m rest\n"


@pytest.mark.parametrize("data", ["::error::x", "  ::set-output::x", "a ##[group]x", "##vso[task.complete]"])
def test_no_line_is_an_order_to_a_build_server(data: str) -> None:
    out = printed([say(data)])
    assert not out.lstrip().startswith("::")
    assert "##[" not in out
    assert "##vso[" not in out


def test_a_path_that_looks_like_an_order_is_none() -> None:
    assert text(Findings((finding(path="::error::x"),))).startswith("./::error::x:3:5:")


# every form


def acts(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char != "\n"


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_nothing_that_acts_comes_out_in_any_form(message: str, path: str, hint: str) -> None:
    out = everywhere(Findings((finding(message, path, hint=hint, code=message),), path))
    assert [c for c in out if acts(c)] == []


def test_hostile_words_stay_words_in_every_form() -> None:
    found = Findings((finding(HOSTILE, HOSTILE, hint=HOSTILE, code=HOSTILE),), "x")
    out = everywhere(found)
    assert "##[" not in out
    assert "##vso[" not in out
    assert len(github(found).splitlines()) == 1
    assert sum(line.lstrip().startswith("::") for line in out.splitlines()) == 1  # our own annotation


# forms for programs


def test_an_annotation_names_the_place_and_escapes_what_would_end_it() -> None:
    found = Findings((finding("50% of a,b: c", path="a,b:c.md", code="x", hint="do"),))
    assert github(found) == (
        "::error file=a%2Cb%3Ac.md,line=3,endLine=3,col=5,endColumn=9,title=x::50%25 of a,b: c (do)\n"
    )


def test_an_annotation_over_several_lines_has_no_columns() -> None:
    found = Findings((Finding("x", Severity.INFO, "m", Span("a.md", 1, 2, 4, 1)),))
    assert github(found) == "::notice file=a.md,line=1,endLine=4,title=x::m\n"


def test_sarif_names_rules_places_and_levels() -> None:
    found = Findings((finding(severity=Severity.WARNING), finding(path="ä b.yml")), "agent")
    log = json.loads(sarif(found, "9.9", {"skill.x": "what it means"}.get))
    assert log["version"] == "2.1.0"
    run = log["runs"][0]
    assert run["tool"]["driver"]["rules"] == [{"id": "skill.x", "shortDescription": {"text": "what it means"}}]
    first, second = run["results"]
    place = first["locations"][0]["physicalLocation"]
    assert first["level"] == "warning"
    assert place["region"] == {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 9}
    assert place["artifactLocation"]["uri"] == "agent/skills/pay/skill.md"
    assert second["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "agent/%C3%A4%20b.yml"


def fingerprints(found: Findings) -> list[str]:
    results = json.loads(sarif(found, "1", lambda code: None))["runs"][0]["results"]
    return [r["partialFingerprints"]["primaryLocationLineHash"] for r in results]


def test_a_fingerprint_outlives_a_moved_line_and_tells_twins_apart() -> None:
    before = {"a.md": Source("a.md", "one\nbad line\n")}
    after = {"a.md": Source("a.md", "one\nnew\n  bad line\nbad line\n")}
    [first] = fingerprints(Findings((finding(path="a.md", line=2),), sources=before))
    moved = Findings((finding(path="a.md", line=3), finding(path="a.md", line=4)), sources=after)
    again, twin = fingerprints(moved)
    assert again == first
    assert twin != first


def test_junit_has_a_suite_a_skill_and_a_failure_a_finding() -> None:
    found = Findings((finding("a < b & c"), finding(severity=Severity.INFO)))
    root = ElementTree.fromstring(junit(found, ["pay", "ship"]))
    counts = {s.get("name"): (s.get("tests"), s.get("failures")) for s in root}
    assert counts == {"project": ("1", "0"), "pay": ("2", "1"), "ship": ("1", "0")}
    failure = root.find(".//failure")
    assert failure is not None
    assert failure.get("message") == "a < b & c"


@given(ANY_TEXT, ANY_TEXT)
def test_junit_is_well_formed_whatever_it_holds(message: str, path: str) -> None:
    ElementTree.fromstring(junit(Findings((finding(message, path),)), [message]))


# values


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (float("nan"), "nan"),
        (b"x", "b'x'"),
        (1j, "1j"),
        ((1, 2), [1, 2]),
        ({1: {True: None}}, {"1": {"True": None}}),
    ],
)
def test_what_json_has_no_word_for_becomes_text(value: object, told: object) -> None:
    assert json.loads(dumps(value)) == told


def test_a_number_too_long_to_print_is_told_in_hexadecimal() -> None:
    assert json.loads(dumps(10**5000)) == hex(10**5000)


def test_values_deeper_than_anybody_writes_are_cut() -> None:
    value: object = 1
    for _ in range(900):
        value = [value]
    assert "…" in json.loads(f"[{dumps(str(plain(value)))}]")[0]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner),
    max_leaves=10,
)


@given(JSON)
def test_json_survives_and_is_plain_ascii(value: object) -> None:
    out = dumps(value)
    assert json.loads(out) == value
    assert all(" " <= c <= "~" or c == "\n" for c in out)
    assert "##" not in out


# proofs


def proved(condition: str, **memory: object) -> str:
    return printed(condition_lines(parse(condition), {k.replace("_", ".", 1): v for k, v in memory.items()}))


def test_a_proof_is_a_tree_with_values() -> None:
    out = proved("session.pay.ok and (session.pay.amount >= 100 or not session.pay.done)", pay_ok=True, pay_amount=5)
    assert out.splitlines() == [
        "✓ true",
        "✓ and",
        "├ ✓ session.pay.ok               true",
        "└ ✓ or",
        "  ├ ✗ session.pay.amount >= 100  5",
        "  └ ✓ not",
        "    └ ✗ session.pay.done         unset",
    ]


def test_parts_that_were_never_reached_are_in_brackets() -> None:
    assert "└ (✗ session.pay.b)" in proved("session.pay.a and session.pay.b")


def test_an_error_is_told_where_it_arises_and_is_no_falsehood() -> None:
    out = proved("session.pay.ok or session.pay.amount >= 100")
    assert out.startswith("! error  ")
    assert "└ ! session.pay.amount >= 100  " in out
    assert "✗ false" not in out


def test_a_refused_condition_says_what_to_write() -> None:
    out = proved("session.pay.ok == true")
    assert "refused at train" in out
    assert "`True`" in out


def test_two_operands_from_memory_get_a_line_each() -> None:
    out = proved("session.pay.amount <= session.pay.limit", pay_amount=5, pay_limit="9")
    assert "├   session.pay.amount" in out
    assert "└   session.pay.limit" in out
    assert "'9'" in out


def test_a_deep_proof_is_cut_in_json_and_says_so() -> None:
    deep = "not " * 250 + "session.a.b"
    part = proof(parse(deep).prove({}))
    steps = 0
    while part["children"]:
        assert isinstance(part["children"], list)
        part, steps = part["children"][0], steps + 1
    assert part["truncated"] is True
    assert steps == 100
    assert json.loads(dumps(proof(parse(deep).prove({}))))["kind"] == "not"


LINES: list[Callable[[str], Line]] = [say, lambda t: say((t, "good"), (t, "dim"))]


@given(ANY_TEXT, st.sampled_from(LINES), st.booleans())
def test_a_line_is_one_line_and_its_only_escapes_are_ours(words: str, make: Callable[[str], Line], color: bool) -> None:
    out = printed([make(words)], color)
    assert out.count("\n") == 1
    assert [c for c in out.replace("\x1b", "") if acts(c)] == []
    assert color or "\x1b" not in out
