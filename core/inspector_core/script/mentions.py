"""Names in a script that nothing has: an expectation about one always holds, and says nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from inspector_core.finding import Finding, Severity, did_you_mean, in_order
from inspector_core.script.values import Mention, MentionKind

__all__ = ["unknown"]

_WORDS: Mapping[MentionKind, str] = {
    "key": "no file declares `{}`", "tool": "no skill has a tool `{}`", "response": "no file has a response `{}`",
}  # fmt: skip
_ENGINES = "system."
"""How the names of the entries begin that no file declares and the engine keeps itself."""


def unknown(mentions: Iterable[Mention], known: Mapping[MentionKind, Collection[str]]) -> tuple[Finding, ...]:
    """A warning for each name that is not among the known ones of its kind, with the one that may be meant."""
    found = []
    for kind, name, span in mentions:
        if name not in known[kind] and not name.startswith(_ENGINES):
            hint = did_you_mean(name, tuple(known[kind]))
            message = _WORDS[kind].format(name)
            found.append(Finding("inspector.script.unknown-name", Severity.WARNING, message, span, hint))
    return in_order(found)
