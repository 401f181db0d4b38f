"""A custom tool running: nothing is executed, the author's stub says what it does (§5.4, §6.5)."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.events import Stub
from inspector_core.mantle.engine import triggers
from inspector_core.mantle.engine.arguments import misfit
from inspector_core.mantle.engine.memory import tool_writes
from inspector_core.mantle.engine.payload import Answer, answered, failed
from inspector_core.mantle.engine.play import Cut, Play
from inspector_core.mantle.project import Gate
from inspector_core.tool import Tool

__all__ = ["effects", "invalid", "run"]


def invalid(tool: Tool, arguments: Mapping[str, object]) -> Answer | None:
    """The answer to arguments that don't fit; the tool does not run, and `on_failure` is not spoken."""
    problem = misfit(tool.schema, arguments)
    return None if problem is None else failed(problem, retryable=True, code="invalid_arguments")


def run(
    play: Play, tool: Tool, gate: Gate | None, arguments: Mapping[str, object], stub: Stub | None,
    source: str | None = None,
) -> Answer:  # fmt: skip
    """Run a tool, record it, and queue what its outcome has spoken."""
    call, play.call_id = play.call_id, None if source else play.call_id
    does = play.stub(tool, stub)
    problem = effects(play, tool, arguments, does)
    answer = _outcome(tool, does, problem)
    play.call_id = call
    play.executed(tool.name, arguments, answer, tool.server, source, ran=True)
    if problem is None:
        play.handoffs += [(tool.name, to) for to in does.next]
    _speak_outcome(play, gate, answer)
    triggers.when(play)
    return answer


def _outcome(tool: Tool, stub: Stub, problem: str | None) -> Answer:
    """What a tool answers; one that an exception ended has no result, and so hands over to nobody either."""
    if problem is None:
        return answered(stub.payload)
    return answered({"error": f"`{tool.name}` failed" if tool.server else problem})


def effects(play: Play, tool: Tool, arguments: Mapping[str, object], stub: Stub) -> str | None:
    """What the tool does besides answering; the text of the exception that ended it, if one did."""
    if tool.server and stub.writes:
        play.note("mcp-writes", f"`{tool.name}` runs on a server, which can't write memory: those writes are left out")
    elif play.skill is not None:
        problem = tool_writes(play, play.skill, tool.name, arguments, stub.writes)
        if problem is not None:
            return problem
    for text in stub.says:
        play.say(text)
    if stub.interrupted:
        raise Cut(tool.name)
    if stub.raises is not None:
        return stub.raises
    return None if tool.is_async else f"`{tool.name}` is not async, so its result can't be awaited"


def _speak_outcome(play: Play, gate: Gate | None, answer: Answer) -> None:
    response = None if gate is None else gate.on_success if answer.error is None else gate.on_failure
    if response is not None:
        play.queue.append(response.name)
