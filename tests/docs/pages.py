"""The pages that list what the code holds. `python -m tests.docs.pages` writes them; a test compares them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from inspector.actions import ACTIONS, Action, keys_for
from inspector_core.letta.codes import CODES
from inspector_core.letta.reasons import REASONS as RULE_REASONS
from inspector_core.mantle.checks.catalogue import CATALOGUE
from inspector_core.mantle.invariants import INVARIANTS, SURPRISES
from inspector_core.mantle.reasons import REASONS

DOCS = Path(__file__).parents[2] / "docs"

_WHERE = {
    "app": "Everywhere", "skills": "Skills", "tools": "Tools", "memory": "Memory", "timeline": "Timeline",
    "recording": "A recording", "problems": "Problems", "prompt": "Prompt",
    "talk": "The line of the conversation", "log": "What was said and done", "card": "The pending confirmation",
}  # fmt: skip


def keys_page() -> str:
    """Every action with its key and its id."""
    parts = [
        "# Keys\n",
        "Every key can be another one: name the action's id in `config.toml` (see [settings](settings.md)). In"
        " every list, the arrows, `j` and `k`, `page up` and `page down`, `g` and `G` move; `tab` goes to the"
        " next panel; `esc` takes a filter away. The mouse does the same: a click puts the cursor on a row, a"
        " second one does what `enter` does, and the keys at the foot of the screen can be clicked.\n",
    ]
    for panel, title in _WHERE.items():
        rows = [a for a in ACTIONS if a.panel == panel]
        parts.append(f"## {title}\n\n| key | action | what it does |\n| --- | --- | --- |")
        parts += [f"| `{_key(a)}` | `{a.id}` | {a.tooltip} |" for a in rows]
        parts.append("")
    return "\n".join(parts)


def _key(action: Action) -> str:
    return "` `".join(keys_for(action, {action.id: k}) for k in action.key.split(","))


def reasons_page() -> str:
    """Every reason code with its sentence."""
    head = (
        "# Reasons\n\nWhy a tool stands as it stands: the `reason` in `inspector gates --format json`, and"
        " behind the words in the tools panel. A code keeps its meaning once it is released.\n\n| code | meaning"
        " |\n| --- | --- |"
    )
    return "\n".join([head, *(f"| `{code}` | {words} |" for code, words in REASONS.items()), ""])


def codes_page() -> str:
    """Every finding code with its severity and its sentence."""
    head = (
        "# Findings\n\nEvery code that `inspector check` can give. Codes that begin with `inspector.` are rules"
        " of ours: the engine would accept the file, though it hardly means what it says. All others are the"
        " engine's own codes.\n\n| code | severity | meaning |\n| --- | --- | --- |"
    )
    rows = [f"| `{e.code}` | {e.severity.value} | {e.explanation} |" for e in _entries()]
    return "\n".join([head, *rows, ""])


def rule_codes_page() -> str:
    """Every reason and every finding that agents under tool rules have."""
    head = (
        "# Tool rules: reasons and findings\n\nWhy a tool stands as it stands under [tool rules](rules.md), and what"
        " `inspector check` finds in them.\n\n| reason | meaning |\n| --- | --- |"
    )
    reasons = [f"| `{code}` | {words} |" for code, words in RULE_REASONS.items()]
    findings = [f"| `{code}` | {words} |" for code, words in CODES.items()]
    return "\n".join([head, *reasons, "\n| finding | meaning |\n| --- | --- |", *findings, ""])


def invariants_page() -> str:
    """Every invariant with its promise, and every surprise with what can be done about it."""
    head = (
        "# Invariants\n\n`inspector play PATH --invariants` makes up conversations that open the agent's own gates and"
        " call what asks, and holds each event against these. The rules look at states and records alone, not at the"
        " code that made them. A failure is cut down to the shortest conversation that shows it, written as a"
        " script.\n\n| invariant | what has to hold |\n| --- | --- |"
    )
    middle = (
        "\n## Surprises\n\nWhat the engine does rightly and hardly anybody expects. None is a failure; each is told"
        " with the shortest conversation that shows it in this agent.\n\n| surprise | what you can do |\n| --- | --- |"
    )
    rules = [f"| {name.replace('-', ' ')} | {invariant.promise} |" for name, invariant in INVARIANTS.items()]
    return "\n".join([head, *rules, middle, *(f"| `{code}` | {advice} |" for code, advice in SURPRISES.items()), ""])


def _entries() -> Iterable[object]:
    return CATALOGUE.values() if isinstance(CATALOGUE, Mapping) else CATALOGUE


PAGES: Mapping[str, Callable[[], str]] = {
    "keys.md": keys_page, "reasons.md": reasons_page, "codes.md": codes_page, "invariants.md": invariants_page,
    "rule-codes.md": rule_codes_page,
}  # fmt: skip


def main() -> None:
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
