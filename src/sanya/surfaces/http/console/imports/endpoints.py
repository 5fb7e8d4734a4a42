"""The console's import endpoints: send files, see what they would change, write them.

Documents go to the first ingest folder, from where the tool `tool.ingest.run` reads them, with its own dry run.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from sanya.kernel.faults import InvalidArgument, NotFound
from sanya.kernel.ledger.owner_actions import record_owner_action
from sanya.overview import list_ingest_folders
from sanya.surfaces.cli.input_hashes import describe_file
from sanya.surfaces.http.asgi import HttpRequest, HttpResponse
from sanya.surfaces.http.console.api import respond_json
from sanya.surfaces.http.console.imports.batch import Batch, ImportReader
from sanya.surfaces.http.console.imports.readers import FundImport, PaperImport, TaskImport
from sanya.surfaces.http.console.imports.upload import clean_name, receive_file
from sanya.surfaces.http.console.ledger import read_query
from sanya.surfaces.http.console.owner import read_owner_document, read_text, require_owner
from sanya.surfaces.http.console_client import name_surface

if TYPE_CHECKING:
    from sanya.app import App

FOLDER = "uploads"
KINDS = ("documents", "papers", "funds", "tasks")
_MOST_BATCHES = 20
_MOST_FILES = 1000
_OCTETS = b"application/octet-stream"


class ConsoleImports:
    def __init__(self, app: App) -> None:
        self._app = app
        self._batches: dict[str, Batch] = {}
        self._readers: dict[str, ImportReader] = {
            "papers": PaperImport(app),
            "funds": FundImport(app),
            "tasks": TaskImport(app),
        }

    async def upload(self, request: HttpRequest) -> HttpResponse:
        """Receive a file (`?kind=&name=`), or one more of a batch (`&id=`)."""
        require_owner(request)
        query = read_query(request, {"kind", "name", "id"})
        if request.headers.get(b"content-type") != _OCTETS:
            raise InvalidArgument("Send the file itself, with Content-Type: application/octet-stream.")
        name = clean_name(query.get("name", ""))
        kind = query.get("kind", "")
        if kind not in KINDS:
            raise InvalidArgument(f"kind must be one of {', '.join(KINDS)}, got {kind[:40]!r}", field="kind")
        if kind == "documents":
            return await self._keep_document(request, name)
        batch = self._find(query["id"]) if "id" in query else self._open_batch(kind, request)
        await self._add(batch, request, name)
        return respond_json(batch.as_json())

    async def show(self, request: HttpRequest) -> HttpResponse:
        require_owner(request)
        return respond_json(self._find(read_query(request, {"id"}).get("id", "")).as_json())

    async def advance(self, request: HttpRequest) -> HttpResponse:
        """Read a batch as a dry run, write it, or drop it. Both kinds of work go on in the background."""
        document = await read_owner_document(request, self._app.settings, {"id", "action"})
        batch = self._find(read_text(document, "id", 100))
        reader = self._readers[batch.kind]
        match document.get("action"):
            case "read":
                batch.read(reader.read_changes)
            case "write":
                batch.write(reader.write)
            case "drop":
                self._drop(batch)
            case _:
                raise InvalidArgument("action must be read, write or drop", field="action")
        return respond_json(batch.as_json())

    def _open_batch(self, kind: str, request: HttpRequest) -> Batch:
        """Open a batch. The oldest that nobody works on makes room; files that an earlier server left are removed."""
        root = self._app.settings.home / FOLDER
        if not self._batches:
            shutil.rmtree(root, ignore_errors=True)
        for batch in [batch for batch in self._batches.values() if not batch.is_busy][: -_MOST_BATCHES + 1]:
            self._drop(batch)
        id = secrets.token_hex(8)
        folder = root / id
        folder.mkdir(mode=0o700, parents=True)
        batch = Batch(id, kind, folder, (name_surface(request.headers), request.caller.id))
        self._batches[id] = batch
        return batch

    async def _add(self, batch: Batch, request: HttpRequest, name: str) -> None:
        if batch.state != "receiving":
            raise InvalidArgument(f"This import is {batch.state}; start another one.", field="id")
        if name in batch.files or len(batch.files) >= _MOST_FILES:
            raise InvalidArgument(f"{name} was sent already, or there are {_MOST_FILES} files.", field="name")
        room = self._max_bytes - batch.bytes
        batch.bytes += await receive_file(request, batch.folder / name, room, self._app.settings.body_timeout_s)
        batch.files.append(name)

    def _drop(self, batch: Batch) -> None:
        if batch.is_busy:
            raise InvalidArgument("This import is still running.", field="id")
        batch.remove()
        self._batches.pop(batch.id, None)

    def _find(self, id: str) -> Batch:
        batch = self._batches.get(id)
        if batch is None:
            raise NotFound("No such import. It was dropped, or the server was restarted; send the files again.")
        return batch

    @property
    def _max_bytes(self) -> int:
        return self._app.settings.ingest_max_bytes

    async def _keep_document(self, request: HttpRequest, name: str) -> HttpResponse:
        """Put a document into the ingest folder, under a free name."""
        folder = list_ingest_folders(self._app.settings)[0]
        await asyncio.to_thread(folder.mkdir, mode=0o700, parents=True, exist_ok=True)
        path = _find_free_path(folder, name)
        by = (name_surface(request.headers), request.caller.id)
        async with record_owner_action(
            self._app.ledger, "documents.upload", "herbs", {"name": path.name}, by=by
        ) as action:
            await receive_file(request, path, self._max_bytes, self._app.settings.body_timeout_s)
            action.add(**await asyncio.to_thread(describe_file, path))
        return respond_json({"uri": path.as_uri(), "name": path.name, "bytes": path.stat().st_size})


def _find_free_path(folder: Path, name: str) -> Path:
    path, number = folder / name, 1
    while path.exists():
        number += 1
        path = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
    return path
