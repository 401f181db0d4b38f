"""A request that the agent can't help with: it is classified, and a skill of its own declines it (§5.7, §7.2)."""

from __future__ import annotations

from typing import Final

from inspector_core.mantle.engine import defaults
from inspector_core.mantle.engine.memory import put
from inspector_core.mantle.engine.payload import Answer, done, failed
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.stack import frames_of

__all__ = ["cannot_help"]

_TOOL: Final = "cannot_help"
_TYPE: Final = f"{defaults.DECLINE}.request_type"


def cannot_help(play: Play, in_domain: object) -> Answer:
    """The model gives up on a request; what was running waits until it has been declined."""
    if not isinstance(in_domain, bool):
        return failed("`in_domain` has to be true or false")
    if play.project.has_knowledge and not play.turn.searched:
        return failed("knowledge has to be searched first")
    label = "in_domain_out_of_scope" if in_domain else "out_of_domain_out_of_scope"
    play.record("unsupported_request_classified", label=label, reason="", user_message=play.turn.said)
    if not frames_of(play, defaults.DECLINE):
        defaults.clear(play)
        defaults.start(play, defaults.DECLINE, {_TYPE: label}, interrupts=defaults.DECLINE)
    elif _TYPE in play.project.field_by_key:
        put(play, _TYPE, label, "engine")
    return done(_TOOL)
