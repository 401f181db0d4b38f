"""Run the invariants over an agent with one line of the engine changed; meant to be run as a program of its own.

    python -m tests.core.faulty MODULE OLD NEW FOLDER

prints the invariants that broke, one a line.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from random import Random


def patch(module: str, old: str, new: str) -> None:
    """Load a module with one text in it replaced, before anything else asks for it."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    source = Path(spec.origin).read_text(encoding="utf-8")
    assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in {module}"
    made = module_from_spec(spec)
    sys.modules[module] = made
    exec(compile(source.replace(old, new), spec.origin, "exec"), made.__dict__)


def main(module: str, old: str, new: str, folder: str) -> None:
    patch(module, old, new)
    from inspector.folder import read_folder
    from inspector_core.mantle.dialect import MANTLE
    from inspector_core.mantle.invariants import try_out

    tried = try_out(MANTLE.read(read_folder(Path(folder))), 300, Random)
    print("\n".join(failure.broken.invariant for failure in tried.failures))


if __name__ == "__main__":
    main(*sys.argv[1:])
