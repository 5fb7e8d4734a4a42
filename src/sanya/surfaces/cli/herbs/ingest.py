"""`sanya herbs ingest` and its sisters: documents into the graph, and the jobs that bring them.

The owner at the terminal may name any file: its folder is open for this one call. An agent never gets that.
"""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace, _SubParsersAction
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sanya.kernel.call import OWNER, Answered, Call
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.herbs.ingest_tables import show_changes, show_documents, show_jobs
from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.terminal import write_json, write_line, write_note

if TYPE_CHECKING:
    from sanya.app import App

Body = dict[str, Any]
_SHOWN = 500


def add_ingest_arguments(actions: _SubParsersAction[ArgumentParser]) -> None:
    ingest = actions.add_parser("ingest", help="Read documents into the graph.", allow_abbrev=False)
    ingest.add_argument("files", nargs="+", type=Path, metavar="FILE", help=".pdf, .txt, .html or .docx files.")
    ingest.add_argument("--apply", action="store_true", help="Write it, unreviewed; by default it is only shown.")
    ingest.add_argument("--lang", choices=("th", "en", "auto"), default="auto", help="Language of the documents.")
    ingest.add_argument("--ocr", metavar="PROVIDER", help="What reads pages that are pictures; default: tesseract.")
    ingest.add_argument(
        "--ocr-param", action="append", default=[], metavar="NAME=VALUE", help="An option for it, any number of times."
    )
    ingest.set_defaults(act=_ingest)
    jobs = actions.add_parser("jobs", help="List ingests, the newest first.", allow_abbrev=False)
    jobs.add_argument("--limit", type=int, default=20, metavar="N", help="Most jobs, 1-500 (default 20).")
    jobs.set_defaults(act=_jobs)
    job = actions.add_parser("job", help="Show one ingest: its documents, its diff, its log.", allow_abbrev=False)
    job.add_argument("--log", action="store_true", help="Show its log instead.")
    job.add_argument("--cancel", action="store_true", help="Stop it.")
    job.add_argument("--resume", action="store_true", help="Do what is left of it here, if nobody is at it.")
    job.set_defaults(act=_job)
    apply = actions.add_parser("apply", help="Write exactly what a dry run showed.", allow_abbrev=False)
    apply.set_defaults(act=_apply)
    back = actions.add_parser("rollback", help="Take everything that an ingest wrote out again.", allow_abbrev=False)
    back.set_defaults(act=_roll_back)
    for action in (job, apply, back):
        action.add_argument("job_id", metavar="JOB", help="Its id.")
    for action in (ingest, jobs, job, apply, back):
        action.add_argument("--json", action="store_true", help="Print the answer as JSON.")


def _ingest(options: Namespace) -> int:
    paths = [path.expanduser().resolve() for path in options.files]
    missing = [str(path) for path in paths if not path.is_file()]
    if missing:
        raise CommandFailed(f"there is no file {missing[0]}")
    arguments: Body = {
        "dry_run": not options.apply,
        "batch": [{"uri": path.as_uri(), "lang": options.lang} for path in paths],
    }
    if options.ocr or options.ocr_param:
        arguments["ocr"] = {"provider": options.ocr, "params": dict(map(_param, options.ocr_param))}
    return _run(options, arguments, ingest_roots=tuple(sorted({str(path.parent) for path in paths})))


def _apply(options: Namespace) -> int:
    return _run(options, {"apply_job": options.job_id, "dry_run": False})


def _run(options: Namespace, arguments: Body, **overrides: Any) -> int:
    async def work(app: App) -> Body:
        with progress_bar("Ingesting") as progress:
            started = await _answer(app, Call("tool.ingest.run", arguments, surface="cli", progress=progress))
        return await _whole(app, started["job_id"])

    return _show(options, in_home(options, work, busy=True, **overrides))


def _jobs(options: Namespace) -> int:
    body = _ask(options, "tool.ingest.status", {"limit": options.limit})
    if options.json:
        write_json(body)
    else:
        show_jobs(body["jobs"])
    return OK


def _job(options: Namespace) -> int:
    if options.cancel:
        return _show(options, _ask(options, "tool.ingest.cancel", {"job_id": options.job_id})["job"])
    if options.log:
        write_line(_ask(options, f"job://{options.job_id}/log", {})["text"].rstrip("\n"))
        return OK

    async def work(app: App) -> Body:
        if options.resume:
            await _resume(app, options.job_id)
        return await _whole(app, options.job_id)

    return _show(options, in_home(options, work))


def _roll_back(options: Namespace) -> int:
    return _show(options, _ask(options, "tool.ingest.rollback", {"job_id": options.job_id})["job"])


def _show(options: Namespace, body: Body) -> int:
    if options.json:
        write_json(body)
    else:
        show_documents(body)
        show_changes(body)
        _show_end(body)
    return FAULT if body["status"] == "error" and body["ending"] is None else OK


def _show_end(body: Body) -> None:
    """What to do next, on stderr: it is for the person."""
    job_id = body["job_id"]
    if body["ending"] == "rolled_back":
        write_note(f"{job_id} was taken back: nothing of it is in the graph.")
    elif body["ending"] == "cancelled":
        write_note(f"{job_id} was stopped.")
    elif body["status"] in ("queued", "running"):
        write_note(f"{job_id} is {body['status']}; look again: sanya herbs job {job_id}")
    elif body["failure"]:
        write_note(f"{job_id}: {body['failure']}")
    elif all(one["nothing_new"] for one in body["documents"]):
        write_note("Nothing new: the graph has it already.")
    elif body["dry_run"]:
        write_note(f"Nothing was written. To write exactly this: sanya herbs apply {job_id}")
    else:
        write_note(f"Written, unreviewed. To take it back: sanya herbs rollback {job_id}")


async def _resume(app: App, job_id: str) -> None:
    """Does the background work of a server for as long as the job takes."""
    workers = [one for suite in app.kernel.catalogue.suites if suite.name == "herbs" for one in suite.workers]
    tasks = [asyncio.ensure_future(worker.run()) for worker in workers]
    try:
        with progress_bar("Ingesting") as progress:
            status = "running"
            while status in ("queued", "running"):
                asked = {"job_id": job_id, "wait_s": 60, "limit": 1}
                call = Call("tool.ingest.status", asked, surface="cli", progress=progress)
                status = (await _answer(app, call))["job"]["status"]
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _whole(app: App, job_id: str) -> Body:
    """The job with as many changes as one page has."""
    asked = {"job_id": job_id, "limit": _SHOWN}
    job: Body = (await _answer(app, Call("tool.ingest.status", asked, surface="cli")))["job"]
    return job


def _ask(options: Namespace, name: str, arguments: Body) -> Body:
    async def work(app: App) -> Body:
        return await _answer(app, Call(name, arguments, OWNER, "cli"))

    return in_home(options, work)


async def _answer(app: App, call: Call) -> Body:
    outcome = await (app.kernel.read(call) if "://" in call.tool else app.kernel.call(call))
    if isinstance(outcome, Answered):
        return outcome.body
    raise CommandFailed(outcome.message)


def _param(given: str) -> tuple[str, str]:
    name, is_pair, value = given.partition("=")
    if not is_pair:
        raise CommandFailed(f"--ocr-param takes NAME=VALUE, got {given!r}")
    return name, value
