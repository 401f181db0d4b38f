"""Words that work against a gate: a hidden tool in plain sight, a block that loses one, a question asked twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from inspector_core.finding import Finding
from inspector_core.mantle.candidates import Candidate, candidates
from inspector_core.mantle.checks.known import Scene
from inspector_core.mantle.checks.places import part, word
from inspector_core.mantle.checks.prose import texts
from inspector_core.mantle.checks.say import say
from inspector_core.mantle.condition import parse
from inspector_core.mantle.gatelist import every_gate
from inspector_core.mantle.project import Block, Gate
from inspector_core.proof import Truth
from inspector_core.source import Span

__all__ = ["findings"]

_ASKS = re.compile(
    r"\b(?:are you sure|shall i|should i|do you want me to|would you like me to)\b"
    r"|\bask\b[^.!?]{0,80}\b(?:confirm|confirmation|consent|sure)\b"
    r"|\bconfirm\b[^.!?]{0,30}\bwith the (?:customer|user|caller)\b"
    r"|\b(?:get|obtain|wait for)\b[^.!?]{0,20}\b(?:confirmation|consent)\b",
    re.IGNORECASE,
)
_SENTENCE_START = re.compile(r"(?<=[.!?])\s")
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|\Z)", re.DOTALL)
_NEGATION = re.compile(r"\b(?:not|never|no|without)\b|n't\b|n’t\b", re.IGNORECASE)


def findings(scene: Scene) -> Iterator[Finding]:
    """What the words of one skill give away, promise in vain, or ask twice."""
    yield from _named_while_hidden(scene)
    if scene.skill.kind == "hybrid" and scene.whole:
        yield from _hidden_by_blocks(scene)
        yield from _ungated_by_blocks(scene)
    yield from _asked_twice(scene)


@lru_cache(maxsize=4096)
def mentions(tool: str, loosely: bool) -> re.Pattern[str]:
    """Finds a tool's name as a token or in backticks; loosely, also where a plain word can be nothing else."""
    name = re.escape(tool)
    sure = rf"@tool\.{name}(?![\w-]|\.\w)|`{name}(?:\(\))?`"
    return re.compile(rf"{sure}|(?<![\w@.-]){name}(?![\w-]|\.\w)" if loosely and "_" in tool else sure)


def _meant(tool: str, text: str, loosely: bool) -> re.Match[str] | None:
    """The first mention of a tool that no `not` before it, in the same sentence, takes back."""
    for match in mentions(tool, loosely).finditer(text) if tool in text else ():
        if not _NEGATION.search(_SENTENCE_START.split(text[: match.start()])[-1]):
            return match
    return None


def _named_while_hidden(scene: Scene) -> Iterator[Finding]:
    """A paragraph that always shows names a tool that is hidden while nothing is known."""
    project, skill = scene.known.project, scene.skill
    hidden = [c for c in candidates(project, skill, None) if _closed_when_empty(c)]
    for candidate in hidden:
        for paragraph in skill.paragraphs:
            match = _meant(candidate.name, paragraph.text, loosely=False) if paragraph.condition is None else None
            if match is not None:
                place = part(project.sources, paragraph.span, paragraph.text, match.start(), match.end())
                message = f"this always names `{candidate.name}`, which is hidden while memory is empty"
                yield say("inspector.prose.mentions-gated-tool", message, place, skill)
                break


def _closed_when_empty(candidate: Candidate) -> bool:
    gate = candidate.gate
    condition = gate.requires if gate is not None else None
    return candidate.never is None and condition is not None and not _holds_empty(condition.pattern or condition.text)


@lru_cache(maxsize=4096)
def _holds_empty(pattern: str) -> bool:
    """Whether all conditions of this shape hold while memory is empty, where one key is like another."""
    return parse(pattern).prove({}).truth is Truth.HOLDS


def _hidden_by_blocks(scene: Scene) -> Iterator[Finding]:
    """A step tells the model to call a tool that its block does not offer (§5.6)."""
    project, skill = scene.known.project, scene.skill
    for block in skill.blocks:
        for candidate in candidates(project, skill, block):
            place = _instructed(scene, block, candidate.name) if candidate.block_hides else None
            if place is not None:
                message = f"`{candidate.name}` is hidden in `{block.id}`, which does not list it under `tools:`"
                hint = f"add `{candidate.name}` to `tools:` of the block, with its `requires`"
                yield say("inspector.block.hides-tool", message, place, skill, hint)


def _instructed(scene: Scene, block: Block, tool: str) -> Span | None:
    """Where a step of the block names a tool in its instructions."""
    for step in block.steps:
        match = _meant(tool, step.instructions or "", loosely=True)
        if match is not None and step.instructions:
            span = step.instructions_span or step.span
            return part(scene.known.project.sources, span, step.instructions, match.start(), match.end())
    return None


def _ungated_by_blocks(scene: Scene) -> Iterator[Finding]:
    """An imported tool is offered in a block that does not list it, and there nothing guards it (§5.6)."""
    skill, imported = scene.skill, {i.name for i in scene.skill.imports}
    for gate in skill.gates:
        guarded = gate.requires is not None or (gate.confirmation is not None and gate.confirmation.enabled)
        if not guarded or gate.tool not in imported & scene.tools:
            continue
        open_in = [b for b in skill.blocks if _model_acts(b) and all(g.tool != gate.tool for g in b.gates)]
        if open_in:
            blocks = ", ".join(f"`{b.id}`" for b in open_in)
            message = f"`{gate.tool}` is offered without its gate in {blocks}: it is imported, and not listed there"
            hint = f"list `{gate.tool}` under `tools:` of the block, with its `requires` and `requires_confirmation`"
            yield say("inspector.block.drops-gate", message, gate.span, skill, hint)


def _model_acts(block: Block) -> bool:
    """The model is asked to do something in this block, and so is offered tools."""
    return any(s.kind in ("autonomous", "collect") for s in block.steps)


def _asked_twice(scene: Scene) -> Iterator[Finding]:
    """The engine asks before the call, and the author's words or gate ask as well."""
    for gate in every_gate(scene.skill):
        if gate.confirmation is None or not gate.confirmation.enabled:
            continue
        yield from _asked_by_gate(scene, gate)
        for text, span, _ in texts(scene):
            asking = _asking(text) if gate.tool in text and mentions(gate.tool, loosely=True).search(text) else None
            if asking is not None:
                place = part(scene.known.project.sources, span, text, asking.start(), asking.end())
                message = f"the engine already asks before `{gate.tool}`, so the customer is asked twice"
                yield say("inspector.confirmation.double", message, place, scene.skill)
                break


def _asked_by_gate(scene: Scene, gate: Gate) -> Iterator[Finding]:
    keys = gate.requires.keys if gate.requires is not None else ()
    for key in keys:
        if "confirm" in key.partition(".")[2].lower():
            span = word(scene.known.project.sources, gate.requires_span or gate.span, f"session.{key}")
            message = f"`{gate.tool}` waits for `{key}`, and the engine asks once more before it runs"
            yield say("inspector.confirmation.double", message, span, scene.skill)


def _asking(text: str) -> re.Match[str] | None:
    """The first sentence part that has the model ask, unless the sentence forbids it."""
    for sentence in _SENTENCE.finditer(text):
        if not _NEGATION.search(sentence[0]):
            match = _ASKS.search(text, sentence.start(), sentence.end())
            if match is not None:
                return match
    return None
