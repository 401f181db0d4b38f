"""`inspector check --recordings`: many recordings are judged by today's files, and summed up gate by gate."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from shutil import copytree
from xml.etree import ElementTree

import pytest

from inspector.cli import recorded
from inspector.cli.fanned import Ended, fanned
from inspector.cli.progress import progress
from tests.cli.conftest import Inspector
from tests.core.kept import BANK, RECORDINGS


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    """The bank's agent with a gate that nothing in the recordings opens."""
    root = tmp_path / "bank"
    copytree(BANK, root)
    skill = root / "skills/card_replacement/skill.md"
    was, now = (f"requires: session.project.{key} and" for key in ("authenticated", "customer_name"))
    skill.write_text(skill.read_text().replace(was, now))
    return root


def test_nothing_drifts_over_the_files_as_they_were(inspector: Inspector) -> None:
    ran = inspector("check", BANK, "--recordings", RECORDINGS)
    assert (ran.code, ran.err) == (0, "")
    assert "4 recordings, 4 sessions: no drift" in ran.out
    assert "gates never seen at all, since their skill was not active\n  file_notice" in ran.out


def test_drift_is_told_event_by_event_and_summed_up(inspector: Inspector, edited: Path) -> None:
    ran = inspector("check", edited, "--recordings", RECORDINGS)
    assert ran.code == 1
    lines = ran.out.splitlines()
    place = "skills/card_replacement/skill.md:16:15"
    at = lines.index(f"  33  hidden process_card_replacement  [gate-false]  {place}")
    assert lines[at + 1 : at + 3] == ["     was: it asked the customer", "     now: customer_name is unset"]
    assert "gates never seen open\n  process_card_replacement  card_replacement" in ran.out
    assert "drift by tool\n  process_card_replacement  3  3 hidden" in ran.out
    assert "4 recordings, 4 sessions: 2 drift" in ran.out


def test_json_has_the_proof_and_the_gates(inspector: Inspector, edited: Path) -> None:
    told = inspector("check", edited, "--recordings", RECORDINGS / "card_replaced.jsonl", "--format", "json")
    [one] = told.rows("recordings")
    sessions = one["sessions"]
    assert isinstance(sessions, list)
    [drift] = sessions[0]["drift"]
    assert (drift["event"], drift["kind"], drift["code"]) == (33, "hidden", "gate-false")
    assert drift["proof"]["truth"] == "fails"
    gates = {gate["tool"]: gate for gate in told.rows("gates")}
    assert [gates["lock_card"][k] for k in ("active", "seen_open", "seen_closed")] == [True, True, True]
    assert gates["process_card_replacement"]["seen_open"] is False
    assert gates["submit_dispute"]["active"] is False


def test_junit_has_a_case_for_each_session(inspector: Inspector, edited: Path) -> None:
    suites = ElementTree.fromstring(inspector("check", edited, "--recordings", RECORDINGS, "--format", "junit").out)
    assert [suite.get("failures") for suite in suites] == ["1", "0", "1", "0"]
    [case] = suites[2]
    assert case.get("name") == "card_replaced-1"
    assert "event 33: hidden `process_card_replacement`" in case[0].get("message", "")


def test_what_is_newly_offered_is_told_against_the_files_as_they_were(inspector: Inspector, edited: Path) -> None:
    one = RECORDINGS / "card_kept.jsonl"
    assert inspector("check", BANK, "--recordings", one).code == 0
    ran = inspector("check", BANK, "--recordings", one, "--before", edited)
    assert ran.code == 1
    assert "offered process_card_replacement  [offered]" in ran.out


def test_a_file_that_can_not_be_judged_fails_and_the_others_are_judged(inspector: Inspector, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"\0nonsense")
    (tmp_path / "b.json").write_text('[{"role": "user", "content": "\\u001b[2J"}]')
    (tmp_path / "c.jsonl").symlink_to(RECORDINGS / "card_kept.jsonl")
    (tmp_path / "d.jsonl").write_bytes((RECORDINGS / "card_kept.jsonl").read_bytes() + b'{"torn')
    (tmp_path / "notes.md").write_text("nothing")
    ran = inspector("check", BANK, "--recordings", tmp_path)
    assert ran.code == 1
    told = {line.split()[1].rpartition("/")[2]: line for line in ran.out.splitlines() if line.startswith(("✓", "✗"))}
    assert list(told) == ["a.json", "b.json", "c.jsonl", "d.jsonl"]
    assert told["a.json"].endswith("it is no recording")
    assert told["b.json"].endswith("it carries no memory, so its gates can't be judged")
    assert told["c.jsonl"].endswith("it is a link, and is not followed")
    assert told["d.jsonl"].startswith("✓")
    assert "warning it ends in the middle of a value" in ran.out
    assert "\x1b" not in ran.out


def test_recordings_are_judged_the_same_in_one_process(
    inspector: Inspector, edited: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = inspector("check", edited, "--recordings", RECORDINGS).out
    monkeypatch.setattr(recorded, "workers_for", lambda _: 1)
    assert inspector("check", edited, "--recordings", RECORDINGS).out == many


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--recordings", RECORDINGS, "--format", "sarif"), "recordings can't be printed as sarif"),
        (("--recordings", RECORDINGS / "card_keep.jsonl"), "did you mean `card_kept.jsonl`?"),
        (("--recordings", BANK / "lib"), "there are no recordings in"),
        (("--before", BANK), "`--before` is for recordings"),
    ],
)
def test_wrong_usage_is_told(inspector: Inspector, arguments: tuple[object, ...], says: str) -> None:
    ran = inspector("check", BANK, *arguments)
    assert ran.code == 2
    assert says in ran.err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_grows_on_a_terminal_and_is_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    assert list(progress(iter("abc"), 3, "recordings")) == ["a", "b", "c"]
    told = screen.getvalue()
    assert "2/3 recordings" in told
    assert told.endswith("\r\x1b[K")


def test_nothing_is_drawn_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen := io.StringIO())
    assert list(progress(iter("abc"), 3, "recordings")) == ["a", "b", "c"]
    assert screen.getvalue() == ""


def test_work_is_shared_out_and_comes_back_in_order() -> None:
    assert list(fanned(lambda n: n * n, range(20), 2)) == [n * n for n in range(20)]


def test_a_process_that_is_ended_from_outside_is_told() -> None:
    import os

    with pytest.raises(Ended):
        list(fanned(lambda _: os._exit(9), [1, 2], 2))


def test_the_json_of_hostile_recordings_is_json(inspector: Inspector, tmp_path: Path) -> None:
    odd = [{"event": "memory_set", "key": "k\u202e", "value": float("inf")}, {"event": "bot", "text": "\x1b"}]
    (tmp_path / "odd.json").write_text(json.dumps(odd))
    ran = inspector("check", BANK, "--recordings", tmp_path, "--format", "json")
    assert json.loads(ran.out)
    assert "\x1b" not in ran.out
