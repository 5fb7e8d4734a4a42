"""A fund's own file, as far as an import needs it. Decoded straight into these: to make dictionaries of all that a file
has takes three times as long, and most of it is never looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

import msgspec
import orjson

_Positive = Annotated[float, msgspec.Meta(gt=0)]


# No value in a file points back to what holds it, so there is nothing for the collector to find.
class NavEntry(msgspec.Struct, gc=False):
    nav_date: Any = None
    last_val: Any = None
    buy_price: Any = None
    sell_price: Any = None
    net_asset: Any = None


class PlainNavEntry(NavEntry, gc=False, kw_only=True):
    """With every value of the plainest kind. Nearly all are so, and there are thirty to a fund."""

    nav_date: str
    last_val: _Positive
    buy_price: _Positive
    sell_price: _Positive
    net_asset: float


class AllocationEntry(msgspec.Struct, gc=False):
    asset_class: Any = None
    percentage: Any = None


class FeeEntry(msgspec.Struct, gc=False):
    fee_type: Any = None
    fee_desc: Any = None
    fee_value: Any = None
    fee_remark: Any = None


class DividendEntry(msgspec.Struct, gc=False):
    book_close_date: Any = None
    payment_date: Any = None
    amount: Any = None


class FundFile(msgspec.Struct, gc=False):
    """Values as the file has them, in whatever form. Parts and lists are what their names say, or None."""

    symbol: Any
    fund_id: Any = None
    fund_name: Any = None
    amc: Any = None
    data_fetched_at: Any = None
    metadata: dict[str, Any] | None = None
    performance: dict[str, Any] | None = None
    benchmark: dict[str, Any] | None = None
    statistics: dict[str, Any] | None = None
    suitability: dict[str, Any] | None = None
    document_urls: dict[str, Any] | None = None
    investment_minimums: dict[str, Any] | None = None
    latest_nav: dict[str, Any] | None = None
    nav_history_30d: Sequence[NavEntry] | None = None
    asset_allocation: list[AllocationEntry] | None = None
    fees: list[FeeEntry] | None = None
    dividends: list[DividendEntry] | None = None


class PlainFundFile(FundFile, gc=False):
    nav_history_30d: Sequence[PlainNavEntry] | None = None


_decode_plain = msgspec.json.Decoder(PlainFundFile).decode
_decode = msgspec.json.Decoder(FundFile).decode
_PARTS = (
    "metadata",
    "performance",
    "benchmark",
    "statistics",
    "suitability",
    "document_urls",
    "investment_minimums",
    "latest_nav",
)
_LISTS = ("nav_history_30d", "asset_allocation", "fees", "dividends")


class NotAFund(ValueError):
    """The file holds something else, and does not pretend to."""


def decode_fund(raw: bytes) -> FundFile:
    """Raises orjson.JSONDecodeError for what is not JSON, and NotAFund for what is not about one fund."""
    for decode in (_decode_plain, _decode):
        with suppress(ValueError, RecursionError):
            return decode(raw)
    # Something is not of the kind that its name says, which costs that part alone; or the whole is no JSON.
    data = orjson.loads(raw)
    if not isinstance(data, dict) or "symbol" not in data:
        raise NotAFund("it is not about one fund")
    return fund_file(data)


def fund_file(data: Mapping[str, Any]) -> FundFile:
    """A file that is here as a mapping. What is not of the kind that its name says is left out."""
    parts = {name: data[name] for name in _PARTS if isinstance(data.get(name), dict)}
    lists = {
        name: [entry for entry in data[name] if isinstance(entry, dict)]
        for name in _LISTS
        if isinstance(data.get(name), list)
    }
    rest = {name: value for name, value in data.items() if name not in _PARTS and name not in _LISTS}
    return msgspec.convert(rest | parts | lists, FundFile)
