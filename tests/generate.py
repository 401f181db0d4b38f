"""Agent folders of any size, the same for the same seed: what the benchmark reads and the larger tests play with.

A skill has the file sizes that were measured on real ones (skill.md 9.9 kB, memory.yml 1.4, responses.yml 3.5, tools.py
3.1), ten keys, ten gated tools of three terms each, four `if:` paragraphs and a block. Of the terms about one in five
reads one of five keys of the project, so that a change of such a hub reaches about one gate in nine.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from textwrap import fill

__all__ = ["HOLDING", "HUBS", "NEGATED", "TYPES", "agent_files", "agent_folder", "skill_name"]

HUBS = ("authenticated", "adult", "premium", "abroad", "consented")
"""The project's keys, all of them bool."""

TYPES = ("bool", "text", "categorical", "int", "float", "bool", "text", "json", "bool", "int")
"""The types of a skill's ten keys, `key_0` to `key_9`."""

LOCAL, REMOTE = 3, 7
"""Gated tools of a skill: its own, and imported from a server."""

SIZES = {"skill.md": 9900, "responses.yml": 3500, "tools.py": 3100}

PHRASE = """
the customer asks for an answer that stays short and exact so say what is known and name what is missing before
anything is promised then wait for a reply and go on with the next open point of the request
"""
WORDS = tuple(PHRASE.split())


def skill_name(number: int) -> str:
    """The id of the skill with this number, from 0."""
    return f"skill_{number:04}"


def agent_folder(root: Path, skills: int, seed: int = 0) -> None:
    """Write a folder of this many skills; `root` is made, and must not hold anything yet."""
    for path, text in agent_files(skills, seed).items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def agent_files(skills: int, seed: int = 0) -> dict[str, str]:
    """The files of that folder: relative path to text."""
    files = {"agent.yml": AGENT, "integrations.yml": _integrations(skills), "memory.yml": _project_memory()}
    for number in range(skills):
        chance, folder = Random(f"{seed}/{number}"), f"skills/{skill_name(number)}"
        files[f"{folder}/skill.md"] = _skill(skill_name(number), number, chance)
        files[f"{folder}/memory.yml"] = _memory(skill_name(number))
        files[f"{folder}/responses.yml"] = _responses(skill_name(number), chance)
        files[f"{folder}/tools.py"] = _tools(chance)
    return files


AGENT = """\
agent:
  id: generated
  persona: You answer briefly.
rules:
- Ask one question at a time.
orchestrator:
  model_group: main
"""


def _integrations(skills: int) -> str:
    names = [f"- name: server_{n}\n  url: http://localhost:{8000 + n}/mcp\n" for n in range(min(skills, 10))]
    models = "  - provider: openai\n    model: gpt-4.1\n    api_key: ${MODEL_KEY}\n"
    return f"model_groups:\n- id: main\n  models:\n{models}" + ("mcp_servers:\n" + "".join(names) if names else "")


def _project_memory() -> str:
    return "".join(f"{hub}:\n  type: bool\n  seed: true\n" for hub in HUBS)


NEGATED = (6, 8)
"""Keys whose terms hold while they hold nothing; those of all others while they hold what `HOLDING` says."""

HOLDING: Mapping[str, object] = {
    "bool": True,
    "text": "known",
    "categorical": "red",
    "int": 3,
    "float": 4.5,
    "json": {"a": 1},
}
"""By type, what opens every gate."""


def _term(skill: str, chance: Random, index: int) -> str:
    if chance.random() < 0.19:
        return f"session.project.{chance.choice(HUBS)}"
    key = f"session.{skill}.key_{index}"
    match TYPES[index]:
        case "int":
            return f"{key} == 3"
        case "float":
            return f"{key} >= {chance.randrange(1, 5)}.5"
        case "categorical":
            return f"{key} == 'red'"
        case _:
            return f"not {key}" if index in NEGATED else key


def _condition(skill: str, chance: Random) -> str:
    """Three terms over different keys; one that can't be evaluated while its key is unset comes last."""
    terms = [_term(skill, chance, index) for index in chance.sample(range(len(TYPES)), 3)]
    first, second, third = sorted(terms, key=lambda term: ">=" in term)
    return f"{first} and ({second} or {third})" if chance.random() < 0.3 else f"{first} and {second} and {third}"


def _sentences(chance: Random, size: int) -> str:
    """Sentences of at least this many characters, in one line."""
    text = ""
    while len(text) <= size:
        words = [chance.choice(WORDS) for _ in range(chance.randrange(6, 14))]
        text += " ".join(words).capitalize() + ". "
    return text.rstrip()


def _wrapped(chance: Random, size: int) -> str:
    return fill(_sentences(chance, size), 88)


