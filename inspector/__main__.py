"""The command, as `python -m inspector`.

Python then imports from the folder one stands in, which may be the agent's own: nothing of it is to be run.
"""

import os
import sys

try:
    here = os.getcwd()
    if os.path.abspath(sys.path[0]) == here != os.path.dirname(os.path.dirname(os.path.abspath(__file__))):
        del sys.path[0]
except OSError:  # it is gone, and with it all that could be imported from it
    pass

from inspector.cli import main

raise SystemExit(main())
