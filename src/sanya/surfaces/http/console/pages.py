"""The console's page at `/` and its files. They hold no data, so they need no credentials."""

from __future__ import annotations

import re
from dataclasses import replace

from sanya.console.pages import PageFile, load_console
from sanya.kernel.faults import NotFound
from sanya.surfaces.http.asgi import HeaderLines, Headers, HttpRequest, HttpResponse, Scope

FILES = "/console/"
API = "/console/api"
PAGE_NAMES = frozenset(
    {
        "home",
        "search",
        "papers",
        "herbs",
        "review",
        "memory",
        "funds",
        "tasks",
        "suites",
        "tools",
        "ledger",
        "import",
        "jobs",
        "operations",
        "evaluation",
        "settings",
        "keys",
    }
)
"""The pages that `web/src/console/routes.ts` lists; a test compares both."""

# Only our own scripts run, only this server is reached, and no other page may frame the console.
POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    b"frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_SECURITY_HEADERS: HeaderLines = (
    (b"content-security-policy", POLICY),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"vary", b"accept-encoding"),
)
REVALIDATE = (b"cache-control", b"no-cache")
IMMUTABLE = (b"cache-control", b"public, max-age=31536000, immutable")
_MIN_GZIP_BYTES = 1024


# The pages of the console that programs know as addresses of their own.
_SHARED_PATHS = re.compile(r"/(tools|jobs)(/[^/]*)?")
_HTML = b"text/html"


async def show_page(request: HttpRequest) -> HttpResponse:
    return respond(load_console().index, request.headers, REVALIDATE)


def is_visit(scope: Scope, headers: Headers) -> bool:
    """Return True where a person opens an address: programs that fetch data do not ask for HTML."""
    return scope["method"] in ("GET", "HEAD") and _HTML in headers.get(b"accept", b"")


def is_shared_path(path: str) -> bool:
    """Return True for an address that is data to programs and a page to people, such as /tools/get_tasks."""
    return _SHARED_PATHS.fullmatch(path) is not None


async def show_address(request: HttpRequest) -> HttpResponse:
    """Serve the console at an address without `#/`. The page goes on to its own address, or says what exists."""
    page = await show_page(request)
    name = request.scope["path"].strip("/").partition("/")[0]
    return page if name in PAGE_NAMES or page.status != 200 else replace(page, status=404)


async def show_file(request: HttpRequest) -> HttpResponse:
    """Serve a file of the current build. Files of older builds are gone; the page then asks the reader to reload."""
    path: str = request.scope["path"]
    digest, _, name = path.removeprefix(FILES).partition("/")
    build = load_console()
    file = build.files.get(name) if digest == build.digest else None
    if file is None:
        raise NotFound("No such file in the console's current build. Reload the page.")
    return respond(file, request.headers, IMMUTABLE)


def respond(file: PageFile, headers: Headers, cache_control: tuple[bytes, bytes]) -> HttpResponse:
    tag = f'W/"{file.digest}"'.encode("ascii")
    lines = (*_SECURITY_HEADERS, cache_control, (b"etag", tag))
    if tag in [known_tag.strip() for known_tag in headers.get(b"if-none-match", b"").split(b",")]:
        return HttpResponse(304, headers=lines)
    content, content_type = file.content, file.content_type.encode("ascii")
    if len(content) > _MIN_GZIP_BYTES and _is_gzip_accepted(headers):
        return HttpResponse(200, file.gzipped, content_type, (*lines, (b"content-encoding", b"gzip")))
    return HttpResponse(200, content, content_type, lines)


def _is_gzip_accepted(headers: Headers) -> bool:
    codings = [coding.partition(b";") for coding in headers.get(b"accept-encoding", b"").split(b",")]
    return any(name.strip() == b"gzip" and weight.replace(b" ", b"") != b"q=0" for name, _, weight in codings)
