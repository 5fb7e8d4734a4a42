"""`sanya models`: list, install, check and compare the embedding models that search uses for meaning."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from importlib.util import find_spec
from shutil import which
from typing import TYPE_CHECKING

from sanya.kernel.faults import Fault
from sanya.settings import BadSetting, Settings, load_settings
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line, write_note

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.assembly.search.model_trial import TrialSet
    from sanya.assembly.search.models import ListedModel, ModelName, ModelTrial

EXAMPLES = """A model is named as `list` shows it: offline, fastembed:NAME, huggingface:NAME or FOLDER, openai:NAME.

examples:
  sanya models
  sanya models install offline
  sanya models install fastembed:sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2
  sanya models check
  sanya models compare offline huggingface:~/models/my-model"""

_FIGURES = ("english", "thai", "thai_to_english")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="Print JSON.")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    listing = actions.add_parser("list", help="List the models on this machine (default).", allow_abbrev=False)
    listing.add_argument("--all", action="store_true", help="Also list what fastembed could download.")
    installing = actions.add_parser("install", help="Install what a model needs, and download it.", allow_abbrev=False)
    installing.add_argument("model", metavar="MODEL", help="Name of the model.")
    installing.add_argument("--dry-run", action="store_true", help="Print the command instead of running it.")
    checking = actions.add_parser(
        "check", help="Check that the model of the settings works and made the stored vectors.", allow_abbrev=False
    )
    comparing = actions.add_parser(
        "compare", help="Measure models on this machine: how well and how fast each searches.", allow_abbrev=False
    )
    comparing.add_argument("models", nargs="*", metavar="MODEL", help="Models (default: the one of the settings).")
    for action in (listing, checking, comparing):
        # The same flag before the action must not be undone by the default of this one.
        action.add_argument("--json", action="store_true", default=None, dest="json_after", help="Print JSON.")


def run(options: Namespace) -> int:
    options.json = options.json or bool(getattr(options, "json_after", None))
    actions = {"install": _install, "check": _check, "compare": _compare}
    return actions.get(str(options.action), _list)(options)


def _list(options: Namespace) -> int:
    from sanya.assembly.search.models import list_models, load_measured

    models = list_models(_load(options), every=getattr(options, "all", False))
    if options.json:
        write_json([asdict(model) for model in models])
        return OK
    columns = ("model", "state", "reads", "numbers", "MB", "English", "Thai", "Thai→English", "texts/s")
    write_table(columns, [_to_row(model) for model in models])
    measured = load_measured()
    write_line(f"\nnDCG@10 by meaning alone, measured {measured['date']} on {measured['machine']};")
    write_line("`sanya models compare MODEL` measures any model here. `sanya settings set embedder …` chooses one.")
    if find_spec("fastembed") is None:
        write_note("More models: pip install 'sanya[fastembed]', then `sanya models list --all`.")
    return OK


def _to_row(model: ListedModel) -> tuple[str, ...]:
    figures = (_show(model.measured.get(name)) for name in (*_FIGURES, "texts_per_s"))
    return model.name, model.state, model.reads, _show(model.dim), _show(model.size_mb), *figures


def _show(value: object) -> str:
    return "–" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _install(options: Namespace) -> int:
    from sanya.assembly.search.models import fetch_model, find_install_command

    settings, model = _load(options), _parse(options.model)
    packages = find_install_command(model)
    if packages:
        command = _build_pip_command(packages)
        if options.dry_run:
            write_line(" ".join(command))
            return OK
        write_note(f"running: {' '.join(command)}")
        if subprocess.run(command, check=False).returncode:  # noqa: S603 - our own command
            raise CommandFailed(f"the packages were not installed; run it yourself: {' '.join(command)}")
    elif options.dry_run:
        write_line(f"{model} needs no packages; it would be downloaded if it is not here")
        return OK
    fetch_model(settings, model)
    write_line(f"{model} is installed")
    if model.source != settings.embedder or model.name != settings.embedder_model:
        write_line(f"To use it: {_describe_choice(model)}")
    return OK


def _build_pip_command(packages: list[str]) -> list[str]:
    """Return the command that installs into this environment. An environment made by uv has no pip of its own."""
    if find_spec("pip") is not None or not (uv := which("uv")):
        return [sys.executable, "-m", "pip", "install", *packages]
    return [uv, "pip", "install", "--python", sys.executable, *packages]


def _describe_choice(model: ModelName) -> str:
    if model.source == "offline":
        return "sanya settings set embedder offline"
    return (
        f"sanya settings set embedder_model {model.name} && sanya settings set embedder {model.source}; then, with the "
        "server stopped, sanya search embed papers (and herbs, memory)"
    )


def _check(options: Namespace) -> int:
    from sanya.assembly.search.health import SearchFact, check_embedders

    async def work(app: App) -> list[SearchFact]:
        return await check_embedders(app.settings, app.database)

    facts = run_in_home(options, work)
    if options.json:
        write_json([{"found": fact.found, "advice": fact.advice, "level": fact.level} for fact in facts])
    else:
        for fact in facts:
            write_line(fact.found)
            if fact.advice:
                write_line(f"  {fact.advice}")
    return FAULT if any(fact.level == "bad" for fact in facts) else OK


def _compare(options: Namespace) -> int:
    async def work(app: App) -> list[ModelTrial]:
        from sanya.assembly.search.model_trial import build_trial
        from sanya.assembly.search.models import name_chosen
        from sanya.suites.herbs.graph.store import HerbStore

        names = options.models or [name_chosen(app.settings)]
        models = [_parse(name if name != "none" else "offline") for name in names]
        trial = await asyncio.to_thread(build_trial, await HerbStore(app.database).load_graph())
        write_note(
            f"{len(trial.questions['en'])} English and {len(trial.questions['th'])} Thai questions over "
            f"{len(trial.ids)} pages in each language"
        )
        return [await _try(app.settings, model, trial) for model in models]

    trials = run_in_home(options, work)
    if options.json:
        write_json([asdict(trial) for trial in trials])
        return OK
    columns = ("model", "numbers", "English", "Thai", "Thai→English", "texts/s", "ms a query")
    write_table(
        columns,
        [
            (
                trial.name,
                str(trial.dim),
                *(_show(getattr(trial, name)) for name in _FIGURES),
                _show(trial.texts_per_s),
                _show(trial.query_ms),
            )
            for trial in trials
        ],
    )
    write_line("\nnDCG@10 by meaning alone; search adds words to it, so differences there are smaller.")
    return OK


async def _try(settings: Settings, model: ModelName, trial: TrialSet) -> ModelTrial:
    from sanya.assembly.search.models import try_model

    try:
        return await try_model(settings, model, trial)
    except (Fault, BadSetting) as problem:
        raise CommandFailed(f"{model}: {problem}") from None


def _load(options: Namespace) -> Settings:
    return load_settings({"home": options.home})


def _parse(name: str) -> ModelName:
    from sanya.assembly.search.models import parse_model_name

    return parse_model_name(name)