def _skill(skill: str, number: int, chance: Random) -> str:
    remote = [f"{skill}_remote_{n}" for n in range(REMOTE)]
    imports = "".join(f"- mcp/server_{number % 10}:{name}\n" for name in remote)
    gates = "".join(_gate(skill, tool, chance) for tool in [*(f"tool_{n}" for n in range(LOCAL)), *remote])
    head = (
        f"---\nname: Skill {number}\ndescription: >\n  {_sentences(chance, 120)}\n"
        f"import_tools:\n{imports}tool_constraints:\n{gates}---\n"
    )
    conditional = "".join(f"if: {_condition(skill, chance)}\n{_wrapped(chance, 300)}\n\n" for _ in range(4))
    end = f"Enter @block.main where @memory.{skill}.key_1 is open.\n\n{conditional}{_block(skill, chance)}"
    paragraphs: list[str] = []
    while (left := SIZES["skill.md"] - len(head) - len(end) - sum(map(len, paragraphs))) > 60:
        paragraphs.append(_wrapped(chance, min(left - 60, 500)) + "\n\n")
    return head + "".join(paragraphs) + end


def _gate(skill: str, tool: str, chance: Random) -> str:
    lines = f"- {tool}:\n    requires: {_condition(skill, chance)}\n"
    if tool == "tool_0":
        lines += f"    requires_confirmation:\n      enabled: true\n      utter_for_confirmation: utter_{skill}_0\n"
        lines += f"      utter_on_user_denial: utter_{skill}_1\n    on_success: utter_{skill}_2\n"
    return lines


def _block(skill: str, chance: Random) -> str:
    return (
        ":::ordered_block id=main\nsteps:\n"
        f"- id: ask\n  collect: key_1\n  utterance: utter_{skill}_3\n"
        "- id: run\n  execute_tool: tool_1\n"
        f"  parameters:\n    text: session.{skill}.key_1\n"
        f"- id: choose\n  noop: true\n  next:\n  - if: {_condition(skill, chance)}\n    then: END\n  - else: say\n"
        f"- id: say\n  action: utter_{skill}_4\n- id: END\n:::\n"
    )


def _memory(skill: str) -> str:
    return "schema:\n  public:\n" + "".join(_field(skill, n, kind) for n, kind in enumerate(TYPES))


def _field(skill: str, number: int, kind: str) -> str:
    lines = f"    key_{number}:\n      type: {kind}\n"
    if kind == "categorical":
        lines += "      enum_values: [red, green, blue]\n"
    if number < 5:
        about = "in the words that were used when the conversation came to it, or as last corrected, be it days ago"
        lines += "      llm_settable: true\n" if number != 1 else ""
        lines += f"      description: What the customer of {skill} said about point {number}, {about}.\n"
    return lines


def _responses(skill: str, chance: Random) -> str:
    text, number = "responses:\n", 0
    while len(text) < SIZES["responses.yml"] - 180:
        text += f"  utter_{skill}_{number}:\n"
        text += f"  - text: {_sentences(chance, 30)}\n    condition: session.{skill}.key_0\n"
        text += f'  - text: "{_sentences(chance, 30)} {{session.{skill}.key_1}}"\n'
        if number % 2:
            text += f"    buttons:\n    - title: Red\n      payload: set:session.{skill}.key_2=red\n"
            text += f"    - title: Blue\n      payload: set:session.{skill}.key_2=blue\n"
        number += 1
    return text


TOOLS_HEAD = '''\
"""Tools of one generated skill."""

from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult
'''

TOOL = """

@tool(description="{about}")
async def tool_{number}({arguments}context: ToolContext, limit: int = {limit}) -> ToolResult:
    value = context.memory.get("key_{read}")
    if value is None:
        return ToolResult(llm_response={{"error": "key_{read} is not known yet", "retry": True}})
    rows = [row for row in range(limit) if row % {limit} != 1 and row not in (3, 5, 7)]
    total, seen = 0, set()
    for row in sorted(rows, key=lambda number: -number):
        if row in seen or row > limit * {limit}:
            continue
        total += row * 2 if row % 2 == 0 else row + 1
        seen.add((row, str(value).strip().lower()))
    table = {{row: {{"id": f"row_{{row}}", "even": row % 2 == 0}} for row in rows[:limit]}}
    best = max(table, key=lambda row: table[row]["id"], default=None)
    context.memory.set("key_{write}", True)
    return ToolResult(llm_response={{"ok": True, "rows": rows, "best": best, "count": total}})
"""


def _tools(chance: Random) -> str:
    return TOOLS_HEAD + "".join(_tool(number, chance) for number in range(LOCAL))


def _tool(number: int, chance: Random) -> str:
    return TOOL.format(
        number=number,
        about=_sentences(chance, 90),
        arguments="text: str, " if number == 1 else "",
        limit=chance.randrange(2, 30),
        read=chance.randrange(len(TYPES)),
        write=chance.choice((5, 8)),
    )
