"""The handlers of the tools: from the shapes of the contract to the parts of the suite and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from sanya.suite import Context, InvalidArgument
from sanya.suite.runtime import format_timestamp, run_by_length
from sanya.suite.search import describe_unindexed
from sanya.suite.text import has_thai
from sanya.suites.memory.browsing import MemoryBrowser
from sanya.suites.memory.contract import (
    CorrectMemoryInput,
    CorrectMemoryResult,
    ForgetMemoryInput,
    ForgetMemoryResult,
    GetMemoryInput,
    GetMemoryResult,
    MetaInfo,
    Redaction,
    SendMemoryInput,
    SendMemoryResult,
)
from sanya.suites.memory.graph.consolidation import Consolidator
from sanya.suites.memory.namespaces import Namespaces
from sanya.suites.memory.prompt_injection import is_instruction_like
from sanya.suites.memory.ratings.provenance import NO_ORIGIN, Origin
from sanya.suites.memory.ratings.rating import parse_rating
from sanya.suites.memory.ratings.rerating import INSTRUCTION_MARK
from sanya.suites.memory.recall.answers import AnswerParts, build_entry, load_contradictions, load_related
from sanya.suites.memory.recall.embedding import MemoryEmbedding
from sanya.suites.memory.recall.links import MemoryLinkFinder
from sanya.suites.memory.recall.working_memory import WorkingMemory
from sanya.suites.memory.secrets import redact_secrets
from sanya.suites.memory.storage.records import Memory
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.times import parse_as_of
from sanya.suites.memory.writes.corrections import CorrectionRequest, Corrector, make_not_found
from sanya.suites.memory.writes.forgetting import Forgetter
from sanya.suites.memory.writes.sending import MemoryDraft, Sender

if TYPE_CHECKING:
    from sanya.suites.memory.recall.ranking import RecallMatch
    from sanya.suites.memory.recall.search import Recall, RecallResult


_ERASE_HINT = "Nothing was erased. Call again with dry_run false to erase it for ever."


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTools:
    """The tools. `recall` opens the search, which takes long to load, with the first question."""

    store: MemoryStore
    sender: Sender
    recall: Callable[[], Recall]
    corrector: Corrector
    working: WorkingMemory
    namespaces: Namespaces
    consolidator: Consolidator
    embedding: MemoryEmbedding
    links: MemoryLinkFinder
    forgetter: Callable[[], Forgetter]
    browser: MemoryBrowser

    async def send_memory(self, request: SendMemoryInput, context: Context) -> SendMemoryResult:
        namespace = self.namespaces.find_namespace(context.caller)
        at = format_timestamp(context.now)
        draft = await run_by_length(len(request.content), make_draft, request, namespace, context.request, at)
        memory = await self.sender.send(replace(draft, call=context.id))
        links = await self.links.find_links(memory)
        await self.working.hold(memory.namespace, [memory])
        self.consolidator.wake()
        self.embedding.wake()
        return SendMemoryResult(
            memory_id=memory.id,
            confidence=str(memory.rating),
            redactions=tuple(
                Redaction(kind=kind, count=count) for kind, count in memory.properties.get("redactions", {}).items()
            ),
            reads_like_instruction=bool(memory.properties.get(INSTRUCTION_MARK)),
            links=links,
        )

    async def get_memory(self, request: GetMemoryInput, context: Context) -> GetMemoryResult:
        started_ns = perf_counter_ns()
        if not request.query.strip():
            raise InvalidArgument("query must contain more than blanks", field="query")
        namespace = self.namespaces.find_namespace(context.caller)
        await self.consolidator.catch_up(namespace)
        as_of = parse_as_of(request.as_of) if request.as_of else None
        min_rating = parse_rating(request.min_confidence)
        result = await self.recall().recall(namespace, request.query, min_rating, request.limit, as_of=as_of)
        language = "th" if has_thai(request.query) else "en"
        unindexed = describe_unindexed(language) if result.is_partial else None
        if result.words_only:
            context.note("search", result.words_only.build_note(language, unindexed))
        elif unindexed:
            context.note("search", {"message": unindexed})
        memories = await self.store.reader.find_memories(namespace, [match.id for match in result.matches])
        # A memory that was forgotten since the search is left out.
        pairs = [(memories[match.id], match) for match in result.matches if match.id in memories]
        return await self._build_answer(request, namespace, pairs, result, started_ns)

    async def correct_memory(self, request: CorrectMemoryInput, context: Context) -> CorrectMemoryResult:
        namespace = self.namespaces.find_namespace(context.caller)
        details = await self.corrector.correct(
            CorrectionRequest(
                key=context.request,
                call=context.id,
                namespace=namespace,
                target_id=request.target_id,
                action=request.action,
                caller=context.caller.id,
                at=format_timestamp(context.now),
                payload=request.payload,
            )
        )
        await self.working.release(
            namespace, [changed for changed in (request.target_id, details.get("merged")) if changed]
        )
        return CorrectMemoryResult(target_id=request.target_id, action=request.action, details=details)

    async def forget_memory(self, request: ForgetMemoryInput, context: Context) -> ForgetMemoryResult:
        namespace = self.namespaces.find_namespace(context.caller)
        forgetter = self.forgetter()
        preview = await forgetter.describe_forgetting(namespace, request.memory_id)
        if preview is None:
            raise make_not_found(request.memory_id)
        if request.dry_run:
            return ForgetMemoryResult(
                memory_id=request.memory_id, erased=preview.erased, affected=preview.affected, message=_ERASE_HINT
            )
        erased = await forgetter.forget(namespace, [request.memory_id], format_timestamp(context.now))
        return ForgetMemoryResult(
            memory_id=request.memory_id, status="erased", erased=tuple(erased), affected=preview.affected
        )

    async def _build_answer(
        self,
        request: GetMemoryInput,
        namespace: str,
        pairs: list[tuple[Memory, RecallMatch]],
        result: RecallResult,
        started_ns: int,
    ) -> GetMemoryResult:
        reader = self.store.reader
        is_full = not request.compact
        parts = AnswerParts(
            sources=is_full and request.include_sources,
            related=is_full,
            contradictions=is_full and request.include_contradictions,
            max_depth=request.max_depth,
        )
        memories = [memory for memory, _ in pairs]
        related = await load_related(reader, namespace, memories, parts)
        related = replace(related, replacements=result.replacements)
        contradictions = await load_contradictions(reader, namespace, memories, parts) if parts.contradictions else []
        working_memory_hits = sum(
            memory.id in result.in_working_memory and memory.consolidated_at is None for memory, _ in pairs
        )
        return GetMemoryResult(
            memories=tuple(
                build_entry(memory, related, match if is_full else match.drop_parts()) for memory, match in pairs
            ),
            contradictions=tuple(contradictions),
            meta=MetaInfo(
                query=request.query,
                total_found=result.total,
                returned=len(pairs),
                total_is_lower_bound=result.may_have_more,
                truncated=result.may_have_more or result.total > len(pairs),
                max_depth_used=related.depth,
                min_confidence_applied=request.min_confidence,
                retrieval_ms=(perf_counter_ns() - started_ns) // 1_000_000,
                working_memory_hits=working_memory_hits,
                graph_hits=len(pairs) - working_memory_hits,
                fit=result.fit,
            ),
        )


def make_draft(request: SendMemoryInput, namespace: str, key: str, at: str) -> MemoryDraft:
    """Return the draft of a memory. Secrets are redacted here, before anything is stored or indexed."""
    content = redact_secrets(request.content)
    if not content.text.strip():
        raise InvalidArgument("content must contain more than blanks", field="content")
    properties: dict[str, Any] = {}
    if content.found:
        properties["redactions"] = dict(content.found)
    if is_instruction_like(request.content):
        properties[INSTRUCTION_MARK] = True
    source = request.source
    origin = NO_ORIGIN if source is None else Origin(*map(_redact, (source.type, source.ref, source.citation)))
    return MemoryDraft(
        key=key,
        namespace=namespace,
        content=content.text,
        created_at=at,
        origin=origin,
        hint=request.confidence_hint,
        agent_id=_redact(request.agent_id),
        derived_from=request.derived_from,
        properties=properties,
    )


def _redact(text: str | None) -> str | None:
    return redact_secrets(text).text if text else None
