"""`sanya papers checkpoint`: create, list and show checkpoints of the corpus."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sanya.kernel.calls.call import Call, Outcome
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line
from sanya.surfaces.cli.papers.labels import get_labels
from sanya.surfaces.cli.papers.search import add_common_options
from sanya.surfaces.cli.tool_calls import require_body

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.suites.papers.checkpoints import Checkpoint


def add_actions(actions: _SubParsersAction[ArgumentParser]) -> None:
    parser = actions.add_parser("checkpoint", help="Create, list and show checkpoints.", allow_abbrev=False)
    steps = parser.add_subparsers(dest="step", metavar="STEP", required=True)
    create = steps.add_parser("create", help="Create a checkpoint of the corpus as it is now.", allow_abbrev=False)
    create.add_argument("name", metavar="NAME", help="Name of the checkpoint.")
    create.add_argument("--description", help="Purpose of the checkpoint.")
    create.add_argument("--query", action="append", metavar="QUERY", help="Query that it belongs to; repeatable.")
    create.set_defaults(act=_create)
    listing = steps.add_parser("list", help="List the checkpoints, oldest first.", allow_abbrev=False)
    listing.set_defaults(act=_list)
    show = steps.add_parser("show", help="Show one checkpoint.", allow_abbrev=False)
    show.add_argument("checkpoint_id", metavar="ID", help="Id of the checkpoint.")
    show.set_defaults(act=_show)
    for step in (create, listing, show):
        add_common_options(step)


def _create(options: Namespace) -> int:
    given = {"name": options.name, "description": options.description, "primary_queries": options.query}

    async def work(app: App) -> Outcome:
        with progress_bar("checkpoint") as progress:
            arguments = {name: value for name, value in given.items() if value is not None}
            return await app.kernel.call(Call("corpus.checkpoint.create", arguments, surface="cli", progress=progress))

    body = require_body(run_in_home(options, work))
    if options.json:
        write_json(body)
    else:
        write_line(body["checkpoint_id"])
    return OK


def _list(options: Namespace) -> int:
    checkpoints = _list_stored(options)
    if options.json:
        write_json([_to_json(checkpoint) for checkpoint in checkpoints])
        return OK
    labels = get_labels(options.lang)
    if not checkpoints:
        write_line(labels["no_checkpoints"])
        return OK
    columns = [labels[name] for name in ("checkpoint", "name", "created", "as_of", "papers")]
    write_table(columns, [_to_row(checkpoint) for checkpoint in checkpoints])
    return OK


def _to_row(checkpoint: Checkpoint) -> tuple[str, ...]:
    counts = (str(checkpoint.as_of or "–"), str(checkpoint.papers))
    return checkpoint.checkpoint_id, checkpoint.name, checkpoint.created_at, *counts


def _show(options: Namespace) -> int:
    stored = {checkpoint.checkpoint_id: checkpoint for checkpoint in _list_stored(options)}
    checkpoint = stored.get(options.checkpoint_id)
    if checkpoint is None:
        raise CommandFailed(
            f"there is no checkpoint {options.checkpoint_id!r}; `sanya papers checkpoint list` lists all checkpoints"
        )
    if options.json:
        write_json(_to_json(checkpoint))
        return OK
    labels = get_labels(options.lang)
    rows = [
        (labels["name"], checkpoint.name),
        (labels["description"], checkpoint.description or "–"),
        (labels["created"], checkpoint.created_at),
        (labels["as_of"], str(checkpoint.as_of or "–")),
        (labels["papers"], str(checkpoint.papers)),
        (labels["queries"], ", ".join(checkpoint.primary_queries) or "–"),
    ]
    write_table((labels["checkpoint"], checkpoint.checkpoint_id), rows)
    return OK


def _list_stored(options: Namespace) -> list[Checkpoint]:
    async def work(app: App) -> list[Checkpoint]:
        from sanya.suites.papers.checkpoints import list_checkpoints

        return await list_checkpoints(app.database)

    return run_in_home(options, work)


def _to_json(checkpoint: Checkpoint) -> dict[str, Any]:
    return {**asdict(checkpoint), "as_of": checkpoint.as_of.isoformat() if checkpoint.as_of else None}
