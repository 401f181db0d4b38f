"""Messages that cross panels: facts that a panel tells, for the app to act upon."""

from __future__ import annotations

from textual.message import Message

from inspector.view import Look
from inspector_core.classes import dataclass
from inspector_core.events import Event
from inspector_core.finding import Finding
from inspector_core.mantle.project import Project
from inspector_core.source import Span

__all__ = [
    "Answered", "CallWanted", "EditWanted", "FolderChecked", "FolderLost", "FolderRead", "GateOpenWanted", "LookedAt",
    "MomentChosen", "PanelWanted", "PlaceWanted", "Played", "RecordWanted", "RecordedChosen", "RecordedWanted",
    "TurnWanted", "ValueSet", "WriteWanted",
]  # fmt: skip


@dataclass
class Played(Message):
    """The author played these events, as one step."""

    events: tuple[Event, ...]


@dataclass
class Answered(Message):
    """The author answered the pending confirmation as the customer."""

    words: str
    confirmed: bool


@dataclass
class ValueSet(Message):
    """The author wrote a memory value by hand; `None` unsets."""

    key: str
    value: object


@dataclass
class EditWanted(Message):
    """The author wants to type a value for a key."""

    key: str


@dataclass
class CallWanted(Message):
    """The author wants the model to call a tool; `at_once`: with what is remembered, without the form."""

    skill: str | None
    tool: str
    at_once: bool = False


@dataclass
class GateOpenWanted(Message):
    """The author wants the smallest memory change that opens a tool's gate."""

    skill: str | None
    tool: str


@dataclass
class LookedAt(Message):
    """The author looks at another skill or block."""

    look: Look


@dataclass
class MomentChosen(Message):
    """The author chose a moment of the session to look at."""

    index: int


@dataclass
class RecordWanted(Message):
    """The author wants to see a record of a moment as the engine would have written it."""

    moment: int
    number: int


@dataclass
class RecordedChosen(Message):
    """The author chose an event of a recording to look at."""

    number: int


@dataclass
class RecordedWanted(Message):
    """The author wants to see an event of a recording as it was recorded."""

    number: int


@dataclass
class TurnWanted(Message):
    """The author wants to know when a tool's gate last opened or closed, and by what."""

    skill: str | None
    tool: str


@dataclass
class WriteWanted(Message):
    """The author wants to know when a key was last written, and by what."""

    key: str


@dataclass
class PanelWanted(Message):
    """The author goes to another panel."""

    name: str


@dataclass
class PlaceWanted(Message):
    """The author wants the editor at a place."""

    span: Span


@dataclass
class FolderRead(Message):
    """The folder was read anew."""

    project: Project


@dataclass
class FolderChecked(Message):
    """The last reading was checked."""

    findings: tuple[Finding, ...]


@dataclass
class FolderLost(Message):
    """The folder can't be read."""

    why: str
