"""What has become of a confirmation that waits, since it asked."""

from __future__ import annotations

from inspector_core.mantle.engine.state import Pending
from inspector_core.proof import Truth
from inspector_core.report import Report

__all__ = ["closed_since"]


def closed_since(report: Report, pending: Pending) -> bool:
    """Whether the gate no longer holds; a yes runs the tool all the same: the engine looks at it once (§6.3)."""
    verdict = report.find(pending.tool, pending.skill_id)
    return verdict is not None and verdict.proof is not None and verdict.proof.truth is not Truth.HOLDS
