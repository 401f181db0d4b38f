"""`inspector play`: scripts are played, and what is not as expected is told with its place."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

from inspector.scripts import Exists, file_name, save
from tests.cli.conftest import Inspector

BANK = Path(__file__).resolve().parents[2] / "fixtures" / "bank"
GOOD = """\
script: pay a bill
steps:
- customer: my bill
- start: pay
- set: {amount: 200}
- call: submit_payment
- expect:
    ran: submit_payment
    memory: {pay.done: true}
"""
BAD = GOOD.replace("ran: submit_payment", "ran: submit_paymnt")


@pytest.fixture
def scripts(agent: Path) -> Path:
    """The agent's own folder of scripts, with one that passes."""
    folder = agent / "scripts"
    folder.mkdir()
    (folder / "pay.yml").write_text(GOOD)
    return folder


def test_the_agents_own_scripts_are_played(inspector: Inspector, agent: Path, scripts: Path) -> None:
    ran = inspector("play", agent)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"✓ {scripts}/pay.yml  pay a bill  5 steps\n1 script passed\n"


def test_a_failure_is_told_with_its_place_and_what_was(inspector: Inspector, agent: Path, tmp_path: Path) -> None:
    script = tmp_path / "bad.yml"
    script.write_text(BAD)
    ran = inspector("play", agent, script)
    assert ran.code == 1
    assert ran.out.splitlines()[1:] == [
        f"  {script}:8:10: expected `submit_paymnt` to run once",
        "    but it didn't run",
        "    hint: nothing called `submit_paymnt`",
        "1 of 1 script failed",
    ]


def test_a_mistake_in_a_script_is_told_and_the_script_not_played(
    inspector: Inspector, agent: Path, scripts: Path
) -> None:
    (scripts / "odd.yml").write_text("steps:\n- custmer: hi\n")
    ran = inspector("play", agent)
    assert ran.code == 1
    assert f"  {scripts}/odd.yml:2:3: error `custmer` is no step\n    hint: did you mean `customer`?\n" in ran.out
    assert "1 of 2 scripts failed" in ran.out


def test_json_tells_every_step(inspector: Inspector, agent: Path, scripts: Path) -> None:
    (scripts / "pay.yml").write_text(BAD)
    [script] = inspector("play", agent, "--format", "json").rows("scripts")
    assert script["passed"] is False
    steps = script["steps"]
    assert isinstance(steps, list)
    assert [s["passed"] for s in steps] == [True, True, True, True, False]
    assert steps[-1]["failures"][0]["expected"] == "`submit_paymnt` to run once"


def test_junit_has_a_case_for_each_step_and_skips_those_behind_a_failure(
    inspector: Inspector, agent: Path, scripts: Path
) -> None:
    (scripts / "pay.yml").write_text(BAD + "- listen\n")
    [suite] = ElementTree.fromstring(inspector("play", agent, "--format", "junit").out)
    assert {k: suite.get(k) for k in ("tests", "failures", "skipped")} == {
        "tests": "6",
        "failures": "1",
        "skipped": "1",
    }
    assert [c.get("name") for c in suite][:2] == ["line 3: customer: my bill", "line 4: start: pay"]


def test_all_failures_are_told_where_it_shall_go_on(inspector: Inspector, agent: Path, scripts: Path) -> None:
    (scripts / "pay.yml").write_text(BAD + "- expect: {active: nothing}\n")
    assert inspector("play", agent).out.count("expected") == 1
    assert inspector("play", agent, "--go-on").out.count("expected") == 2


@pytest.mark.parametrize("form", ["flat", "envelope"])
def test_a_trace_is_what_the_engine_would_record_and_the_same_every_time(
    inspector: Inspector, agent: Path, scripts: Path, form: str
) -> None:
    [script] = inspector("play", agent, "--trace", form, "--format", "json").rows("scripts")
    trace = script["trace"]
    assert isinstance(trace, list)
    assert trace[0]["event" if form == "flat" else "user"]
    lines = [line for line in inspector("play", agent, "--trace", form).out.splitlines() if line.startswith("{")]
    assert len(lines) == len(trace) > 5
    assert lines == [line for line in inspector("play", agent, "--trace", form).out.splitlines() if line[:1] == "{"]


def test_folders_inside_are_looked_into_and_other_files_are_not(
    inspector: Inspector, agent: Path, scripts: Path
) -> None:
    (scripts / "more" / ".hidden").mkdir(parents=True)
    (scripts / "more" / "again.yaml").write_text(GOOD)
    (scripts / "more" / ".hidden" / "no.yml").write_text("nonsense")
    (scripts / "notes.md").write_text("nonsense")
    assert "2 scripts passed" in inspector("play", agent).out


