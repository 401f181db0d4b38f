"""`integrations.yml`: MCP servers and model groups (§1.2). Servers are listed, and never contacted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inspector_core.classes import NamedTuple
from inspector_core.finding import Finding, Severity
from inspector_core.mantle.project import Server
from inspector_core.mantle.reading.section import Section
from inspector_core.mantle.reading.servers import read_servers
from inspector_core.mantle.reading.yaml import Node, load
from inspector_core.source import Source

__all__ = ["IntegrationsText", "read_integrations"]

_CONFIG = "mantle.validation.config."
_KEYS = (
    "mcp_servers", "knowledge_stores", "model_groups", "channels", "tracing", "metrics", "a2a_server", "event_broker",
    "timer_store", "tracker_store", "lock_store", "secrets_manager", "rasa_model_server", "recordings",
)  # fmt: skip
_MODELS_MOVED = "declare models under `model_groups`, and name one in `agent.yml`: `orchestrator.model_group`"
_OLD_KEYS = {
    "nlg": "rephrase a response with `metadata: {rephrase: true}` in `responses.yml`",
    "action_endpoint": "write the skill's actions as tools in its `tools.py`",
    "vector_store": "declare stores under `knowledge_stores`",
    "nlu": "this engine has no such stage: skills are chosen by their descriptions",
    "interaction_handling": "set what is left of it in `agent.yml`",
}
_SECRETS = frozenset((
    "api_key", "token", "password", "secret", "client_secret", "private_key", "secret_key", "access_token",
))  # fmt: skip
_PLACEHOLDER = re.compile(r"\$\{[^}]*\}")


class IntegrationsText(NamedTuple):
    """What `integrations.yml` was read as."""

    servers: tuple[Server, ...] = ()
    model_groups: tuple[str, ...] = ()
    complete: bool = True
    """Every group could be read, so one that is not among these is not declared."""
    findings: tuple[Finding, ...] = ()


def read_integrations(source: Source) -> IntegrationsText:
    """The servers and groups, as far as the file can be read."""
    document = load(source)
    findings = list(document.findings)
    root = document.node or document.partial
    if root is None or root.kind != "mapping":
        if root is not None and root.value is not None:
            message = "`integrations.yml` is no mapping"
            findings.append(Finding("inspector.integrations.invalid", Severity.ERROR, message, root.span))
        return IntegrationsText(complete=not findings, findings=tuple(findings))
    section = Section(root, f"{_CONFIG}unknown_integration_key", findings)
    _keys(section)
    groups = tuple(dict.fromkeys(_model_groups(section)))
    servers = tuple(read_servers(section.value("mcp_servers"), findings))
    findings += _literals(root)
    unread = document.partial is not None or any(f.code == f"{_CONFIG}invalid_model_group" for f in findings)
    return IntegrationsText(servers, groups, not unread, tuple(findings))


def _keys(root: Section) -> None:
    for name, span, hint in root.unknown(_KEYS):
        if name in ("llm", "models"):
            root.refuse(f"`{name}` has no place in this file", span, _MODELS_MOVED, f"{_CONFIG}unexpected_llm")
        elif name in _OLD_KEYS:
            message = f"`{name}` is of an older engine"
            root.refuse(message, span, _OLD_KEYS[name], f"{_CONFIG}unsupported_integration_key")
        else:
            root.refuse(f"`{name}` is no integration", span, hint)


def _model_groups(root: Section) -> Iterator[str]:
    node = root.value("model_groups")
    if node is None:
        return
    section = Section(node, f"{_CONFIG}invalid_model_group", root.findings)
    if node.kind != "sequence":
        section.refuse("the model groups are no list", node.span, "write `- id: …` for each, with its `models` below")
        return
    seen: set[str] = set()
    for item in node.items:
        group = Section(item, section.code, root.findings)
        own_id = group.text("id") if item.kind == "mapping" else None
        if own_id is None or not own_id.name.strip():
            group.refuse("this model group has no `id`", item.span, "add `id: …`, for `agent.yml` to name it by")
            continue
        if own_id.name in seen:
            message = f"there are two model groups `{own_id.name}`"
            group.refuse(message, own_id.span, code=f"{_CONFIG}duplicate_model_group_id")
        seen.add(own_id.name)
        _models(group, own_id.name)
        yield own_id.name


def _models(group: Section, own_id: str) -> None:
    node = group.value("models")
    if node is None or node.kind != "sequence" or not all(m.kind == "mapping" for m in node.items):
        place = node.span if node else group.node.source.span(group.node.start)
        group.refuse(f"the models of `{own_id}` are no list of mappings", place, "write `- provider: …`, `model: …`")


def _literals(root: Node) -> Iterator[Finding]:
    """Secrets written out, and types that only the environment tells. No message repeats a secret."""
    stack = [root]
    while stack:
        node = stack.pop()
        for name, key, value in node.pairs() if node.kind == "mapping" else ():
            if isinstance(value.value, str):
                yield from _literal(name, key, value)
            else:
                stack.append(value)
        stack.extend(node.items)


def _literal(name: str, key: Node, value: Node) -> Iterator[Finding]:
    held = bool(_PLACEHOLDER.search(str(value.value)))
    if name == "type" and held:
        message = "the type is only known where the agent runs, so what stands beside it can't be checked"
        yield Finding(f"{_CONFIG}type_env_placeholder", Severity.WARNING, message, value.span)
    elif name in _SECRETS and str(value.value).strip() and not held:
        hint = f"write `{name}: ${{{name.upper()}}}`, and keep the secret in the environment"
        message = f"`{name}` is written out in the file"
        yield Finding(f"{_CONFIG}literal_secret", Severity.WARNING, message, value.span, hint)
