"""`memory.yml`, the project's and a skill's: what may be kept in memory, and how (§3.1, §3.2)."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.classes import NamedTuple
from inspector_core.finding import Finding, Severity, did_you_mean
from inspector_core.mantle.project import Field, Scope
from inspector_core.mantle.reading.yaml import Document, Node, load
from inspector_core.source import Source, Span

__all__ = ["MemoryText", "read_project_memory", "read_skill_memory"]

_ATTRIBUTES = (
    "type", "description", "enum_values", "llm_settable", "initial_value", "pii", "anonymization", "seed",
    "privacy_rules",
)  # fmt: skip
_FLAGS = ("llm_settable", "pii", "seed")
_new = tuple.__new__
"""Makes a named tuple in half the time that its own constructor takes."""
_KNOWN = frozenset(_ATTRIBUTES)
_SECTIONS: tuple[Scope, ...] = ("public", "private")
_YES = frozenset(("true", "yes", "on", "1"))


class MemoryText(NamedTuple):
    """What one `memory.yml` was read as."""

    fields: tuple[Field, ...] = ()
    findings: tuple[Finding, ...] = ()


def read_skill_memory(source: Source, skill_id: str) -> MemoryText:
    """A skill's contract: public entries, then private ones; of two with the same name the private one counts."""
    document, reader = load(source), _Reader(skill_id)
    schema = reader.schema(document.node or document.partial)
    public, private = (reader.section(schema, scope) if schema else {} for scope in _SECTIONS)
    for entry in public.keys() & private.keys():
        message = f"`{entry}` is declared as public and as private: it is private"
        reader.warn("inspector.memory.shadowed", message, public[entry].span)
    kept = [f for entry, f in public.items() if entry not in private]
    return MemoryText((*kept, *private.values()), reader.judged(document))


def read_project_memory(source: Source) -> MemoryText:
    """The project's entries: a flat map."""
    document, reader = load(source), _Reader("project")
    node = document.node or document.partial
    fields = {} if node is None or node.value is None else reader.fields(node, "project", "this file")
    return MemoryText(tuple(fields.values()), reader.judged(document))


class _Reader:
    """Reads entries, and notes what the engine would pass over without a word."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.findings: list[Finding] = []

    def judged(self, document: Document) -> tuple[Finding, ...]:
        """What is wrong; of a text that breaks off only that: what was read of it may be half of what is meant."""
        return document.findings if document.node is None else (*document.findings, *self.findings)

    def warn(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        self.findings.append(Finding(code, Severity.WARNING, message, span, hint))

    def schema(self, root: Node | None) -> Node | None:
        """The `schema:` mapping; a file without one declares nothing, and the engine says nothing of it."""
        if root is None or root.value is None:
            return None
        schema = root.get("schema") if root.kind == "mapping" else None
        access = root.key("access") if root.kind == "mapping" else None
        if access is not None:
            message = "`access` is of an older engine: this one passes over it, and shields nothing by it"
            hint = "put what no other skill may read under `private:`"
            self.warn("inspector.memory.access-ignored", message, access.span, hint)
        if schema is None:
            message = "this file declares nothing: it has no `schema:`"
            hint = "put the entries under `schema:` and `public:` or `private:`"
            self.warn("inspector.memory.no-schema", message, root.source.span(root.start), hint)
            return None
        if schema.value is not None and schema.kind != "mapping":
            self.warn("inspector.memory.no-schema", "this file declares nothing: `schema:` is no mapping", schema.span)
        return schema if schema.kind == "mapping" else None

    def section(self, schema: Node, scope: Scope) -> dict[str, Field]:
        if scope == _SECTIONS[0]:
            self._unknown(schema, _SECTIONS, "no part of a schema")
        node = schema.get(scope)
        return {} if node is None or node.value is None else self.fields(node, scope, f"`{scope}:`")

    def fields(self, node: Node, scope: Scope, where: str) -> dict[str, Field]:
        """The entries of one mapping, by name."""
        if node.kind != "mapping":
            self.warn("inspector.memory.not-a-mapping", f"{where} declares nothing: it is no mapping", node.span)
            return {}
        return {name: self._field(name, key, value, scope) for name, key, value in node.pairs()}

    def _field(self, name: str, key: Node, node: Node, scope: Scope) -> Field:
        values = self._attributes(name, node)
        kind, description = values.get("type"), values.get("description")
        settable, pii, seed = [flag in values and self._flag(flag, node, values) for flag in _FLAGS]
        return _new(Field, (
            f"{self.owner}.{name}", scope, "any" if kind is None else str(kind), key.span,
            None if description is None else str(description),
            self._enum(name, node, values) if "enum_values" in values else (), settable,
            values.get("initial_value"), pii, seed,
        ))  # fmt: skip

    def _attributes(self, name: str, node: Node) -> Mapping[object, object]:
        if isinstance(node.value, dict):
            if not node.value.keys() <= _KNOWN:
                self._unknown(node, _ATTRIBUTES, f"no attribute of an entry, so `{name}` goes without it")
            return node.value
        if node.value is not None:
            message = f"`{name}` is declared without attributes: `{node.text[:40]}` is passed over"
            hint = f"write `type: {node.text[:40]}` below it" if node.kind == "scalar" else None
            self.warn("inspector.memory.not-a-mapping", message, node.span, hint)
        return {}

    def _unknown(self, node: Node, known: tuple[str, ...], what: str) -> None:
        for name, key, _ in node.pairs():
            if name not in known:
                self.warn(
                    "inspector.memory.unknown-attribute", f"`{name}` is {what}", key.span, did_you_mean(name, known)
                )

    def _enum(self, name: str, node: Node, values: Mapping[object, object]) -> tuple[object, ...]:
        listed = values.get("enum_values")
        if isinstance(listed, list):
            return tuple(listed)
        if listed is not None and (place := node.get("enum_values")):
            self.warn("inspector.memory.enum-not-a-list", f"the values of `{name}` are no list", place.span)
        return ()

    def _flag(self, attribute: str, node: Node, values: Mapping[object, object]) -> bool:
        value = values.get(attribute)
        if value is None or isinstance(value, bool):
            return bool(value)
        if place := node.get(attribute):
            self.warn("inspector.memory.not-a-boolean", f"`{attribute}` is neither `true` nor `false`", place.span)
        return str(value).lower() in _YES
