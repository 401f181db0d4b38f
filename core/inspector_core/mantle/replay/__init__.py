"""Recordings held against a project's files: what was at every moment, and what today's files make of it."""

from __future__ import annotations

from inspector_core.mantle.replay.confirmed import Confirmation
from inspector_core.mantle.replay.drifts import KINDS, Drift, Kind, drift
from inspector_core.mantle.replay.history import GateHistory
from inspector_core.mantle.replay.replay import Point, Replay

__all__ = ["KINDS", "Confirmation", "Drift", "GateHistory", "Kind", "Point", "Replay", "drift"]
