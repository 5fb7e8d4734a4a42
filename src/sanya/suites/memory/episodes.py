"""What a memory was part of, and how it was said: the neighbours that explain it, who speaks, whether it asks."""

from __future__ import annotations

import re

_SPEAKER = re.compile(r"\s*(?:\[[^\]]{1,80}\]\s*)?([^\W\d_][\w .'’-]{0,40}?)\s*:\s")
_LEADING_DAY = re.compile(r"\s*\[?(\d{4}-\d{2}-\d{2})")
_ASKS = re.compile(r"(?:\?|ไหม|มั้ย|หรือเปล่า|หรือไม่)[\s)\]\"'”]*$")


def episode_of(content: str, lineage: str | None, agent_id: str | None, created_at: str) -> str:
    """A document or conversation where the source names one, else the day that the text or the clock gives."""
    if lineage is not None:
        return lineage
    day = _LEADING_DAY.match(content)
    return f"day:{day[1] if day else created_at[:10]}:{agent_id or ''}"


def speaker_of(content: str) -> str | None:
    """Of `Alice: The deadline is March 15.` it is Alice."""
    found = _SPEAKER.match(content)
    return found[1] if found else None


def asks(content: str) -> bool:
    return _ASKS.search(content) is not None
