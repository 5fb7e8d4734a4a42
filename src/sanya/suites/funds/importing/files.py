"""Readers of import sources: a folder with one JSON file per fund, or a consolidated CSV, and the register beside them.

Each reader yields `FundSource`s; the register fills in what a damaged file has lost.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping
from io import FileIO, StringIO
from itertools import chain
from pathlib import Path
from typing import Any

import orjson

from sanya.suite.runtime import paused_collection
from sanya.suites.funds.importing.layout import FundFile, NotAFund, decode_fund, to_fund_file
from sanya.suites.funds.importing.reading import FundReader, read_day_or_none
from sanya.suites.funds.importing.records import FundReadResult, FundRefusal, FundSource, Register, RegisterEntry
from sanya.suites.funds.importing.shifts import CannotPlace, FundColumns, is_shifted
from sanya.suites.funds.importing.values import read_text

REGISTER = "fund-mapping.json"
_CSV = "*consolidated*.csv"
_REQUIRED = ("fund_id", "symbol", "fund_name", "amc", "risk_level", "nav_date", "nav_value")
_PERIODS = ("ytd", "3m", "6m", "1y", "3y", "5y", "10y", "since_inception")
_METADATA = ("fund_classification", "management_style", "dividend_policy", "risk_level")
_JSON_COLUMNS = {"asset_allocation": "asset_allocation_json", "fees": "fees_json"}


class NothingToImport(ValueError):
    """A path without funds. The message says what an import expects."""


def read_funds(path: Path) -> FundReadResult:
    """Read all funds before anything is written, so that an unreadable file affects only itself."""
    with paused_collection():
        return _read(path)


def _read(path: Path) -> FundReadResult:
    result = FundReadResult()
    sources = list(_iterate_sources(path, result))
    if not sources and not result.refused:
        raise NothingToImport(
            f"{path} contains no funds; name a folder of fund JSON files (one level deep), or a consolidated CSV"
        )
    register = _read_register(path, result)
    managed = _list_managers(sources)
    managers = {entry.amc for entry in register.values() if entry.amc} | {amc for _, amc in managed}
    reader = FundReader(register, managers, dict(managed))
    seen: dict[str, str] = {}
    for source in sources:
        _take(reader, source, result, seen)
    return result


def _take(reader: FundReader, source: FundSource, result: FundReadResult, seen: dict[str, str]) -> None:
    try:
        fund, repairs = reader.read(source)
    except CannotPlace as problem:
        result.refused.append(FundRefusal(source.place, str(problem)))
        return
    first = seen.setdefault(" ".join(fund.symbol.casefold().split()), source.place)
    if first != source.place:
        result.refused.append(FundRefusal(source.place, f"{first} already has the symbol {fund.symbol}"))
        return
    result.funds.append(fund)
    result.repairs += repairs


def _iterate_sources(path: Path, result: FundReadResult) -> Iterator[FundSource]:
    if path.is_file():
        yield from (
            _read_csv(path, result)
            if path.suffix.casefold() == ".csv"
            else _read_json_files([(path.name, str(path))], result)
        )
        return
    funds = list(_read_json_files(_list_json_files(path), result))
    if funds:
        yield from funds
        return
    for table in sorted(path.glob(_CSV)):
        yield from _read_csv(table, result)


def _list_json_files(folder: Path) -> list[tuple[str, str]]:
    """List the names and paths of all JSON files in the folder and its subfolders, sorted, without the register."""
    here, subfolders = _scan_folder(folder)
    files = [*here, *chain.from_iterable(_scan_folder(subfolder)[0] for subfolder in subfolders)]
    return [file for file in sorted(files, key=_split_path) if file[0] != REGISTER]


def _scan_folder(folder: str | Path) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the JSON files by name and path, and the subfolders. `glob` takes ten times as long."""
    try:
        with os.scandir(folder) as entries:
            listing = [(entry.name, entry.path, entry.is_dir()) for entry in entries]
    except PermissionError:
        return [], []  # a subfolder of another user
    files = [(name, path) for name, path, is_folder in listing if name.endswith(".json") and not is_folder]
    return files, [path for _, path, is_folder in listing if is_folder]


def _split_path(file: tuple[str, str]) -> list[str]:
    # Sort by path parts: a character that sorts before the slash must not separate the files of a folder.
    return file[1].split("/")


