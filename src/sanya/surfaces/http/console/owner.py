"""Requests that only the owner may make: settings, keys, imports, watched queries, backups.

The command line asks for write access to the home. Here the caller needs every scope (`*`): a key with `*`, or nobody's
key where the machine's own callers need none. And the request must come from this server's own pages or from no page at
all. Other calls accept any page on loopback; these do not, so that another program's page cannot act for the owner.
"""

from __future__ import annotations

from typing import Any

from sanya.kernel.calls.call import ALL_SCOPES, Caller
from sanya.kernel.faults import Forbidden, InvalidArgument
from sanya.settings import Settings
from sanya.surfaces.http.asgi import Headers, HttpRequest
from sanya.surfaces.http.auth.authentication import ANONYMOUS
from sanya.surfaces.http.body import read_json_body

_OWN_SITES = (b"same-origin", b"none")


def require_owner(request: HttpRequest) -> None:
    """Raise Forbidden unless the caller has every scope and the request is not another page's."""
    if ALL_SCOPES not in request.caller.scopes:
        raise Forbidden("Only the owner may do this: it needs a key with the scope *.", details={"scope": ALL_SCOPES})
    if not _is_own(request.headers):
        raise Forbidden("Another page sent this request. Open the console of this server and try again.")


def is_anonymous(caller: Caller) -> bool:
    return caller.id == ANONYMOUS


def _is_own(headers: Headers) -> bool:
    """Compare the page's host with ours; not the scheme, which a proxy in front may change."""
    origin, site = headers.get(b"origin"), headers.get(b"sec-fetch-site")
    if origin is not None and origin.partition(b"://")[2].lower() != headers.get(b"host", b"").lower():
        return False
    return site is None or site in _OWN_SITES


async def read_document(request: HttpRequest, settings: Settings) -> Any:
    """Read a JSON body within the server's limits."""
    return await read_json_body(request, settings.max_body_bytes, settings.body_timeout_s)


async def read_owner_document(request: HttpRequest, settings: Settings, known: set[str]) -> dict[str, Any]:
    """Check the owner, then read an object of these fields and no others."""
    require_owner(request)
    document = await read_document(request, settings)
    if not isinstance(document, dict):
        raise InvalidArgument("The body must be a JSON object.")
    unknown = sorted(document.keys() - known)
    if unknown:
        raise InvalidArgument(f"Unknown field {unknown[0][:40]!r}. Use {', '.join(sorted(known))}.", field=unknown[0])
    return document


def read_text(document: dict[str, Any], name: str, most_chars: int = 4096) -> str:
    value = document.get(name)
    if not isinstance(value, str) or not value.strip() or len(value) > most_chars:
        raise InvalidArgument(f"{name} must be a text of 1 to {most_chars} characters", field=name)
    return value
