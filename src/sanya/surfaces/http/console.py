"""The console's page at `/` and its files. They hold nothing of anybody's, so nobody is asked for a key yet."""

from __future__ import annotations

from sanya.console.pages import File, console_build
from sanya.kernel.faults import NotFound
from sanya.surfaces.http.wire import HeaderLines, Headers, Request, Response

FILES = "/console/"
API = "/console/api"

# Nothing runs but our own files, nothing is reached but this server, and nobody frames it.
POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    b"frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_GUARDS: HeaderLines = (
    (b"content-security-policy", POLICY),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"vary", b"accept-encoding"),
)
ASK_AGAIN = (b"cache-control", b"no-cache")
FOR_GOOD = (b"cache-control", b"public, max-age=31536000, immutable")
_WORTH_PACKING = 1024


async def show_page(request: Request) -> Response:
    return respond(console_build().index, request.headers, ASK_AGAIN)


async def show_file(request: Request) -> Response:
    """A file of this very build: one of an older build is gone, and the page then asks to be loaded anew."""
    path: str = request.scope["path"]
    digest, _, name = path.removeprefix(FILES).partition("/")
    build = console_build()
    found = build.files.get(name) if digest == build.digest else None
    if found is None:
        raise NotFound("there is no such file of the console; load the page again")
    return respond(found, request.headers, FOR_GOOD)


def respond(file: File, headers: Headers, keeping: tuple[bytes, bytes]) -> Response:
    tag = f'W/"{file.digest}"'.encode("ascii")
    lines = (*_GUARDS, keeping, (b"etag", tag))
    if tag in [one.strip() for one in headers.get(b"if-none-match", b"").split(b",")]:
        return Response(304, headers=lines)
    content, content_type = file.content, file.content_type.encode("ascii")
    if len(content) > _WORTH_PACKING and _takes_gzip(headers):
        return Response(200, file.gzipped, content_type, (*lines, (b"content-encoding", b"gzip")))
    return Response(200, content, content_type, lines)


def _takes_gzip(headers: Headers) -> bool:
    offers = [one.partition(b";") for one in headers.get(b"accept-encoding", b"").split(b",")]
    return any(name.strip() == b"gzip" and weight.replace(b" ", b"") != b"q=0" for name, _, weight in offers)
