"""GraphiQL at `/graphiql`: a page to write queries on, which asks `/graphql` as any client does."""

from __future__ import annotations

from sanya.console.pages import load_graphiql
from sanya.kernel.faults import NotFound
from sanya.surfaces.http.asgi import HttpRequest, HttpResponse
from sanya.surfaces.http.console.pages import IMMUTABLE, REVALIDATE, respond

PAGE, FILES = "/graphiql", "/graphiql/"


async def show_page(request: HttpRequest) -> HttpResponse:
    return respond(load_graphiql().index, request.headers, REVALIDATE)


async def show_file(request: HttpRequest) -> HttpResponse:
    path: str = request.scope["path"]
    digest, _, name = path.removeprefix(FILES).partition("/")
    build = load_graphiql()
    found = build.files.get(name) if digest == build.digest else None
    if found is None:
        raise NotFound("there is no such file of GraphiQL; load the page again")
    return respond(found, request.headers, IMMUTABLE)
