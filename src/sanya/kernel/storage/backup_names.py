"""The names of backups that a home keeps itself."""

from __future__ import annotations

BACKUPS_NAME = "backups"
BACKUP_SUFFIX = ".sanya"
