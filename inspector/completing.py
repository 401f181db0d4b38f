"""What a line that is being typed could become: commands, then the names and values that fit in this state."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from inspector.buttons import buttons
from inspector.typed import COMMANDS
from inspector.view import View
from inspector_core.mantle import scope
from inspector_core.mantle.project import Field, Project, Skill
from inspector_core.mantle.stubs import default_stub
from inspector_core.mantle.targets import find_target, startable
from inspector_core.mantle.values import choices
from inspector_core.tool import Tool

__all__ = ["completions", "onward"]

MOST = 12
"""So many words are shown that a line could go on with."""


def completions(view: View, line: str) -> Iterator[str]:
    """Whole lines that the typed one could become, the likeliest first."""
    command, space, rest = line.partition(" ")
    if not command.startswith("/"):
        return
    if not space:
        yield from (c for c in COMMANDS if c.startswith(command))
        return
    known = _KNOWN.get(command)
    for words in known(view, rest) if known is not None else ():
        if words.startswith(rest) and words != rest:
            yield f"{command} {words}"


def onward(view: View, line: str) -> str:
    """What a line could go on with, in a line: how a command is used once it stands there, else the words that fit."""
    command, space, _ = line.partition(" ")
    known = COMMANDS.get(command)
    if known is not None and not space:
        return f"{command} {known}"
    start = line.rfind(" ") + 1
    return "  ".join(islice(dict.fromkeys(c[start:] for c in completions(view, line)), MOST))


def _targets(view: View, rest: str) -> Iterator[str]:
    """What can be started now, then all others; after the name, what the model may fill in."""
    name, space, given = rest.partition(" ")
    if not space:
        yield from startable(view.project, view.state)
        yield from (s.id for s in view.project.own_skills)
        return
    found = find_target(view.project, name)
    fields = scope.settable(found[0]) if found is not None else ()
    yield from (f"{name} {more}" for more in _assigned(given, {f.entry: f for f in fields}))


def _calls(view: View, rest: str) -> Iterator[str]:
    """The name of a tool, those that are offered first; after it the arguments that it doesn't have yet."""
    before, amp, last = rest.rpartition("& ")
    before += amp
    name, space, given = last.partition(" ")
    if not space:
        verdicts = view.report.of(view.look.skill)
        for offered in (True, False):
            yield from (before + v.tool for v in verdicts if v.offered is offered and v.kind != "built-in")
        return
    tool = view.project.tool(view.look.skill, name)
    if tool is not None:
        yield from (f"{before}{name} {more}" for more in _names(given, [f"{p}=" for p in _parameters(tool)]))


def _parameters(tool: Tool) -> Iterator[str]:
    yield from tool.required
    yield from (p for p in tool.parameters if p not in tool.required)


def _names(given: str, names: Sequence[str]) -> Iterator[str]:
    """What was typed with one more `name=` at its end, of those that aren't there yet."""
    before, space, last = given.rpartition(" ")
    typed = f"{before}{space}"
    if "=" not in last:
        yield from (typed + name for name in names if not f" {given}".count(f" {name}"))


def _fields(view: View, rest: str) -> Iterator[str]:
    """Entries that the model may set now, then the skill's others; after `=` the values that can be listed."""
    skill = _skill(view)
    if skill is None:
        return
    now = scope.settable_fields(view.project, skill, view.state.memory, view.state.top)
    yield from _assigned(rest, {f.entry: f for f in (*now, *skill.fields)})


def _corrections(view: View, rest: str) -> Iterator[str]:
    fields = scope.correctable(view.project, view.state.skill, view.state)
    yield from _assigned(rest, {f.entry: f for f in fields})


def _seeds(view: View, rest: str) -> Iterator[str]:
    yield from _assigned(rest, {f.entry: f for f in view.project.fields if f.seed})


def _assigned(rest: str, fields: Mapping[str, Field]) -> Iterator[str]:
    before, space, last = rest.rpartition(" ")
    name, given, _ = last.partition("=")
    if not given:
        yield from _names(rest, [f"{entry}=" for entry in fields])
    elif name in fields:
        values = [v for v in choices(fields[name]) or () if v is not None]
        yield from (f"{before}{space}{name}={_value(v)}" for v in values)


def _value(value: object) -> str:
    return value if isinstance(value, str) and " " not in value else json.dumps(value, ensure_ascii=False)


def _stubs(view: View, rest: str) -> Iterator[str]:
    """The name of a tool; after it what its code reads, to be changed."""
    name, space, given = rest.partition(" ")
    if not space:
        yield from dict.fromkeys(_every_tool(view.project))
    elif not given.strip() or "returns=".startswith(given):
        tool = view.project.tool(view.look.skill, name)
        stub = default_stub(view.project, view.look.skill, tool) if tool is not None else None
        yield f"{name} returns={json.dumps(stub.payload if stub else None, ensure_ascii=False)}"
    else:
        yield from (f"{name} {more}" for more in _names(given, ("returns=", "writes=", "says=", "raises=", "next=")))


def _every_tool(project: Project) -> Iterator[str]:
    for skill in project.own_skills:
        yield from (t.name for t in skill.tools)
        yield from (i.name for i in skill.imports)
    yield from (t.name for t in project.shared_tools)


def _taps(view: View, _: str) -> Iterator[str]:
    yield from (b.title for b in buttons(view.state))


def _skill(view: View) -> Skill | None:
    return view.project.skill_by_id.get(view.state.skill or view.look.skill or "")


_KNOWN: Mapping[str, Callable[[View, str], Iterator[str]]] = {
    "/start": _targets, "/activate": _targets, "/call": _calls, "/set": _fields, "/correct": _corrections,
    "/session": _seeds, "/stub": _stubs, "/tap": _taps,
    "/complete": lambda _view, _rest: iter(("pass", "fail")),
    "/cannot_help": lambda _view, _rest: iter(("in", "out")),
    "/search": lambda _view, rest: iter(() if "finds=" in rest or not rest.strip() else (f"{rest.rstrip()} finds=",)),
}  # fmt: skip
