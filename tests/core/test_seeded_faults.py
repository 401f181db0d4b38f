"""The invariants find what they are for: each fault here is one changed line of the engine, and each is caught."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENGINE = "inspector_core.mantle.engine."


class Fault(NamedTuple):
    what: str
    module: str
    old: str
    new: str
    caught_by: str


FAULTS = (
    Fault(
        "a decline executes",
        "confirm",
        "        return _declined(play, pending)",
        "        return _confirmed(play, pending, stub)",
        "decline-never-executes",
    ),
    Fault(
        "a call runs without asking",
        "calls",
        "    if found.confirms:",
        "    if found.confirms and play.turn.number % 2:",
        "no-answer-never-executes",
    ),
    Fault(
        "any answer that is truthy counts as a yes",
        "confirm",
        "    if confirmed is True:",
        "    if confirmed:",
        "only-yes-or-no-answers",
    ),
    Fault(
        "an answer leaves the ask waiting, and counts again",
        "confirm",
        "    clear_pending(play)\n    _mark(play, pending)\n    answer = run(",
        "    _mark(play, pending)\n    answer = run(",
        "an-answer-counts-once",
    ),
    Fault(
        "a decline leaves the ask waiting",
        "confirm",
        "    clear_pending(play)\n    _mark(play, pending)\n    message =",
        "    _mark(play, pending)\n    message =",
        "an-answer-counts-once",
    ),
    Fault(
        "what was answered is forgotten at once",
        "confirm",
        "resolved=play.turn.resolved | {(pending.skill_id, pending.tool)}",
        "resolved=play.turn.resolved",
        "never-asked-twice-in-a-turn",
    ),
    Fault(
        "a second ask opens while one waits",
        "standing",
        "    if pending is not None:\n        return",
        "    if pending is None and own:\n        return",
        "never-asked-twice-in-a-turn",
    ),
    Fault(
        "the arguments are those of another moment",
        "confirm",
        "run(play, found.tool, found.gate, pending.arguments, stub, _SOURCE)",
        "run(play, found.tool, found.gate, {**pending.arguments, 'late': 1}, stub, _SOURCE)",
        "arguments-run-as-captured",
    ),
    Fault(
        "an answer given to another skill is taken",
        "confirm",
        "    if pending is None or not play.waits:",
        "    if pending is None:",
        "a-digression-does-not-answer",
    ),
    Fault(
        "the customer's next word loses the ask",
        "turn",
        "    play.turn = Turn(play.turn.number + 1, said=text)\n",
        "    play.turn = Turn(play.turn.number + 1, said=text)\n    play.pending = None\n",
        "a-digression-does-not-lose-the-ask",
    ),
    Fault(
        "a forgotten reset: the new turn keeps the old one's flags",
        "turn",
        "    play.turn = Turn(play.turn.number + 1, said=text)\n",
        "    play.turn = replace(play.turn, number=play.turn.number + 1, open=True)\n",
        "a-new-turn-begins-afresh",
    ),
    Fault(
        "a forgotten reset: what was answered once is never asked again",
        "turn",
        "    play.turn = Turn(play.turn.number + 1, said=text)\n",
        "    play.turn = Turn(play.turn.number + 1, said=text, resolved=play.turn.resolved)\n",
        "the-nth-asks-like-the-first",
    ),
    Fault(
        "a declined step is asked again for ever",
        "confirm",
        "        play.turn = replace(play.turn, denial_queued=True)\n    _go_on(play, pending)\n",
        "        play.turn = replace(play.turn, denial_queued=True)\n",
        "a-declined-step-is-passed",
    ),
    Fault(
        "cancel leaves the ask behind",
        "stack",
        "    if play.pending is not None and play.pending.frame_id in gone:",
        "    if play.pending is not None and play.pending.frame_id == '':",
        "cancel-clears",
    ),
    Fault(
        "the ask is not spoken", "confirm", "    play.closing = ask\n", "    play.closing = None\n", "the-ask-is-heard"
    ),
    Fault(
        "the denial is not spoken",
        "confirm",
        "        play.closing = denial\n",
        "        play.closing = None\n",
        "the-denial-is-heard",
    ),
    Fault(
        "a closed gate asks all the same",
        "calls",
        "    if not _open(play, found):",
        "    if not found.confirms and not _open(play, found):",
        "only-through-an-open-gate",
    ),
    Fault(
        "the turn that asks takes its own answer",
        "confirm",
        "    if play.turn.paused:\n",
        "    if play.turn.paused and play.made < 0:\n",
        "answered-in-a-later-turn",
    ),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.what)
def test_a_seeded_fault_is_caught(fault: Fault) -> None:
    command = [sys.executable, "-m", "tests.core.faulty", ENGINE + fault.module, fault.old, fault.new]
    broken: set[str] = set()
    for folder in ("fixtures/traces", "fixtures/bank"):
        ran = subprocess.run(
            [*command, folder], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "0"}, capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        broken |= set(ran.stdout.split())
        if fault.caught_by in broken:
            return
    raise AssertionError(f"only {sorted(broken)} broke")
