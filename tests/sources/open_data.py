"""The Thai SEC's open data on loopback: its true wire, with a small register of our own, and trouble on demand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

import orjson

KEY = "a-key-of-the-test"
Kind = Literal["status", "html", "cut", "close", "circle", "no_items"]
HTML = b"<html><body>502 - Web server received an invalid response</body></html>"
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Trouble:
    """What goes wrong with the next question for a kind of rows."""

    path: str
    kind: Kind
    status: int = 503
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class OpenDataServer:
    """`tables` are rows by path. A page has `page` rows."""

    port: int = 0
    tables: dict[str, Rows] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    page: int = 100
    fails_for: str | None = None
    """A project about which there is only a refusal."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def questions(self, path: str) -> list[dict[str, str]]:
        return [params for asked_path, params in self.asked if asked_path == path]

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                status, body, headers = self._answer_to(head.decode("ascii"))
                if status == 0:
                    return
                lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in headers.items())]
                length = len(body) + (100 if headers.get("X-Cut") else 0)
                writer.write("\r\n".join([*lines, f"Content-Length: {length}", "", ""]).encode() + body)
                await writer.drain()
                if headers.get("X-Cut"):
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def _answer_to(self, head: str) -> tuple[int, bytes, dict[str, str]]:
        target = urlsplit(head.split(" ")[1])
        path = target.path.removeprefix("/v2/fund/")
        params = {name: values[0] for name, values in parse_qs(target.query).items()}
        if f"ocp-apim-subscription-key: {KEY}" not in head.lower():
            return 401, b'{"statusCode": 401, "message": "Access denied due to invalid subscription key."}', {}
        self.asked.append((path, params))
        trouble = next((candidate for candidate in self.troubles if candidate.path == path), None)
        if self.fails_for is not None and params.get("proj_id") == self.fails_for:
            return 404, b"", {}
        if trouble is not None:
            self.troubles.remove(trouble)
            return self._troubled(trouble)
        return self._rows(path, params)

    def _troubled(self, trouble: Trouble) -> tuple[int, bytes, dict[str, str]]:
        match trouble.kind:
            case "html":
                return 200, HTML, {}
            case "cut":
                return 200, b'{"message": "success", "items": [', {"X-Cut": "yes"}
            case "close":
                return 0, b"", {}
            case "circle":
                return 200, orjson.dumps({"message": "success", "next_cursor": "1", "items": []}), {}
            case "no_items":
                return 200, b'{"message": "success"}', {}
            case "status":
                return trouble.status, b"", trouble.headers

    def _rows(self, path: str, params: dict[str, str]) -> tuple[int, bytes, dict[str, str]]:
        found = [row for row in self.tables.get(path, []) if params.get("proj_id") in (None, row["proj_id"])]
        if "start_nav_date" in params:
            found = [row for row in found if row["nav_date"] >= params["start_nav_date"]]
        if not found:
            return 204, b"", {}
        start = int(params.get("next_cursor", "0"))
        page, following = found[start : start + self.page], start + self.page
        cursor = str(following) if following < len(found) else ""
        body = {"message": "success", "page_size": self.page, "next_cursor": cursor, "items": page}
        return 200, orjson.dumps(body), {"Content-Type": "application/json"}


