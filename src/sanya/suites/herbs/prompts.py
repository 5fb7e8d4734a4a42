"""Prompts of the suite: ready requests that a person picks from a menu."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote as quote_url

from sanya.suite import Caller, Completer, Prompt, PromptArgument
from sanya.suite.prompts import DATA_NOT_ORDERS, complete_last_item, format_request, quote, split_items
from sanya.suites.herbs.graph.model import NodeType
from sanya.suites.herbs.graph.name_resolver import NameResolver
from sanya.suites.herbs.graph.store import SUITE, HerbStore

_MAX_COMPLETIONS = 100
_RULES = (
    "Use only what the tools return, and name the sources. Say how strong each warning is, what that rests on (basis), "
    "and which are marked needs_review. Where coverage has nothing recorded, say that this does not mean safe. If a "
    f"name is ambiguous, show me the candidates and ask. {DATA_NOT_ORDERS} Close with the notice."
)


def define_prompts(store: HerbStore) -> tuple[Prompt, ...]:
    herbs, formulations = _complete_names(store, "herb"), complete_last_item(_complete_names(store, "formulation"))
    drugs, conditions = (
        complete_last_item(_complete_names(store, "drug")),
        complete_last_item(_complete_names(store, "condition")),
    )
    herb = PromptArgument("herb", "Herb: a name in Thai or English, or an id", required=True, complete=herbs)
    return (
        Prompt(
            name="herb_safety",
            suite=SUITE,
            title="Is this herb safe with…",
            title_th="สมุนไพรนี้ใช้กับ…ได้ไหม",
            description="What is known against a herb or formulation, for somebody with these drugs and conditions.",
            description_th="ข้อควรระวังของสมุนไพรกับยาและโรคที่ระบุ",
            arguments=(
                herb,
                PromptArgument("formulations", "Formulations as well, parted by commas", complete=formulations),
                PromptArgument("drugs", "Drugs taken, parted by commas", complete=drugs),
                PromptArgument("conditions", "Conditions, parted by commas", complete=conditions),
            ),
            render=_render_safety,
        ),
        Prompt(
            name="herb_profile",
            suite=SUITE,
            title="Tell me about a herb",
            title_th="เล่าเรื่องสมุนไพรนี้",
            description="Names, constituents, uses, formulations and warnings of one herb.",
            description_th="ชื่อ สารสำคัญ สรรพคุณ ตำรับ และข้อควรระวัง",
            arguments=(herb,),
            render=_render_profile,
        ),
        Prompt(
            name="herbs_for",
            suite=SUITE,
            title="Which herbs are used for…",
            title_th="สมุนไพรอะไรใช้กับอาการ…",
            description="Herbs and formulations used for a complaint, how well that is supported, and cautions.",
            description_th="สมุนไพรและตำรับที่ใช้กับอาการหนึ่ง พร้อมหลักฐานและข้อควรระวัง",
            arguments=(
                PromptArgument(
                    "complaint", "Complaint or use", required=True, complete=_complete_names(store, "indication")
                ),
            ),
            render=_render_herbs_for,
        ),
    )


def _complete_names(store: HerbStore, type: NodeType) -> Completer:
    """Complete names in the language that was begun. The tools take them as they are."""

    async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen, caller
        names = await NameResolver(store).complete_names(text, [type], _MAX_COMPLETIONS)
        return list(dict.fromkeys(name for name, _ in names))

    return complete


def _render_safety(given: Mapping[str, str]) -> str:
    arguments = {"herb_ids": [given["herb"].strip()]}
    for name, field in (("formulations", "formulation_ids"), ("drugs", "drugs"), ("conditions", "conditions")):
        if items := split_items(given.get(name, "")):
            arguments[field] = items
    return f"Is this herb safe for me? Call {format_request('tool.find_contraindications', arguments)}. {_RULES}"


def _render_profile(given: Mapping[str, str]) -> str:
    herb = given["herb"].strip()
    uri = f"kg://herb/{quote_url(herb, safe='')}"
    check = format_request("tool.find_contraindications", {"herb_ids": [herb]})
    return (
        f"Tell me about the herb {quote(herb)}. Read the resource {quote(uri)}, then call {check}. Give its names in "
        "Thai, English and Latin, what it contains, what it is used for and how well that is supported, and every "
        f"warning of strength high. {_RULES}"
    )


def _render_herbs_for(given: Mapping[str, str]) -> str:
    complaint = given["complaint"].strip()
    answer = format_request("tool.rag_answer", {"question": complaint})
    search = format_request("tool.hybrid_search", {"query": complaint})
    return (
        f"Which herbs are used for {quote(complaint)}? Call {answer}, then {search}, then tool.find_contraindications "
        f"with the ids of the herbs that you name. If the answer is withheld, say so and why. {_RULES}"
    )
