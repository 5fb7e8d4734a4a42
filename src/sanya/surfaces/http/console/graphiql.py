"""GraphiQL at `/graphiql`: an editor for GraphQL queries that calls `/graphql` like any client."""

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
    file = build.files.get(name) if digest == build.digest else None
    if file is None:
        raise NotFound("No such file in GraphiQL's current build. Reload the page.")
    return respond(file, request.headers, IMMUTABLE)
