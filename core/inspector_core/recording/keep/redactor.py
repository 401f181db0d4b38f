"""Stand-ins for what is private: the same for the same value, wherever it is written and however."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from inspector_core.classes import NamedTuple
from inspector_core.mantle.engine.payload import as_json
from inspector_core.recording.keep.calls import payload_of
from inspector_core.recording.keep.private import Private, Scalar
from inspector_core.recording.keep.secrets import Found, secrets

__all__ = ["Redaction", "Redactor"]

_LONG = 4
"""Values of this length are found inside of words too."""
_DEEPEST = 60
_WIDEST = 12_000
"""Bits of a whole number that is still written with its digits."""
_ALNUM = r"[^\W_]"


class Redaction(NamedTuple):
    """A private value with what stands for it."""

    name: str
    """`email 1`: by this the author asks to keep it."""
    value: str
    """As it was first written."""
    instead: str
    """What is written for it: `<email 1>`, and for a number another number."""
    places: tuple[str, ...]
    kept: bool = False
    """The author wants it to stay."""

    @property
    def kind(self) -> str:
        return self.name.rpartition(" ")[0]


class _Known:
    """A value that was met; its places and what was written for it are gathered as they come."""

    def __init__(self, name: str, written: str, kept: bool) -> None:
        self.name, self.written, self.kept = name, written, kept
        self.places: dict[str, None] = {}
        self.text: str | None = None
        """Its placeholder."""
        self.number: int | None = None
        """The number that stands for it where there has to be one."""

    @property
    def instead(self) -> tuple[str | int, ...]:
        return tuple(one for one in (self.text, self.number) if one is not None)


class Redactor:
    """Goes over a conversation's texts and values once; its numbering follows the order in which it meets them."""

    def __init__(self, private: Sequence[Private], shown: Collection[str] = ()) -> None:
        self.shown = frozenset(name.strip("<> ") for name in shown)
        self.quiet = False
        """What is met now is a second telling: its place is of interest only where the value has no other."""
        self.hits = 0
        """How often anything was replaced."""
        self.known: dict[str, _Known] = {}
        self.counts: dict[str, int] = {}
        self.used: set[str] = set()
        self.labels = {_canonical(one.value): one for one in reversed(private)}
        self.numbers = {_canonical(one.value) for one in private if not isinstance(one.value, str)}
        self.private = _pattern(one.value for one in private)

    # -- what was found --------------------------------------------------------------------------------------------

    def redactions(self) -> tuple[Redaction, ...]:
        """Everything that was met, in order."""
        every = self.known.values()
        return tuple(
            Redaction(k.name, k.written, " or ".join(map(str, k.instead)), tuple(k.places), k.kept) for k in every
        )

    @property
    def stands_in(self) -> frozenset[str | int | float]:
        """What was written for private values."""
        return frozenset(one for k in self.known.values() if not k.kept for one in k.instead)

    # -- redacting -------------------------------------------------------------------------------------------------

    def text(self, text: str, place: str) -> str:
        """A text without anything private in it."""
        pieces, at = [], 0
        for found, known in self._hidden(text, place):
            pieces += [text[at : found.start], self._words_for(known, found)]
            at = found.end
        return "".join([*pieces, text[at:]]) if pieces else text

    def json(self, text: str, place: str) -> str:
        """A text that may be JSON: then its values are gone through, whatever escapes they are written in."""
        value = payload_of(text)
        if not isinstance(value, dict | list):
            return self.text(text, place)
        before, clean = self.hits, self.value(value, place)
        return text if self.hits == before else as_json(clean)

    def value(self, value: object, place: str, depth: int = 0) -> object:
        """Any value; what is nested deeper than can be followed is left out."""
        if depth > _DEEPEST:
            return None
        match value:
            case bool() | None:
                return value
            case str():
                return self.text(value, place)
            case int() | float():
                return self._number(value, place)
            case Mapping():
                return {
                    self.text(key, place) if isinstance(key, str) else key: self.value(item, place, depth + 1)
                    for key, item in value.items()
                }
            case list() | tuple():
                return [self.value(item, place, depth + 1) for item in value]
            case _:
                return self.text(str(value), place)

    def _number(self, value: int | float, place: str) -> object:
        """A number whose digits are private becomes another one, so that whoever takes a number still gets one."""
        if isinstance(value, int) and value.bit_length() > _WIDEST:
            return value
        written = str(value)
        found = next(iter(self._found(written)), None)
        if found is None and (_canonical(value) not in self.labels or self.private is None):
            return value
        key = _canonical(value)
        label = self.labels[key].label if key in self.labels else found.kind if found is not None else "number"
        known = self._met(found.value if found is not None and key not in self.labels else key, label, written)
        self._seen(known, place)
        if known.kept:
            return value
        number = self._number_for(known)
        return number if isinstance(value, int) else float(number)

    def _hidden(self, text: str, place: str) -> Iterator[tuple[Found, _Known]]:
        """What is to be replaced, from left to right; what overlaps is replaced as one."""
        hidden: list[tuple[Found, _Known]] = []
        for found in self._found(text):
            if hidden and found.end <= hidden[-1][0].end:
                continue
            known = self._met(found.value, found.kind, text[found.start : found.end])
            self._seen(known, place)
            if known.kept:
                continue
            if hidden and found.start < hidden[-1][0].end:
                before, first = hidden[-1]
                hidden[-1] = (before._replace(end=found.end), first)
            else:
                hidden.append((found, known))
        yield from hidden

    def _seen(self, known: _Known, place: str) -> None:
        self.hits += not known.kept
        if not (self.quiet and known.places):
            known.places[place] = None

    def _found(self, text: str) -> list[Found]:
        """All that is private in a text; of what begins at one place, the longest first."""
        every = list(secrets(text))
        if self.private is not None:
            every += (self._private(match) for match in self.private.finditer(text))
        return sorted(every, key=lambda one: (one.start, -one.end))

    def _private(self, match: re.Match[str]) -> Found:
        key = _canonical(match.group())
        label = self.labels[key].label if key in self.labels else "value"
        return Found(match.start(), match.end(), label, key)

    def _met(self, value: str, label: str, written: str) -> _Known:
        key = _canonical(value)
        known = self.known.get(key)
        if known is None:
            count = self.counts[label] = self.counts.get(label, 0) + 1
            name = f"{label} {count}"
            known = self.known[key] = _Known(name, written, name in self.shown or label in self.shown)
        return known

    def _words_for(self, known: _Known, found: Found) -> str:
        """A placeholder; what is kept as a number is another number in texts too, as a response would say it."""
        if _canonical(found.value) in self.numbers:
            return str(self._number_for(known))
        if known.text is None:
            label, _, count = known.name.rpartition(" ")
            known.text = self._placeholder(label, int(count))
        return known.text

    def _number_for(self, known: _Known) -> int:
        if known.number is None:
            known.number = self._other_number(int(known.name.rpartition(" ")[2]))
        return known.number

    def _placeholder(self, label: str, count: int) -> str:
        """A name that says what it stands for, unless that would say what it hides."""
        for word in (label, "hidden", "private", "redacted"):
            found = f"<{word} {count}>"
            if self.private is None or not self.private.search(found):
                return found
        self.counts[""] = self.counts.get("", 0) + 1
        return f"<{'?' * self.counts['']}>"

    def _other_number(self, count: int) -> int:
        while str(count) in self.used or (self.private is not None and self.private.search(f"{count} {float(count)}")):
            count += 1
        self.used.add(str(count))
        return count


