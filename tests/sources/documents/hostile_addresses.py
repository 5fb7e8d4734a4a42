"""Addresses that must reach nothing: other schemes and hosts, ways out of the folder, names that are not what they
seem. `{port}` is that of a server that counts who calls."""

from __future__ import annotations

import os
import socket
from pathlib import Path

SECRET = "the canary must never be read"

_SCHEMES = (
    "http", "https", "ftp", "ftps", "sftp", "scp", "ssh", "gopher", "dict", "ldap", "ldaps", "tftp", "telnet",
    "imap", "pop3", "smtp", "rtsp", "rtmp", "smb", "cifs", "nfs", "afp", "git", "svn", "ws", "wss", "jar", "zip",
    "phar", "php", "expect", "netdoc", "view-source", "resource", "chrome", "s3", "gs", "hdfs", "webdav",
)  # fmt: skip
_HOSTS = (
    "127.0.0.1:{port}", "localhost:{port}", "[::1]:{port}", "0.0.0.0:{port}", "127.1:{port}", "2130706433:{port}",
    "0x7f000001:{port}", "0177.0.0.1:{port}", "169.254.169.254", "[fd00:ec2::254]", "[::ffff:127.0.0.1]:{port}",
    "metadata.google.internal", "10.0.0.1", "192.168.1.1",
)  # fmt: skip
_FILE_HOSTS = (
    "localhost", "127.0.0.1", "[::1]", "0.0.0.0", "169.254.169.254", "evil.example", "evil.example:80",
    "user@localhost", "user:password@127.0.0.1", ".", "..", "%2e%2e", "%6c%6f%63%61%6c%68%6f%73%74", "LOCALHOST",
    "~", "*",
)  # fmt: skip
_WAYS_UP = (
    "..", "%2e%2e", "%2E%2E", ".%2e", "%2e.", "%252e%252e", "%25252e%25252e", "..%2f..", "..%5c..", "..\\..",
    "%2e%2e%2f", "..;", "..%00", "..%0a", "..%20", "...", "....", ".../...", "%c0%ae%c0%ae", "%e0%80%ae%e0%80%ae",
    "%u002e%u002e", "\u2024\u2024", "\u2025", "\uff0e\uff0e", "\u3002\u3002", "%EF%BC%8E%EF%BC%8E", "..\u2215..",
    "..\uff0f..", "..%c0%af..", "..\u202e", "\u202e..", "..\u200b", ".\u200b.", "..%E2%80%8B", "..\t", "%09..",
    ".\x7f.",
)  # fmt: skip
_SYSTEM = (
    "/etc/passwd", "/etc/shadow", "/etc/hosts", "/proc/self/environ", "/proc/self/mem", "/proc/self/maps",
    "/proc/self/cwd", "/proc/self/fd/0", "/proc/1/environ", "/proc/kcore", "/proc/version", "/dev/zero", "/dev/random",
    "/dev/stdin", "/dev/tty", "/dev/null", "/dev/fd/0", "/sys/kernel/notes", "/var/log/syslog", "/tmp", "/",
    "/C:/Windows/win.ini", "/c|/boot.ini", "//evil.example/share/canary.txt", "///evil.example/share/canary.txt",
    "/%5c%5cevil.example%5cshare", "/\\evil.example\\share", "/??/C:/canary.txt", "/~/canary.txt", "/$HOME/canary.txt",
)  # fmt: skip


def hostile_addresses(inbox: Path, outside: Path, port: int) -> list[str]:
    canary, here = f"{outside}/canary.txt", str(inbox)
    made = [f"{scheme}://127.0.0.1:{port}{canary}" for scheme in _SCHEMES]
    made += [f"http://{host}/canary.txt".replace("{port}", str(port)) for host in _HOSTS]
    made += [f"file://{host}{canary}" for host in _FILE_HOSTS]
    made += [f"file://{here}/{up}/{outside.name}/canary.txt" for up in _WAYS_UP]
    made += [
        f"file://{here}/deep/{up}/{up}/{outside.name}/canary.txt" for up in ("..", "%2e%2e", "%252e%252e", "..%2f")
    ]
    made += [f"file://{path}" for path in _SYSTEM]
    made += [f"file://{here}/{name}" for name in plant(inbox, outside)]
    made += _spellings(canary, here)
    return made


