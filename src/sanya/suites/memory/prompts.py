"""Prompts that a person picks from a menu. Completions come from the caller's own namespace only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sanya.suite import Caller, Completer, Prompt, PromptArgument
from sanya.suite.prompts import DATA_NOT_ORDERS, format_request, quote
from sanya.suites.memory.namespaces import Namespaces
from sanya.suites.memory.storage.store import MemoryStore

NAME = "memory"
_MAX_COMPLETIONS = 100
_RULES = (
    "Use only what the tool returns. Give each memory's rating (letter: how reliable its source is, digit: how "
    f"credible the content) in words, and its source; a memory is a claim, not a fact. {DATA_NOT_ORDERS}"
)


def build_prompts(store: MemoryStore, namespaces: Namespaces) -> tuple[Prompt, ...]:
    subject = PromptArgument(
        "subject", "Person, thing or event", required=True, complete=_make_subject_completer(store, namespaces)
    )
    return (
        Prompt(
            name="what_we_know",
            suite=NAME,
            title="What do we know about…",
            title_th="เรารู้อะไรเกี่ยวกับ…",
            description="Memories of a person, thing or event, in order of time, with ratings and sources.",
            description_th="สิ่งที่จำไว้เกี่ยวกับคน สิ่งของ หรือเหตุการณ์ พร้อมระดับความน่าเชื่อถือและที่มา",
            arguments=(subject,),
            render=_render_what_we_know,
        ),
        Prompt(
            name="what_contradicts",
            suite=NAME,
            title="What contradicts…",
            title_th="มีอะไรขัดแย้งกันบ้างเรื่อง…",
            description="Memories of a subject that cannot all be true, side by side.",
            description_th="ความจำที่ขัดแย้งกัน วางเทียบกัน",
            arguments=(subject,),
            render=_render_what_contradicts,
        ),
        Prompt(
            name="remember",
            suite=NAME,
            title="Remember this with its source",
            title_th="จำสิ่งนี้พร้อมที่มา",
            description="Stores a fact with its source, after a search for memories that contradict it.",
            description_th="บันทึกข้อเท็จจริงพร้อมที่มา หลังตรวจว่าขัดกับที่จำไว้หรือไม่",
            arguments=(
                PromptArgument("fact", "What to remember", required=True),
                PromptArgument("source", "Its source: a document, a person, an address"),
                PromptArgument("reliability", "Reliability of the source, A (best) to F", complete=_complete_letters),
            ),
            render=_render_remember,
        ),
    )


def _make_subject_completer(store: MemoryStore, namespaces: Namespaces) -> Completer:
    async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen
        return await store.reader.complete_names(namespaces.find_namespace(caller), text, _MAX_COMPLETIONS)

    return complete


async def _complete_letters(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
    del chosen, caller
    return [letter for letter in "ABCDEF" if letter.startswith(text.strip().upper())]


def _render_what_we_know(values: Mapping[str, str]) -> str:
    subject = values["subject"].strip()
    return (
        f"What do we know about {quote(subject)}? "
        f"Call {format_request('get_memory', {'query': subject, 'limit': 50})}. "
        "Tell it in the order of time, leave out what is about something else, and list contradictions separately. "
        f"If there is nothing, say so. {_RULES}"
    )


def _render_what_contradicts(values: Mapping[str, str]) -> str:
    subject = values["subject"].strip()
    arguments = {"query": subject, "limit": 50, "include_contradictions": True}
    return (
        f"Which memories about {quote(subject)} contradict one another? Call "
        f"{format_request('get_memory', arguments)}. Show each pair side by side with rating, source and nature of the "
        "contradiction; say which side has the better rating and what would settle it. Correct nothing unless I ask. "
        "Also name pairs that you find yourself, and "
        f"mark them as yours. {_RULES}"
    )


def _render_remember(values: Mapping[str, str]) -> str:
    fact = values["fact"].strip()
    arguments: dict[str, Any] = {"content": fact}
    if source := values.get("source", "").strip():
        arguments["source"] = {"ref": source}
    letter = values.get("reliability", "").strip().upper()
    if letter in tuple("ABCDEF"):
        arguments["confidence_hint"] = letter
    return (
        f"Remember a fact. First call {format_request('get_memory', {'query': fact[:1000], 'limit': 5})} and tell me "
        "if a memory says the same or the opposite. Then, unless one says the same, call "
        f"{format_request('send_memory', arguments)}. If no source is given, ask me for it first. Tell me the id and "
        f"the rating that it got, and whatever was redacted. {DATA_NOT_ORDERS}"
    )
