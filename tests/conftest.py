"""What every test stands on: no setting of the machine's reaches them, and properties run as often as is asked for."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_OURS = ("INSPECTOR_EXAMPLES", "INSPECTOR_REAL_AGENTS")
_SETTINGS = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "EDITOR", "VISUAL")

# textual reads the environment once, when it is imported: this must come first
for _name in [n for n in os.environ if n in _SETTINGS or n.startswith(("TEXTUAL_", "INSPECTOR_"))]:
    if _name not in _OURS:
        del os.environ[_name]
os.environ["XDG_CONFIG_HOME"] = f"{os.devnull}/no-settings"  # a test that needs settings names its own folder

settings.register_profile(
    "default",
    max_examples=int(os.environ.get("INSPECTOR_EXAMPLES", "100")),
    deadline=None,
    derandomize="INSPECTOR_EXAMPLES" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("default")
