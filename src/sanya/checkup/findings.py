"""The result of a check, and what several checks need to read a setting."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Literal

FindingState = Literal["good", "note", "bad"]


@dataclass(frozen=True, slots=True)
class HomeFinding:
    """The result of one check. `advice` says what to do; it is empty if there is nothing to do."""

    check: str
    state: FindingState
    found: str
    advice: str = ""


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def expand_path(path: str) -> Path:
    return Path(path).expanduser()
