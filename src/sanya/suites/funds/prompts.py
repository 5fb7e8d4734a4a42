"""Ready requests that a person picks from a menu."""

from __future__ import annotations

from collections.abc import Mapping

from sanya.kernel.call import Caller
from sanya.kernel.prompts import DATA_NOT_ORDERS, in_lists, items, quoted, request
from sanya.kernel.suite import Completer, Prompt, PromptArgument
from sanya.suites.funds.snapshot import HIGHEST_RISK, LOWEST_RISK
from sanya.suites.funds.store import NAME, FundStore

_COMPLETIONS = 100
_RULES = (
    "Use only what the tools return, with its dates; where a figure is null, say that it is not known and why (nulls). "
    "If _meta says that these are demo funds, say so first. Past returns promise nothing: explain, and leave the "
    f"choice to me. {DATA_NOT_ORDERS}"
)


def prompts(store: FundStore) -> tuple[Prompt, ...]:
    symbols = _symbols(store)
    return (
        Prompt(
            name="compare_funds",
            suite=NAME,
            title="Compare these funds",
            title_th="เทียบกองทุนเหล่านี้",
            description="Two to five retirement funds side by side: returns, risk, fees.",
            description_th="เทียบกองทุน RMF 2–5 กอง ด้านผลตอบแทน ความเสี่ยง และค่าธรรมเนียม",
            arguments=(
                PromptArgument("funds", "Symbols, parted by commas", required=True, complete=in_lists(symbols)),
            ),
            render=_compare,
        ),
        Prompt(
            name="find_fund",
            suite=NAME,
            title="Find me a fund for my risk and horizon",
            title_th="หากองทุนที่เหมาะกับความเสี่ยงและระยะเวลา",
            description="Retirement funds within a risk level, judged over a time that fits yours.",
            description_th="กองทุน RMF ในระดับความเสี่ยงที่รับได้ ดูย้อนหลังตามระยะเวลาลงทุน",
            arguments=(
                PromptArgument("risk", "Highest risk level you accept, 1 to 8", required=True, complete=_risks),
                PromptArgument("years", "Years until you retire, e.g. 15"),
                PromptArgument("amc", "Only of this company", complete=_companies(store)),
            ),
            render=_find,
        ),
        Prompt(
            name="explain_fund_risk",
            suite=NAME,
            title="Explain this fund's risk",
            title_th="อธิบายความเสี่ยงของกองทุนนี้",
            description="Risk level, swings, worst fall and what is in it, in plain words.",
            description_th="ระดับความเสี่ยง ความผันผวน การขาดทุนสูงสุด และสินทรัพย์ที่ถือ เป็นภาษาง่าย ๆ",
            arguments=(PromptArgument("fund", "Symbol of the fund", required=True, complete=symbols),),
            render=_explain,
        ),
    )


def _symbols(store: FundStore) -> Completer:
    async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        """By symbol; where none begins so, by a piece of the name, Thai or English."""
        del chosen, caller
        shelf = await store.shelf()
        return shelf.codes_beginning(text, _COMPLETIONS) or shelf.codes_named(text, _COMPLETIONS)

    return complete


def _companies(store: FundStore) -> Completer:
    async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen, caller
        return (await store.shelf()).companies_beginning(text, _COMPLETIONS)

    return complete


async def _risks(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
    del chosen, caller
    levels = map(str, range(LOWEST_RISK, HIGHEST_RISK + 1))
    return [level for level in levels if level.startswith(text.strip())]


def _compare(given: Mapping[str, str]) -> str:
    call = request("compare_rmf_funds", {"fundCodes": items(given["funds"])})
    return (
        f"Compare these funds for my retirement. Call {call}. Put returns over each period, risk level, volatility and "
        "fees side by side; say where they differ most and for whom that matters; name a best one only where every "
        f"figure for it is known. {_RULES}"
    )


def _find(given: Mapping[str, str]) -> str:
    arguments: dict[str, object] = {"sortBy": "1y", "limit": 20}
    risk = given["risk"].strip()
    if risk.isascii() and risk.isdecimal():
        arguments["maxRiskLevel"] = int(risk)
    if amc := given.get("amc", "").strip():
        arguments["amc"] = amc
    years = quoted(given.get("years", "").strip() or "not said")
    return (
        f"Find me a retirement fund. The highest risk level I accept is {quoted(risk)} of 8; years until I retire: "
        f"{years}. Call {request('search_rmf_funds', arguments)}. Prefer figures over the longest period that is "
        "reported; then call get_rmf_fund_detail for the three that fit best and show their fees, benchmark and "
        f"worst fall. Ask me what you need to know first if that would change the choice. {_RULES}"
    )


def _explain(given: Mapping[str, str]) -> str:
    fund = given["fund"].strip()
    return (
        f"Explain the risk of the fund {quoted(fund)} to somebody who has never invested. Call "
        f"{request('get_rmf_fund_detail', {'fundCode': fund})}, then "
        f"{request('get_rmf_fund_nav_history', {'fundCode': fund, 'days': 365})}. Say what the risk level means, how "
        "much its price moved, how far it fell at worst and how that compares with its benchmark; what it holds, and "
        f"what could go wrong with that. {_RULES}"
    )
