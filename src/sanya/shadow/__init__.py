"""Live calls made a second time on other engines, and every difference told: how a team tries an engine before it
moves there."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sanya.app import App


def beside(app: App) -> AbstractAsyncContextManager[object]:
    """While this is entered, a shadow makes the server's calls as well, where the settings want one."""
    if not app.settings.has_shadow:
        return nullcontext()
    from sanya.shadow.trial import shadowing  # here: a server without one need not load it

    return shadowing(app)
