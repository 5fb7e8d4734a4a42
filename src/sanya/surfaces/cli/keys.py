"""`sanya keys`: bearer keys for the HTTP address. A key is shown once, when it is made; only its hash is kept."""

from __future__ import annotations
