"""Conditions over memory: parsed once, evaluated many times (§4)."""

from inspector_core.mantle.condition.syntax import Condition, parse

__all__ = ["Condition", "parse"]
