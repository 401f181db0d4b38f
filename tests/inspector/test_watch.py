"""Which changes of a folder are worth a look."""

from pathlib import Path

import pytest

from inspector.watch import folder_changes, worth_a_look

ROOT = Path("/agent")


@pytest.mark.parametrize("path", ["skills/pay/skill.md", "agent.yml", "skills/pay", "tools/shared.py", "lib/a/b.py"])
def test_the_agents_own_files_are(path: str) -> None:
    assert worth_a_look(ROOT, str(ROOT / path))


@pytest.mark.parametrize(
    "path",
    ["skills/pay/.skill.md.swp", "skills/pay/skill.md~", "skills/pay/4913", "tools/__pycache__/a.cpython-311.pyc",
     ".git/index", ".#skill.md", "skills/pay/#skill.md#", "skills/pay/skill.md.tmp"],
)  # fmt: skip
def test_what_editors_and_tools_leave_is_not(path: str) -> None:
    assert not worth_a_look(ROOT, str(ROOT / path))


async def test_a_folder_that_the_system_refuses_to_look_at_is_waited_for() -> None:
    changes = folder_changes(Path("/") / ("x" * 300))
    assert [await anext(changes), await anext(changes)] == [frozenset(), frozenset()]
