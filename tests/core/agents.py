"""Small agents, each written in a few lines: what a check has to find in one, and must not find in its clean twin."""

from __future__ import annotations

from dataclasses import dataclass, field

from inspector_core.finding import Finding
from inspector_core.mantle.checks import check
from inspector_core.mantle.checks.catalogue import CATALOGUE
from inspector_core.mantle.project import Project
from inspector_core.mantle.reading.folder import read
from inspector_core.source import FolderText

__all__ = ["Case", "block", "codes", "found", "project", "prose", "tools", "written"]

BASE = {
    "agent.yml": "agent:\n  persona: You are kind.\norchestrator:\n  model_group: main\n",
    "integrations.yml": "model_groups:\n- id: main\n  models:\n  - provider: openai\n    model: gpt\n",
}
MEMORY = """\
schema:
  public:
    amount: {type: int}
    paid: {type: bool}
    name: {type: text}
"""
Files = dict[str, str]


@dataclass(frozen=True)
class Case:
    """A code, the files that give it, and the same files put right."""

    code: str
    wrong: Files
    right: Files
    at: str | None = None
    """The words that the finding points at, where it points at words."""
    says: str | None = None
    """Words of its message or hint."""
    name: str = field(default="")

    def __str__(self) -> str:
        return f"{self.code} {self.name}".strip()

    def holds(self) -> None:
        """The code is found in the wrong files, at its place and with its weight; and not in the right ones."""
        read_in = project(self.wrong)
        hits = [f for f in check(read_in) if f.code == self.code]
        assert hits, f"not found; there are {sorted(codes(self.wrong))}"
        assert self.code not in codes(self.right), [f for f in found(self.right) if f.code == self.code]
        assert hits[0].severity is CATALOGUE[self.code].severity
        if self.at is not None:
            assert self.at in [written(read_in, f) for f in hits]
        if self.says is not None:
            assert any(self.says in f"{f.message}; {f.hint}" for f in hits), hits


def written(read_in: Project, finding: Finding) -> str:
    """The words in the file that a finding points at."""
    span, source = finding.span, read_in.sources[finding.span.path]
    start = source.starts[span.line - 1] + span.column - 1
    return source.text[start : source.starts[span.end_line - 1] + span.end_column - 1]


def prose(body: str, front: str = "") -> str:
    """A `skill.md` with a body and further lines of frontmatter."""
    front = front.strip("\n")
    return f"---\nname: Pay\ndescription: Pays.\n{front + chr(10) if front else ''}---\n{body.strip()}\n"


def block(steps: str, name: str = "main", more: str = "") -> str:
    """An ordered block."""
    return f":::ordered_block id={name}\n{more}steps:\n{steps.strip(chr(10))}\n:::\n"


def tools(*names: str, body: str = "return ToolResult(llm_response={})", header: str = "async def") -> str:
    """A tool file with tools of these names."""
    imports = (
        "from rasa.mantle.tools.decorator import ToolContext, tool\nfrom rasa.mantle.tools.result import ToolResult\n"
    )
    one = '\n@tool(description="Does it.")\n{0} {1}(context: ToolContext = None) -> ToolResult:\n    {2}\n'
    return imports + "".join(one.format(header, name, body) for name in names)


def project(files: Files) -> Project:
    """A folder with the skill `pay`, its memory and these files; a text of `""` leaves a file out."""
    base = {**BASE, "skills/pay/skill.md": prose("Help the customer pay."), "skills/pay/memory.yml": MEMORY}
    every = {path: text for path, text in {**base, **files}.items() if text}
    directories = {"/".join(p.split("/")[:n]) for p in every for n in range(1, p.count("/") + 1)}
    return read(FolderText("agent", every, frozenset(directories)))


def found(files: Files) -> tuple[Finding, ...]:
    return check(project(files))


def codes(files: Files) -> set[str]:
    return {f.code for f in found(files)}
