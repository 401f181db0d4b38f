"""The nine kinds of tool rules, a guard of our own beside them, and what a set of them is asked for (§1.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Literal, TypeVar

from inspector_core.classes import NamedTuple, dataclass
from inspector_core.source import Span

__all__ = [
    "Children", "Conditional", "ContinueLoop", "Effect", "ExitLoop", "Guard", "MaxCount", "Node", "Parent",
    "RequiredBeforeExit", "RequiresApproval", "Rule", "Rules", "RunFirst", "Verb", "kind", "targets", "wire", "words",
]  # fmt: skip


class Node(NamedTuple):
    """Arguments that a child gets when it follows."""

    name: str
    args: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class RunFirst:
    """`run_first`: one of these begins, whatever other rules say."""

    tool: str
    args: Mapping[str, object] | None = None
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Children:
    """`constrain_child_tools`: right after its tool, only these."""

    tool: str
    children: tuple[str, ...]
    nodes: tuple[Node, ...] = ()
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Parent:
    """`parent_last_tool`: right after its tool only these, and at any other time none of these."""

    tool: str
    children: tuple[str, ...]
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Conditional:
    """`conditional`: right after its tool, the one that its output is mapped to (§1.4)."""

    tool: str
    mapping: tuple[tuple[object, str], ...]
    """Keys are texts in any file; Python programs may also give booleans and numbers."""
    default: str | None = None
    require: bool = False
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class MaxCount:
    """`max_count_per_step`: hidden once it was called so often in one request."""

    tool: str
    limit: int
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ExitLoop:
    """`exit_loop`: its call ends the turn."""

    tool: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ContinueLoop:
    """`continue_loop`: after its call the model goes on."""

    tool: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class RequiredBeforeExit:
    """`required_before_exit`: the turn can't end before it was called."""

    tool: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class RequiresApproval:
    """`requires_approval`: a person is asked before it runs."""

    tool: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Guard:
    """A kind of our own, which the server refuses: hidden unless an expression over the last output holds (§4)."""

    tool: str
    when: str
    span: Span | None = field(default=None, compare=False)


Rule = (
    RunFirst
    | Children
    | Parent
    | Conditional
    | MaxCount
    | ExitLoop
    | ContinueLoop
    | RequiredBeforeExit
    | RequiresApproval
    | Guard
)

_KINDS: Mapping[type[Rule], str] = {
    RunFirst: "run_first",
    Children: "constrain_child_tools",
    Parent: "parent_last_tool",
    Conditional: "conditional",
    MaxCount: "max_count_per_step",
    ExitLoop: "exit_loop",
    ContinueLoop: "continue_loop",
    RequiredBeforeExit: "required_before_exit",
    RequiresApproval: "requires_approval",
    Guard: "guard",
}


def kind(rule: Rule) -> str:
    """The `type` under which a rule is written."""
    return _KINDS[type(rule)]


def targets(rule: Rule) -> tuple[str, ...]:
    """The tools that a rule names besides its own, each once."""
    match rule:
        case Children(children=named) | Parent(children=named):
            return tuple(dict.fromkeys(named))
        case Conditional(mapping=mapping, default=default):
            return tuple(dict.fromkeys([*(tool for _, tool in mapping), *([default] if default is not None else [])]))
        case _:
            return ()


def words(rule: Rule) -> str:
    """A rule in a line, by its own words."""
    head = f"{kind(rule)} {rule.tool}"
    match rule:
        case Children(children=named) | Parent(children=named):
            return f"{head} → {', '.join(named) or 'nothing'}"
        case Conditional(mapping=mapping, default=default, require=require):
            routes = ", ".join(f"{key} → {tool}" for key, tool in mapping)
            other = "else nothing" if require else f"else {default}" if default else "else anything"
            return f"{head}: {routes}; {other}"
        case MaxCount(limit=limit):
            return f"{head} ≤ {limit}"
        case Guard(when=when):
            return f"{head} when {when}"
        case _:
            return head


