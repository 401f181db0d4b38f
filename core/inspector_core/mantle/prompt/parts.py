"""What the model would be given, part by part, each with the place it comes from and why it is there or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from inspector_core.classes import NamedTuple
from inspector_core.mantle.engine.state import Pending
from inspector_core.mantle.project import Field
from inspector_core.proof import Truth
from inspector_core.report import Verdict
from inspector_core.source import Span
from inspector_core.tool import ToolKind

__all__ = ["Candidate", "Filled", "MemoryLine", "Offer", "Passage", "PassageKind", "Prompt"]

PassageKind = Literal["persona", "rule", "prose", "instructions", "optional", "collects", "description", "question"]
"""`persona`, `rule`: of the agent. `prose`: a paragraph of a skill. The others belong to a step: what it tells the
model, that it may be passed over, which entry it collects, how that entry is described, and the question that is asked
word for word."""


class Filled(NamedTuple):
    """A `@memory` token, and what stands in its place (§2.4)."""

    key: str
    text: str | None
    """`None`: the token is left as it is."""
    why: str = ""
    """Why it is left."""
    start: int = 0
    end: int = 0
    """Where it stands in the text as the model gets it."""


class Passage(NamedTuple):
    """A stretch of text for the model, or one that is kept from it."""

    kind: PassageKind
    text: str
    """With its tokens replaced."""
    written: str
    """As it stands in the file."""
    span: Span | None
    shown: bool = True
    why: str = ""
    """Why it is kept back, in a line."""
    condition: str | None = None
    """The paragraph's `if:`, as written."""
    condition_span: Span | None = None
    truth: Truth = Truth.HOLDS
    filled: tuple[Filled, ...] = ()
    step: str | None = None
    """The step it belongs to."""


class MemoryLine(NamedTuple):
    """An entry that may be read where the prompt is made (§3.4)."""

    field: Field
    text: str | None
    """Its value as the model sees one; `None`: unset."""
    group: Literal["own", "project", "others"]


class Candidate(NamedTuple):
    """A skill as routing sees it."""

    skill: str
    name: str | None
    description: str
    span: Span
    listed: bool = True
    why: str = ""
    """Why it is left out, in a line."""


class Offer(NamedTuple):
    """A tool in the list that the model gets."""

    tool: str
    kind: ToolKind
    description: str
    """The author's; of the engine's own tools the words are the engine's, and not known."""
    schema: Mapping[str, object] | None
    """Of its arguments; `None` where only a server that is never asked would know."""
    verdict: Verdict


class Prompt(NamedTuple):
    """Everything that the model would be given now. The engine's own words around it are not known."""

    target: str | None
    """A skill id, or `skill__block`; `None`: routing."""
    agent: tuple[Passage, ...]
    """What the agent as a whole says of itself: its persona, then its rules."""
    passages: tuple[Passage, ...]
    """The paragraphs of a skill, or what the steps of its block have for the model; those kept back too."""
    step: str | None
    """The step that runs."""
    remark: str
    """What is to be said of the passages as a whole; empty where nothing is."""
    catalogue: tuple[Candidate, ...]
    """The skills, while none is active; those left out too."""
    memory: tuple[MemoryLine, ...]
    """Of other skills' entries only those that hold something."""
    pending: Pending | None
    """The confirmation that the model is told to have resolved."""
    tools: tuple[Offer, ...]
    """In the order in which they are offered."""

    @property
    def text(self) -> str:
        """The visible passages, joined as the engine joins paragraphs (§2.3)."""
        return "\n\n".join(p.text for p in self.passages if p.shown and p.kind in ("prose", "instructions"))
