"""`inspector convert`: any recording to any form that can carry it, and never over another file unasked."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from inspector_core.recording.detect import Format
from inspector_core.recording.opening import open_recording
from inspector_core.recording.recording import Recording
from tests.cli.conftest import Inspector

ROOT = Path(__file__).parents[2]
OTHERS = ROOT / "fixtures" / "recordings" / "others"
FILES = {
    "openai.json": (Format.OPENAI, [10]), "openai.jsonl": (Format.OPENAI, [8, 3]),
    "anthropic.json": (Format.ANTHROPIC, [6]), "tau_bench.json": (Format.TAU_BENCH, [10, 5]),
    "spans.json": (Format.OPENTELEMETRY, [4]), "letta.json": (Format.LETTA, [8]),
    "teller.af": (Format.LETTA_FILE, [9]), "locked.yml": (Format.MANTLE_TEST, [7, 2]),
    "scenario.yml": (Format.MANTLE_SCENARIO, [4]),
}  # fmt: skip
"""Each format, and how many events there are in each session of our file of it."""


def opened(path: Path) -> Recording:
    return open_recording(path.read_bytes(), path.name)


def names(found: Recording) -> Counter[str]:
    return Counter(one.event.name for session in found.sessions for one in session.events)


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_each_format_is_opened_and_its_events_are_counted_and_named(name: str) -> None:
    found = opened(OTHERS / name)
    assert (found.format, [len(s.events) for s in found.sessions]) == FILES[name]
    assert all(one.event.name for session in found.sessions for one in session.events)
    assert [f.message for f in found.findings if f.severity.value != "info"] == []


@pytest.mark.parametrize("form", ["own", "envelope", "flat"])
@pytest.mark.parametrize("name", FILES)
def test_in_our_own_form_and_in_the_engines_all_of_it_is_kept(
    name: str, form: str, tmp_path: Path, inspector: Inspector
) -> None:
    ran = inspector("convert", OTHERS / name, tmp_path / "out", "--to", form)
    assert ran.code == 0
    assert names(opened(tmp_path / "out")) == names(opened(OTHERS / name))


@pytest.mark.parametrize("form", ["openai", "anthropic"])
def test_what_a_form_has_no_place_for_is_said_by_its_kind(form: str, tmp_path: Path, inspector: Inspector) -> None:
    ran = inspector("convert", OTHERS / "teller.af", tmp_path / "out", "--to", form)
    assert ran.code == 0
    assert ran.out.splitlines()[:3] == [
        f"letta-af: 9 events of 1 session to {form}", f"  written: {tmp_path / 'out'}",
        "  lost: `letta.agent` events: 1",
    ]  # fmt: skip
    assert names(opened(tmp_path / "out")) == Counter({"user": 1, "bot": 2, "tool_executed": 2})


def test_it_reads_what_comes_in_and_writes_what_goes_out(inspector: Inspector) -> None:
    ran = inspector("convert", "-", "-", "--to", "flat", stdin=(OTHERS / "openai.json").read_bytes())
    events = json.loads(ran.out)
    assert [event["event"] for event in events][2:5] == ["user", "bot", "tool_executed"]
    assert ran.err == "openai: 10 events of 1 session to flat\n"
    assert ran.code == 0


def test_a_file_that_is_there_is_left_as_it_is_unless_it_is_forced(tmp_path: Path, inspector: Inspector) -> None:
    target = tmp_path / "out"
    target.write_text("mine")
    ran = inspector("convert", OTHERS / "openai.json", target)
    assert (ran.code, target.read_text()) == (2, "mine")
    assert "is there already (write over it with `--force`)" in ran.err
    assert inspector("convert", OTHERS / "openai.json", target, "--force").code == 0
    assert opened(target).format is Format.OWN


def test_nothing_is_written_through_a_link(tmp_path: Path, inspector: Inspector) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "out").symlink_to(tmp_path / "mine")
    for force in ((), ("--force",)):
        assert inspector("convert", OTHERS / "openai.json", tmp_path / "out", *force).code in (2, 74)
    assert (tmp_path / "mine").read_text() == "mine"


def test_memory_is_inferred_by_a_mapping_alone(tmp_path: Path, inspector: Inspector) -> None:
    ran = inspector("convert", OTHERS / "openai.json", "-", "--to", "flat", "--mapping", OTHERS / "mapping.yml")
    written = {e["key"]: e["value"] for e in json.loads(ran.out) if e["event"] == "memory_set"}
    assert written == {
        "project.customer_name": "Ann Example", "card_replacement.selected_card_id": "card_7390",
        "card_replacement.selected_card_label": "Travel card", "card_replacement.card_hint": "travel card",
    }  # fmt: skip
    assert "memory_set" not in inspector("convert", OTHERS / "openai.json", "-", "--to", "flat").out


def test_a_mapping_that_is_wrong_is_told_with_its_place(tmp_path: Path, inspector: Inspector) -> None:
    (tmp_path / "map.yml").write_text("find_cards:\n  reslt.id: project.id\n")
    ran = inspector("convert", OTHERS / "openai.json", "-", "--mapping", tmp_path / "map.yml")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith("map.yml:2:3: `reslt.id` is no path (did you mean `result`?)\n")
    missing = inspector("convert", OTHERS / "openai.json", "-", "--mapping", tmp_path / "none.yml")
    assert (missing.code, "can't be read: no such file" in missing.err) == (2, True)


def test_one_session_is_chosen_by_its_name_or_its_number(inspector: Inspector) -> None:
    for name in ("unknown customer", "2"):
        ran = inspector("convert", OTHERS / "openai.jsonl", "-", "--to", "openai", "--session", name)
        assert json.loads(ran.out)["id"] == "unknown customer"
    ran = inspector("convert", OTHERS / "openai.jsonl", "-", "--session", "unknown custmer")
    assert (ran.code, "did you mean `unknown customer`?" in ran.err) == (2, True)


def test_tests_become_scripts_a_file_each(tmp_path: Path, inspector: Inspector, agent: Path) -> None:
    ran = inspector("convert", OTHERS / "locked.yml", tmp_path / "scripts", "--to", "script")
    assert ran.code == 0
    assert "`generative_response_is_relevant: threshold: 0.9` is not understood" in ran.err
    files = sorted(path.name for path in (tmp_path / "scripts").iterdir())
    assert files == ["a_stolen_card_is_locked.yml", "nothing_happens_to_a_customer_who_only_says_hello.yml"]
    assert (tmp_path / "scripts" / files[0]).read_text().splitlines() == [
        "script: a stolen card is locked",
        "steps:",
        "- customer: Somebody stole my travel card!",
        "- expect:",
        "    skill_activated: [card_replacement]",
        "    order: [{memory_set: {key: card_replacement.reason, value: stolen}}]",
        "- customer: the travel card",
        "- expect:",
        "    said: [utter_card_locked]",
        "    order: [{tool_executed: {tool_name: lock_card}}]",
        "# not understood: generative_response_is_relevant: threshold: 0.9",
    ]


def test_several_scripts_need_a_folder_and_one_of_them_a_file(tmp_path: Path, inspector: Inspector) -> None:
    (tmp_path / "file").write_text("")
    ran = inspector("convert", OTHERS / "locked.yml", tmp_path / "file", "--to", "script", "--force")
    assert (ran.code, "name a folder, or one of them with `--session`" in ran.err) == (2, True)
    one = inspector("convert", OTHERS / "locked.yml", tmp_path / "one.yml", "--to", "script", "--session", "2")
    assert (one.code, (tmp_path / "one.yml").read_text().startswith("script: nothing happens")) == (0, True)


@pytest.mark.parametrize(("form", "start"), [("script", "script: "), ("e2e", "test_cases:"), ("scenario", "scenario:")])
def test_a_recorded_conversation_becomes_a_test(form: str, start: str, inspector: Inspector) -> None:
    recording = ROOT / "fixtures" / "recordings" / "bank" / "card_kept.jsonl"
    ran = inspector("convert", recording, "-", "--to", form, "--project", ROOT / "fixtures" / "bank", "--mark", "1-9")
    assert ran.code == 0
    assert ran.out.startswith(start)
    assert ran.err.startswith("inspector: 20 events of 1 session to " + form)


def test_what_is_private_is_taken_out_of_a_test_unless_it_is_to_be_kept(inspector: Inspector) -> None:
    said = '{"messages": [{"role": "user", "content": "I am ann@example.com"}]}'
    ran = inspector("convert", "-", "-", "--to", "script", stdin=said)
    assert "ann@example.com" not in ran.out + ran.err
    assert "email 1 is taken out, in " in ran.err
    assert "ann@example.com" in inspector("convert", "-", "-", "--to", "script", "--keep", "email", stdin=said).out


def test_what_makes_no_sense_for_a_test_is_told(inspector: Inspector) -> None:
    ran = inspector("convert", OTHERS / "locked.yml", "-", "--to", "e2e")
    assert (ran.code, "it is a test already" in ran.err) == (2, True)
    ran = inspector("convert", OTHERS / "openai.json", "-", "--to", "script", "--mark", "9-3")
    assert (ran.code, "holds no event" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"hello", "it is no recording of a kind that is known here"), (b"", "it is no recording"),
     (b'{"messages": []}', "there is no conversation in it"), (b"\x00\xff\x1b[2J", "it is no recording")],
)  # fmt: skip
def test_what_is_no_recording_is_not_converted(data: bytes, message: str, inspector: Inspector) -> None:
    ran = inspector("convert", "-", "-", stdin=data)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_a_file_that_is_not_there_or_is_none_is_told(tmp_path: Path, inspector: Inspector) -> None:
    for path in (tmp_path / "none", tmp_path):
        ran = inspector("convert", path, "-")
        assert (ran.code, "can't be read" in ran.err) == (2, True)
    ran = inspector("convert", OTHERS / "openai.json", tmp_path)
    assert (ran.code, "name the file in it" in ran.err) == (2, True)


def test_what_could_not_be_read_is_told_and_the_rest_is_written(inspector: Inspector) -> None:
    text = '{"role": "user", "content": "hi"}\n{oops\n{"role": "user", "content": "\\u001b[2J"}\n'
    ran = inspector("convert", "-", "-", "--to", "openai", stdin=text)
    assert [m["content"] for m in json.loads(ran.out)["messages"]] == ["hi", "\x1b[2J"]
    assert ran.code == 1
    assert ran.err.startswith("inspector: warning: -:2: it can't be read as JSON\n")
    assert "\x1b" not in ran.out + ran.err


@pytest.mark.parametrize("name", ["a" * 300, "pipe"])
def test_a_place_that_no_file_can_be_written_to_is_told_and_not_waited_for(
    name: str, tmp_path: Path, inspector: Inspector
) -> None:
    os.mkfifo(tmp_path / "pipe")
    ran = inspector("convert", OTHERS / "openai.json", tmp_path / name, "--force")
    assert ran.code == 74
    assert "can't be written" in ran.err
    assert len(ran.err.splitlines()) == 1
