"""What a line typed into the conversation means: the customer's words, an answer, or a move of the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from inspector.assign import Wrong, as_declared, assignments, fitted, read_value
from inspector_core.classes import NamedTuple
from inspector_core.events import (
    Activated,
    Cancelled,
    CannotHelp,
    Completed,
    Corrected,
    CustomerSaid,
    Event,
    FieldsSet,
    Listened,
    ModelSaid,
    Next,
    Searched,
    SessionBegan,
    Stub,
    Stubbed,
)
from inspector_core.finding import did_you_mean

__all__ = [
    "COMMANDS",
    "Answer",
    "CallTyped",
    "Completing",
    "SetTyped",
    "Tapped",
    "Wrong",
    "as_declared",
    "assignments",
    "fitted",
    "understand",
]  # fmt: skip

COMMANDS: Mapping[str, str] = {
    "/start": "SKILL ENTRY=VALUE…  the model starts a skill, and fills in silently what it knows before it asks",
    "/call": "TOOL name=value…  the model calls a tool; `&` between several calls makes one reply, `--` begins words",
    "/set": "ENTRY=VALUE…  the model sets fields",
    "/model": "WORDS  the model says something",
    "/yes": "the model passes on that the customer agreed",
    "/no": "the model passes on that the customer declined",
    "/correct": "ENTRY=VALUE  the model corrects what the customer said before",
    "/search": "WORDS finds=TEXT  the model searches the knowledge",
    "/cannot_help": "in|out  the model can't help, inside or outside of the agent's domain",
    "/complete": "pass|fail  the model completes the skill; the judge's word, where it has criteria",
    "/cancel": "the model cancels the skill",
    "/listen": "the model waits in silence",
    "/tap": "TITLE  the customer taps a button of the last message",
    "/stub": "TOOL returns=… writes=… says=… raises=…  what a tool does from now on; alone: as its code reads",
    "/session": "NAME=VALUE…  the channel opens the session, with this metadata",
}

_YES, _NO = frozenset({"y", "yes"}), frozenset({"n", "no"})


class Answer(NamedTuple):
    """The customer's yes or no to the pending ask, passed on by the model."""

    words: str
    confirmed: bool


class CallTyped(NamedTuple):
    """Calls of the model in one reply: names with their arguments, and words beside them."""

    calls: tuple[tuple[str, Mapping[str, object]], ...]
    filler: str = ""


class SetTyped(NamedTuple):
    """The model sets fields, with values that are still to be fitted to the entries' types."""

    values: Mapping[str, object]


class Completing(NamedTuple):
    """The model completes the skill; what a judge would say of its criteria is not said yet."""


class Tapped(NamedTuple):
    """The customer taps a button of the last message."""

    title: str


Meaning = Event | Answer | CallTyped | Completing | SetTyped | Tapped | Wrong


def understand(text: str, asking: bool) -> Meaning | None:
    """The meaning of a line; `None` for an empty one, which does nothing. `asking`: a confirmation waits."""
    words = text.strip()
    if not words:
        return None
    if not words.startswith("/"):
        if asking and words.lower() in _YES | _NO:
            return Answer(words, words.lower() in _YES)
        return CustomerSaid(words)
    command, _, rest = words.partition(" ")
    return _command(command, rest.strip(), asking)


def _command(command: str, rest: str, asking: bool) -> Meaning:
    if command in ("/yes", "/no"):
        return Answer("", command == "/yes") if asking else Wrong("no confirmation waits for an answer")
    bare, filled = _BARE.get(command), _FILLED.get(command)
    if bare is not None and not rest:
        return bare
    if filled is not None and rest:
        return filled(rest)
    if command in COMMANDS and filled is not None:
        return Wrong(f"`{command}` needs {COMMANDS[command].split('  ')[0]}")
    if command in COMMANDS:
        return Wrong(f"`{command}` takes nothing more")
    close = did_you_mean(command, list(COMMANDS))
    return Wrong(f"there is no `{command}`{'; ' + close if close else ': try ' + ' '.join(COMMANDS)}")