def _canonical(value: Scalar) -> str:
    """The same for all ways of writing a value: however it is spaced and spelt, and whatever decimals it is given."""
    text = re.sub(r"(?<=\d),(?=\d{3})", "", " ".join(str(value).casefold().split()))
    return f"{float(text):.10g}" if re.fullmatch(r"-?\d{1,15}\.\d{1,9}", text) else text


def _pattern(values: Iterable[Scalar]) -> re.Pattern[str] | None:
    """Finds every way of writing any of the values, the longest first."""
    forms = sorted({form for value in values for form in _forms(value)}, key=lambda form: (-len(form), form))
    return re.compile("|".join(_bounded(form) for form in forms), re.IGNORECASE) if forms else None


def _forms(value: Scalar) -> Iterator[str]:
    """A text as it is; a number with and without its decimals, and with its thousands set apart."""
    if isinstance(value, str):
        yield value
        return
    if isinstance(value, int) and value.bit_length() > _WIDEST:
        return
    yield str(value)
    yield f"{value:,}"
    try:
        yield f"{value:.2f}"
        yield f"{value:,.2f}"
        if float(value).is_integer():
            yield str(int(value))
            yield f"{int(value):,}"
            yield str(float(value))
    except (OverflowError, ValueError):
        return


def _bounded(form: str) -> str:
    """A form as a pattern: short ones are found as words alone, and any blanks stand for any."""
    inside = r"\s+".join(re.escape(part) for part in form.split())
    if sum(char.isalnum() for char in form) >= _LONG:
        return inside
    before = f"(?<!{_ALNUM})" if form[:1].isalnum() else ""
    after = f"(?!{_ALNUM})" if form[-1:].isalnum() else ""
    return f"{before}{inside}{after}"