def wire(rule: Rule) -> dict[str, object]:
    """A rule as the server takes it; a guard as we read it back."""
    told: dict[str, object] = {"type": kind(rule), "tool_name": rule.tool}
    match rule:
        case RunFirst(args=args) if args is not None:
            told["args"] = dict(args)
        case Children(children=children, nodes=nodes):
            told["children"] = list(children)
            if nodes:
                told["child_arg_nodes"] = [{"name": n.name, "args": n.args} for n in nodes]
        case Parent(children=children):
            told["children"] = list(children)
        case Conditional(mapping=mapping, default=default, require=require):
            told["child_output_mapping"] = {_key(key): tool for key, tool in mapping}
            told["default_child"], told["require_output_mapping"] = default, require
        case MaxCount(limit=limit):
            told["max_count_limit"] = limit
        case Guard(when=when):
            told["when"] = when
        case _:
            pass
    return told


def _key(key: object) -> str:
    """What saving makes of a key: only text is left (§1.4)."""
    return str(key).lower() if isinstance(key, bool) else str(key)


Verb = Literal["begins", "narrows", "demands", "hides", "routes", "ends its count", "guards"]
"""What a rule does to the list. `demands`: right after a parent; `hides`: at any other time."""

_NONE: frozenset[str] = frozenset()


class Effect(NamedTuple):
    """What one rule does to the list now: `only` these are left, or those in `hidden` are taken out."""

    rule: Rule
    verb: Verb
    why: str
    """Why it bears now, in a line."""
    only: frozenset[str] | None = None
    hidden: frozenset[str] = _NONE

    def lets(self, tool: str) -> bool:
        """Whether the tool may be called as far as this rule goes."""
        return tool in self.only if self.only is not None else tool not in self.hidden


R = TypeVar("R", bound=Rule)


class Rules:
    """A set of rules, sorted once by what they are asked for; order is kept everywhere."""

    __slots__ = (
        "after", "approval", "asking", "continuing", "first", "forcing", "guards", "hidden", "hides", "limited",
        "limits", "own", "parented", "parents", "required", "rules", "terminal",
    )  # fmt: skip

    def __init__(self, rules: Iterable[Rule] = ()) -> None:
        self.rules: tuple[Rule, ...] = tuple(rules)
        self.first = self.of(RunFirst)
        self.limits = self.of(MaxCount)
        self.parents = self.of(Parent)
        self.guards = self.of(Guard)
        self.required: tuple[str, ...] = tuple(r.tool for r in self.of(RequiredBeforeExit))
        self.approval: tuple[str, ...] = tuple(r.tool for r in self.of(RequiresApproval))
        self.asking = frozenset(self.approval)
        self.terminal = frozenset(r.tool for r in self.of(ExitLoop))
        self.continuing = frozenset(r.tool for r in self.of(ContinueLoop))
        self.after: dict[str, tuple[Children | Conditional, ...]] = {}
        """Tool to the rules on what follows it."""
        for rule in self.rules:
            if isinstance(rule, (Children, Conditional)):
                self.after[rule.tool] = (*self.after.get(rule.tool, ()), rule)
        self.own: dict[str, tuple[Rule, ...]] = {}
        """Tool to the rules that are its own."""
        for rule in self.rules:
            self.own[rule.tool] = (*self.own.get(rule.tool, ()), rule)
        self.limited = frozenset(r.tool for r in self.limits)
        self.parented = frozenset(r.tool for r in self.parents)
        self.hides = tuple(
            Effect(r, "hides", f"`{r.tool}` was not called last", hidden=frozenset(r.children)) for r in self.parents
        )
        """What parents do while none of them was called last, as they mostly weren't."""
        self.hidden: frozenset[str] = _NONE.union(*(effect.hidden for effect in self.hides))
        self.forcing = self.parented | self.after.keys()

    def of(self, kind: type[R]) -> tuple[R, ...]:
        """The rules of one kind."""
        return tuple(r for r in self.rules if isinstance(r, kind))

    def about(self, tool: str) -> tuple[Rule, ...]:
        """The rules that name a tool, as their own or as another's."""
        return tuple(r for r in self.rules if r.tool == tool or tool in targets(r))

    def has_children(self, tool: str) -> bool:
        """Whether the loops take it to have children: count rules count, parent rules don't (§1.3)."""
        return tool in self.after or tool in self.limited
