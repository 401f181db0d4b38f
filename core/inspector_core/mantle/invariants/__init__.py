"""What has to hold of every confirmation, tried out in conversations that are made up for a project (§6)."""

from inspector_core.mantle.invariants.passage import Ask, Passage, passages
from inspector_core.mantle.invariants.rules import INVARIANTS, Broken, broken
from inspector_core.mantle.invariants.suite import Failure, Seen, Tried, sound, try_out
from inspector_core.mantle.invariants.surprises import SURPRISES, Surprise

__all__ = [
    "INVARIANTS", "SURPRISES", "Ask", "Broken", "Failure", "Passage", "Seen", "Surprise", "Tried", "broken",
    "passages", "sound", "try_out",
]  # fmt: skip
