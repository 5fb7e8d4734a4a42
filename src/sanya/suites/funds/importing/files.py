"""Where funds are found: a folder of one JSON file a fund, or the consolidated CSV; and the register beside them."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping
from io import FileIO
from itertools import chain
from pathlib import Path
from typing import Any

import orjson

from sanya.kernel.batches import without_collecting
from sanya.suites.funds.importing.layout import FundFile, NotAFund, decode_fund, fund_file
from sanya.suites.funds.importing.reading import FundReader, read_day_or_none
from sanya.suites.funds.importing.records import ReadFunds, Refusal, Register, Registered, Source
from sanya.suites.funds.importing.shifts import CannotPlace, Columns, is_shifted
from sanya.suites.funds.importing.values import read_text

REGISTER = "fund-mapping.json"
_CSV = "*consolidated*.csv"
_REQUIRED = ("fund_id", "symbol", "fund_name", "amc", "risk_level", "nav_date", "nav_value")
_PERIODS = ("ytd", "3m", "6m", "1y", "3y", "5y", "10y", "since_inception")
_JSON_COLUMNS = {"asset_allocation": "asset_allocation_json", "fees": "fees_json"}


class NothingToImport(ValueError):
    """The path holds no funds; the message says what was looked for."""


def read_funds(path: Path) -> ReadFunds:
    """Everything is read before anything is written, so that a file that cannot be read costs nothing but itself."""
    with without_collecting():
        return _read(path)


def _read(path: Path) -> ReadFunds:
    found = ReadFunds()
    sources = list(_sources(path, found))
    if not sources and not found.refused:
        raise NothingToImport(
            f"{path} holds no funds: give a folder of fund JSON files (it or a folder in it), or a consolidated CSV"
        )
    register = read_register(path)
    managed = _managed(sources)
    managers = {one.amc for one in register.values() if one.amc} | {amc for _, amc in managed}
    reader = FundReader(register, managers, dict(managed))
    seen: dict[str, str] = {}
    for source in sources:
        _take(reader, source, found, seen)
    return found


def _take(reader: FundReader, source: Source, found: ReadFunds, seen: dict[str, str]) -> None:
    try:
        fund, repairs = reader.read(source)
    except CannotPlace as problem:
        found.refused.append(Refusal(source.place, str(problem)))
        return
    first = seen.setdefault(" ".join(fund.symbol.casefold().split()), source.place)
    if first != source.place:
        found.refused.append(Refusal(source.place, f"the symbol {fund.symbol} stands in {first} already"))
        return
    found.funds.append(fund)
    found.repairs += repairs


def _sources(path: Path, found: ReadFunds) -> Iterator[Source]:
    if path.is_file():
        yield from _rows(path) if path.suffix.casefold() == ".csv" else _files([(path.name, str(path))], found)
        return
    funds = list(_files(_json_files(path), found))
    if funds:
        yield from funds
        return
    for table in sorted(path.glob(_CSV)):
        yield from _rows(table)


def _json_files(folder: Path) -> list[tuple[str, str]]:
    """The names and paths of all in the folder and in the folders of it, in their order, the register apart."""
    here, below = _listed(folder)
    files = [*here, *chain.from_iterable(_listed(one)[0] for one in below)]
    return [file for file in sorted(files, key=_place) if file[0] != REGISTER]


def _listed(folder: str | Path) -> tuple[list[tuple[str, str]], list[str]]:
    """JSON files by name and path, and folders. Straight from the system: `glob` takes ten times as long."""
    try:
        with os.scandir(folder) as entries:
            found = [(entry.name, entry.path, entry.is_dir()) for entry in entries]
    except PermissionError:
        return [], []  # somebody else's folder among ours
    files = [(name, path) for name, path, is_folder in found if name.endswith(".json") and not is_folder]
    return files, [path for _, path, is_folder in found if is_folder]


def _place(file: tuple[str, str]) -> list[str]:
    # A sign that sorts before the slash must not part the files of a folder.
    return file[1].split("/")


def _files(files: list[tuple[str, str]], found: ReadFunds) -> Iterator[Source]:
    for name, path in files:
        try:
            with FileIO(path) as file:
                fund = decode_fund(file.readall())
        except orjson.JSONDecodeError as problem:
            found.refused.append(Refusal(name, f"it is not JSON: {problem.msg}"))
        except NotAFund as reason:
            found.skipped.append(Refusal(name, str(reason)))
        else:
            yield Source(name, fund)


def _rows(path: Path) -> Iterator[Source]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        missing = [name for name in _REQUIRED if name not in (rows.fieldnames or ())]
        if missing:
            raise NothingToImport(f"{path.name} has no column {missing[0]}; it is not a consolidated list of funds")
        for row in rows:
            row = {name: row[name] or None for name in row if name}
            yield Source(f"{path.name}:{rows.line_num}", fund_file(_nested(row)))


def _nested(row: Mapping[str, Any]) -> dict[str, Any]:
    """A line of the table in the layout of a fund's own file."""
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
        "metadata": {name: row.get(name) for name in (*_metadata_names(), "fund_type")},
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
        **{name: _json(row.get(column)) for name, column in _JSON_COLUMNS.items()},
    }


def _metadata_names() -> tuple[str, ...]:
    return ("fund_classification", "management_style", "dividend_policy", "risk_level")


def _json(text: Any) -> Any:
    try:
        return orjson.loads(text) if text else None
    except orjson.JSONDecodeError:
        return None


def read_register(path: Path) -> Register:
    """The register in the folder, above it or beside the table; an empty one where there is none."""
    folder = path if path.is_dir() else path.parent
    for candidate in (folder / REGISTER, folder.parent / REGISTER):
        if candidate.is_file():
            return _register(orjson.loads(candidate.read_bytes()))
    return {}


def _register(data: Any) -> Register:
    entries = data.get("mapping") if isinstance(data, dict) else None
    if not isinstance(entries, dict):
        return {}
    return {
        str(entry["proj_id"]): Registered(
            read_text(entry.get("fund_name_en")),
            read_text(entry.get("fund_name_th")),
            read_text(entry.get("amc_name")),
            read_day_or_none(entry.get("regis_date")),
        )
        for entry in entries.values()
        if isinstance(entry, dict) and entry.get("proj_id")
    }


def _managed(sources: list[Source]) -> list[tuple[str, str]]:
    """The ids of funds and their managers, by the share classes whose rows are whole."""
    return [(str(one.file.fund_id), str(one.file.amc).strip()) for one in sources if _has_manager(one.file)]


def _has_manager(file: FundFile) -> bool:
    style = str((file.metadata or {}).get("management_style") or "")
    return read_text(file.amc) is not None and not is_shifted(Columns("", "", "", style, "", ""))
