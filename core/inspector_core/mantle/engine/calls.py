"""One reply of the model: its calls in order, each with its one record, then what the agent says (§6.1, §6.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, assert_never

from inspector_core.events import (
    Activated,
    Call,
    Cancelled,
    Completed,
    FieldsSet,
    Listened,
    Resolved,
)
from inspector_core.mantle import scope
from inspector_core.mantle.candidates import Candidate, registered
from inspector_core.mantle.engine import defaults, finish, handoff
from inspector_core.mantle.engine.activate import activate
from inspector_core.mantle.engine.confirm import pause, pause_cancel, resolve
from inspector_core.mantle.engine.correct import correct
from inspector_core.mantle.engine.decline import cannot_help
from inspector_core.mantle.engine.fill import fill, fill_silently
from inspector_core.mantle.engine.payload import Answer, answered, done, failed
from inspector_core.mantle.engine.phase import go_on
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.run import invalid, run
from inspector_core.mantle.engine.validate import snapshot, validate
from inspector_core.mantle.gatelist import RESERVED, SWITCHABLE
from inspector_core.proof import Truth

__all__ = ["Move", "move_of", "reply", "say_filler"]

_NAMES: Final[Mapping[type, str]] = {
    Activated: "activate", FieldsSet: "set_fields", Resolved: "resolve_tool_confirmation", Completed: "complete",
    Cancelled: "cancel", Listened: "listen",
}  # fmt: skip

Move = Activated | FieldsSet | Resolved | Completed | Cancelled | Listened | Call
"""What one call of a reply asks for: one of the engine's own tools, or a custom one."""


def move_of(call: Call) -> Move:
    """The engine's own tools by their names; whatever else is called is a custom tool."""
    given = call.arguments
    match call.tool:
        case "activate":
            return Activated(str(given.get("target_id", "")))
        case "set_fields":
            return FieldsSet(given)
        case "resolve_tool_confirmation":
            return Resolved(given.get("confirmed"), call.stub)
        case "complete":
            return Completed()
        case "cancel":
            return Cancelled()
        case "listen":
            return Listened()
        case _:
            return call


def reply(play: Play, moves: Sequence[Move], filler: str = "") -> None:
    """Play all calls of one reply, whatever becomes of any; then speak, and end the turn if something ends it."""
    play.reply_begins()
    say_filler(play, filler)
    for move in moves:
        play.call_begins()
        if not _declined(play, move):
            _one(play, move)
    play.call_id = None
    if play.closing is not None and play.turn.ask_queued:
        fill_silently(play)
    handoff.start(play)
    go_on(play)


def say_filler(play: Play, words: str) -> None:
    """Words beside calls: spoken before them, and no answer."""
    if words.strip():
        play.say(words, mantle_response_source="filler", agent_message_type="filler_message")


def _declined(play: Play, move: Move) -> bool:
    """Whether a call comes to nothing, since a request is being declined."""
    if not defaults.declining(play) or isinstance(move, Listened) or _name(move) == "cannot_help":
        return False
    play.executed(_name(move), _given(move), failed("a request is being declined: nothing else can be done now"))
    return True


def _one(play: Play, move: Move) -> None:
    match move:
        case Call(tool) if tool in RESERVED:
            _rare(play, move)
        case Call():
            _custom(play, move)
        case Activated(target, fills):
            _activate(play, target, fills)
        case FieldsSet(values):
            fill(play, values)
        case Resolved(confirmed, stub):
            _built_in(
                play, "resolve_tool_confirmation", {"confirmed": confirmed}, lambda: resolve(play, confirmed, stub)
            )
        case Completed(met):
            _built_in(play, "complete", {}, lambda: finish.complete(play, met))
        case Cancelled():
            _built_in(play, "cancel", {}, lambda: _cancel(play))
        case Listened():
            return  # beside other calls it has no effect
        case _:
            assert_never(move)


def _name(move: Move) -> str:
    return move.tool if isinstance(move, Call) else _NAMES[type(move)]


