"""Who may read and who may write which entry of memory (§3.4, §3.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from inspector_core.mantle.engine.state import Frame, Write
from inspector_core.mantle.project import Field, Project, Skill, Step

__all__ = [
    "Given", "collected", "collected_entry", "correctable", "readable", "settable", "settable_fields", "unreadable",
    "view", "visible", "writable",
]  # fmt: skip

_NONE: frozenset[str] = frozenset()


class Reader(Protocol):
    """Whatever reads memory by keys it can name: a condition."""

    @property
    def keys(self) -> tuple[str, ...]: ...


class Given(Protocol):
    """Memory, and who wrote it: a state, or one in the making."""

    @property
    def memory(self) -> Mapping[str, object]: ...

    @property
    def writes(self) -> Mapping[str, Write]: ...


def readable(project: Project, skill_id: str | None, key: str) -> bool:
    """Whether a key is more than null for a skill, or for routing where no skill is active."""
    field = project.field_by_key.get(key)
    return field is not None and (field.scope != "private" or field.owner == skill_id)


def unreadable(project: Project, skill_id: str | None, keys: Iterable[str]) -> frozenset[str]:
    """Those of some keys that read as null whatever memory holds."""
    return frozenset(key for key in keys if not readable(project, skill_id, key)) or _NONE


def view(project: Project, skill_id: str | None, memory: Mapping[str, object], reader: Reader) -> Mapping[str, object]:
    """Memory as a skill's condition sees it; the very mapping given, unless it holds something to keep back."""
    return visible(memory, reader, unreadable(project, skill_id, reader.keys))


def visible(memory: Mapping[str, object], reader: Reader, hidden: frozenset[str]) -> Mapping[str, object]:
    """Memory with some of the reader's keys kept back; the very mapping given where none are."""
    if not hidden:
        return memory
    return {key: memory[key] for key in reader.keys if key in memory and key not in hidden}


def writable(project: Project, skill_id: str | None, name: str) -> Field | None:
    """The entry that `memory.set(name, …)` in a tool of this skill writes; `None` where the engine refuses."""
    known = project.field_by_key
    owner, dot, _ = name.partition(".")
    if not dot:
        return known.get(f"{skill_id}.{name}") or known.get(f"project.{name}")
    return known.get(name) if owner in (skill_id, "project") else None


def collected(skill: Skill) -> frozenset[str]:
    """The bare entries that some step of the skill collects."""
    return frozenset(_collected(skill))


def _collected(skill: Skill) -> Iterator[str]:
    for block in skill.blocks:
        for step in block.steps:
            if step.kind == "collect" and step.target is not None:
                yield collected_entry(skill.id, step)


def collected_entry(skill_id: str, step: Step) -> str:
    """The bare entry that a step collects."""
    name = step.target.name if step.target is not None else ""
    return name.removeprefix("session.").removeprefix(f"{skill_id}.")


def settable(skill: Skill) -> tuple[Field, ...]:
    """The entries that the model may set at all: marked so, or collected by a step, whatever the mark says."""
    asked = collected(skill)
    return tuple(f for f in skill.fields if f.llm_settable or f.entry in asked)


def correctable(project: Project, skill_id: str | None, given: Given) -> tuple[Field, ...]:
    """The entries that `correct` may change: settable, set, and last by the customer or from the customer's words.

    That a server can do without corrections altogether (`RASA_MANTLE_DISABLE_CORRECTION`) is no matter of the folder.
    """
    skill = project.skill_by_id.get(skill_id or "")
    fields = settable(skill) if skill is not None else ()
    return tuple(f for f in fields if f.type != "json" and _customers(given, f.key))


def _customers(given: Given, key: str) -> bool:
    write = given.writes.get(key)
    return write is not None and key in given.memory and write.writer in ("model", "customer")


def settable_fields(
    project: Project, skill: Skill, memory: Mapping[str, object], top: Frame | None = None
) -> tuple[Field, ...]:
    """The entries that `set_fields` offers now: settable, and still null, or asked for again by the live step."""
    again = _asked_again(skill, top)
    return tuple(
        f for f in settable(skill)
        if (memory.get(f.key) is None or f.entry == again) and project.field_by_key.get(f.key) is f
    )  # fmt: skip


def _asked_again(skill: Skill, top: Frame | None) -> str | None:
    """The entry that a step with `ask_before_filling` asks for, while the conversation is at that step (§2.6)."""
    block = skill.block(top.block_id) if top is not None and top.block_id is not None else None
    if block is None or top is None:
        return None
    steps = (s for s in block.steps if s.id == top.step_id and s.kind == "collect" and s.ask_before_filling)
    return next((collected_entry(skill.id, step) for step in steps), None)
