"""The tool that a step runs, with the gate that counts for the step and the arguments it gives (§6.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from inspector_core.mantle import scope
from inspector_core.mantle.candidates import Candidate, registered
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.project import Block, Gate, Skill

__all__ = ["arguments", "entry"]

_PATH: Final = re.compile(r"session\.([^\W\d]\w*)\.([^\W\d]\w*)")


def entry(play: Play, name: str) -> Candidate | None:
    """What runs under a name; its gate is the skill's own, else the block's, whichever target is live."""
    skill, block = play.skill, play.block
    found = registered(play.project, skill, block, name) if skill is not None else None
    if skill is None or found is None:
        return None
    gate = next((g for g in _gates(skill, block) if g.tool == name), None)
    keys = gate.requires.keys if gate is not None and gate.requires is not None else ()
    return replace(found, gate=gate, masked=scope.unreadable(play.project, skill.id, keys))


def _gates(skill: Skill, block: Block | None) -> Iterator[Gate]:
    yield from skill.gates
    yield from block.gates if block is not None else ()
    for other in skill.blocks:
        yield from other.gates


def arguments(play: Play, parameters: Mapping[str, object]) -> dict[str, object]:
    """A step's parameters with stored values in place of the texts that are just the path of an entry."""
    return {name: _value(play, written) for name, written in parameters.items()}


def _value(play: Play, written: object) -> object:
    if not isinstance(written, str):
        return written
    path = _PATH.fullmatch(_bare(written))
    if path is None:
        return written
    key = f"{path[1]}.{path[2]}"
    return play.memory.get(key) if scope.readable(play.project, play.skill_id, key) else None


def _bare(text: str) -> str:
    """A text without the spaces and whole pairs of brackets around it."""
    text = text.strip()
    while text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    return text
