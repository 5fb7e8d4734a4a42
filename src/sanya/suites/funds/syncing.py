"""Keeps funds up to date with the Thai SEC's open data: fund by fund, so that a sync that was cut short has lost
nothing and goes on where it stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from sanya.kernel.call import Progress, ProgressSink, ignore_progress
from sanya.kernel.database import Database
from sanya.suites.funds.importing.layout import fund_file
from sanya.suites.funds.importing.reading import FundReader
from sanya.suites.funds.importing.records import ImportedFund, Refusal, Registered, Repair, Source
from sanya.suites.funds.importing.shifts import CannotPlace
from sanya.suites.funds.importing.writer import ImportReport, import_funds
from sanya.suites.funds.open_data import (
    FACT_SHEET,
    OpenData,
    Project,
    Sheets,
    fund_files,
    rmf_projects,
    symbol_of,
    text_of,
)

# NAV of a few days back is asked for again: managers correct it.
_OVERLAP = timedelta(days=7)
_COUNTS = ("created", "updated", "unchanged", "older", "points_added", "points_corrected", "demo_removed")


@dataclass(slots=True)
class SyncReport:
    """`fresh` are projects that were synced today already."""

    projects: int = 0
    fresh: int = 0
    written: ImportReport = field(default_factory=ImportReport)
    repairs: list[Repair] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Span:
    """`since` is where the history of a fund that is new to us begins."""

    now: datetime
    since: date
    again: bool = False
    """Whether funds that were synced today are synced once more."""


async def sync_funds(
    database: Database, data: OpenData, span: Span, progress: ProgressSink = ignore_progress
) -> SyncReport:
    report = SyncReport()
    progress(Progress(0, None, "asking which funds are retirement funds"))
    specifications = await data.rows("general-info/specifications")
    projects = rmf_projects(specifications, await data.rows("general-info/profiles"))
    known = await _known(database)
    for done, project in enumerate(projects, start=1):
        if not span.again and _is_fresh(project, known, span.now.date()):
            report.fresh += 1
        else:
            await _sync(database, data, project, span, known, report)
        progress(Progress(done, len(projects), f"{done:,} funds"))
    report.projects = len(projects)
    return report


@dataclass(frozen=True, slots=True)
class _Known:
    fetched_at: str
    nav_date: str | None


async def _known(database: Database) -> dict[str, _Known]:
    rows = await database.fetch("SELECT symbol, fetched_at, nav_date FROM funds WHERE is_demo = 0")
    return {str(symbol): _Known(str(fetched), None if day is None else str(day)) for symbol, fetched, day in rows}


def _is_fresh(project: Project, known: Mapping[str, _Known], today: date) -> bool:
    """Synced today, or tomorrow as another time zone has it. What was synced later than that was synced by a clock that
    was wrong."""
    days = (today.isoformat(), (today + timedelta(days=1)).isoformat())
    found = [known.get(symbol) for symbol in _symbols(project)]
    return all(one is not None and one.fetched_at[:10] in days for one in found)


def _symbols(project: Project) -> list[str]:
    return [symbol_of(profile) for profile in project.profiles]


async def _sync(
    database: Database,
    data: OpenData,
    project: Project,
    span: Span,
    known: Mapping[str, _Known],
    report: SyncReport,
) -> None:
    """Asks for everything about one project, then writes it whole."""
    since = _first_day(project, known, span.since)
    sheets = Sheets(
        nav=await data.rows("daily-info/nav", proj_id=project.id, start_nav_date=since.isoformat()),
        urls=await data.rows("factsheet/urls", proj_id=project.id),
        dividends=await data.rows("daily-info/dividend-history", proj_id=project.id),
        facts={kind: await data.rows(f"factsheet/{kind}", proj_id=project.id, latest="true") for kind in FACT_SHEET},
    )
    funds = _read(project, fund_files(project, sheets, span.now), report)
    _add(report.written, await import_funds(database, funds, now=span.now))


def _first_day(project: Project, known: Mapping[str, _Known], since: date) -> date:
    """Where the class with the shortest history ends; a class that is new to us wants all of it."""
    days = [known[symbol].nav_date if symbol in known else None for symbol in _symbols(project)]
    if any(day is None for day in days):
        return since
    return min(date.fromisoformat(str(day)) for day in days) - _OVERLAP


def _read(project: Project, files: Sequence[dict[str, object]], report: SyncReport) -> list[ImportedFund]:
    profile = project.profiles[0]
    registered = Registered(
        fund_name=text_of(profile, "proj_name_en") or None,
        fund_name_th=text_of(profile, "proj_name_th") or None,
        amc=text_of(profile, "comp_name_en") or None,
        registered_on=project.registered_on,
    )
    reader = FundReader({project.id: registered}, {str(file["amc"]) for file in files}, {})
    funds = []
    for file in files:
        place = f"{project.id} {file['symbol']}"
        try:
            fund, repairs = reader.read(Source(place, fund_file(file)))
        except CannotPlace as reason:
            report.refused.append(Refusal(place, str(reason)))
            continue
        funds.append(fund)
        report.repairs += repairs
    return funds


def _add(total: ImportReport, one: ImportReport) -> None:
    for name in _COUNTS:
        setattr(total, name, getattr(total, name) + getattr(one, name))
