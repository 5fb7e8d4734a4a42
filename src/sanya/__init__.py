"""Sanya: five expert toolsets behind one door that keeps its word. `sanya.open()` is that door."""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own would cost `sanya --help` a third of its time
if TYPE_CHECKING:
    from sanya.app import App, CallRefused, open

__all__ = ["App", "CallRefused", "__version__", "open"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """The door is imported when it is first used: `sanya --help` needs none of it."""
    if name in ("App", "CallRefused", "open"):
        from sanya import app

        return getattr(app, name)
    raise AttributeError(f"module 'sanya' has no attribute {name!r}")
