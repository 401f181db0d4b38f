"""The JSON that every command gives, and its writing: plain ASCII, so that no byte of it can act on anything."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from inspector_core.finding import Finding
from inspector_core.proof import Proof

if TYPE_CHECKING:
    from inspector_core.report import Plan, Verdict

__all__ = ["dumps", "finding", "plain", "proof", "verdict"]

_DEEPEST = 300
_DEEPEST_PROOF = 100


def dumps(value: object, indent: int | None = 2) -> str:
    """JSON text of anything; control characters, all beyond ASCII and orders to build servers are escaped."""
    text = json.dumps(plain(value), indent=indent, ensure_ascii=True, allow_nan=False)
    return text.replace("\x7f", "\\u007f").replace("##", "#\\u0023")


def plain(value: object, depth: int = 0) -> object:
    """The value in terms of JSON; what JSON has no word for becomes its text."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return value if abs(value) < 1 << 1024 else hex(value)
        case float():
            return value if math.isfinite(value) else repr(value)
        case _ if depth > _DEEPEST:
            return "…"
        case Mapping():
            return {k if isinstance(k, str) else str(plain(k)): plain(v, depth + 1) for k, v in value.items()}
        case list() | tuple() | set() | frozenset():
            return [plain(v, depth + 1) for v in value]
        case _:
            return str(value)


def finding(of: Finding) -> dict[str, object]:
    """A finding; its path is relative to the agent's folder, lines and columns count from 1."""
    span = of.span
    return {
        "code": of.code,
        "severity": of.severity.value,
        "message": of.message,
        "hint": of.hint,
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "skill": of.skill,
        "reported_as": of.reported_as,
    }


def verdict(of: Verdict) -> dict[str, object]:
    """A verdict on one tool with the proof of its gate."""
    span, gate = of.span, of.gate_span
    return {
        "skill": of.skill,
        "tool": of.tool,
        "kind": of.kind,
        "offered": of.offered,
        "admissible": of.admissible,
        "standing": of.standing,
        "reason": of.reason,
        "why": of.why,
        "requires": of.requires,
        "proof": None if of.proof is None else proof(of.proof),
        "confirmation": None if of.confirmation is None else _plan(of.confirmation),
        "on_success": of.on_success,
        "on_failure": of.on_failure,
        "place": None if span is None else str(span),
        "gate_place": None if gate is None else str(gate),
    }


def proof(part: Proof, depth: int = 0) -> dict[str, object]:
    """A proof as a tree of its parts; `truncated` where it goes deeper than anybody writes."""
    shown: dict[str, object] = {
        "text": part.text,
        "kind": part.kind,
        "truth": part.truth.value,
        "value": part.value,
        "error": part.error,
        "cause": part.cause,
        "evaluated": part.evaluated,
        "key": part.key,
        "unset": part.unset,
        "children": [proof(c, depth + 1) for c in part.children] if depth < _DEEPEST_PROOF else [],
    }
    return shown if depth < _DEEPEST_PROOF or not part.children else shown | {"truncated": True}


def _plan(plan: Plan) -> dict[str, object]:
    return asdict(plan)
