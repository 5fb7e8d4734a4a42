"""Reads the chat endpoint from the settings, for the suites that use a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sanya.settings import BadSetting, Settings

if TYPE_CHECKING:
    from sanya.sources.chat import Endpoint


def find_endpoint_problem(settings: Settings) -> str | None:
    """Return what the settings lack to reach a model, or None where nothing is missing or no model is used."""
    if settings.phrasing_url and not settings.phrasing_model:
        return "phrasing_url needs phrasing_model, the name of the model to use"
    if settings.memory_extractor == "chat" and not settings.phrasing_url:
        return "memory_extractor = chat needs phrasing_url and phrasing_model, the endpoint and the model to use"
    return None


def require_endpoint(settings: Settings) -> Endpoint:
    """Return the endpoint. Raise BadSetting at the start for what would otherwise fail with the first question."""
    if lack := find_endpoint_problem(settings):
        raise BadSetting(lack)
    from sanya.sources.chat import Endpoint  # here: an HTTP client takes long to load
    from sanya.sources.egress import BadDestination, Destination

    try:
        Destination.from_url(settings.phrasing_url, private=True)
    except BadDestination as problem:
        raise BadSetting(f"phrasing_url: {problem}") from None
    return Endpoint(settings.phrasing_url, settings.phrasing_model, settings.phrasing_key)
