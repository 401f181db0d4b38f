"""A folder's files put together into one project, and taken over from an earlier reading where they did not change."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.finding import Severity
from inspector_core.mantle.project import Project, Skill
from inspector_core.mantle.reading.bundled import BUNDLED
from inspector_core.mantle.reading.folder import read
from inspector_core.source import FolderText, Span
from tests.generate import agent_files

BANK = Path(__file__).parents[2] / "fixtures" / "bank"
SKILL = "---\nname: Pay\ndescription: Pays.\n---\nPay the invoice.\n"
TOOLS = (
    "from rasa.mantle.tools.decorator import ToolContext, tool\n\n"
    "@tool(description='Pays.')\nasync def submit(context): ...\n"
)
BASE = {
    "agent.yml": "agent:\n  persona: You are brief.\norchestrator:\n  model_group: main\n",
    "integrations.yml": "model_groups:\n- id: main\n  models:\n  - provider: openai\n",
    "skills/pay/skill.md": SKILL,
}


def folder(files: Mapping[str, str], *more: str, unreadable: Mapping[str, str] | None = None) -> FolderText:
    directories = {"/".join(p.split("/")[:n]) for p in files for n in range(1, p.count("/") + 1)}
    return FolderText("agent", files, frozenset({*directories, *more}), unreadable or {})


def with_files(files: Mapping[str, str]) -> Project:
    return read(folder(BASE | files))


def codes(found: Project) -> list[tuple[str, str]]:
    return [(str(f.span), f.code) for f in found.findings]


def own(found: Project, skill_id: str = "pay") -> Skill:
    return found.skill_by_id[skill_id]


def bank() -> FolderText:
    paths = [
        p
        for p in BANK.rglob("*")
        if p.is_file() and "__pycache__" not in p.parts and p.suffix in (".py", ".md", ".yml")
    ]
    return folder({p.relative_to(BANK).as_posix(): p.read_text(encoding="utf-8") for p in paths})


def test_a_small_folder_is_in_order() -> None:
    found = with_files({})
    assert codes(found) == []
    assert [s.id for s in found.own_skills] == ["pay"]
    assert (found.name, found.version, found.has_knowledge) == ("agent", "3.21", False)
    assert found.agent.persona == "You are brief."


def test_skills_are_sorted_and_the_bundled_ones_follow() -> None:
    found = with_files({"skills/b/skill.md": SKILL, "skills/a/skill.md": SKILL})
    assert [s.id for s in found.skills] == ["a", "b", "pay", *BUNDLED]
    assert all(s.bundled and s.is_default and s.engine_managed for s in found.skills[3:])


def test_directories_that_begin_with_an_underscore_and_files_among_skills_are_none() -> None:
    found = with_files({"skills/_draft/skill.md": "x", "skills/README.md": "x", "skills/_draft2/tools.py": "("})
    assert [s.id for s in found.own_skills] == ["pay"]
    assert codes(found) == []


def test_a_directory_without_skill_md_is_a_failure_that_hides_no_other() -> None:
    found = read(folder(BASE, "skills/empty"))
    assert codes(found) == [("skills/empty/skill.md:1:1", "mantle.validation.skill.failed_to_load")]
    assert own(found, "empty").broken
    assert not own(found).broken


def test_a_skill_md_in_the_wrong_case_gets_a_hint() -> None:
    (finding,) = with_files({"skills/x/SKILL.md": ""}).findings
    assert finding.hint == "rename `SKILL.md` to `skill.md`"


def test_files_that_are_nearly_named_right_are_pointed_out() -> None:
    found = with_files({"memory.yaml": "", "skills/pay/Tools.py": "", "skills/pay/references/memory.yaml": ""})
    assert [(f.code, f.span.path, f.hint) for f in found.findings] == [
        ("inspector.folder.misnamed", "memory.yaml", "rename it to `memory.yml`"),
        ("inspector.folder.misnamed", "skills/pay/Tools.py", "rename it to `tools.py`"),
    ]


def test_a_folder_that_replaces_a_bundled_skill_takes_over_its_role() -> None:
    plain = own(with_files({"skills/default_completed/skill.md": SKILL}), "default_completed")
    assert (plain.bundled, plain.is_default, plain.engine_managed) == (False, True, True)
    text = SKILL.replace("description", "routing: {engine_managed: false}\ndescription")
    written = own(with_files({"skills/default_completed/skill.md": text}), "default_completed")
    assert (written.is_default, written.engine_managed) == (True, False)
    assert not own(with_files({})).engine_managed


def test_what_is_missing_from_the_root() -> None:
    assert codes(read(folder({"README.md": ""}))) == [
        ("agent.yml:1:1", "mantle.validation.config.missing_agent_yml"),
        ("integrations.yml:1:1", "mantle.validation.config.missing_integrations"),
        ("skills:1:1", "config.project_structure.missing_skills"),
    ]


def test_what_does_not_belong_to_the_root() -> None:
    found = with_files({"domain.yml": "", "endpoints.yml": "", "config.yml": ""})
    assert codes(found) == [
        ("domain.yml:1:1", "config.project_structure.mixed_layout"),
        ("endpoints.yml:1:1", "inspector.folder.endpoints"),
    ]


def test_what_could_not_be_read_is_said_and_not_called_missing() -> None:
    files = {k: v for k, v in BASE.items() if k != "agent.yml"}
    found = read(folder(files, unreadable={"agent.yml": "it is too large"}))
    assert codes(found) == [("agent.yml:1:1", "inspector.folder.unreadable")]
    assert found.findings[0].message == "`agent.yml` can't be read: it is too large"


def test_a_skills_file_that_could_not_be_read_is_the_skills_finding() -> None:
    files = {k: v for k, v in BASE.items() if not k.startswith("skills/pay")}
    unreadable = {"skills/pay/skill.md": "it is too large", "skills/out": "it is a link"}
    first = read(folder(files, "skills/pay", unreadable=unreadable))
    assert [(f.code, f.span.path, f.skill) for f in first.findings] == [
        ("inspector.folder.unreadable", "skills/out", None),
        ("inspector.folder.unreadable", "skills/pay/skill.md", "pay"),
    ]
    assert own(first).broken
    assert own(read(folder(files, "skills/pay", unreadable=unreadable), first)) is own(first)
    mended = read(folder(BASE), first)
    assert codes(mended) == []
    assert not own(mended).broken


def test_the_model_group_must_be_declared() -> None:
    found = with_files({"agent.yml": BASE["agent.yml"].replace("main", "mian")})
    assert codes(found) == [("agent.yml:4:16", "mantle.validation.config.unknown_model_group")]
    assert found.findings[0].hint == "did you mean `main`?"


def test_knowledge_is_markdown_under_references() -> None:
    assert with_files({"references/a/b.md": ""}).has_knowledge
    assert with_files({"skills/pay/references/x.md": ""}).has_knowledge
    assert not with_files(
        {"references/a.txt": "", "lib/references/a.md": "", "skills/references/a.md": ""}
    ).has_knowledge


def test_later_tool_files_are_laid_over_earlier_ones() -> None:
    found = with_files({
        "skills/pay/tools.py": TOOLS,
        "skills/pay/tools/b.py": TOOLS.replace("submit", "extra"),
        "skills/pay/tools/a.py": TOOLS.replace("Pays.", "Pays later."),
        "skills/pay/tools/__init__.py": TOOLS.replace("submit", "never"),
        "skills/pay/tools/deep/c.py": TOOLS.replace("submit", "deep"),
    })  # fmt: skip
    assert [(t.name, t.description) for t in own(found).tools] == [("submit", "Pays later."), ("extra", "Pays.")]
    assert codes(found) == [("skills/pay/tools/a.py:4:11", "inspector.tools.duplicate")]


def test_one_file_that_defines_a_tool_twice_is_not_a_duplicate_of_itself() -> None:
    assert codes(with_files({"skills/pay/tools.py": TOOLS + TOOLS})) == []


def test_shared_tools_are_the_modules_right_in_tools() -> None:
    found = with_files({
        "tools/pay.py": TOOLS,
        "tools/deep/x.py": TOOLS.replace("submit", "deep"),
        "tools/set.py": TOOLS.replace("submit", "set_amount"),
    })  # fmt: skip
    assert [(t.name, t.kind) for t in found.shared_tools] == [("submit", "shared")]
    assert codes(found) == [("tools/set.py:4:11", "inspector.tools.shared-setter")]


def test_a_tool_imported_from_another_module_of_the_agent_is_the_skills_too() -> None:
    found = with_files({
        "skills/pay/tools.py": "from lib.pay import submit as pay, other\nfrom os import path\nagain = pay\n",
        "lib/pay.py": "from lib.deep import *\n" + TOOLS,
        "lib/deep.py": TOOLS.replace("submit", "other"),
    })  # fmt: skip
    assert [(t.name, t.kind, t.span.path) for t in own(found).tools] == [
        ("pay", "local", "lib/pay.py"), ("other", "local", "lib/deep.py"), ("again", "local", "lib/pay.py"),
    ]  # fmt: skip
    assert codes(found) == []


def test_modules_that_import_each_other_come_to_an_end() -> None:
    files = {"skills/pay/tools.py": "from lib.a import *\nfrom lib.a import tool_x\n"}
    files |= {"lib/a.py": "from lib.b import *  # tool\n", "lib/b.py": "from lib.a import *  # tool\n"}
    assert own(with_files(files)).tools == ()


def test_a_broken_module_that_two_skills_import_from_is_said_once() -> None:
    files = {f"skills/{s}/tools.py": "from lib.x import y\n" + TOOLS for s in ("pay", "refund")}
    found = with_files({**files, "skills/refund/skill.md": SKILL, "lib/x.py": "def y(:\n"})
    assert codes(found) == [("lib/x.py:1:7", "mantle.validation.tools.import_failed")]
    assert found.findings[0].skill is None
    assert [len(s.tools) for s in found.own_skills] == [1, 1]


def test_a_broken_tool_file_leaves_the_others() -> None:
    found = with_files({"skills/pay/tools.py": "def f(:\n", "skills/pay/tools/b.py": TOOLS})
    assert [t.name for t in own(found).tools] == ["submit"]
    assert [(f.code, f.skill) for f in found.findings] == [("mantle.validation.tools.import_failed", "pay")]


def test_findings_of_a_skills_files_carry_its_id_and_how_the_engine_reports_them() -> None:
    found = with_files({"skills/pay/memory.yml": "schema: [\n", "skills/pay/responses.yml": "- x\n"})
    assert {(f.skill, f.reported_as) for f in found.findings} == {("pay", "mantle.validation.skill.failed_to_load")}
    assert own(found).broken


def test_memory_and_responses_of_skills_and_project() -> None:
    found = with_files({
        "memory.yml": "known: {type: bool, seed: true}\n",
        "responses.yml": "responses:\n  utter_hi: Hi\n",
        "skills/pay/memory.yml": "schema:\n  public:\n    amount: {type: int}\n",
        "skills/pay/responses.yml": "responses:\n  utter_paid: Paid\n  utter_hi: Hello\n",
    })  # fmt: skip
    assert [f.key for f in found.fields] == ["project.known"]
    assert found.field_by_key.keys() >= {"pay.amount", "project.known"}
    assert {n: r.owner for n, r in found.response_by_name.items()} == {"utter_paid": "pay", "utter_hi": None}


def test_reading_the_same_text_again_keeps_every_skill() -> None:
    files = bank()
    first = read(files)
    again = read(FolderText(files.name, {p: t[:1] + t[1:] for p, t in files.files.items()}, files.directories), first)
    assert all(a is b for a, b in zip(first.skills, again.skills, strict=True))
    assert first.findings == again.findings
    assert first.shared_tools is again.shared_tools
    assert first.agent is again.agent
    assert all(first.sources[p] is again.sources[p] for p in files.files)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("skills/handoff/skill.md", SKILL),
        ("skills/handoff/memory.yml", "schema:\n  public:\n    a:\n"),
        ("skills/handoff/tools/extra.py", TOOLS),
        ("skills/handoff/responses.yml", "responses: {}\n"),
    ],
)
def test_a_save_in_one_skill_makes_that_skill_anew_and_no_other(path: str, text: str) -> None:
    first = read(bank())
    again = read(folder({**bank().files, path: text}), first)
    changed = [new.id for new in again.skills if new is not first.skill_by_id.get(new.id)]
    assert changed == ["handoff"]


def test_a_module_that_a_skill_imports_from_counts_as_its_own() -> None:
    files = {**BASE, "skills/pay/tools.py": "from lib.pay import submit\n", "lib/pay.py": TOOLS, "lib/x.py": "a = 1\n"}
    first = read(folder(files))
    assert own(read(folder({**files, "lib/x.py": "a = 2\n"}), first)) is own(first)
    again = read(folder({**files, "lib/pay.py": TOOLS.replace("Pays.", "Sends.")}), first)
    assert own(again) is not own(first)
    assert own(again).tools[0].description == "Sends."


def test_a_deleted_file_is_forgotten() -> None:
    files = {**BASE, "skills/pay/tools.py": TOOLS}
    first = read(folder(files))
    again = read(folder(BASE), first)
    assert own(again).tools == ()
    assert "skills/pay/tools.py" not in again.parts


def test_another_version_reads_everything_anew() -> None:
    first = read(folder(BASE))
    assert own(read(folder(BASE), first, "3.22")) is not own(first)


def test_an_incremental_reading_equals_a_fresh_one() -> None:
    files = agent_files(5)
    first = read(folder(files))
    edited = {**files, "skills/skill_0002/skill.md": SKILL, "memory.yml": "a:\n", "skills/new/skill.md": SKILL}
    del edited["skills/skill_0003/tools.py"]
    fresh, again = read(folder(edited)), read(folder(edited), first)
    assert [s.id for s in fresh.skills] == [s.id for s in again.skills]
    assert fresh.findings == again.findings
    assert fresh.fields == again.fields
    assert [t.name for s in fresh.skills for t in s.tools] == [t.name for s in again.skills for t in s.tools]


NAMES = st.sampled_from([
    "agent.yml", "integrations.yml", "memory.yml", "responses.yml", "domain.yml", "tools/a.py", "lib/x.py", "hooks.py",
    "skills/a/skill.md", "skills/a/memory.yml", "skills/a/responses.yml", "skills/a/tools.py", "skills/a/tools/b.py",
    "skills/default_completed/skill.md", "skills/b/SKILL.md", "skills/x.md", "skills/_c/skill.md", "references/r.md",
])  # fmt: skip
WHOLE = st.sampled_from([
    SKILL, TOOLS, "from lib.x import *\n", "schema:\n  public:\n    a: {type: int}\n", "responses:\n  a: b\n",
    "agent: {persona: x}\norchestrator: {model_group: m}\n", "---\n---\n", "- - -\n", "a: &x [*x]\n", ":::",
])  # fmt: skip
TEXTS = st.one_of(st.text(max_size=40), WHOLE)


def spans(found: Project) -> list[Span]:
    places = [f.span for f in found.findings] + [f.span for f in found.fields] + [t.span for t in found.shared_tools]
    for skill in found.own_skills:
        places += [skill.span, *(f.span for f in skill.fields), *(t.span for t in skill.tools)]
        places += [r.span for r in skill.responses] + [p.span for p in skill.paragraphs] + [g.span for g in skill.gates]
    return places


@given(st.dictionaries(NAMES, TEXTS, max_size=8), st.dictionaries(NAMES, TEXTS, max_size=3))
def test_any_folder_is_read_with_places_inside_its_files(files: dict[str, str], edits: dict[str, str]) -> None:
    first = read(folder(files))
    again = read(folder(files | edits), first)
    for found, texts in ((first, files), (again, files | edits)):
        for span in spans(found):
            lines = texts.get(span.path, "").count("\n") + 1
            assert 1 <= span.line <= span.end_line <= lines
    assert again.findings == read(folder(files | edits)).findings


def test_findings_are_in_order_and_errors_are_errors() -> None:
    found = with_files({"skills/z/memory.yml": "a: 1\n", "integrations.yml": "llm: {}\n"})
    assert list(found.findings) == sorted(
        found.findings, key=lambda f: (f.span.path, f.span.line, f.span.column, f.code)
    )
    assert any(f.severity is Severity.ERROR for f in found.findings)
