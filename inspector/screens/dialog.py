"""What every dialog has in common."""

from __future__ import annotations

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

__all__ = ["Dialog"]

Result = TypeVar("Result")


class Dialog(ModalScreen[Result]):
    """A dialog that is left once: keys that come while it is left already, or lies under another, do nothing."""

    CSS_PATH = "../styles/dialogs.tcss"

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        return super().dismiss(result) if self.is_active else AwaitComplete()
