"""What a person sees when a command fails: one sentence that says what to do, never a stack trace."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable

from sanya.surfaces.cli.main import FAULT, UsageError


class CommandFailed(Exception):
    """An expected failure of a command; the message says what to do."""


def explained(run: Callable[[], int]) -> int:
    """Runs a command; a failure becomes a sentence on stderr and the exit code 1."""
    try:
        code = run()
        sys.stdout.flush()
        return code
    except (UsageError, BrokenPipeError):
        raise
    except Exception as error:  # the border to a person: whatever happened, they get a sentence
        sys.stderr.write(f"sanya: {_sentence(error)}\n")
        return FAULT


def _sentence(error: Exception) -> str:
    from sanya.kernel.contract_lock import BrokenPromise
    from sanya.kernel.faults import Fault
    from sanya.published_contracts import BadLock
    from sanya.settings import BadSetting

    match error:
        case CommandFailed() | BadSetting() | BrokenPromise() | BadLock():
            return str(error)
        case Fault():
            return f"{error.message}{f' ({error.hint})' if error.hint else ''}"
        case OSError() if error.filename is not None:
            return f"{error.filename}: {(error.strerror or str(error)).lower()}"
        case OSError():
            return str(error)
        case BaseExceptionGroup() if len(error.exceptions) == 1 and isinstance(error.exceptions[0], Exception):
            return _sentence(error.exceptions[0])
    return _mistake(error)


def _mistake(error: Exception) -> str:
    """Our own mistake. The trace is for whoever looks for it, so it is shown only on request."""
    if os.environ.get("SANYA_LOG_LEVEL") == "debug":
        return "".join(traceback.format_exception(error)).rstrip()
    return f"this is a mistake of ours: {type(error).__name__}: {error}\nSANYA_LOG_LEVEL=debug shows where it happened"
