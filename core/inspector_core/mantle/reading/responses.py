"""`responses.yml`: what the agent says word for word, in variants (§1.3)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.classes import NamedTuple
from inspector_core.finding import Finding, Severity, did_you_mean
from inspector_core.mantle.condition import Condition, parse
from inspector_core.mantle.project import Button, Named, Response, Variant
from inspector_core.mantle.reading.yaml import Node, load
from inspector_core.source import Source, Span

__all__ = ["ResponsesText", "read_responses"]

_VARIANT_KEYS = ("text", "metadata", "condition", "buttons")
_KNOWN = frozenset(_VARIANT_KEYS)
_new = tuple.__new__
"""Makes a named tuple in half the time that its own constructor takes."""
_FAILED = "mantle.validation.skill.failed_to_load"
_NO_VARIANTS = "inspector.responses.no-variants"


class ResponsesText(NamedTuple):
    """What one `responses.yml` was read as."""

    responses: tuple[Response, ...] = ()
    findings: tuple[Finding, ...] = ()


def read_responses(source: Source, owner: str | None) -> ResponsesText:
    """A skill's responses, or without an owner the project's."""
    document, reader = load(source), _Reader(owner)
    responses = tuple(reader.responses(document.node or document.partial))
    if document.node is None:  # what was read of a text that breaks off may be half of what is meant
        return ResponsesText(responses, document.findings)
    return ResponsesText(responses, (*document.findings, *reader.findings))


class _Reader:
    """Reads responses, and goes on past those that are malformed."""

    def __init__(self, owner: str | None) -> None:
        self.owner = owner
        self.findings: list[Finding] = []

    def responses(self, root: Node | None) -> Iterator[Response]:
        listed = self._listed(root)
        if listed is None:
            return
        for name, key, node in listed.pairs():
            variants = tuple(v for item in self._items(name, node) if (v := self._variant(name, item)))
            yield _new(Response, (name, variants, key.span, self.owner))

    def _registry(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        """What the engine refuses while it loads the file."""
        reported = None if self.owner is None else _FAILED
        code = f"responses.registry.{code}"
        self.findings.append(Finding(code, Severity.ERROR, message, span, hint, reported_as=reported))

    def _refuse(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        """What the engine refuses once the file is loaded."""
        self.findings.append(Finding(f"mantle.validation.response.{code}", Severity.ERROR, message, span, hint))

    def _listed(self, root: Node | None) -> Node | None:
        if root is None or root.value is None:
            return None
        if root.kind != "mapping":
            self._registry("invalid_mapping", "the responses are no mapping", root.span, "begin with `responses:`")
            return None
        listed = root.get("responses")
        if listed is None:
            message, hint = "this file has no `responses:`, so it holds none", "put the responses under `responses:`"
            span = root.source.span(root.start)
            self.findings.append(Finding("inspector.responses.none", Severity.WARNING, message, span, hint))
        elif listed.value is not None and listed.kind != "mapping":
            hint = "write each response as `utter_…:` with its variants below"
            self._registry("invalid_mapping", "`responses:` is no mapping of names to variants", listed.span, hint)
        return listed if listed and listed.kind == "mapping" else None

    def _items(self, name: str, node: Node) -> tuple[Node, ...]:
        """The variants as written: a list, or a single one without its list."""
        if node.kind == "sequence":
            if not node.items:
                message = f"`{name}` has no variants, so its name would be spoken"
                hint = "add one, such as `- text: …`"
                self.findings.append(Finding(_NO_VARIANTS, Severity.WARNING, message, node.span, hint))
            return node.items
        if node.value is None:
            self._registry("invalid_entry", f"`{name}` has no variants", node.span, "add a list with `- text: …`")
            return ()
        return (node,)

    def _variant(self, name: str, node: Node) -> Variant | None:
        if node.kind == "mapping":
            return self._mapped(name, node)
        if node.kind == "scalar" and node.value is not None:
            return Variant(str(node.value), node.span, text_span=node.span)
        self._registry("invalid_variant", f"a variant of `{name}` is neither a text nor a mapping", node.span)
        return None

    def _mapped(self, name: str, node: Node) -> Variant:
        values = {key[0]: value for key, value in node.entries}
        if not values.keys() <= _KNOWN:
            self._unknown(node)
        text, condition, buttons = values.get("text"), values.get("condition"), values.get("buttons")
        when, place = self._condition(condition) if condition else (None, None)
        listed, source = self._buttons(name, buttons) if buttons else ((), None)
        words, written = (self._text(name, text), text.span) if text else (None, None)
        rephrase = "metadata" in values and self._rephrase(name, values["metadata"])
        return _new(Variant, (words, node.span, when, place, listed, source, rephrase, written))

    def _unknown(self, node: Node) -> None:
        for _, key, _ in node.pairs():
            if key.value not in _KNOWN:
                word = key.text[:40]
                hint = did_you_mean(word, _VARIANT_KEYS) or "use `text`, `metadata`, `condition` or `buttons`"
                self._refuse("invalid_variant_key", f"`{word}` is no part of a response", key.span, hint)

    def _text(self, name: str, node: Node) -> str | None:
        if node.value is None:
            return None
        if node.kind != "scalar":
            self._refuse("invalid_variant_shape", f"the text of `{name}` is no text", node.span)
            return None
        return str(node.value)

    def _condition(self, node: Node) -> tuple[Condition | None, Span | None]:
        if node.value is None:
            return None, None
        if not isinstance(node.value, str):
            hint = "put the condition in quotes" if node.kind == "scalar" else None
            self._refuse("invalid_condition", f"`{node.text[:40]}` is no condition", node.span, hint)
        return parse(str(node.value)), node.span

    def _rephrase(self, name: str, node: Node) -> bool:
        if node.value is None:
            return False
        if not isinstance(node.value, dict):
            self._refuse("invalid_variant_shape", f"the metadata of `{name}` is no mapping", node.span)
            return False
        return node.value.get("rephrase") is True

    def _buttons(self, name: str, node: Node) -> tuple[tuple[Button, ...], Named | None]:
        if node.value is None:
            return (), None
        if node.kind == "sequence":
            return tuple(b for item in node.items if (b := self._button(name, item))), None
        source = node.get("source") if node.kind == "mapping" else None
        if source is not None and isinstance(source.value, str):
            return (), Named(source.value, source.span)
        hint = "write a list of `title` and `payload`, or `source:` with the tool that makes them"
        self._registry("invalid_variant", f"the buttons of `{name}` can't be read", node.span, hint)
        return (), None

    def _button(self, name: str, node: Node) -> Button | None:
        title = node.get("title") if node.kind == "mapping" else None
        payload = node.get("payload") if node.kind == "mapping" else None
        if title and payload and title.kind == payload.kind == "scalar":
            return _new(Button, (str(title.value), str(payload.value), payload.span))
        message = f"a button of `{name}` lacks its `title` or its `payload`"
        self._registry("invalid_variant", message, node.span)
        return None
