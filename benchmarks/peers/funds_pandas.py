"""Plain pandas script that loads a folder of fund files into the two tables that our importer fills.

It reads, flattens, computes daily changes and writes. It does not repair, explain or merge. Its last line of output is
the CPU time of reading and writing, without the time to import modules.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd

LISTS = ["asset_allocation", "fees", "dividends", "errors", "nav_history_30d", "involved_parties", "risk_factors"]


def main(folder: Path, target: Path) -> None:
    started = time.process_time()
    files = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    points = _build_points(files)
    funds = _build_funds(files, points)
    with closing(sqlite3.connect(target)) as connection:
        funds.to_sql("funds", connection, index=False, if_exists="replace")
        points.to_sql("nav_points", connection, index=False, if_exists="replace")
        connection.commit()
    print(time.process_time() - started)


def _build_points(files: list[dict[str, Any]]) -> pd.DataFrame:
    found = pd.concat(
        [
            pd.DataFrame([*fund["nav_history_30d"], fund["latest_nav"] or {}]).assign(symbol=fund["symbol"])
            for fund in files
        ]
    )
    found["nav"] = pd.to_numeric(found["last_val"], errors="coerce")
    found = found.dropna(subset=["nav_date", "nav"]).drop_duplicates(["symbol", "nav_date"], keep="last")
    found = found.sort_values(["symbol", "nav_date"])
    return found[["symbol", "nav_date", "nav", "net_asset", "buy_price", "sell_price"]]


def _build_funds(files: list[dict[str, Any]], points: pd.DataFrame) -> pd.DataFrame:
    found = pd.json_normalize(files, sep="_", max_level=2)
    figures = [name for name in found.columns if name.startswith(("performance_", "benchmark_returns_", "investment_"))]
    found[figures] = found[figures].apply(pd.to_numeric, errors="coerce")
    changes = points.assign(
        nav_change=points.groupby("symbol")["nav"].diff(),
        nav_change_percent=points.groupby("symbol")["nav"].pct_change() * 100,
    )
    latest = changes.groupby("symbol").tail(1)[["symbol", "nav_date", "nav", "nav_change", "nav_change_percent"]]
    found = found.merge(latest, on="symbol", how="left")
    for name in found.columns.intersection(LISTS):
        found[name] = [json.dumps(value, ensure_ascii=False) for value in found[name]]
    return found.drop(columns=[name for name in found.columns if found[name].map(type).isin([list, dict]).any()])


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
