"""The chat endpoint of the settings, for whatever a suite has a model do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sanya.settings import BadSetting, Settings

if TYPE_CHECKING:
    from sanya.sources.chat import Endpoint


def lack_of_endpoint(settings: Settings) -> str | None:
    """What is missing for a model to be asked; nothing where nobody asks for one."""
    if settings.phrasing_url and not settings.phrasing_model:
        return "phrasing_url needs phrasing_model, the name of the model that is asked"
    if settings.memory_extractor == "chat" and not settings.phrasing_url:
        return (
            "memory_extractor = chat needs phrasing_url and phrasing_model, the endpoint and the model that are asked"
        )
    return None


def chat_endpoint(settings: Settings) -> Endpoint:
    """Refuses at the start what would otherwise fail at the first question."""
    if lack := lack_of_endpoint(settings):
        raise BadSetting(lack)
    from sanya.sources.chat import Endpoint  # here: an HTTP client takes long to load
    from sanya.sources.egress import BadDestination, Destination

    try:
        Destination.of(settings.phrasing_url, private=True)
    except BadDestination as problem:
        raise BadSetting(f"phrasing_url: {problem}") from None
    return Endpoint(settings.phrasing_url, settings.phrasing_model, settings.phrasing_key)
