"""The command palette, proof against keys that come before it is drawn or after it is left."""

from __future__ import annotations

from textual.await_complete import AwaitComplete
from textual.command import CommandList, CommandPalette

__all__ = ["Palette"]


class Palette(CommandPalette):
    """A list that has no cell to stand in has no page to turn; what is left already isn't left again."""

    def dismiss(self, result: None = None) -> AwaitComplete:
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def _action_command_list(self, action: str) -> None:
        if self.query_one(CommandList).scrollable_content_region:
            super()._action_command_list(action)
