"""What a process is started with where the time to its first word is measured."""

from __future__ import annotations

import os


def compiled_once() -> dict[str, str]:
    """This environment, but Python keeps what it compiled, as it does for everybody who has not forbidden it."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
