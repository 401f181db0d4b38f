"""Every code that can be found, the engine's and ours: how much it matters and what it means."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.mantle.checks.catalogue.config import CONFIG
from inspector_core.mantle.checks.catalogue.entry import Entry
from inspector_core.mantle.checks.catalogue.loading import LOADING
from inspector_core.mantle.checks.catalogue.ours import OURS
from inspector_core.mantle.checks.catalogue.reading import READING
from inspector_core.mantle.checks.catalogue.skills import SKILLS

__all__ = ["CATALOGUE", "Entry"]

_EVERY: Mapping[str, Entry] = {**LOADING, **SKILLS, **CONFIG, **OURS, **READING}

CATALOGUE: Mapping[str, Entry] = {code: entry._replace(code=code) for code, entry in _EVERY.items()}
"""By code, the engine's first."""
