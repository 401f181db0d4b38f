"""The command, as `python -m inspector`.

Python then imports from the folder one stands in, which may be the agent's own: nothing of it is to be run.
"""

import os
import sys

if os.path.abspath(sys.path[0]) == os.getcwd() != os.path.dirname(os.path.dirname(os.path.abspath(__file__))):
    del sys.path[0]

from inspector.cli import main

raise SystemExit(main())
