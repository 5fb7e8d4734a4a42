"""`sanya search`: shows why a search answers as it does, and makes an index or its vectors anew."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from dataclasses import asdict
from typing import TYPE_CHECKING

from sanya.surfaces.cli.home import in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.option_values import positive
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.retrieval.explain import Explained, LegExplained

EXAMPLES = """examples:
  sanya search explain "ฟ้าทะลายโจร ไข้หวัด" --in papers
  sanya search explain "phase 2 weight loss" --in papers --mode bm25 --json
  sanya search rebuild papers
  sanya search embed papers"""

_MOST_TERMS = 40


def add_arguments(parser: ArgumentParser) -> None:
    actions: _SubParsersAction[ArgumentParser] = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    explain = actions.add_parser("explain", help="How a query is read, found and ranked.", allow_abbrev=False)
    explain.add_argument("query", help="What to search for, in Thai or English.")
    explain.add_argument("--in", dest="namespace", default="papers", help="Whose documents (default papers).")
    explain.add_argument("--mode", choices=("hybrid", "bm25", "semantic"), default="hybrid")
    explain.add_argument("--alpha", type=float, default=0.5, help="0 for words alone, 1 for meaning alone.")
    explain.add_argument("--limit", type=positive, default=10, metavar="N", help="How many hits (default 10).")
    explain.add_argument("--json", action="store_true", help="Print JSON.")
    rebuild = actions.add_parser("rebuild", help="Make an index anew from the database.", allow_abbrev=False)
    rebuild.add_argument("namespace", help="Whose index, e.g. papers.")
    embed = actions.add_parser(
        "embed", help="Embed what awaits it, or everything by another model.", allow_abbrev=False
    )
    embed.add_argument("namespace", help="Whose documents, e.g. papers.")


def run(options: Namespace) -> int:
    return {"explain": _explain, "rebuild": _rebuild, "embed": _embed}[str(options.action)](options)


def _explain(options: Namespace) -> int:
    async def work(app: App) -> Explained:
        from sanya.retrieval.explain import explain
        from sanya.retrieval.search import Query

        query = Query(options.query, options.namespace, options.mode, options.alpha, options.limit)
        library = await app.library()
        return await explain(await library.search(query), library.reader)

    explained = in_home(options, work)
    if options.json:
        write_json({**asdict(explained), "hits": [hit._asdict() for hit in explained.hits]})
        return OK
    _show(explained)
    return OK


def _show(explained: Explained) -> None:
    language = {"th": "Thai", "en": "English"}[explained.language]
    write_line(f"read as {language}, mode {explained.mode}, alpha {explained.alpha:g}")
    for leg in explained.legs:
        _show_leg(leg)
    if not explained.legs:
        write_line("nothing to search: the namespace is empty, or the query has no word")
    write_line("")
    write_table(
        ("id", "score", "= words", "+ meaning", "bm25", "similarity", "language"),
        [
            (
                hit.id,
                f"{hit.score:.6f}",
                f"{hit.parts['words']:.6f}",
                f"{hit.parts['meaning']:.6f}",
                f"{hit.bm25:.3f}",
                f"{hit.similarity:.3f}",
                hit.language,
            )
            for hit in explained.hits
        ],
    )


def _show_leg(leg: LegExplained) -> None:
    way = ", by translation" if leg.by_translation else ""
    write_line("")
    write_line(f"documents in {leg.language}{way}: {leg.candidates} candidates")
    for name, terms in leg.terms.items():
        shown = [f"{term} ({weight:.2g})" for term, weight in list(terms.items())[:_MOST_TERMS]]
        write_line(f"  {name}: {' '.join(shown)}")
    for phrase, words in leg.translations.items():
        write_line(f"  {phrase} → {', '.join(words) or 'nothing known'}")
    if leg.vector_space:
        write_line(f"  meaning: {leg.vector_space} vectors")
    weights = " + ".join(f"{weight:.2f} {part}" for part, weight in leg.weights.items())
    write_line(f"  fused: {weights}, each relative to its best")
    for name, best in (("words", leg.best_by_words), ("meaning", leg.best_by_meaning)):
        if best:
            write_line(f"  best by {name}: {', '.join(f'{one} {score:.3f}' for one, score in best)}")


def _rebuild(options: Namespace) -> int:
    async def work(app: App) -> int:
        library = await app.library()
        await library.rebuild(options.namespace)
        return await library.count(options.namespace)

    count = in_home(options, work, busy=True)
    write_line(f"{options.namespace}: {count} documents indexed anew")
    return OK


def _embed(options: Namespace) -> int:
    with progress_bar("embedding") as progress:
        count = in_home(options, lambda app: app.library.embed_anew(options.namespace, progress), busy=True)
    write_line(f"{options.namespace}: {count} documents embedded")
    return OK
