"""The MCP servers of `integrations.yml` (§1.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inspector_core.finding import Finding
from inspector_core.mantle.project import Named, Server
from inspector_core.mantle.reading.section import Section
from inspector_core.mantle.reading.yaml import Node

__all__ = ["read_servers"]

_INVALID = "mantle.validation.config.invalid_mcp_server"
_DUPLICATE = "mantle.validation.config.duplicate_mcp_server_name"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_OWN_KEYS = frozenset(("name", "url", "tool_timeout", "additional_params", "meta_map"))
_CREDENTIALS = ("token", "api_key", "oauth", "module")
_UNSUPPORTED = {
    "token_env": "write `token: ${…}`",
    "pre_call_hook": None,
    "protocol_version": None,
}


def read_servers(node: Node | None, findings: list[Finding]) -> Iterator[Server]:
    """Each server that has a name, whatever else is wrong with it; of two of the same name the first."""
    if node is None:
        return
    if node.kind != "sequence":
        hint = "write `- name: …` for each, with its `url` below"
        Section(node, _INVALID, findings).refuse("the servers are no list", node.span, hint)
        return
    seen: set[str] = set()
    for item in node.items:
        section = Section(item, _INVALID, findings)
        if item.kind != "mapping":
            section.refuse("this server is no mapping", item.span)
            continue
        name = _name(section)
        if name is not None and name.name in seen:
            section.refuse(f"there are two servers `{name.name}`", name.span, code=_DUPLICATE)
        elif name is not None:
            seen.add(name.name)
            url = _url(section)
            yield Server(name.name, url, name.span)
        _check(section)


def _name(section: Section) -> Named | None:
    name = section.text("name")
    if name is None and section.value("name") is None:
        section.refuse("this server has no `name`", section.node.span)
    elif name is not None and not _NAME.fullmatch(name.name):
        hint = "begin with a letter or digit; then letters, digits, `_`, `.` and `-`"
        section.refuse(f"`{name.name}` can't be a server's name", name.span, hint)
    return name


def _url(section: Section) -> str | None:
    url = section.text("url")
    if url is None and section.value("url") is None:
        section.refuse("this server has no `url`", section.node.span)
    elif url is not None and not url.name.startswith(("http://", "https://", "${")):
        section.refuse(f"`{url.name}` is no address of a server", url.span, "begin with `http://` or `https://`")
    return url.name if url else None


def _check(section: Section) -> None:
    timeout = section.number("tool_timeout")
    if timeout is not None and timeout <= 0 and (node := section.value("tool_timeout")):
        section.refuse("`tool_timeout` must be more than 0 seconds", node.span)
    extras = [(name, key) for name, key, _ in section.node.pairs() if name not in _OWN_KEYS]
    inner = section.section("additional_params")
    if inner is not None:
        extras += [(name, key) for name, key, _ in inner.node.pairs()]
    _credentials(section, extras)
    meta = section.section("meta_map")
    for name, span, hint in meta.unknown(("static",)) if meta else ():
        section.refuse(f"`meta_map` can only be `static`, not `{name}`", span, hint)


def _credentials(section: Section, extras: list[tuple[str, Node]]) -> None:
    given = [(name, key) for name, key in extras if name in _CREDENTIALS]
    for name, key in given[1:]:
        message = f"this server has a `{given[0][0]}` already, so it can't have a `{name}` too"
        section.refuse(message, key.span, "leave one of them")
    for name, key in extras:
        if name in _UNSUPPORTED:
            section.refuse(f"`{name}` is not supported", key.span, _UNSUPPORTED[name])
