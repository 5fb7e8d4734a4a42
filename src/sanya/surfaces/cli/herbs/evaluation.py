"""`sanya eval`: measures search and answers of the herbs suite, and lists what was measured before."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from sanya.kernel.call import Answered, Call, Outcome
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.option_values import positive
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line, write_note
from sanya.surfaces.cli.text_files import replace_text

if TYPE_CHECKING:
    from sanya.app import App

_SETS = ("smoke", "curated")
_SHOWN = ("R@10", "MRR", "factuality", "answers_right", "gate_precision", "ECE")

EXAMPLES = """A file of your own holds questions as JSON, a list or one a line:
  {"text": "กินขมิ้นชันกับ warfarin ได้ไหม", "relevant": ["curcuma-longa"],
   "facts": [["curcuma-longa", "interacts_with", "drug:warfarin"]]}
Without facts, search alone is measured; with an empty list, the answer should be withheld.

examples:
  sanya eval run smoke
  sanya eval run curated --open
  sanya eval run questions.jsonl --k 5 --out report.html
  sanya eval list"""


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    running = actions.add_parser("run", help="Ask a set of questions and write the report.", allow_abbrev=False)
    running.add_argument("set", metavar="SET", help="smoke, curated, or a file with questions of your own.")
    running.add_argument("--k", type=positive, default=10, metavar="N", help="For R@k and nDCG@k, 1-50 (default 10).")
    running.add_argument("--out", metavar="FILE", help="Where the report goes (default: reports/ in the home).")
    running.add_argument("--open", action="store_true", help="Show the report in the browser.")
    listing = actions.add_parser("list", help="List the evaluations that were run.", allow_abbrev=False)
    for action in (running, listing):
        action.add_argument("--json", action="store_true", help="Print the answer as JSON.")


def run(options: Namespace) -> int:
    return _run(options) if options.action == "run" else _list(options)


def _run(options: Namespace) -> int:
    arguments = _arguments(options)

    async def work(app: App) -> tuple[dict[str, Any], str, Path]:
        with progress_bar("eval") as progress:
            call = Call("tool.eval.run", arguments, surface="cli", progress=progress)
            body = _body(await app.kernel.call(call))
        report = _body(await app.kernel.read(Call(body["report_uri"], {}, surface="cli")))
        return body, report["text"], app.settings.home / "reports" / f"{body['run_id']}.html"

    body, page, kept = in_home(options, work)
    path = (Path(options.out).expanduser() if options.out else kept).resolve()
    replace_text(path, page)
    if options.json:
        write_json({**body, "report_file": str(path)})
    else:
        _show(body, path)
    if options.open:
        _open(path)
    return OK


def _arguments(options: Namespace) -> dict[str, Any]:
    if options.set in _SETS:
        return {"set": options.set, "params": {"k": options.k}}
    return {"set": "custom", "params": {"k": options.k, "questions": _questions(Path(options.set).expanduser())}}


def _questions(path: Path) -> Any:
    """A list, an object with a list, or an object a line; what they hold is the tool's to check."""
    try:
        content = path.read_bytes()
    except OSError as error:
        known = " or ".join(_SETS)
        raise CommandFailed(f"{path} is not {known}, and no file that can be read: {error.strerror}") from None
    try:
        if path.suffix == ".jsonl":
            return [orjson.loads(line) for line in content.splitlines() if line.strip()]
        found = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise CommandFailed(f"{path} is not JSON: {error}; one question a line goes into a .jsonl file") from None
    return found["questions"] if isinstance(found, dict) and "questions" in found else found


def _show(body: dict[str, Any], path: Path) -> None:
    write_table(("metric", "value", "before", "change", "n"), [_row(one) for one in body["metrics"]])
    for name in body["not_measured"]:
        write_note(f"{name}: no question of the set has anything for it")
    asked = f"{body['questions']} questions, {body['answered']} answered, graph revision {body['revision']}"
    if body["repeated"]:
        asked += "; measured before, to the same result"
    write_line(f"\n{asked}")
    write_line(f"report   {path}")
    write_line(f"         {body['report_path']} on the server, {body['report_uri']} in MCP")


def _row(metric: dict[str, Any]) -> tuple[str, ...]:
    before, change = metric["previous"], metric["change"]
    known = ("–", "–") if change is None else (f"{before:.3f}", _change(change))
    return metric["name"], f"{metric['value']:.3f}", *known, str(metric["n"])


def _change(change: float) -> str:
    if abs(change) < 0.0005:
        return "="
    return f"{'▲' if change > 0 else '▼'} {change:+.3f}"


def _open(path: Path) -> None:
    import webbrowser

    if not webbrowser.open(path.as_uri()):
        write_note(f"no browser could be started; open {path} yourself")


def _list(options: Namespace) -> int:
    async def work(app: App) -> Outcome:
        return await app.kernel.read(Call("eval://reports", {}, surface="cli"))

    runs = _body(in_home(options, work))["evaluations"]
    if options.json:
        write_json(runs)
    elif not runs:
        write_line("No evaluation yet; `sanya eval run smoke` makes one in seconds.")
    else:
        columns = ("id", "set", "questions", "revision", *_SHOWN, "first measured")
        write_table(columns, [_listed(one) for one in runs])
    return OK


def _listed(one: dict[str, Any]) -> tuple[str, ...]:
    values = {metric["name"]: f"{metric['value']:.3f}" for metric in one["metrics"]}
    counts = (str(one["questions"]), str(one["revision"]))
    return one["id"], one["set"], *counts, *(values.get(name, "–") for name in _SHOWN), one["at"]


def _body(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Answered):
        return outcome.body
    raise CommandFailed(outcome.message)