def _read_json_files(files: list[tuple[str, str]], result: FundReadResult) -> Iterator[FundSource]:
    for name, path in files:
        try:
            with FileIO(path) as file:
                content = file.readall()
            result.add_input(name, content)
            fund = decode_fund(content)
        except orjson.JSONDecodeError as problem:
            result.refused.append(FundRefusal(name, f"the file is not JSON: {problem.msg}"))
        except NotAFund as reason:
            result.skipped.append(FundRefusal(name, str(reason)))
        else:
            yield FundSource(name, fund)


def _read_csv(path: Path, result: FundReadResult) -> Iterator[FundSource]:
    content = path.read_bytes()
    result.add_input(path.name, content)
    with StringIO(content.decode("utf-8-sig"), newline="") as file:
        rows = csv.DictReader(file)
        missing = [name for name in _REQUIRED if name not in (rows.fieldnames or ())]
        if missing:
            raise NothingToImport(f"{path.name} has no column {missing[0]}; name a consolidated CSV of funds")
        for row in rows:
            row = {name: row[name] or None for name in row if name}
            yield FundSource(f"{path.name}:{rows.line_num}", to_fund_file(_nest_row(row)))


def _nest_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a row of the CSV to the layout of a fund's own file."""
    nav = {
        "nav_date": row.get("nav_date"),
        "last_val": row.get("nav_value"),
        "net_asset": row.get("net_asset"),
        "buy_price": row.get("buy_price"),
        "sell_price": row.get("sell_price"),
    }
    benchmark = {period: row.get(f"benchmark_{period}") for period in _PERIODS}
    return {
        **{name: row.get(name) for name in ("fund_id", "symbol", "fund_name", "amc", "data_fetched_at")},
        "metadata": {name: row.get(name) for name in (*_METADATA, "fund_type")},
        "latest_nav": nav if nav["nav_date"] else None,
        "performance": {period: row.get(f"perf_{period}") for period in _PERIODS},
        "benchmark": {"name": row.get("benchmark_name"), "returns": benchmark},
        "suitability": {
            name: row.get(f"suitability_{name}") for name in ("risk_level", "target_investor", "investment_horizon")
        },
        "document_urls": {
            name: row.get(name) for name in ("factsheet_url", "annual_report_url", "halfyear_report_url")
        },
        "investment_minimums": {
            f"minimum_{name}": row.get(f"min_{name}") for name in ("initial", "additional", "redemption", "balance")
        },
        **{name: _load_json(row.get(column)) for name, column in _JSON_COLUMNS.items()},
    }


def _load_json(text: Any) -> Any:
    try:
        return orjson.loads(text) if text else None
    except orjson.JSONDecodeError:
        return None


def _read_register(path: Path, result: FundReadResult) -> Register:
    """Read the register in the folder, above it, or beside the CSV. Return an empty one if there is none."""
    folder = path if path.is_dir() else path.parent
    for candidate in (folder / REGISTER, folder.parent / REGISTER):
        if candidate.is_file():
            content = candidate.read_bytes()
            result.add_input(REGISTER, content)
            return _parse_register(orjson.loads(content))
    return {}


def _parse_register(data: Any) -> Register:
    entries = data.get("mapping") if isinstance(data, dict) else None
    if not isinstance(entries, dict):
        return {}
    return {
        str(entry["proj_id"]): RegisterEntry(
            read_text(entry.get("fund_name_en")),
            read_text(entry.get("fund_name_th")),
            read_text(entry.get("amc_name")),
            read_day_or_none(entry.get("regis_date")),
        )
        for entry in entries.values()
        if isinstance(entry, dict) and entry.get("proj_id")
    }


def _list_managers(sources: list[FundSource]) -> list[tuple[str, str]]:
    """Return the fund ids and their managers, taken from share classes whose columns are not shifted."""
    files = (source.file for source in sources)
    return [(str(file.fund_id), str(file.amc).strip()) for file in files if _has_manager(file)]


def _has_manager(file: FundFile) -> bool:
    style = str((file.metadata or {}).get("management_style") or "")
    return read_text(file.amc) is not None and not is_shifted(FundColumns("", "", "", style, "", ""))
