"""`sanya herbs papers`: list the papers that the herb graph cites, and bring their records from PubMed."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction
from typing import TYPE_CHECKING, Any

from sanya.surfaces.cli.herbs.labels import get_label
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_note

if TYPE_CHECKING:
    from sanya.app import App


def add_papers_arguments(actions: _SubParsersAction[ArgumentParser]) -> None:
    papers = actions.add_parser("papers", help="List the papers that the graph cites.", allow_abbrev=False)
    papers.add_argument(
        "--sync", action="store_true", help="Bring all of them from PubMed, and later versions of stored ones."
    )
    papers.add_argument("--lang", choices=("th", "en"), help="Language of the output (default en).")
    papers.add_argument("--json", action="store_true", help="Print the list, or the report of the sync, as JSON.")
    papers.set_defaults(act=_run)


def _run(options: Namespace) -> int:
    if options.sync:
        from sanya.surfaces.cli.papers.intake import fetch_papers

        return fetch_papers(options, _list_pmids)
    papers = run_in_home(options, _list_papers)
    if options.json:
        write_json(papers)
        return OK
    lang = options.lang or "en"
    columns = [get_label(name, lang) for name in ("pmid", "year", "record", "title")]
    write_table(columns, [_to_row(paper, lang) for paper in papers])
    absent = sum(not paper["stored"] for paper in papers)
    if absent:
        write_note(get_label("papers_absent", lang).format(count=absent, total=len(papers)))
    return OK


async def _list_pmids(app: App) -> list[str]:
    from sanya.suites.herbs.graph.store import HerbStore

    return await HerbStore(app.database).list_cited_pmids()


async def _list_papers(app: App) -> list[dict[str, Any]]:
    from sanya.kernel.citations import read_standings
    from sanya.suites.herbs.graph.store import HerbStore
    from sanya.suites.papers.store import read_stored_paper

    store = HerbStore(app.database)
    pmids = await store.list_cited_pmids()
    nodes = await store.get_nodes([f"pmid:{pmid}" for pmid in pmids])
    titles = {source.pmid: source.title for source in (await store.load_graph()).sources.values() if source.pmid}
    standings = await read_standings(app.database, [f"pmid:{pmid}" for pmid in pmids])
    papers = []
    for pmid in pmids:
        stored, node = await read_stored_paper(app.database, pmid), nodes.get(f"pmid:{pmid}")
        standing = standings.get(f"pmid:{pmid}")
        papers.append(
            {
                "pmid": pmid,
                "title": (stored and stored.title) or (node and node.label_en) or titles.get(pmid),
                "year": (stored and stored.year) or (node.data.get("year") if node else None),
                "stored": stored is not None,
                "standing": standing.standing if standing else None,
            }
        )
    return papers


def _to_row(paper: dict[str, Any], lang: str) -> list[str]:
    record = get_label("stored" if paper["stored"] else "not_stored", lang)
    if paper["standing"]:
        record = get_label(f"{paper['standing']}_paper", lang)
    return [paper["pmid"], str(paper["year"] or "–"), record, paper["title"] or "–"]