def test_a_link_is_not_followed_and_a_huge_file_not_read(
    inspector: Inspector, agent: Path, scripts: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.yml"
    outside.write_text(GOOD)
    (scripts / "link.yml").symlink_to(outside)
    (scripts / "huge.yml").write_bytes(b"#" * (2 << 20))
    os.mkfifo(scripts / "pipe.yml")
    ran = inspector("play", agent)
    assert ran.code == 1
    told = {line.split()[1].rpartition("/")[2]: line for line in ran.out.splitlines()[:-1]}
    assert told["link.yml"].endswith("it is a link, and is not followed")
    assert told["huge.yml"].endswith("it is larger than 1 MiB")
    assert told["pipe.yml"].endswith("it is not an ordinary file")
    assert told["pay.yml"].startswith("✓")


def test_a_folder_of_scripts_that_leads_out_of_the_agent_is_not_followed(
    inspector: Inspector, agent: Path, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.yml").write_text(GOOD)
    (agent / "scripts").symlink_to(tmp_path / "outside")
    ran = inspector("play", agent)
    assert ran.code == 1
    assert "it is a link, and is not followed" in ran.out
    assert "pay a bill" not in ran.out


def test_what_a_script_says_can_not_act_on_the_terminal(inspector: Inspector, agent: Path, scripts: Path) -> None:
    (scripts / "pay.yml").write_text('script: "\\e[2J"\nsteps:\n- expect: {said: "\\e]0;x\\a"}\n- "\\u202e": 1\n')
    for form in ("text", "junit"):
        out = inspector("play", agent, "--format", form).out
        assert "\x1b" not in out
        assert "\u202e" not in out


def test_no_scripts_is_wrong_usage(inspector: Inspector, agent: Path) -> None:
    ran = inspector("play", agent)
    assert ran.code == 2
    assert "there are no scripts in" in ran.err


def test_a_script_that_is_not_there_is_told_with_the_one_that_may_be_meant(
    inspector: Inspector, agent: Path, scripts: Path
) -> None:
    ran = inspector("play", agent, scripts / "pya.yml")
    assert ran.code == 2
    assert "did you mean `pay.yml`?" in ran.err


def test_a_folder_that_is_no_agent_can_not_be_loaded(inspector: Inspector, tmp_path: Path) -> None:
    assert inspector("play", tmp_path).code == 3


def test_a_script_is_saved_but_never_over_another_one_nor_through_a_link(tmp_path: Path) -> None:
    path = save(tmp_path / "new", "a.yml", GOOD)
    assert path.read_text() == GOOD
    with pytest.raises(Exists):
        save(tmp_path / "new", "a.yml", BAD)
    assert path.read_text() == GOOD
    save(tmp_path / "new", "a.yml", "steps:\n", overwrite=True)
    assert path.read_text() == "steps:\n"
    (tmp_path / "new" / "b.yml").symlink_to(path)
    with pytest.raises(OSError, match=r"b\.yml|symbolic"):
        save(tmp_path / "new", "b.yml", BAD, overwrite=True)


@pytest.mark.parametrize(
    ("name", "file"), [("Lock a lost card!", "lock_a_lost_card.yml"), ("../../x", "x.yml"), ("…", "script.yml")]
)
def test_a_script_is_saved_under_a_plain_name(name: str, file: str) -> None:
    assert file_name(name) == file


def test_the_invariants_are_tried_out_on_made_up_conversations(inspector: Inspector) -> None:
    ran = inspector("play", BANK, "--invariants", "60", "--format", "json")
    told = json.loads(ran.out)
    assert (ran.code, told["conversations"], told["failures"]) == (0, 60, [])
    assert min(told["asks"], told["confirmed"], told["declined"]) > 10
    assert all(seen["advice"] and seen["script"] for seen in told["surprises"])
    cases = ElementTree.fromstring(inspector("play", BANK, "--invariants", "5", "--format", "junit").out)
    assert [case.get("name") for case in cases.iter("testcase")] == told["invariants"]


def test_what_surprises_is_told_as_a_script_with_a_hint(inspector: Inspector) -> None:
    lines = inspector("play", BANK, "--invariants", "60").out.splitlines()
    assert "✓ decline never executes" in lines
    at = lines.index("! ask-in-the-models-words dispute_charge")
    assert lines[at + 2].startswith("  hint: name an `utter_for_confirmation`")
    assert "    - call: submit_dispute" in lines[at:]


def test_invariants_make_up_their_own_conversations(inspector: Inspector) -> None:
    assert inspector("play", BANK, "some.yml", "--invariants").code == 2
    assert inspector("play", BANK, "--invariants", "0").code == 2


def test_an_expectation_that_always_holds_is_warned_of(inspector: Inspector, agent: Path, scripts: Path) -> None:
    (scripts / "pay.yml").write_text(GOOD + "    not_ran: lock_crad\n")
    ran = inspector("play", agent)
    assert ran.code == 0
    told = f"  {scripts}/pay.yml:10:14: warning no skill has a tool `lock_crad`\n    hint: did you mean `lock_card`?\n"
    assert told in ran.out


@pytest.mark.parametrize("count", ["0", "-1", "many"])
def test_a_number_of_conversations_that_is_none_is_told_in_words(count: str, inspector: Inspector, agent: Path) -> None:
    ran = inspector("play", agent, f"--invariants={count}")
    assert ran.code == 2
    assert f"at least 1, and this is `{count}`" in ran.err
