"""`import_tools`: the shared tools and the servers' tools that a skill asks for (§5.5)."""

from __future__ import annotations

import re

from inspector_core.mantle.project import Import
from inspector_core.mantle.reading.nodes import Node
from inspector_core.mantle.reading.notes import Notes
from inspector_core.mantle.reading.words import described, quoted

__all__ = ["imports"]

_new = tuple.__new__
"""Makes a named tuple in half the time that its own constructor takes."""
_CODE = "skill.markdown.invalid_import_tools"
_SERVER_TOOL = re.compile(r"mcp/([A-Za-z0-9][\w.-]*):([\w-]{1,64})", re.ASCII)


def imports(node: Node | None, notes: Notes) -> tuple[Import, ...]:
    """The entries that can be made out; one that is malformed is told and left out."""
    if node is None or node.value is None:
        return ()
    if node.kind == "sequence":
        found = [_import(item, notes) for item in node.items]
    else:
        message = f"`import_tools` takes a list of tool names, not {described(node)}"
        notes.error(_CODE, message, node, "write each name in a line of its own, after `- `")
        found = [Import(node.value, None, node.span)] if isinstance(node.value, str) else []
    return tuple(entry for entry in found if entry)


def _import(item: Node, notes: Notes) -> Import | None:
    name = item.value
    if not isinstance(name, str):
        notes.error(_CODE, f"an entry of `import_tools` is a tool's name, not {described(item)}", item)
        return None
    if not name.startswith("mcp/"):
        return Import(name, None, item.span)
    match = _SERVER_TOOL.fullmatch(name)
    if match is None:
        hint = "letters, digits, `_` and `-`, in the server also `.`; a tool's name has at most 64 of them"
        notes.error(_CODE, f"{quoted(name)} does not have the form `mcp/<server>:<tool>`", item, hint)
        return None
    return _new(Import, (match[2], match[1], item.span))