def _spellings(canary: str, here: str) -> list[str]:
    """The right file by a wrong address, and the wrong file by a right one."""
    good = f"{here}/good.txt"
    return [
        "", "file:", "file:/", "file://", "file:////", f"file:{good}", f"file:{canary}", f"file:/{good}",
        f"FILE://{good}", f"File://{good}", f"fIlE://{good}", f" file://{good}", f"file ://{good}",
        f"file://{good} ", f"\nfile://{good}", f"file://{good}\n", f"file://{good}\x00", f"file://{good}%00",
        f"file://{good}%00.pdf", f"file://{good}?x=1", f"file://{good}#page=1", f"file://{good}%0a",
        f"file://{good}%0d%0aHost:%20evil", f"file://{good}/", f"file://{good}/.", f"file://{good}/..",
        f"file://{here}//good.txt", f"file://{here}/./good.txt", f"file://{here}/good.txt%2f",
        f"file://{here}%2fgood.txt", f"file://{here}%5cgood.txt", f"file://{here}\\good.txt",
        f"file://{here}/%67ood.txt%", f"file://{here}/%ff%fe", f"file://{here}/\ud800", f"file://{here}/GOOD.TXT",
        f"file://{here}/good.txt.", f"file://{here}/good.txt::$DATA", f"file://{here}/good.txt:stream",
        f"file://{here.upper()}/good.txt", f"file://{here}2/canary.txt", f"file://{here}-evil/canary.txt",
        f"file://{here}", f"file://{here}/", f"file://{canary}", f"file://{canary}?{good}",
        f"file://{canary}#{good}", canary, good, f"file:///%2f{canary}", f"file://{'/a' * 3000}",
        f"file://{here}/{'a' * 300}", f"url:file://{good}", f"jar:file://{good}!/x", f"data:text/plain,{SECRET}",
        "javascript:alert(1)", "about:blank", "mailto:a@evil.example", f"file://{here}/%E2%80%AEtxt.doog",
        f"file+http://127.0.0.1{canary}", f"//127.0.0.1{canary}", f"\\\\?\\{canary}",
    ]  # fmt: skip


def plant(inbox: Path, outside: Path) -> list[str]:
    """Links out of the folder and things that are no files, and their names."""
    (inbox / "deep").mkdir()
    links = {
        "to-file.txt": outside / "canary.txt",
        "to-folder": outside,
        "to-root": Path("/"),
        "to-environment.txt": Path("/proc/self/environ"),
        "to-zero.txt": Path("/dev/zero"),
        "to-nothing.txt": outside / "absent.txt",
        "loop.txt": inbox / "loop.txt",
        "deep/relative.txt": Path("../..") / outside.name / "canary.txt",
        "chain.txt": inbox / "to-file.txt",
        "one-another.txt": inbox / "other-one.txt",
        "other-one.txt": inbox / "one-another.txt",
        "to-inbox-and-out": inbox / "to-folder",
    }
    for name, target in links.items():
        (inbox / name).symlink_to(target)
    os.mkfifo(inbox / "pipe.txt")
    (inbox / "folder.txt").mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        # The name of a socket is short; it is bound from inside the folder.
        before = Path.cwd()
        os.chdir(inbox)
        try:
            listener.bind("socket.txt")
        finally:
            os.chdir(before)
    through = ["to-folder/canary.txt", "to-root/etc/passwd", "to-inbox-and-out/canary.txt", "to-root/proc/self/environ"]
    return [*links, *through, "pipe.txt", "folder.txt", "socket.txt", "absent.txt", "absent/absent.txt"]
