"""The layout of a fund file, limited to the fields that an import needs.

Files are decoded straight into these structs: decoding whole files into dictionaries takes three times as long, and an
import uses little of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

import msgspec
import orjson

_Positive = Annotated[float, msgspec.Meta(gt=0)]
_NULL = msgspec.Raw(b"null")
_Price = Annotated[float, msgspec.Meta(ge=0)]


# gc=False: values from JSON contain no reference cycles, so the garbage collector need not track them.
class NavEntry(msgspec.Struct, gc=False):
    nav_date: Any = None
    last_val: Any = None
    buy_price: Any = None
    sell_price: Any = None
    net_asset: Any = None


class PlainNavEntry(NavEntry, gc=False, kw_only=True):
    """A NAV entry whose values all have the expected type. Nearly all have, and each fund has thirty entries."""

    nav_date: str
    last_val: _Positive
    buy_price: _Price
    sell_price: _Price
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
    """A decoded fund file. Values are unconverted; nested objects and lists have the declared type, or are None."""

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
    # Undecoded: most funds of a manager have the same fees, and the reader reads each distinct text once.
    fees: msgspec.Raw = _NULL
    dividends: list[DividendEntry] | None = None


class PlainFundFile(FundFile, gc=False):
    nav_history_30d: Sequence[PlainNavEntry] | None = None


_decode_plain = msgspec.json.Decoder(PlainFundFile).decode
_decode = msgspec.json.Decoder(FundFile).decode
_decode_fees = msgspec.json.Decoder(list[FeeEntry] | None).decode
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
_LISTS = ("nav_history_30d", "asset_allocation", "dividends")


class NotAFund(ValueError):
    """A JSON file that is not about a fund."""


def decode_fund(raw: bytes) -> FundFile:
    """Decode a fund file. Raise orjson.JSONDecodeError for invalid JSON, and NotAFund for other contents."""
    for decode in (_decode_plain, _decode):
        with suppress(ValueError, RecursionError):
            fund = decode(raw)
            fund.fees = fund.fees.copy()  # a view would keep the whole file in memory
            return fund
    # Some part has an unexpected type and is dropped alone, or the whole file is not JSON.
    data = orjson.loads(raw)
    if not isinstance(data, dict) or "symbol" not in data:
        raise NotAFund("the file is not about one fund")
    return to_fund_file(data)


def to_fund_file(data: Mapping[str, Any]) -> FundFile:
    """Convert a mapping to a fund file. Parts of an unexpected type are dropped."""
    parts = {name: data[name] for name in _PARTS if isinstance(data.get(name), dict)}
    lists = {name: _keep_entries(data[name]) for name in _LISTS if isinstance(data.get(name), list)}
    rest = {name: value for name, value in data.items() if name not in _PARTS and name not in _LISTS}
    return msgspec.convert(rest | parts | lists | {"fees": _encode_fees(data.get("fees"))}, FundFile)


def _encode_fees(fees: Any) -> msgspec.Raw:
    try:
        return msgspec.Raw(msgspec.json.encode(fees))
    except RecursionError:  # nested too deeply to be fees
        return _NULL


def decode_fees(raw: bytes) -> list[FeeEntry]:
    """Decode the fees of a fund. Parts of an unexpected type are dropped. Raise ValueError for invalid JSON."""
    with suppress(msgspec.ValidationError, RecursionError):
        return _decode_fees(raw) or []
    data = orjson.loads(raw)
    return msgspec.convert(_keep_entries(data), list[FeeEntry]) if isinstance(data, list) else []


def _keep_entries(entries: list[Any]) -> list[dict[str, Any]]:
    return [entry for entry in entries if isinstance(entry, dict)]
