"""Which skill or block the tools are judged for, and the judging."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping

from inspector.errors import UsageError
from inspector_core.classes import dataclass
from inspector_core.finding import did_you_mean
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.gates import judge
from inspector_core.mantle.project import Project
from inspector_core.report import Verdict

__all__ = ["Target", "add_target", "judged", "target"]


@dataclass(frozen=True, slots=True)
class Target:
    """A skill, or one of its blocks by the authored id; without a skill, every one as if it were active."""

    skill: str | None
    block: str | None


def add_target(parser: ArgumentParser) -> None:
    """The arguments that say which skill is taken to be active."""
    parser.add_argument("--skill", metavar="ID", help="judge for this skill alone, as if it were active")
    parser.add_argument("--block", metavar="ID", help="judge while this ordered block of the skill is active")


def target(project: Project, skill: str | None, block: str | None) -> Target:
    """A target that the project has; raises `UsageError` naming the closest where it has not."""
    if skill is None:
        if block is not None:
            raise UsageError("`--block` needs the `--skill` it is in", code="usage")
        return Target(None, None)
    found = project.skill_by_id.get(skill)
    if found is None:
        raise UsageError(
            f"there is no skill `{skill}`", code="unknown-skill", hint=did_you_mean(skill, list(project.skill_by_id))
        )
    if block is not None and found.block(block) is None:
        hint = did_you_mean(block, [b.id for b in found.blocks])
        raise UsageError(f"`{skill}` has no ordered block `{block}`", code="unknown-block", hint=hint)
    return Target(skill, block)


def judged(project: Project, memory: Mapping[str, object], where: Target) -> tuple[Verdict, ...]:
    """The verdicts at a target with this memory, nothing having been said yet."""
    state = MANTLE.start(project, memory)
    if where.skill is None:
        return tuple(MANTLE.report(project, state).verdicts)
    return judge(project, state, where.skill, where.block, True)
