"""Which kind of agent a path holds: the one place that chooses a dialect, by what is opened."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from inspector_core.dialect import Dialect
    from inspector_core.events import Event
    from inspector_core.finding import Finding
    from inspector_core.recording.sessions import Session
    from inspector_core.source import FolderText, Source

__all__ = ["KINDS", "Kind", "Read", "kind_of"]


class Read(Protocol):
    """What a project of any dialect says of itself."""

    @property
    def name(self) -> str: ...

    @property
    def findings(self) -> tuple[Finding, ...]: ...

    @property
    def sources(self) -> Mapping[str, Source]: ...

    @property
    def version(self) -> str: ...


P = TypeVar("P", bound=Read)
S = TypeVar("S")


class Kind(ABC, Generic[P, S]):
    """A dialect with what lies outside of it: which paths are its, and how its text gets off the disk."""

    dialect: Dialect[P, S]
    about: ClassVar[str] = ""
    """Whose behaviour is shown, in a few words."""

    @abstractmethod
    def opens(self, path: Path) -> bool:
        """Whether a path is of this kind, by a look that costs little. Never raises."""

    @abstractmethod
    def folder(self, path: Path) -> FolderText:
        """What it holds. Raises `CannotLoad`."""

    def read(self, path: Path) -> P:
        """The project at a path. Raises `CannotLoad`."""
        return self.dialect.read(self.folder(path))

    def title(self, project: P) -> str:
        """The agent's name."""
        return project.name

    def check(self, project: P) -> tuple[Finding, ...]:
        """All that is wrong, found by reading and by thinking about what was read."""
        return project.findings

    def since(self, project: P, before: P) -> tuple[Finding, ...]:
        """What an earlier or other reading of the agent had, and this one lacks."""
        return ()

    def explains(self, code: str) -> str | None:
        """What a finding's code means."""
        return None

    def events(self, project: P, session: Session) -> tuple[tuple[int, Event], ...]:
        """A recorded session as events, each under the number of the recorded one that it stands for."""
        return ()


KINDS: list[str] = ["inspector.rulefiles:RULES"]
"""Where the kinds are that commands treat alike; skill folders are what is left, with commands of their own."""


def kind_of(path: Path) -> Kind[Any, Any] | None:
    """The kind that opens a path; nothing for an agent's skill folder, and for what no kind knows."""
    if any(os.path.exists(path / sign) for sign in ("agent.yml", "skills")):
        return None
    kinds = (_kind(where) for where in KINDS)
    return next((kind for kind in kinds if kind.opens(path)), None)


@cache
def _kind(where: str) -> Kind[Any, Any]:
    module, _, name = where.partition(":")
    kind = getattr(import_module(module), name)
    assert isinstance(kind, Kind)
    return kind
