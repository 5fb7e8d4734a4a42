"""Memory and disk of an engine on this machine, read from /proc. A server elsewhere is not measured."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")
_LISTENING = "0A"


def find_listener(port: int) -> int | None:
    """Return the process that listens on a port of this machine."""
    rows = [line.split() for table in ("tcp", "tcp6") for line in _read_lines(PROC / "net" / table)[1:]]
    inodes = {row[9] for row in rows if row[3] == _LISTENING and int(row[1].rpartition(":")[2], 16) == port}
    sockets = {f"socket:[{inode}]" for inode in inodes}
    return next((pid for pid in _list_processes() if sockets & set(_read_links(PROC / str(pid) / "fd"))), None)


def measure_memory(pid: int) -> int:
    """Return the bytes in memory of a process and its children, those that they share counted in parts."""
    children = [child for child in _list_processes() if _read_parent(child) == pid]
    return sum(map(_measure_process, (pid, *children)))


def measure_disk(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def read_environment(pid: int, name: str) -> str:
    entries = (PROC / str(pid) / "environ").read_bytes().split(b"\0")
    return next((entry.decode().partition("=")[2] for entry in entries if entry.startswith(f"{name}=".encode())), "")


def format_bytes(number: int) -> str:
    return f"{number / 1e9:.2f} GB"


def _measure_process(pid: int) -> int:
    text = "\n".join(_read_lines(PROC / str(pid) / "smaps_rollup"))
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def _read_parent(pid: int) -> int:
    text = "\n".join(_read_lines(PROC / str(pid) / "status"))
    found = re.search(r"^PPid:\s+(\d+)", text, re.MULTILINE)
    return int(found[1]) if found else 0


def _list_processes() -> Iterator[int]:
    return (int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit())


def _read_lines(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8").splitlines()
    except OSError:
        return []  # the process ended, or the system has no such file


def _read_links(folder: Path) -> Iterator[str]:
    try:
        for entry in folder.iterdir():
            yield str(entry.readlink())
    except OSError:
        return
