"""`sanya eval`: measure the search and the answers of the herbs suite, and list past evaluations."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from sanya.kernel.calls.call import Call
from sanya.kernel.strict_json import DuplicateName, parse_json
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.option_values import parse_positive
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line, write_note
from sanya.surfaces.cli.text_files import replace_text
from sanya.surfaces.cli.tool_calls import fetch_body, require_body

if TYPE_CHECKING:
    from sanya.app import App

_SETS = ("smoke", "curated", "asked")
_SHOWN = ("R@10", "MRR", "factuality", "answers_right", "gate_precision", "ECE")

EXAMPLES = """A file of your own questions is a JSON list, or one JSON object per line:
  {"text": "กินขมิ้นชันกับ warfarin ได้ไหม", "relevant": ["curcuma-longa"],
   "facts": [["curcuma-longa", "interacts_with", "drug:warfarin"]]}
A question without facts measures search only. An empty list of facts means that the answer should be withheld.

examples:
  sanya eval run smoke
  sanya eval run curated --open
  sanya eval run questions.jsonl --k 5 --out report.html
  sanya eval list"""


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    running = actions.add_parser("run", help="Run a set of questions and write a report.", allow_abbrev=False)
    running.add_argument("set", metavar="SET", help="smoke, curated, asked, or a file with your own questions.")
    running.add_argument(
        "--k", type=parse_positive, default=10, metavar="N", help="For R@k and nDCG@k, 1-50 (default 10)."
    )
    running.add_argument("--out", metavar="FILE", help="File for the report (default: in reports/ of the home).")
    running.add_argument("--open", action="store_true", help="Open the report in the browser.")
    listing = actions.add_parser("list", help="List past evaluations.", allow_abbrev=False)
    for action in (running, listing):
        action.add_argument("--json", action="store_true", help="Print the answer as JSON.")


def run(options: Namespace) -> int:
    return _run(options) if options.action == "run" else _list(options)


def _run(options: Namespace) -> int:
    arguments = _build_arguments(options)

    async def work(app: App) -> tuple[dict[str, Any], str, Path]:
        with progress_bar("eval") as progress:
            call = Call("tool.eval.run", arguments, surface="cli", progress=progress)
            body = require_body(await app.kernel.call(call))
        report = require_body(await app.kernel.read(Call(body["report_uri"], {}, surface="cli")))
        return body, report["text"], app.settings.home / "reports" / f"{body['run_id']}.html"

    body, page, default_path = run_in_home(options, work)
    path = (Path(options.out).expanduser() if options.out else default_path).resolve()
    replace_text(path, page)
    if options.json:
        write_json({**body, "report_file": str(path)})
    else:
        _show(body, path)
    if options.open:
        _open(path)
    return OK


def _build_arguments(options: Namespace) -> dict[str, Any]:
    if options.set in _SETS:
        return {"set": options.set, "params": {"k": options.k}}
    return {"set": "custom", "params": {"k": options.k, "questions": _read_questions(Path(options.set).expanduser())}}


def _read_questions(path: Path) -> Any:
    """Read a list, an object with a list, or one object per line. The tool validates the questions themselves."""
    try:
        content = path.read_bytes()
    except OSError as error:
        known = f"{', '.join(_SETS[:-1])} or {_SETS[-1]}"
        raise CommandFailed(f"{path} is not {known}, and cannot be read as a file: {error.strerror}") from None
    try:
        if path.suffix == ".jsonl":
            return [parse_json(line) for line in content.splitlines() if line.strip()]
        questions = parse_json(content)
    except DuplicateName as duplicate:
        raise CommandFailed(f"{path}: {duplicate}; write each name once") from None
    except orjson.JSONDecodeError as error:
        raise CommandFailed(f"{path} is not JSON: {error}; name a file with one question per line .jsonl") from None
    return questions["questions"] if isinstance(questions, dict) and "questions" in questions else questions


def _show(body: dict[str, Any], path: Path) -> None:
    write_table(("metric", "value", "before", "change", "n"), [_to_metric_row(metric) for metric in body["metrics"]])
    for name in body["not_measured"]:
        write_note(f"{name}: not measured, because no question of the set needs it")
    summary = f"{body['questions']} questions, {body['answered']} answered, graph revision {body['revision']}"
    if body["repeated"]:
        summary += "; an earlier run had the same result"
    write_line(f"\n{summary}")
    write_line(f"report   {path}")
    write_line(f"         {body['report_path']} on the server, {body['report_uri']} in MCP")


def _to_metric_row(metric: dict[str, Any]) -> tuple[str, ...]:
    before, change = metric["previous"], metric["change"]
    known = ("–", "–") if change is None else (f"{before:.3f}", _format_change(change))
    return metric["name"], f"{metric['value']:.3f}", *known, str(metric["n"])


def _format_change(change: float) -> str:
    if abs(change) < 0.0005:
        return "="
    return f"{'▲' if change > 0 else '▼'} {change:+.3f}"


def _open(path: Path) -> None:
    import webbrowser

    if not webbrowser.open(path.as_uri()):
        write_note(f"cannot start a browser; open {path} yourself")


def _list(options: Namespace) -> int:

    runs = fetch_body(options, "eval://reports")["evaluations"]
    if options.json:
        write_json(runs)
    elif not runs:
        write_line("There are no evaluations yet; `sanya eval run smoke` runs one in seconds.")
    else:
        columns = ("id", "set", "questions", "revision", *_SHOWN, "first measured")
        write_table(columns, [_to_run_row(run) for run in runs])
    return OK


def _to_run_row(run: dict[str, Any]) -> tuple[str, ...]:
    values = {metric["name"]: f"{metric['value']:.3f}" for metric in run["metrics"]}
    counts = (str(run["questions"]), str(run["revision"]))
    return run["id"], run["set"], *counts, *(values.get(name, "–") for name in _SHOWN), run["at"]