@asynccontextmanager
async def open_data_served() -> AsyncIterator[OpenDataServer]:
    found = OpenDataServer(tables=register())
    server = await asyncio.start_server(found.answer, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.close()
        await server.wait_closed()


LAST_DAY = date(2025, 11, 7)
_TIMES = {"last_upd_date": "2025-11-10T07:13:01Z"}
_SHEET = {"start_date": "2025-10-31", "end_date": None, "prospectus_type": "Monthly", **_TIMES}


PLAIN, CLASSES, OTHER = "M9001_2560", "M9002_2561", "M9003_2562"


def register() -> dict[str, Rows]:
    """Three projects: a plain retirement fund, one with two classes of which one is for retirement, and one that is
    none at all. Names and figures are invented; the shapes and their oddities are the wire's."""
    return _general() | _daily() | _returns() | _holdings() | _dealing()


def _general() -> dict[str, Rows]:
    return {
        "general-info/specifications": [
            {"proj_id": PLAIN, "fund_class_name": "main", "spec_code": "RMF", "spec_desc": "RMF", **_TIMES},
            {"proj_id": CLASSES, "fund_class_name": "TWO-RMF(A)", "spec_code": "RMF", "spec_desc": "RMF", **_TIMES},
            {"proj_id": OTHER, "fund_class_name": "main", "spec_code": "CIV", "spec_desc": "x", **_TIMES},
        ],
        "general-info/profiles": [
            _profile(PLAIN, "ONE-RMF", "main"),
            _profile(CLASSES, "TWO", "TWO-RMF(A)"),
            _profile(CLASSES, "TWO", "TWO-D"),
            _profile(OTHER, "THREE", "main"),
            {**_profile("M9004_2550", "GONE-RMF", "main"), "cancel_date": "2020-01-31"},
        ],
    }


def _daily() -> dict[str, Rows]:
    dividend = {
        "proj_id": PLAIN,
        "class_abbr_name": "-",
        "book_close_date": "2024-01-14T12:00:00Z",
        "dividend_date": "2024-01-26T12:00:00Z",
        "dividend_value": 0.25,
        **_TIMES,
    }
    nav = [*_nav(PLAIN, "-", 10.0), *_nav(CLASSES, "TWO-RMF(A)", 20.0), *_nav(CLASSES, "TWO-D", 30.0)]
    return {"daily-info/nav": nav, "daily-info/dividend-history": [dividend]}


def _returns() -> dict[str, Rows]:
    return {
        "factsheet/risk-spectrum": [
            {"proj_id": PLAIN, "risk_spectrum": "RS6", "risk_spectrum_desc": "เสี่ยงสูง", **_SHEET},
            {"proj_id": CLASSES, "risk_spectrum": "RS81", "risk_spectrum_desc": "เสี่ยงสูงมาก", **_SHEET},
        ],
        "factsheet/performance": [
            _return(PLAIN, "main", "ผลตอบแทนกองทุนรวม", "year to date", "8.80"),
            _return(PLAIN, "main", "ผลตอบแทนกองทุนรวม", "1 year", "-1.25"),
            _return(PLAIN, "main", "ผลตอบแทนกองทุนรวม", "10 years", "-"),
            _return(PLAIN, "main", "ผลตอบแทนตัวชี้วัด", "year to date", "18.78"),
            _return(PLAIN, "main", "ค่าเฉลี่ยในกลุ่มเดียวกัน", "year to date", "99.99"),
            _return(CLASSES, "TWO-RMF(A)", "ผลตอบแทนกองทุนรวม", "1 year", "7.5"),
            _return(CLASSES, "TWO-D", "ผลตอบแทนกองทุนรวม", "1 year", "1.5"),
        ],
        "factsheet/statistics": [
            _statistics(PLAIN, "main", tracking_error="3.21", sharpe_ratio="0.5", maximum_drawdown="-12.5"),
            _statistics(CLASSES, "TWO-RMF(A)"),
        ],
    }


def _holdings() -> dict[str, Rows]:
    return {
        "factsheet/benchmarks": [
            {"proj_id": PLAIN, "group_seq": 2, "benchmark": "ดัชนี ข", "benchmark_remark": "", **_SHEET},
            {"proj_id": PLAIN, "group_seq": 1, "benchmark": "SET TRI ", "benchmark_remark": "", **_SHEET},
        ],
        "factsheet/asset-allocation": [
            {"proj_id": PLAIN, "asset_seq": 1, "asset_name": "หุ้นสามัญ", "asset_ratio": 95.68, **_SHEET},
            {"proj_id": PLAIN, "asset_seq": 2, "asset_name": "เงินฝากธนาคาร", "asset_ratio": "4.32", **_SHEET},
        ],
        "factsheet/urls": [
            _sheet_url(PLAIN, "2025-09-30", "https://example.org/new.pdf"),
            _sheet_url(PLAIN, "2024-09-30", "https://example.org/old.pdf"),
        ],
    }


def _dealing() -> dict[str, Rows]:
    minimums = {
        "proj_id": PLAIN,
        "fund_class_name": "main",
        "minimum_sub_ipo": 5000,
        "minimum_sub_ipo_cur": "THB                      ",
        "minimum_sub": "100",
        "minimum_sub_cur": "THB",
        "minimum_redempt": 10,
        "minimum_redempt_cur": "USD",
        "lowbal_val": 0,
        "lowbal_val_cur": "THB",
        **_SHEET,
    }
    return {
        "factsheet/fees": [
            _fee(PLAIN, "ค่าธรรมเนียมการจัดการ", "2.14", "1.0700"),
            _fee(PLAIN, "ค่าธรรมเนียมการขายหน่วยลงทุน (Front-end Fee)", 1, None),
        ],
        "factsheet/subscription-redemption-minimums": [minimums],
        "factsheet/dividend-policy": [
            {"proj_id": PLAIN, "fund_class_name": "main", "dividend_policy": "N", **_SHEET},
        ],
    }


def _profile(project: str, symbol: str, name: str) -> dict[str, Any]:
    return {
        "unique_id": "C0000000021",
        "comp_name_th": "บริษัทหลักทรัพย์จัดการกองทุน ตัวอย่าง จำกัด",
        "comp_name_en": "SAMPLE ASSET MANAGEMENT COMPANY LIMITED ",
        "proj_id": project,
        "regis_date": "2017-05-02",
        "init_date": "2017-05-01",
        "cancel_date": None,
        "proj_name_th": f"กองทุน {symbol}",
        "proj_name_en": f"{symbol} Fund",
        "proj_abbr_name": symbol,
        "fund_status": "Registered",
        "policy_desc": "ตราสารทุน",
        "management_style": "AM",
        "fund_class_name": name,
        **_TIMES,
    }


def _nav(project: str, name: str, first: float) -> Rows:
    """Thirty days up to the last, weekends without, one day for which the manager sent nothing."""
    days = [LAST_DAY - timedelta(days=back) for back in range(30, -1, -1)]
    rows = []
    for at, day in enumerate(candidate for candidate in days if candidate.weekday() < 5):
        rows.append(
            {
                "proj_id": project,
                "unique_id": "C0000000021",
                "fund_class_name": name,
                "nav_date": day.isoformat(),
                "net_asset": 1_000_000.5,
                "last_val": 0 if at == 3 else f"{first + at / 10:.4f}",
                "sell_price": f"{first + at / 10 + 0.0001:.4f}",
                "buy_price": f"{first + at / 10:.4f}",
                **_TIMES,
            }
        )
    return rows


def _return(project: str, name: str, kind: str, period: str, value: str) -> dict[str, Any]:
    told = {"performance_type_desc": kind, "reference_period": period, "performance_value": value}
    return {"proj_id": project, "fund_class_name": name, **told, **_SHEET}


def _fee(project: str, kind: str, rate: Any, actual: Any) -> dict[str, Any]:
    told = {"fee_type_desc": kind, "rate": rate, "actual_value": actual, "fee_other_desc": ""}
    return {"proj_id": project, "fund_class_name": "main", **told, **_SHEET}


def _statistics(project: str, name: str, **known: str) -> dict[str, Any]:
    names = ("tracking_error", "sharpe_ratio", "beta", "alpha", "maximum_drawdown", "portfolio_turnover_ratio")
    return {"proj_id": project, "fund_class_name": name, **dict.fromkeys(names, "0"), **known, **_SHEET}


def _sheet_url(project: str, day: str, url: str) -> dict[str, Any]:
    told = {"pdf_factsheet": url, "amc_url_factsheet": "-", "as_of_date": day, "prospectus_type": "Monthly"}
    return {"proj_id": project, "fund_class_name": "main", **told, **_TIMES}
