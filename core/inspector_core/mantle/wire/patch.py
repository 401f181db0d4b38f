"""JSON patches of the stack: how the engine records what became of it (§8.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy

from inspector_core.classes import NamedTuple

__all__ = ["Applied", "apply", "make"]

Operation = dict[str, object]

_LARGEST = 100_000
"""Values and letters that a stack may have and still be copied from: copies of copies would soon fill any memory."""


class Applied(NamedTuple):
    """A document after a patch; a patch that does not fit leaves it as it was, whole."""

    document: list[object]
    problem: str | None = None


def make(before: Sequence[Mapping[str, object]], after: Sequence[Mapping[str, object]]) -> list[Operation]:
    """What turns one stack into another: frames are compared place by place, and the longer end is added or removed.

    The engine does it so too: a step that advanced is one `replace` of its `step_id`.
    """
    common = min(len(before), len(after))
    made = [op for at in range(common) for op in _frame(f"/{at}", before[at], after[at])]
    made += [{"op": "remove", "path": f"/{common}"} for _ in before[common:]]
    made += [{"op": "add", "path": f"/{at}", "value": dict(after[at])} for at in range(common, len(after))]
    return made


def _frame(path: str, before: Mapping[str, object], after: Mapping[str, object]) -> list[Operation]:
    gone: list[Operation] = [{"op": "remove", "path": f"{path}/{_escaped(k)}"} for k in before if k not in after]
    for key, value in after.items():
        op = "add" if key not in before else "replace"
        if op == "add" or before[key] != value:
            gone.append({"op": op, "path": f"{path}/{_escaped(key)}", "value": value})
    return gone


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


class _Misfit(Exception):
    """An operation that can't be carried out; never leaves this module."""


def apply(document: Sequence[object], patch: object) -> Applied:
    """A patch's operations on a list, all of them or none; whatever is not a fitting patch is a problem in words.

    What the patch leaves alone is shared with the list before it, which is never changed: of a long stack only the way
    to what changes is copied.
    """
    kept = list(document)
    if not isinstance(patch, list):
        return Applied(kept, "it is no list of operations")
    try:
        box: dict[str, object] = {"": kept}
        for operation in patch:
            _operate(box, operation)
    except _Misfit as misfit:
        return Applied(kept, str(misfit))
    except RecursionError:
        return Applied(kept, "it is nested too deep")
    changed = box[""]
    return Applied(changed) if isinstance(changed, list) else Applied(kept, "it leaves no list behind")


def _operate(box: dict[str, object], operation: object) -> None:
    if not isinstance(operation, dict):
        raise _Misfit("one of its operations is no mapping")
    path = _pointer(operation, "path")
    match operation.get("op"):
        case "add":
            _add(box, path, deepcopy(_value(operation)))
        case "remove":
            _take(box, path)
        case "replace":
            _take(box, path)
            _add(box, path, deepcopy(_value(operation)))
        case "move":
            _add(box, path, _take(box, _pointer(operation, "from")))
        case "copy":
            _add(box, path, _copied(box, _find(box, _pointer(operation, "from"))))
        case "test":
            if _find(box, path) != _value(operation):
                raise _Misfit(f"its test of `{operation['path']}` fails")
        case other:
            raise _Misfit(f"`{other}` is no operation of a patch")


def _copied(box: Mapping[str, object], found: object) -> object:
    if _is_large([*box.values(), found]):
        raise _Misfit("it makes copies without end")
    return deepcopy(found)


def _is_large(values: list[object]) -> bool:
    left = _LARGEST
    while values and left >= 0:
        value = values.pop()
        left -= 1
        if isinstance(value, dict):
            left -= sum(map(len, value))
            values += value.values()
        elif isinstance(value, list):
            values += value
        elif isinstance(value, str):
            left -= len(value)
    return left < 0


def _value(operation: Mapping[str, object]) -> object:
    if "value" not in operation:
        raise _Misfit("one of its operations has no value")
    return operation["value"]


def _pointer(operation: Mapping[str, object], name: str) -> list[str]:
    """The steps of a JSON pointer; the first is always the empty one, which is the document itself."""
    path = operation.get(name)
    if not isinstance(path, str) or (path and not path.startswith("/")):
        raise _Misfit(f"one of its operations has no proper `{name}`")
    return [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")]


def _find(box: object, path: list[str]) -> object:
    found = box
    for part in path:
        if isinstance(found, dict) and part in found:
            found = found[part]
        elif isinstance(found, list):
            found = found[_index(part, len(found) - 1)]
        else:
            raise _Misfit(f"there is no `{'/'.join(path)}` in the stack before it")
    return found


def _index(part: str, last: int) -> int:
    if part.isascii() and part.isdigit() and str(int(part[:9])) == part and int(part) <= last:
        return int(part)
    raise _Misfit(f"there is no frame `{part}` in the stack before it")


def _holder(box: dict[str, object], path: list[str]) -> object:
    """What holds the end of a path, to be changed: it, and all on the way to it, are copies of their own."""
    holder: object = box
    for part in path[:-1]:
        own = _shallow(_find(holder, [part]))
        if isinstance(holder, list):
            holder[_index(part, len(holder) - 1)] = own
        elif isinstance(holder, dict):
            holder[part] = own
        holder = own
    return holder


def _shallow(value: object) -> object:
    return value.copy() if isinstance(value, (list, dict)) else value


def _add(box: dict[str, object], path: list[str], value: object) -> None:
    holder, last = _holder(box, path), path[-1]
    if isinstance(holder, dict):
        holder[last] = value
    elif isinstance(holder, list):
        holder.insert(len(holder) if last == "-" else _index(last, len(holder)), value)
    else:
        raise _Misfit(f"there is no `{'/'.join(path)}` in the stack before it")


def _take(box: dict[str, object], path: list[str]) -> object:
    taken = _find(box, path)
    holder, last = _holder(box, path), path[-1]
    if isinstance(holder, list):
        del holder[int(last)]
    elif isinstance(holder, dict):
        del holder[last]
    return taken