def _given(move: Move) -> Mapping[str, object]:
    """A move's arguments as the model sent them."""
    match move:
        case Call(arguments=arguments):
            return arguments
        case Activated(target):
            return {"target_id": target}
        case FieldsSet(values):
            return values
        case Resolved(confirmed):
            return {"confirmed": confirmed}
        case Completed() | Cancelled() | Listened():
            return {}
        case _:
            assert_never(move)


def _built_in(play: Play, tool: str, arguments: Mapping[str, object], what: Callable[[], Answer]) -> Answer:
    constraint = play.project.agent.constraint(tool)
    off = constraint is not None and not constraint.enabled and tool in SWITCHABLE
    answer = failed(f"`{tool}` is switched off for this agent") if off else what()
    play.executed(tool, arguments, answer)
    return answer


def _activate(play: Play, target: str, fills: Mapping[str, object]) -> None:
    """What really becomes active gets its whole list of tools, searched or not (§7.3)."""
    answer = _built_in(play, "activate", {"target_id": target}, lambda: activate(play, target))
    if answer == done("activate"):
        play.turn, play.fills = replace(play.turn, trimmed=False), fills


def _cancel(play: Play) -> Answer:
    if play.skill_id is None:
        return failed("no skill is active that could be cancelled")
    constraint = play.project.agent.constraint("cancel")
    rule = constraint.confirmation if constraint is not None else None
    if rule is not None and rule.enabled:
        return pause_cancel(play, rule)
    finish.cancel(play)
    return done("cancel")


def _rare(play: Play, call: Call) -> None:
    """The engine's own tools that no move of ours stands for."""
    if call.tool == "correct":
        _correct(play, call.arguments)
        return
    if call.tool == "search_knowledge":
        _built_in(play, call.tool, call.arguments, lambda: _search(play, call))
    elif call.tool == "cannot_help":
        _built_in(play, call.tool, call.arguments, lambda: cannot_help(play, call.arguments.get("in_domain")))
    else:
        play.executed(call.tool, call.arguments, failed(f"`{call.tool}` is reserved, and can't be called"))


def _correct(play: Play, arguments: Mapping[str, object]) -> None:
    before = snapshot(play)
    if _built_in(play, "correct", arguments, lambda: correct(play, arguments)).error is None:
        validate(play, (str(arguments.get("memory_key")),), before)


def _search(play: Play, call: Call) -> Answer:
    if not play.project.has_knowledge:
        return failed("there is no knowledge to search")
    answer = answered(call.stub.payload if call.stub else None)
    if answer.error is None:  # one that failed has searched nothing, as far as the record can tell
        play.turn = replace(play.turn, searched=True, trimmed=True)
    return answer


def _custom(play: Play, call: Call) -> None:
    """A custom tool: what is, its gate, its confirmation, its arguments, and only then its run."""
    skill = play.skill
    found = registered(play.project, skill, play.block, call.tool) if skill is not None else None
    if found is None or found.tool is None:
        play.executed(call.tool, call.arguments, failed(f"there is no tool `{call.tool}` here"))
        return
    answer = _withheld(play, found, call)
    if answer is None:
        run(play, found.tool, found.gate, call.arguments, call.stub)
    else:
        play.executed(call.tool, call.arguments, answer, found.tool.server)


def _withheld(play: Play, found: Candidate, call: Call) -> Answer | None:
    """Why a call does not run now; `None` where it does."""
    if found.never is not None:
        return failed(f"`{found.name}` is run by the engine alone")
    if not _open(play, found):
        return failed(f"`{found.name}` can't be used now: its conditions aren't met")
    if found.confirms:
        return pause(play, found, call.arguments)
    return invalid(found.tool, call.arguments) if found.tool is not None else None


def _open(play: Play, found: Candidate) -> bool:
    """Whether the gate lets a call through; a gate that can't be evaluated does not (§4.3)."""
    requires = found.gate.requires if found.gate is not None else None
    if requires is None:
        return True
    return requires.truth(scope.visible(play.memory, requires, found.masked)) is Truth.HOLDS
