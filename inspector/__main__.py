"""The command, as `inspector`: see `inspector.cli`."""

from inspector.cli import main

raise SystemExit(main())
