"""Makes live calls a second time on other engines and reports every difference: a team tries an engine before it
moves there."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sanya.app import App


def run_shadow(app: App) -> AbstractAsyncContextManager[object]:
    """Run a shadow beside the server while this context is entered, where the settings name one."""
    if not app.settings.has_shadow:
        return nullcontext()
    from sanya.shadow.trial import run_trial  # here: a server without a shadow need not load it

    return run_trial(app)
