"""Sync of funds with the Thai SEC's open data, one fund at a time: an interrupted sync resumes where it stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from sanya.suite import Progress, ProgressSink, ignore_progress
from sanya.suite.store import Database, advance_revision, take_back_revision
from sanya.suites.funds.fund import fold_code
from sanya.suites.funds.importing.layout import to_fund_file
from sanya.suites.funds.importing.reading import FundReader
from sanya.suites.funds.importing.records import FundRefusal, FundSource, ImportedFund, RegisterEntry, Repair
from sanya.suites.funds.importing.shifts import CannotPlace
from sanya.suites.funds.importing.writer import MAX_GONE_SHARE, FundImportReport, import_funds, mark_gone
from sanya.suites.funds.open_data import (
    FACT_SHEET,
    FundProject,
    OpenData,
    Sheets,
    build_fund_files,
    choose_symbol,
    read_field,
    select_rmf_projects,
)

# Fetch the NAV of the last days again: fund managers correct it.
_OVERLAP = timedelta(days=7)
_COUNTS = (
    "created",
    "updated",
    "unchanged",
    "older",
    "points_added",
    "points_corrected",
    "demo_removed",
    "classes_kept",
    "gone",
)


@dataclass(slots=True)
class SyncReport:
    """The result of a sync. `fresh` counts projects that were synced today already."""

    projects: int = 0
    fresh: int = 0
    written: FundImportReport = field(default_factory=FundImportReport)
    repairs: list[Repair] = field(default_factory=list)
    refused: list[FundRefusal] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SyncPeriod:
    """The time range of a sync. `since` is the first day of the history of a new fund."""

    now: datetime
    since: date
    again: bool = False
    """True to sync funds again that were synced today."""


async def sync_funds(
    database: Database, data: OpenData, period: SyncPeriod, progress: ProgressSink = ignore_progress
) -> SyncReport:
    report = SyncReport()
    progress(Progress(0, None, "listing the retirement funds"))
    specifications = await data.fetch_rows("general-info/specifications")
    projects = select_rmf_projects(specifications, await data.fetch_rows("general-info/profiles"))
    stored = await _load_stored(database)
    for done, project in enumerate(projects, start=1):
        if not period.again and _is_fresh(project, stored, period.now.date()):
            report.fresh += 1
        else:
            await _sync(database, data, project, period, stored, report)
        progress(Progress(done, len(projects), f"{done:,} funds"))
    report.projects = len(projects)
    listed = {fold_code(symbol) for project in projects for symbol in _list_symbols(project)}
    missing = sorted(symbol for symbol in stored if fold_code(symbol) not in listed)
    if len(missing) <= len(stored) * MAX_GONE_SHARE:
        report.written.gone = await _mark_gone(database, missing, period)
    return report


async def _mark_gone(database: Database, symbols: Sequence[str], period: SyncPeriod) -> int:
    if not symbols:
        return 0
    async with database.transaction() as transaction:
        await advance_revision(transaction, "funds")
        marked = await mark_gone(transaction, symbols, period.now.date().isoformat())
        if not marked:
            await take_back_revision(transaction, "funds")
    return marked


@dataclass(frozen=True, slots=True)
class _StoredFund:
    fetched_at: str
    nav_date: str | None


async def _load_stored(database: Database) -> dict[str, _StoredFund]:
    rows = await database.fetch("SELECT symbol, fetched_at, nav_date FROM funds WHERE is_demo = 0")
    return {str(symbol): _StoredFund(str(fetched), None if day is None else str(day)) for symbol, fetched, day in rows}


def _is_fresh(project: FundProject, stored: Mapping[str, _StoredFund], today: date) -> bool:
    """Return whether all classes were synced today, or on tomorrow's date in another time zone.

    A later date comes from a wrong clock and does not count.
    """
    days = (today.isoformat(), (today + timedelta(days=1)).isoformat())
    funds = [stored.get(symbol) for symbol in _list_symbols(project)]
    return all(fund is not None and fund.fetched_at[:10] in days for fund in funds)


def _list_symbols(project: FundProject) -> list[str]:
    return [choose_symbol(profile) for profile in project.profiles]


async def _sync(
    database: Database,
    data: OpenData,
    project: FundProject,
    period: SyncPeriod,
    stored: Mapping[str, _StoredFund],
    report: SyncReport,
) -> None:
    """Fetch everything about one project, then write it in one transaction."""
    since = _find_first_day(project, stored, period.since)
    sheets = Sheets(
        nav=await data.fetch_rows("daily-info/nav", proj_id=project.id, start_nav_date=since.isoformat()),
        urls=await data.fetch_rows("factsheet/urls", proj_id=project.id),
        dividends=await data.fetch_rows("daily-info/dividend-history", proj_id=project.id),
        facts={
            kind: await data.fetch_rows(f"factsheet/{kind}", proj_id=project.id, latest="true") for kind in FACT_SHEET
        },
    )
    funds = _read(project, build_fund_files(project, sheets, period.now), report)
    _add(report.written, await import_funds(database, funds, now=period.now))


def _find_first_day(project: FundProject, stored: Mapping[str, _StoredFund], since: date) -> date:
    """Return the last day of the shortest history among the classes, or `since` if any class is new."""
    days = [stored[symbol].nav_date if symbol in stored else None for symbol in _list_symbols(project)]
    if any(day is None for day in days):
        return since
    return min(date.fromisoformat(str(day)) for day in days) - _OVERLAP


def _read(project: FundProject, files: Sequence[dict[str, object]], report: SyncReport) -> list[ImportedFund]:
    profile = project.profiles[0]
    registered = RegisterEntry(
        fund_name=read_field(profile, "proj_name_en") or None,
        fund_name_th=read_field(profile, "proj_name_th") or None,
        amc=read_field(profile, "comp_name_en") or None,
        registered_on=project.registered_on,
    )
    reader = FundReader({project.id: registered}, {str(file["amc"]) for file in files}, {})
    funds = []
    for file in files:
        place = f"{project.id} {file['symbol']}"
        try:
            fund, repairs = reader.read(FundSource(place, to_fund_file(file)))
        except CannotPlace as reason:
            report.refused.append(FundRefusal(place, str(reason)))
            continue
        funds.append(fund)
        report.repairs += repairs
    return funds


def _add(total: FundImportReport, report: FundImportReport) -> None:
    for name in _COUNTS:
        setattr(total, name, getattr(total, name) + getattr(report, name))
