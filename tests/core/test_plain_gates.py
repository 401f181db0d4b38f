"""Which custom tools are offered, against the rules written down as plainly as they can be said (§3.4, §5.6)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from inspector_core.mantle.condition import parse
from inspector_core.mantle.engine.start import start
from inspector_core.mantle.gates import judge
from inspector_core.mantle.project import Project
from inspector_core.proof import Truth
from tests.core.agents import BASE, project, tools

SKILLS = ("pay", "ship", "card-replace")
ENTRIES = ("amount", "ok", "pin")
VALUES = (True, False, 0, 5, "", "Ann", None)
CONDITIONS = (
    "session.{0}.{1}", "not session.{0}.{1}", "session.{0}.{1} > 3", "session.{0}.{1} == 'Ann'",
    "session.{0}.{1} and session.project.ok", "session.project.ok or session.{0}.{1} > 3", "session.{0}.{1} != 5",
    "session.{0}.{1} == true",
)  # fmt: skip
NAMED = ("a", "b", "c", "run_after_setting_ok", "common", "extra", "set_all", "remote", "nowhere")
IMPORTS = ("common", "extra", "set_all", "mcp/bank:remote", "mcp/bank:other", "mcp/closed:far", "a", "nowhere")


@dataclass(frozen=True)
class Entry:
    """A line of a gate list; without a condition it is always open."""

    tool: str
    requires: str | None


@dataclass(frozen=True)
class Made:
    """A skill as made up, before anything was written to a file or read from one."""

    prose: bool
    constraints: tuple[Entry, ...]
    imports: tuple[str, ...]
    blocks: Mapping[str, tuple[Entry, ...]]
    local: tuple[str, ...]
    button_source: str | None
    public: tuple[str, ...]
    private: tuple[str, ...]


# -- the rules -----------------------------------------------------------------------------------------------------


def bare(name: str) -> str:
    return name.partition(":")[2] or name


def skill_level(skill: Made) -> Iterator[Entry]:
    yield from skill.constraints
    yield from (Entry(bare(name), None) for name in skill.imports)
    for entries in skill.blocks.values():
        yield from entries


def gate_list(skill: Made, block: str | None) -> list[Entry]:
    if block is None:
        return list(skill_level(skill))
    return [*skill.blocks[block], *(() if skill.prose else skill_level(skill))]


def candidates(skill: Made) -> set[str]:
    declared = {entry.tool for entry in skill_level(skill)}
    remote = {bare(name) for name in skill.imports if name.startswith("mcp/bank:")}
    return {*skill.local, *({"common", "extra"} & declared), *remote}


def readable(agent: Mapping[str, Made], active: str, memory: Mapping[str, object]) -> dict[str, object]:
    keys = {f"project.{entry}" for entry in ENTRIES}
    for id_, skill in agent.items():
        shown = {*skill.public, *skill.private} if id_ == active else {*skill.public} - {*skill.private}
        keys |= {f"{id_}.{entry}" for entry in shown}
    return {key: value for key, value in memory.items() if key in keys and value is not None}


def visible(skill: Made, block: str | None, name: str, memory: Mapping[str, object]) -> bool:
    if name.startswith("run_after_setting_") or name == skill.button_source:
        return False
    gate = next((entry for entry in gate_list(skill, block) if entry.tool == name), None)
    if gate is not None:
        return gate.requires is None or parse(gate.requires).truth(memory) is Truth.HOLDS
    imported = name in {bare(entry) for entry in skill.imports}
    return imported or name not in {entry.tool for entry in skill_level(skill)}


# -- agents and their files ----------------------------------------------------------------------------------------


def some(random: Random, names: tuple[str, ...], share: float) -> tuple[str, ...]:
    return tuple(name for name in names if random.random() < share)


def entries(random: Random) -> tuple[Entry, ...]:
    def requires() -> str | None:
        if random.random() < 0.3:
            return None
        return random.choice(CONDITIONS).format(random.choice((*SKILLS, "nobody")), random.choice(ENTRIES))

    return tuple(Entry(name, requires()) for name in some(random, NAMED, 0.3))


def made(random: Random) -> Made:
    shape = random.choice(("prose", "hybrid", "blocks"))
    names = () if shape == "prose" else ("one", "b-2")[: random.randint(1, 2)]
    local = some(random, ("a", "b", "c", "run_after_setting_ok", "common", "set_own"), 0.6)
    source = random.choice(local) if local and random.random() < 0.3 else None
    return Made(
        shape != "blocks", entries(random), some(random, IMPORTS, 0.3), {name: entries(random) for name in names},
        local, source, some(random, ENTRIES, 0.5), some(random, ENTRIES, 0.4),
    )  # fmt: skip


def skill_md(skill: Made) -> str:
    front = {
        "description": "Does it.", "import_tools": skill.imports,
        "tool_constraints": [{e.tool: {"requires": e.requires} if e.requires else None} for e in skill.constraints],
    }  # fmt: skip
    fences = (
        f":::ordered_block id={name}\n{json.dumps({'steps': [], 'tools': [listed(e) for e in listing]})}\n:::\n"
        for name, listing in skill.blocks.items()
    )
    return "\n".join(["---", json.dumps(front), "---", "Help." if skill.prose else "", *fences])


def listed(entry: Entry) -> object:
    return {"name": entry.tool, "requires": entry.requires} if entry.requires else entry.tool


def files(agent: Mapping[str, Made]) -> dict[str, str]:
    found = {
        **BASE, "tools/shared.py": tools("common", "extra", "set_all"),
        "memory.yml": json.dumps({entry: {"type": "any"} for entry in ENTRIES}),
        "integrations.yml": json.dumps({"mcp_servers": [{"name": "bank", "url": "http://localhost/mcp"}]}),
    }  # fmt: skip
    for id_, skill in agent.items():
        at = f"skills/{id_}"
        schema: dict[str, object] = {"public": {e: {} for e in skill.public}, "private": {e: {} for e in skill.private}}
        found[f"{at}/skill.md"] = skill_md(skill)
        found[f"{at}/memory.yml"] = json.dumps({"schema": schema})
        found[f"{at}/tools.py"] = tools(*skill.local)
        if skill.button_source:
            variant = {"text": "Which?", "buttons": {"source": skill.button_source}}
            found[f"{at}/responses.yml"] = json.dumps({"responses": {f"utter_{len(found)}": [variant]}})
    return found


def offered(read_in: Project, skill: str, block: str | None, memory: Mapping[str, object]) -> set[str]:
    verdicts = judge(read_in, start(memory), skill, block, active=True)
    return {v.tool for v in verdicts if v.offered and v.kind != "built-in"}


@given(st.randoms(use_true_random=False))
def test_what_is_offered_is_what_the_plain_rules_say(random: Random) -> None:
    agent = {id_: made(random) for id_ in SKILLS}
    read_in = project(files(agent))
    for id_, skill in agent.items():
        for block in (None, *skill.blocks):
            memory = {f"{ns}.{e}": random.choice(VALUES) for ns in (*SKILLS, "project") for e in ENTRIES}
            seen = readable(agent, id_, memory)
            expected = {name for name in candidates(skill) if visible(skill, block, name, seen)}
            assert offered(read_in, id_, block, memory) == expected
