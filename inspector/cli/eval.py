"""`inspector eval CONDITION`: what the engine would make of a condition over this memory, and why."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping

from inspector.cli.lines import answer_lines
from inspector.cli.memory import add_memory, given, in_question, qualified
from inspector.cli.output import show, write
from inspector.errors import Exit, UsageError
from inspector_core.mantle.condition import parse
from inspector_core.proof import Truth

__all__ = ["arguments", "run"]

_VALUES: Mapping[Truth, bool | None] = {Truth.HOLDS: True, Truth.FAILS: False, Truth.ERRORS: None}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("condition", metavar="CONDITION", nargs="?", help="such as `session.pay.amount >= 100`")
    add_memory(parser)
    parser.add_argument(
        "--jsonl", action="store_true", help='answer lines of stdin, each {"condition": …, "memory": {…}}'
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print (%(default)s)")


def run(arguments: Namespace) -> Exit:
    if arguments.jsonl == (arguments.condition is not None):
        raise UsageError("give either a condition or `--jsonl`", code="usage")
    if arguments.jsonl:
        return answer_lines(_answer)
    memory = given(arguments.memory, arguments.set, qualified)
    if arguments.format == "json":
        _print_json(arguments.condition, memory)
    else:
        from inspector.reports.proof import condition_lines

        show(condition_lines(parse(arguments.condition), memory), arguments.color)
    return Exit.CLEAN


def _answer(question: Mapping[str, object]) -> Mapping[str, object]:
    text = question.get("condition")
    if not isinstance(text, str):
        raise UsageError("`condition` is no text", code="bad-line")
    return _outcome(text, in_question(question))


def _outcome(text: str, memory: Mapping[str, object]) -> dict[str, object]:
    condition = parse(text)
    truth = condition.truth(memory)
    return {"value": _VALUES[truth], "error": truth is Truth.ERRORS, "accepted_at_train": condition.accepted}


def _print_json(text: str, memory: Mapping[str, object]) -> None:
    from inspector.reports.json import dumps, proof

    condition = parse(text)
    problem = condition.problem
    told = {
        "condition": text,
        **_outcome(text, memory),
        "problem": None
        if problem is None
        else {"message": problem.message, "hint": problem.hint, "start": problem.start, "end": problem.end},
        "proof": proof(condition.prove(memory)),
    }
    write(dumps(told) + "\n")
