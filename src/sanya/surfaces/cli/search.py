"""`sanya search`: explain how a query is ranked, and rebuild an index or its vectors."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from dataclasses import asdict
from typing import TYPE_CHECKING

from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.option_values import parse_positive
from sanya.surfaces.cli.output.progress import progress_bar
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line, write_note

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.retrieval.embedding import WordsOnly
    from sanya.retrieval.explain import LanguageExplanation, SearchExplanation

EXAMPLES = """examples:
  sanya search explain "ฟ้าทะลายโจร ไข้หวัด" --in papers
  sanya search explain "phase 2 weight loss" --in papers --mode bm25 --json
  sanya search rebuild papers
  sanya search embed papers"""

_MOST_TERMS = 40


def add_arguments(parser: ArgumentParser) -> None:
    actions: _SubParsersAction[ArgumentParser] = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    explain = actions.add_parser("explain", help="Show how a query is parsed, matched and ranked.", allow_abbrev=False)
    explain.add_argument("query", help="Query in Thai or English.")
    explain.add_argument("--in", dest="namespace", default="papers", help="Namespace to search (default papers).")
    explain.add_argument(
        "--mode", choices=("hybrid", "bm25", "semantic"), default="hybrid", help="Search mode (default hybrid)."
    )
    explain.add_argument(
        "--alpha", type=float, help="Weight of meaning: 0 for keywords only, 1 for meaning only (default: measured)."
    )
    explain.add_argument("--limit", type=parse_positive, default=10, metavar="N", help="Number of hits (default 10).")
    explain.add_argument("--json", action="store_true", help="Print JSON.")
    rebuild = actions.add_parser("rebuild", help="Rebuild an index from the database.", allow_abbrev=False)
    rebuild.add_argument("namespace", help="Namespace of the index, e.g. papers.")
    embed = actions.add_parser(
        "embed",
        help="Embed documents without vectors, or all documents after a change of model.",
        allow_abbrev=False,
    )
    embed.add_argument("namespace", help="Namespace of the documents, e.g. papers.")


def run(options: Namespace) -> int:
    return {"explain": _explain, "rebuild": _rebuild, "embed": _embed}[str(options.action)](options)


def _explain(options: Namespace) -> int:
    async def work(app: App) -> tuple[SearchExplanation, WordsOnly | None]:
        from sanya.retrieval.explain import explain
        from sanya.retrieval.search import SearchQuery

        query = SearchQuery(options.query, options.namespace, options.mode, options.alpha, options.limit)
        library = await app.library()
        return await explain(await library.search(query), library.reader), library.words_only

    explained, words_only = run_in_home(options, work)
    if words_only:
        write_note(words_only.describe())
    if options.json:
        write_json({**asdict(explained), "hits": [hit._asdict() for hit in explained.hits]})
        return OK
    _show(explained)
    return OK


def _show(explained: SearchExplanation) -> None:
    language = {"th": "Thai", "en": "English"}[explained.language]
    alpha = "as measured" if explained.alpha is None else f"{explained.alpha:g}"
    write_line(f"language {language}, mode {explained.mode}, alpha {alpha}")
    for leg in explained.legs:
        _show_language(leg)
    if not explained.legs:
        write_line("nothing to search: the namespace is empty, or the query has no words")
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


def _show_language(leg: LanguageExplanation) -> None:
    """Show the search among the documents of one language."""
    translation = ", by translation" if leg.by_translation else ""
    write_line("")
    write_line(f"documents in {leg.language}{translation}: {leg.candidates} candidates")
    for name, terms in leg.terms.items():
        shown = [f"{term} ({weight:.2g})" for term, weight in list(terms.items())[:_MOST_TERMS]]
        write_line(f"  {name}: {' '.join(shown)}")
    for phrase, words in leg.translations.items():
        write_line(f"  {phrase} → {', '.join(words) or 'no translation'}")
    if leg.vector_space:
        write_line(f"  meaning: {leg.vector_space} vectors")
    weights = " + ".join(f"{weight:.2f} {part}" for part, weight in leg.weights.items())
    write_line(f"  fused: {weights}, each relative to its best score")
    for name, best in (("words", leg.best_by_words), ("meaning", leg.best_by_meaning)):
        if best:
            write_line(f"  best by {name}: {', '.join(f'{id} {score:.3f}' for id, score in best)}")


def _rebuild(options: Namespace) -> int:
    async def work(app: App) -> int:
        library = await app.library()
        await library.rebuild(options.namespace)
        return await library.count(options.namespace)

    count = run_in_home(options, work, busy=True)
    write_line(f"{options.namespace}: rebuilt the index of {count} documents")
    return OK


def _embed(options: Namespace) -> int:
    with progress_bar("embedding") as progress:
        count = run_in_home(options, lambda app: app.library.reembed(options.namespace, progress), busy=True)
    write_line(f"{options.namespace}: embedded {count} documents")
    return OK
