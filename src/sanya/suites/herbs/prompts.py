"""Ready requests that a person picks from a menu."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from sanya.kernel.call import Caller
from sanya.kernel.prompts import DATA_NOT_ORDERS, in_lists, items, quoted, request
from sanya.kernel.suite import Completer, Prompt, PromptArgument
from sanya.suites.herbs.graph.model import NodeType
from sanya.suites.herbs.graph.name_resolver import Names
from sanya.suites.herbs.graph.store import SUITE, HerbStore

_COMPLETIONS = 100
_RULES = (
    "Use only what the tools return, and name the sources. Say how strong each warning is, what that rests on (basis), "
    "and which are marked needs_review. Where coverage has nothing recorded, say that this does not mean safe. If a "
    f"name is ambiguous, show me the candidates and ask. {DATA_NOT_ORDERS} Close with the notice."
)


def prompts(store: HerbStore) -> tuple[Prompt, ...]:
    herbs, formulations = _names(store, "herb"), in_lists(_names(store, "formulation"))
    drugs, conditions = in_lists(_names(store, "drug")), in_lists(_names(store, "condition"))
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
            render=_safety,
        ),
        Prompt(
            name="herb_profile",
            suite=SUITE,
            title="Tell me about a herb",
            title_th="เล่าเรื่องสมุนไพรนี้",
            description="Names, constituents, uses, formulations and warnings of one herb.",
            description_th="ชื่อ สารสำคัญ สรรพคุณ ตำรับ และข้อควรระวัง",
            arguments=(herb,),
            render=_profile,
        ),
        Prompt(
            name="herbs_for",
            suite=SUITE,
            title="Which herbs are used for…",
            title_th="สมุนไพรอะไรใช้กับอาการ…",
            description="Herbs and formulations used for a complaint, how well that is supported, and cautions.",
            description_th="สมุนไพรและตำรับที่ใช้กับอาการหนึ่ง พร้อมหลักฐานและข้อควรระวัง",
            arguments=(
                PromptArgument("complaint", "Complaint or use", required=True, complete=_names(store, "indication")),
            ),
            render=_herbs_for,
        ),
    )


def _names(store: HerbStore, type: NodeType) -> Completer:
    """Names as they are written, of whichever language was begun; the tools take them as they are."""

    async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen, caller
        named = await Names(store).beginning(text, [type], _COMPLETIONS)
        return list(dict.fromkeys(name for name, _ in named))

    return complete


def _safety(given: Mapping[str, str]) -> str:
    arguments = {"herb_ids": [given["herb"].strip()]}
    for name, field in (("formulations", "formulation_ids"), ("drugs", "drugs"), ("conditions", "conditions")):
        if words := items(given.get(name, "")):
            arguments[field] = words
    return f"Is this herb safe for me? Call {request('tool.find_contraindications', arguments)}. {_RULES}"


def _profile(given: Mapping[str, str]) -> str:
    herb = given["herb"].strip()
    address = f"kg://herb/{quote(herb, safe='')}"
    return (
        f"Tell me about the herb {quoted(herb)}. Read the resource {quoted(address)}, then call "
        f"{request('tool.find_contraindications', {'herb_ids': [herb]})}. Give its names in Thai, English and Latin, "
        "what it contains, what it is used for and how well that is supported, and every warning of strength high. "
        f"{_RULES}"
    )


def _herbs_for(given: Mapping[str, str]) -> str:
    complaint = given["complaint"].strip()
    return (
        f"Which herbs are used for {quoted(complaint)}? Call {request('tool.rag_answer', {'question': complaint})}, "
        f"then {request('tool.hybrid_search', {'query': complaint})}, then tool.find_contraindications with the ids of "
        f"the herbs that you name. If the answer is withheld, say so and why. {_RULES}"
    )
