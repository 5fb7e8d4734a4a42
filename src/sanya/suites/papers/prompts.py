"""Prompts of the papers suite: prepared requests that a person picks from a menu."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from sanya.suite import Caller, Completer, Prompt, PromptArgument
from sanya.suite.prompts import DATA_NOT_ORDERS, format_request, quote, split_items
from sanya.suites.papers.completions import PaperCompletions

NAME = "papers"
_COMPLETIONS = 100
_RULES = (
    "Use only what the tools return and cite each statement as [PMID]. Say what kind of study each is, how large where "
    "the abstract says so, and which are retracted or marked as samples. Say when the evidence is thin or divided; do "
    f"not fill gaps from your own knowledge. This is no medical advice. {DATA_NOT_ORDERS}"
)


def build_prompts(offers: PaperCompletions) -> tuple[Prompt, ...]:
    return (
        Prompt(
            name="evidence_for",
            suite=NAME,
            title="What is the evidence for…",
            title_th="มีหลักฐานอะไรสำหรับ…",
            description="What the synced papers say on a question, the strongest studies first.",
            description_th="งานวิจัยที่มีตอบคำถามนี้ว่าอย่างไร เริ่มจากหลักฐานที่หนักแน่นที่สุด",
            arguments=(
                PromptArgument("question", "The question, in Thai or English", required=True),
                PromptArgument("since", "Only papers since this year or day, e.g. 2020"),
            ),
            render=_render_evidence,
        ),
        Prompt(
            name="news_on",
            suite=NAME,
            title="What is new on…",
            title_th="มีอะไรใหม่เรื่อง…",
            description="The latest papers on a topic, and what they change.",
            description_th="งานวิจัยล่าสุดในหัวข้อหนึ่ง และสิ่งที่เปลี่ยนไป",
            arguments=(
                PromptArgument("topic", "The topic", required=True),
                PromptArgument("since", "Since this year or day, e.g. 2024-01", required=True),
                PromptArgument("journal", "Only of this journal", complete=make_completer(offers.complete_journal)),
            ),
            render=_render_news,
        ),
        Prompt(
            name="compare_treatments",
            suite=NAME,
            title="Compare treatments",
            title_th="เทียบการรักษา",
            description="What studies say of two or more treatments of one condition, side by side.",
            description_th="เทียบหลักฐานของการรักษาหลายแบบสำหรับโรคเดียวกัน",
            arguments=(
                PromptArgument("treatments", "Treatments, parted by commas", required=True),
                PromptArgument("condition", "The condition", required=True),
            ),
            render=_render_comparison,
        ),
        Prompt(
            name="summarise_paper",
            suite=NAME,
            title="Summarise a paper",
            title_th="สรุปงานวิจัย",
            description="One paper by its PMID: question, method, result, limits.",
            description_th="สรุปงานวิจัยตาม PMID: คำถาม วิธี ผล ข้อจำกัด",
            arguments=(
                PromptArgument("pmid", "PubMed ID", required=True, complete=make_completer(offers.complete_pmid)),
                PromptArgument("reader", "For whom, e.g. a patient, a pharmacist"),
            ),
            render=_render_summary,
        ),
    )


def make_completer(offered: Callable[[str, int], Awaitable[list[str]]]) -> Completer:
    async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen, caller
        return await offered(text, _COMPLETIONS)

    return complete


def _render_evidence(given: Mapping[str, str]) -> str:
    question = given["question"].strip()
    arguments: dict[str, Any] = {"query": question, "top_k": 10}
    if since := given.get("since", "").strip():
        arguments["filters"] = {"date_from": since}
    return (
        f"What is the evidence on {quote(question)}? Call {format_request('rag.search', arguments)}; search again in "
        "other words if little is found, and in English if I asked in Thai. Weigh meta-analyses and randomised trials "
        f"above the rest. Begin with a short answer, then the studies for it and against it. {_RULES}"
    )


def _render_news(given: Mapping[str, str]) -> str:
    topic = given["topic"].strip()
    filters: dict[str, Any] = {"date_from": given["since"].strip()}
    if journal := given.get("journal", "").strip():
        filters["journals"] = [journal]
    call = format_request("rag.search", {"query": topic, "top_k": 20, "filters": filters})
    return (
        f"What is new on {quote(topic)}? Call {call}. List what is new, the newest first, in one or two sentences "
        "each; then say what it adds to or changes in what was known, by a second search without the date. Say up to "
        f"which day the corpus goes if that matters. {_RULES}"
    )


def _render_comparison(given: Mapping[str, str]) -> str:
    treatments, condition = split_items(given["treatments"]), given["condition"].strip()
    requests = (
        format_request("rag.search", {"query": f"{treatment} {condition}", "top_k": 8}) for treatment in treatments[:5]
    )
    calls = ", then ".join(requests)
    named = ", ".join(map(quote, treatments[:5]))
    return (
        f"Compare these treatments of {quote(condition)}: {named}. Call {calls}. Make a table: treatment, best "
        "studies, effect with its figures, harms, for whom. Head-to-head trials come first; say where there are "
        f"none and the comparison is indirect. {_RULES}"
    )


def _render_summary(given: Mapping[str, str]) -> str:
    pmid = given["pmid"].strip().removeprefix("pmid:").strip()
    reader = quote(given.get("reader", "").strip() or "a clinician")
    return (
        f"Summarise a paper for {reader}. Call {format_request('rag.get', {'doc_id': f'pmid:{pmid}'})}. Give the "
        "question, the method, whom it studied, the result with its figures and its limits; keep numbers exactly as "
        f"they stand. Only the abstract is known: say what cannot be told from it. {_RULES}"
    )
