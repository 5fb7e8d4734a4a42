"""Failures of a command, shown to a person as one sentence that says what to do, never as a stack trace."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable

from sanya.surfaces.cli.main import FAULT, UsageError
from sanya.surfaces.cli.output.terminal import write_note


class CommandFailed(Exception):
    """An expected failure of a command. The message says what to do."""


def run_and_explain(run: Callable[[], int]) -> int:
    """Run a command. Turn a failure into a sentence on stderr and exit code 1."""
    try:
        code = run()
        sys.stdout.flush()
        return code
    except (UsageError, BrokenPipeError):
        raise
    except Exception as error:  # the outermost handler: a person gets a sentence whatever happened
        write_note(f"sanya: {_describe_error(error)}")
        return FAULT


def _describe_error(error: Exception) -> str:
    from sanya.kernel.contracts.lock import BrokenContract
    from sanya.kernel.faults import Fault
    from sanya.published_contracts import BadLock
    from sanya.settings import BadSetting

    match error:
        case CommandFailed() | BadSetting() | BrokenContract() | BadLock():
            return str(error)
        case Fault():
            return f"{error.message}{f' ({error.hint})' if error.hint else ''}"
        case OSError() if error.filename is not None:
            return f"{error.filename}: {(error.strerror or str(error)).lower()}"
        case OSError():
            return str(error)
        case BaseExceptionGroup() if len(error.exceptions) == 1 and isinstance(error.exceptions[0], Exception):
            return _describe_error(error.exceptions[0])
    return _describe_bug(error)


def _describe_bug(error: Exception) -> str:
    """Describe an unexpected exception. The stack trace appears only on request, at log level debug."""
    if os.environ.get("SANYA_LOG_LEVEL") == "debug":
        return "".join(traceback.format_exception(error)).rstrip()
    return f"this is a bug in Sanya: {type(error).__name__}: {error}\nSet SANYA_LOG_LEVEL=debug to see the stack trace"
