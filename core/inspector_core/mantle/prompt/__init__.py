"""Exactly what the model would be given now, as parts; and what would be another if one key held another value."""

from inspector_core.mantle.prompt.build import as_if, prompt
from inspector_core.mantle.prompt.changes import Difference, Flip, differences, flips
from inspector_core.mantle.prompt.parts import Candidate, Filled, MemoryLine, Offer, Passage, PassageKind, Prompt

__all__ = [
    "Candidate", "Difference", "Filled", "Flip", "MemoryLine", "Offer", "Passage", "PassageKind", "Prompt", "as_if",
    "differences", "flips", "prompt",
]  # fmt: skip
