"""The console's built files, under addresses that change with their content, so that browsers may keep them."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
_DIGEST_CHARS = 16
_BUILD = b"{build}"


@dataclass(frozen=True)
class PageFile:
    content: bytes
    content_type: str

    @cached_property
    def digest(self) -> str:
        return sha256(self.content).hexdigest()[: 2 * _DIGEST_CHARS]

    @cached_property
    def gzipped(self) -> bytes:
        """The same bytes on every machine: no time goes into them."""
        return gzip.compress(self.content, mtime=0)


@dataclass(frozen=True)
class PageBuild:
    """All files of one build. `index` is the page itself, which names the others under `digest`."""

    digest: str
    index: PageFile
    files: dict[str, PageFile]


def load_console() -> PageBuild:
    return _read_build("app")


def load_graphiql() -> PageBuild:
    return _read_build("graphiql")


@cache
def _read_build(folder: str) -> PageBuild:
    found: dict[str, PageFile] = {}
    total = sha256()
    for one in sorted(files("sanya.console").joinpath(folder).iterdir(), key=lambda one: one.name):
        content = one.read_bytes()
        total.update(one.name.encode("utf-8") + b"\0" + content + b"\0")
        found[one.name] = PageFile(content, _TYPES["." + one.name.rpartition(".")[2]])
    digest = total.hexdigest()[:_DIGEST_CHARS]
    page = found.pop("index.html")
    index = PageFile(page.content.replace(_BUILD, digest.encode("ascii")), page.content_type)
    return PageBuild(digest, index, found)
