"""The console's built files. Their URLs contain a digest of the build, so browsers may cache them forever."""

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
        """The compressed content. Without a timestamp, so that the bytes are the same on every machine."""
        return gzip.compress(self.content, mtime=0)


@dataclass(frozen=True)
class PageBuild:
    """All files of one build. `index` is the page itself, which refers to the other files under `digest`."""

    digest: str
    index: PageFile
    files: dict[str, PageFile]


def load_console() -> PageBuild:
    return _read_build("app")


def load_graphiql() -> PageBuild:
    return _read_build("graphiql")


@cache
def _read_build(folder: str) -> PageBuild:
    pages: dict[str, PageFile] = {}
    total = sha256()
    for file in sorted(files("sanya.console").joinpath(folder).iterdir(), key=lambda file: file.name):
        content = file.read_bytes()
        total.update(file.name.encode("utf-8") + b"\0" + content + b"\0")
        pages[file.name] = PageFile(content, _TYPES["." + file.name.rpartition(".")[2]])
    digest = total.hexdigest()[:_DIGEST_CHARS]
    page = pages.pop("index.html")
    index = PageFile(page.content.replace(_BUILD, digest.encode("ascii")), page.content_type)
    return PageBuild(digest, index, pages)
