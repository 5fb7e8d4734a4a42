"""`sanya papers checkpoint`: names the corpus as it is, and lists and shows the states that have a name."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sanya.kernel.call import Call, Outcome
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line
from sanya.surfaces.cli.papers.labels import words
from sanya.surfaces.cli.papers.search import add_common, answered

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.suites.papers.checkpoints import Checkpoint


def add_actions(actions: _SubParsersAction[ArgumentParser]) -> None:
    parser = actions.add_parser("checkpoint", help="Name a state of the corpus, for good.", allow_abbrev=False)
    steps = parser.add_subparsers(dest="step", metavar="STEP", required=True)
    create = steps.add_parser("create", help="Name the corpus as it is now.", allow_abbrev=False)
    create.add_argument("name", metavar="NAME", help="What to call it.")
    create.add_argument("--description", help="What it is for.")
    create.add_argument("--query", action="append", metavar="QUERY", help="A query it belongs to; may be repeated.")
    create.set_defaults(act=_create)
    listing = steps.add_parser("list", help="List the checkpoints, oldest first.", allow_abbrev=False)
    listing.set_defaults(act=_list)
    show = steps.add_parser("show", help="Show one checkpoint.", allow_abbrev=False)
    show.add_argument("checkpoint_id", metavar="ID", help="Its id.")
    show.set_defaults(act=_show)
    for step in (create, listing, show):
        add_common(step)


def _create(options: Namespace) -> int:
    given = {"name": options.name, "description": options.description, "primary_queries": options.query}

    async def work(app: App) -> Outcome:
        with progress_bar("checkpoint") as progress:
            arguments = {name: value for name, value in given.items() if value is not None}
            return await app.kernel.call(Call("corpus.checkpoint.create", arguments, surface="cli", progress=progress))

    body = answered(in_home(options, work))
    if options.json:
        write_json(body)
    else:
        write_line(body["checkpoint_id"])
    return OK


def _list(options: Namespace) -> int:
    found = _stored(options)
    if options.json:
        write_json([_plain(one) for one in found])
        return OK
    said = words(options.lang)
    if not found:
        write_line(said["no_checkpoints"])
        return OK
    columns = [said[name] for name in ("checkpoint", "name", "created", "as_of", "papers")]
    rows = [(one.checkpoint_id, one.name, one.created_at, str(one.as_of or "–"), str(one.papers)) for one in found]
    write_table(columns, rows)
    return OK


def _show(options: Namespace) -> int:
    found = {one.checkpoint_id: one for one in _stored(options)}.get(options.checkpoint_id)
    if found is None:
        raise CommandFailed(
            f"there is no checkpoint {options.checkpoint_id!r}; `sanya papers checkpoint list` shows those there are"
        )
    if options.json:
        write_json(_plain(found))
        return OK
    said = words(options.lang)
    rows = [
        (said["name"], found.name),
        (said["description"], found.description or "–"),
        (said["created"], found.created_at),
        (said["as_of"], str(found.as_of or "–")),
        (said["papers"], str(found.papers)),
        (said["queries"], ", ".join(found.primary_queries) or "–"),
    ]
    write_table((said["checkpoint"], found.checkpoint_id), rows)
    return OK


def _stored(options: Namespace) -> list[Checkpoint]:
    async def work(app: App) -> list[Checkpoint]:
        from sanya.suites.papers.checkpoints import stored_checkpoints

        return await stored_checkpoints(app.database)

    return in_home(options, work)


def _plain(one: Checkpoint) -> dict[str, Any]:
    return {**asdict(one), "as_of": one.as_of.isoformat() if one.as_of else None}
