"""Every tool in a line: its standing as a sign and a word, and the reason beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from inspector.pieces import GLYPHS, Line, standing_tone
from inspector.reports.findings import Findings, finding_lines
from inspector.reports.text import blank, say
from inspector_core.mantle.project import Project
from inspector_core.report import Verdict

__all__ = ["report_lines", "title", "tool_lines"]

_LONGEST_NAME = 40


def title(project: Project, verdicts: Sequence[Verdict]) -> Line:
    """The agent's name, the engine it is judged by, and how much there is."""
    custom = [v for v in verdicts if v.kind != "built-in"]
    counts = Counter(v.standing for v in custom)
    told = [f"{n} {standing}" for standing, n in counts.items()]
    skills = len(project.own_skills)
    return say(
        (project.name, "head"),
        (f" · Mantle {project.version} · {skills} skill{'' if skills == 1 else 's'} · ", "dim"),
        (", ".join(told) or "no tools", "dim"),
    )


def tool_lines(project: Project, verdicts: Sequence[Verdict]) -> Iterator[Line]:
    """The tools skill by skill; the engine's own only where they say something of this moment."""
    shown = [v for v in verdicts if (v.kind, v.standing) != ("built-in", "inactive")]
    width = min(max((len(v.tool) for v in shown), default=0), _LONGEST_NAME)
    yield title(project, shown)
    for skill, of in groupby(shown, key=lambda v: v.skill):
        yield blank()
        yield say((skill if skill is not None else "the engine's own, and tools of no skill", "head"))
        for verdict in of:
            yield _tool(verdict, width)


def report_lines(project: Project, verdicts: Sequence[Verdict], found: Findings) -> Iterator[Line]:
    """The whole folder: its tools, then what is wrong in the files."""
    yield from tool_lines(project, verdicts)
    yield blank()
    yield from finding_lines(found)


def _tool(verdict: Verdict, width: int) -> Line:
    tone = standing_tone(verdict.standing)
    standing = f"  {GLYPHS[verdict.standing]} {verdict.standing:<12} "
    why = _why(verdict)
    kind = "" if verdict.kind == "local" else f"[{verdict.kind}]"
    gap = "  " if why and kind else ""
    return say(
        (standing, tone), f"{verdict.tool:<{width}}  ", (why, "plain" if tone == "dim" else tone), (gap + kind, "dim")
    )


def _why(verdict: Verdict) -> str:
    if verdict.why or verdict.offered:
        return verdict.why or ("a call first asks the customer" if verdict.confirmation else "")
    return verdict.reason
