"""Sanya: expert toolsets for AI agents. `sanya.open()` opens a home and returns an `App` to call tools with."""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own would cost `sanya --help` a third of its time
if TYPE_CHECKING:
    from sanya.app import App, CallRefused, open

__all__ = ["App", "CallRefused", "__version__", "open"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Import the app with its first use: `sanya --help` needs none of it."""
    if name in ("App", "CallRefused", "open"):
        from sanya import app

        return getattr(app, name)
    raise AttributeError(f"module 'sanya' has no attribute {name!r}")
