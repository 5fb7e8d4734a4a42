"""`python -m sanya`: the same as the command `sanya`."""

from __future__ import annotations

import sys

from sanya.surfaces.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
