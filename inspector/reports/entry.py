"""A memory entry in lines: what it is, what it holds and by whom, what reads it and what writes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from inspector.pieces import Line, Piece
from inspector.reports.explain import WRITES
from inspector.reports.text import blank, say
from inspector.reports.values import shown
from inspector_core.mantle.engine.state import State, Write
from inspector_core.mantle.project import Field, Project
from inspector_core.mantle.uses import Use, UseKind, readers, writers

__all__ = ["entry_lines"]

READS: Mapping[UseKind, str] = {
    "gate": "the gate of `{name}` in `{skill}`",
    "paragraph": "an `if:` paragraph of `{skill}`",
    "prose": "the instructions of `{skill}`",
    "complete_when": "`complete_when` of `{name}` in `{skill}`",
    "trigger": "the trigger of `{name}` in `{skill}`",
    "branch": "a branch of the step `{name}` in `{skill}`",
    "step": "the step `{name}` of `{skill}`",
    "response": "the response `{name}`",
    "precondition": "the precondition `{name}`",
    "tool": "the code of `{name}` in `{skill}`",
}


def entry_lines(project: Project, state: State, key: str) -> tuple[Line, ...]:
    """Everything there is to say of one key."""
    return tuple(_lines(project, state, key))


def _lines(project: Project, state: State, key: str) -> Iterator[Line]:
    field = project.field_by_key.get(key)
    value = state.memory.get(key)
    held: tuple[Piece, ...] = ((shown(value), "value"), (_by(state.writes.get(key)), "dim"))
    yield Line(held, (str(field.span), "dim") if field else None, field.span if field else None)
    yield from _declared(field)
    yield from _uses("read by", READS, readers(project, key), "nothing in the files reads it")
    yield from _uses("written by", WRITES, writers(project, key), "nothing in the files writes it")


def _by(write: Write | None) -> str:
    if write is None:
        return ""
    who = {"author": "by hand", "seed": "at the start"}.get(write.writer, write.by or f"by the {write.writer}")
    return f"  written {who}{f' in turn {write.turn}' if write.turn else ''}"


def _declared(field: Field | None) -> Iterator[Line]:
    if field is None:
        yield say(("no file declares it, so the engine never reads it", "error"))
        return
    flags = (("the model may set it", field.llm_settable), ("pii", field.pii), ("seed", field.seed))
    marks = [word for word, on in flags if on]
    yield say((f"{field.scope} {field.type}", "plain"), (f"  {', '.join(marks)}" if marks else "", "dim"))
    if field.enum_values:
        yield say(("one of ", "dim"), ", ".join(shown(v) for v in field.enum_values))
    if field.initial_value is not None:
        yield say(("starts as ", "dim"), (shown(field.initial_value), "value"))
    if field.description:
        yield Line(((field.description, "dim"),), wraps=True)


def _uses(title: str, words: Mapping[UseKind, str], uses: Iterable[Use], none: str) -> Iterator[Line]:
    yield blank()
    yield say((title, "head"))
    found = list(uses)
    for use in found:
        told = words.get(use.kind, use.kind).format(name=use.name, skill=use.skill)
        yield Line((("  ", "plain"), (told, "plain")), (str(use.span), "dim") if use.span else None, use.span)
    if not found:
        yield say((f"  {none}", "dim"))