def _start(rest: str) -> Event | Wrong:
    target, _, given = rest.partition(" ")
    fills = assignments(given)
    return fills if isinstance(fills, Wrong) else Activated(target, fills)


def _calls(rest: str) -> CallTyped | Wrong:
    rest, _, filler = rest.partition(" -- ")
    calls: list[tuple[str, Mapping[str, object]]] = []
    for part in rest.split(" & "):
        name, _, given = part.strip().removeprefix("/call ").strip().partition(" ")
        arguments = assignments(given)
        if isinstance(arguments, Wrong):
            return arguments
        calls.append((name, arguments))
    return CallTyped(tuple(calls), filler.strip())


def _fields(rest: str) -> Event | SetTyped | Wrong:
    values = assignments(rest)
    if isinstance(values, Wrong):
        return values
    return FieldsSet(values) if rest.startswith("{") else SetTyped(values)


def _correct(rest: str) -> Event | Wrong:
    values = assignments(rest)
    if isinstance(values, Wrong):
        return values
    if len(values) != 1:
        return Wrong("`/correct` changes one entry at a time")
    [(key, value)] = values.items()
    return Corrected(key, value)


def _search(rest: str) -> Event | Wrong:
    query, given, found = f" {rest}".partition(" finds=")
    if not query.strip():
        return Wrong("`/search` needs the words to search for")
    return Searched(query.strip(), Stub(read_value(found.strip())) if given else Stub())


def _cannot_help(rest: str) -> Event | Wrong:
    domains = {"in": True, "out": False}
    return CannotHelp(domains[rest]) if rest in domains else Wrong("`/cannot_help` needs `in` or `out`")


def _complete(rest: str) -> Event | Wrong:
    verdicts = {"pass": True, "fail": False}
    return Completed(verdicts[rest]) if rest in verdicts else Wrong("`/complete` takes `pass` or `fail`")


def _stub(rest: str) -> Event | Wrong:
    tool, _, given = rest.partition(" ")
    values = assignments(given)
    if isinstance(values, Wrong):
        return values
    stray = next((name for name in values if name not in _STUB), None)
    if stray is not None:
        return Wrong(f"`{stray}` is nothing that a tool does; {did_you_mean(stray, _STUB) or 'try ' + ' '.join(_STUB)}")
    writes, raises, says = values.get("writes", {}), values.get("raises"), values.get("says")
    if not isinstance(writes, dict):
        return Wrong('`writes` needs an object: writes={"entry": "value"}')
    if not values:
        return Stubbed(tool, None)
    return Stubbed(
        tool,
        Stub(
            values.get("returns"), tuple(writes.items()), _texts(says), None if raises is None else str(raises),
            tuple(Next(skill) for skill in _texts(values.get("next"))), values.get("interrupted") is True,
        ),
    )  # fmt: skip


_STUB = ("returns", "writes", "says", "raises", "next", "interrupted")


def _texts(value: object) -> tuple[str, ...]:
    match value:
        case None:
            return ()
        case list():
            return tuple(map(str, value))
        case _:
            return (str(value),)


def _session(rest: str) -> Event | Wrong:
    values = assignments(rest)
    return SessionBegan(values) if isinstance(values, dict) else values


_BARE: Mapping[str, Meaning] = {
    "/complete": Completing(), "/cancel": Cancelled(), "/listen": Listened(), "/session": SessionBegan(),
}  # fmt: skip
"""What stands alone."""

_FILLED: Mapping[str, Callable[[str], Meaning]] = {
    "/start": _start, "/activate": _start, "/model": ModelSaid, "/call": _calls, "/set": _fields,
    "/correct": _correct, "/search": _search, "/cannot_help": _cannot_help, "/complete": _complete, "/tap": Tapped,
    "/stub": _stub, "/session": _session,
}  # fmt: skip
"""What needs something more, or can take it."""
