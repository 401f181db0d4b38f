"""What an entry that is not set yet makes of a condition."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from inspector_core.analysis.candidates import pairs
from inspector_core.analysis.outcomes import outcomes, reached
from inspector_core.analysis.rewrite import proposal, replaced, skeleton, source
from inspector_core.analysis.search import judge
from inspector_core.analysis.trap import Trap
from inspector_core.mantle.condition import Condition
from inspector_core.mantle.condition.faults import shown
from inspector_core.mantle.condition.tree import ORDERINGS, And, Compare, Constant, Memory, Node, Not, Or, atoms
from inspector_core.mantle.condition.values import names_for
from inspector_core.proof import Truth

__all__ = ["both_closed", "open_when_unset", "order_dependent"]

_INVERSE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def open_when_unset(condition: Condition) -> Iterator[Trap]:
    """`x != 'lost'` holds in an empty session: nothing is not `'lost'` either."""
    outcome, truths, _ = condition.row({})
    if outcome is not Truth.HOLDS:
        return
    differing = [_differs(atom) for atom in atoms(condition.tree)]
    turned = [False if key and truth else truth for key, truth in zip(differing, truths, strict=True)]
    if judge(condition.tree, iter(turned)).truth is True:
        return
    for atom, key, truth in zip(atoms(condition.tree), differing, truths, strict=True):
        if key and truth:
            name, words = names_for(condition.keys)[key], source(condition, atom)
            message = f"it holds while `{name}` is unset: `{shown(words)}` is true of nothing too"
            text = replaced(condition, atom, f"session.{key} != None and {words}", "and")
            hint = proposal(text, f"test `session.{key} != None` first")
            yield Trap("inspector.condition.open-when-unset", message, hint, atom.start, atom.end)
            return


def _differs(atom: Node) -> str | None:
    """The key that an atom wants to be another value than a constant."""
    match atom:
        case Compare(operators=("!=",), operands=(Memory(key=key), Constant(value=value))) if value is not None:
            return key
        case Compare(operators=("!=",), operands=(Constant(value=value), Memory(key=key))) if value is not None:
            return key
        case _:
            return None


def order_dependent(condition: Condition) -> Iterator[Trap]:
    """`y >= 3 or x` errors while `y` is unset, whatever `x` is; `x or y >= 3` does not."""
    for node, turned in skeleton(condition.tree):
        # what can open is an `or` that gets true, or an `and` that gets false under a `not`
        if (isinstance(node, Or) and not turned) or (isinstance(node, And) and turned):
            yield from _early_error(condition, node)


def _early_error(condition: Condition, node: And | Or) -> Iterator[Trap]:
    decides = isinstance(node, Or)
    for at, part in enumerate(node.parts[:-1]):
        for key in _ordered_keys(part):
            known = {key: None}
            later = [other for other in node.parts[at + 1 :] if decides in outcomes(condition, other, known)]
            if later and None in outcomes(condition, part, known) and reached(condition, part, known):
                name, errs, other = names_for(condition.keys)[key], source(condition, part), source(condition, later[0])
                message = f"while `{name}` is unset, `{shown(errs)}` errors before `{shown(other)}` is looked at"
                hint = _reordered(condition, node) or _guarded(condition, part, key, decides)
                yield Trap("inspector.condition.order-dependent", message, hint, part.start, part.end)
                return


def _reordered(condition: Condition, node: And | Or) -> str | None:
    """The parts that can't error first."""
    safe = [part for part in node.parts if None not in outcomes(condition, part)]
    parts = [*safe, *[part for part in node.parts if part not in safe]]
    if not safe or parts == list(node.parts):
        return None
    word = " or " if isinstance(node, Or) else " and "
    words = word.join([f"({source(condition, p)})" if isinstance(p, Or) else source(condition, p) for p in parts])
    text = replaced(condition, node, words, "or" if isinstance(node, Or) else "and")
    return proposal(text, "put the part that can error last")


def _guarded(condition: Condition, part: Node, key: str, decides: bool) -> str:
    sign, word = ("!=", "and") if decides else ("==", "or")
    words = source(condition, part)
    words = f"({words})" if isinstance(part, Or) and decides else words
    text = replaced(condition, part, f"session.{key} {sign} None {word} {words}", "and" if decides else "or")
    return proposal(text, f"test `session.{key} {sign} None` first")


def both_closed(condition: Condition) -> Iterator[Trap]:
    """`not (x >= 100)` errors while `x` is unset, as `x >= 100` does."""
    for node, turned in skeleton(condition.tree):
        if isinstance(node, Not) and not turned and not isinstance(node.part, Not):
            for key in _ordered_keys(node.part):
                if None in outcomes(condition, node.part, {key: None}) and reached(condition, node, {key: None}):
                    name = names_for(condition.keys)[key]
                    message = (
                        f"while `{name}` is unset, `{shown(source(condition, node))}` errors too: `not` opens nothing"
                    )
                    text = replaced(condition, node, _opened(condition, node, key), "or")
                    hint = proposal(text, f"test `session.{key} == None` first")
                    yield Trap("inspector.condition.both-closed", message, hint, node.start, node.end)
                    break


def _opened(condition: Condition, node: Not, key: str) -> str:
    """The same `not`, open while the entry is unset."""
    match node.part:
        case Compare(operators=(sign,), operands=(left, right)) if sign in ORDERINGS:
            rest = f"{source(condition, left)} {_INVERSE[sign]} {source(condition, right)}"
        case _:
            rest = source(condition, node)
    return f"session.{key} == None or {rest}"


def _ordered_keys(part: Node) -> list[str]:
    """Keys that are put in order with something in a part."""
    found = [[pair.key] for pair in pairs(part) if pair.sign in ORDERINGS]
    return list(dict.fromkeys(chain.from_iterable(found)))
