"""Every code that findings on tool rules have, with what it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["CODES"]

CODES: Final[Mapping[str, str]] = {
    # files
    "letta.file.unreadable": "the file can't be taken apart as what its name says it is",
    "letta.file.no-rules": "the file holds neither an agent nor tool rules",
    "letta.file.doubly-encoded": "the file is JSON within a text of JSON, as some exports are; both were read",
    "letta.file.other": "another file of the folder holds rules too, and is not shown",
    "letta.file.several-agents": "the file holds several agents, and the first that has rules is shown",
    "letta.tools.by-id": "the tools are given by ids, which say nothing of their names",
    "letta.tools.unknown-id": "the agent names a tool by an id that no tool of the file has",
    "letta.tools.unnamed": "a tool of the file has no name",
    "letta.rules.unreadable": "the list of rules can't be read: it is no list, or made while the program runs",
    # one rule, as written
    "letta.rule.unreadable": "the rule, or a field of it, is no object, or made while the program runs",
    "letta.rule.type-missing": "without a `type` the server refuses the rule",
    "letta.rule.type-unknown": "the server knows no such kind of rule, and refuses it",
    "letta.rule.old-type": "the kind is written by a name of an older version, which the server refuses",
    "letta.rule.old-field": "a field is written by the name that an older client had for it",
    "letta.rule.field-missing": "a field is missing that the kind can't do without; some exports have lost them",
    "letta.rule.field-unknown": "the kind has no such field, and the server refuses rules with unknown ones",
    "letta.rule.field-wrong": "the field holds another kind of value than the server takes",
    "letta.rule.node-no-child": "arguments are given for a tool that is not among the rule's children",
    "letta.rule.guard-refused": "a `condition` was sketched on an official page and never taken; it is read here only",
    "letta.rule.guard-wrong": "the guard's expression can't be evaluated, so its tool stays hidden",
    # rules together
    "letta.rule-lost": "the rule was asked for (`--before`) and is not there any more: it was dropped on the way",
    "letta.tool-not-attached": "a rule names a tool that the agent does not have",
    "letta.first-not-attached": "only tools that are not attached may begin, so nothing can",
    "letta.tool-unreachable": "whatever is called, the rules never let the tool be called",
    "letta.dead-end": "there are calls after which the turn goes on and the rules let nothing be called",
    "letta.endless": "there are calls after which the model must go on calling and can never end the turn",
    "letta.required-unreachable": "the tool must be called before the turn ends, and can never be called",
    "letta.required-after-exit": "a tool that ends the turn may come before a required one, and then ends nothing",
    "letta.two-parents": "two `parent_last_tool` rules share a child: each hides it right after the other's tool",
    "letta.parent-hides-itself": "a tool is its own parent's child, and so hidden until it was called",
    "letta.key-never-returned": "the tool's code returns no text that is equal to a key of its mapping",
    "letta.key-one-spelling": "the key matches one spelling of a boolean alone; Python tools return `True` and `False`",
    "letta.key-becomes-text": "saving turns the key into text, after which it is compared exactly",
    "letta.count-zero": "the tool may never be called, since its most is none",
    "letta.approval-forbidden": (
        "the rules can forbid the tool, and the server's loops ask for approval before they look at them: a call that"
        " breaks the rules is put to a person as any other, and runs once it is approved"
    ),
    "letta.duplicate": "a save keeps only the first of rules that the server takes to be the same",
    "letta.one-way": "at every step the rules allow a single tool: this is a pipeline, and the model chooses nothing",
    "letta.not-all-explored": "the rules lead to more situations than are looked at, so some findings may be missing",
}
