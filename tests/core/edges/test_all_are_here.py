"""Every edge case of §11 has a test that bears its number."""

from __future__ import annotations

import re
from pathlib import Path


def test_all_forty_are_here() -> None:
    texts = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert sorted({int(number) for number in re.findall(r"^def test_edge_(\d\d)_", texts, re.M)}) == list(range(1, 41))
