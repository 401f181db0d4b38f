"""Conditions and memories made up for properties: as authors write them, nearly so, and not at all."""

from __future__ import annotations

from hypothesis import strategies as st

KEYS = ("pay.amount", "pay.ok", "card.reason", "card.naïve", "project.auth")

values = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, 2, -1, 3.5, 10**400, float("inf"), float("nan")]),
    st.sampled_from(["", "lost", "stolen", "1", "False", "é😀"]),
    st.sampled_from([[], ["a"], [[1]], {}, {"k": 1}]),
)
memories = st.dictionaries(st.sampled_from(KEYS), values)

_constants = st.sampled_from(
    ["0", "1", "2", "3.5", "1e999", "1j", "''", "'lost'", '"stolen"', "'é😀'", "True", "False", "None", "...", "b'x'"]
)
_entries = st.sampled_from([f"session.{key}" for key in KEYS])
_oddities = st.sampled_from(
    ["foo", "true", "session", "session.pay", "session.a.b.c", "pay.ok", "-1", "[1]", "f'{session.pay.ok}'", "len(1)"]
)
_signs = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
_odd_signs = st.sampled_from(["==", "<", "in", "is", "not in", "is not"])


def _joined(atom: st.SearchStrategy[str], sign: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def inside(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        operand = atom | part.map(lambda text: f"({text})")
        compared = st.tuples(operand, st.lists(st.tuples(sign, operand), min_size=1, max_size=2))
        return st.one_of(
            part.map(lambda text: f"not {text}"),
            part.map(lambda text: f"({text})"),
            st.lists(part, min_size=2, max_size=3).map(" and ".join),
            st.lists(part, min_size=2, max_size=3).map(" or ".join),
            compared.map(lambda pair: " ".join([pair[0], *[f"{sign} {right}" for sign, right in pair[1]]])),
        )

    return st.recursive(atom, inside, max_leaves=8)


accepted = _joined(_constants | _entries, _signs)
"""What the language allows."""
nearly = _joined(_constants | _entries | _oddities, _odd_signs)
"""What it nearly allows: most of it parses, some parts are refused."""
_slips = st.sampled_from(
    ["true", "null", "pay.ok", "Session.pay.ok", "{{session.pay.ok}}", "lost", "-1", "('lost', 1)"]
)
mendable = _joined(
    _constants | _entries | _slips, st.sampled_from(["==", "!=", "<", "===", "=", "<>", "is", "in", "not in"])
)
"""What is slightly wrong in the ways that authors are wrong."""
texts = st.one_of(accepted, nearly, st.text(max_size=40), nearly.flatmap(lambda text: st.just(text[1:] + "\n and 'x")))
"""Any text at all."""
plain = _joined(_entries, st.just("and"))
"""Entries joined in every way, with nothing compared."""
