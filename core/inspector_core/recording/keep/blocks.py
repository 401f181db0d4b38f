"""YAML as the engine's own tests are written in: one thing a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from inspector_core.script.emit import inline, key, words

__all__ = ["lines"]


def lines(value: object) -> Iterator[str]:
    """A value's lines: mappings and lists as blocks, whatever is in them as a line each."""
    match value:
        case Mapping() if value:
            for name, item in value.items():
                yield from _entry(key(str(name)), item)
        case list() | tuple() if value:
            for item in value:
                first, *more = lines(item)
                yield f"- {first}"
                yield from (f"  {line}" for line in more)
        case str():
            yield words(value)
        case _:
            yield inline(value)


def _entry(name: str, item: object) -> Iterator[str]:
    if isinstance(item, Mapping) and item:
        yield f"{name}:"
        yield from (f"  {line}" for line in lines(item))
    elif isinstance(item, list | tuple) and item:
        yield f"{name}:"
        yield from lines(item)
    elif isinstance(item, str) and _is_plain(item):
        yield f"{name}: |"
        yield from (f"  {line}" for line in item.splitlines())
    else:
        yield f"{name}: {next(lines(item))}"


def _is_plain(text: str) -> bool:
    """Whether a text of several lines can stand as it is."""
    first, *more = text.split("\n")
    if not more or more[-1] or not first.strip():
        return False
    return all(line.isprintable() and line == line.strip() and line for line in (first, *more[:-1]))
