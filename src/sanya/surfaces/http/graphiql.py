"""GraphiQL at `/graphiql`: a page to write queries on, which asks `/graphql` as any client does."""

from __future__ import annotations

from sanya.console.pages import graphiql_build
from sanya.kernel.faults import NotFound
from sanya.surfaces.http.console import ASK_AGAIN, FOR_GOOD, respond
from sanya.surfaces.http.wire import Request, Response

PAGE, FILES = "/graphiql", "/graphiql/"


async def show_page(request: Request) -> Response:
    return respond(graphiql_build().index, request.headers, ASK_AGAIN)


async def show_file(request: Request) -> Response:
    path: str = request.scope["path"]
    digest, _, name = path.removeprefix(FILES).partition("/")
    build = graphiql_build()
    found = build.files.get(name) if digest == build.digest else None
    if found is None:
        raise NotFound("there is no such file of GraphiQL; load the page again")
    return respond(found, request.headers, FOR_GOOD)
