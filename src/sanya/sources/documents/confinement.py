"""Drops the privileges of a process before it reads untrusted bytes."""

from __future__ import annotations

import contextlib
import os
import sys

_CLONE_NEWNET, _CLONE_NEWUSER = 0x40000000, 0x10000000
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38
_SIGKILL = 9
_MAX_FILES = 32


def confine(memory_mb: int, seconds: int) -> None:
    """Limit memory and CPU time and forbid writing files. On Linux also die with the parent, gain no privileges and,
    where the system allows it, have no network."""
    if os.name != "posix":
        return
    if sys.platform == "linux":
        _drop_privileges()
    _limit_resources(memory_mb, seconds)


def _limit_resources(memory_mb: int, seconds: int) -> None:
    import resource

    bounds = {
        resource.RLIMIT_AS: memory_mb * 1024 * 1024,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: _MAX_FILES,
    }
    for what, most in bounds.items():
        _, hard = resource.getrlimit(what)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        # macOS refuses a limit on the address space; the CPU limit still holds there.
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(what, (bound, bound))


def _drop_privileges() -> None:
    """Leave the network and forbid new privileges. A container or an old kernel may refuse; the limits still hold."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.unshare(_CLONE_NEWNET) != 0:
        libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET)
