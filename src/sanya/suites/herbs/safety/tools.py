"""tool.find_contraindications: what is known against herbs and formulations, and what is not known at all.

It refuses to guess: a name that means several species, or that is only close to one, is named as not checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from sanya.kernel.call import Context
from sanya.kernel.cursors import Cursors
from sanya.kernel.faults import InvalidArgument
from sanya.suites.herbs.contract import Candidate
from sanya.suites.herbs.graph.model import Edge, Node, NodeType, Strength
from sanya.suites.herbs.graph.name_resolver import Ambiguous, Exact, Names
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.safety import contract
from sanya.suites.herbs.safety.check import Caution, Record, Safety, Said
from sanya.text.characters import has_thai

NOTICE = {
    "en": "Collected facts, not medical advice. No warning here does not mean safe: ask a pharmacist or physician.",
    "th": "ข้อมูลที่รวบรวมไว้ ไม่ใช่คำแนะนำทางการแพทย์ การไม่พบคำเตือนไม่ได้แปลว่าปลอดภัย โปรดปรึกษาเภสัชกรหรือแพทย์",
}
_TYPES: dict[str, tuple[NodeType, ...]] = {
    "herb_ids": ("herb",),
    "formulation_ids": ("formulation",),
    "drugs": ("drug",),
    "conditions": ("condition",),
}


@dataclass(frozen=True, slots=True)
class SafetyTools:
    store: HerbStore
    cursors: Cursors

    async def find_contraindications(
        self, request: contract.FindContraindicationsInput, context: Context
    ) -> contract.ContraindicationPage:
        del context
        if not request.herb_ids and not request.formulation_ids:
            raise InvalidArgument("herb_ids or formulation_ids must name at least one", field="herb_ids")
        named = await self._resolve(request)
        safety = Safety(self.store)
        # What is asked about and not known narrows nothing: everything is better than a silence read as "safe".
        related = await safety.related(node.id for node in named.about) if named.about else None
        cautions = await safety.cautions(named.entities, related)
        page, next_cursor = self._page(request, cautions)
        wording = await self._wording(request, page, related or {})
        return contract.ContraindicationPage(
            results=[wording.result(one) for one in page],
            unknown_ids=[one.given for one in named.unresolved if one.field in ("herb_ids", "formulation_ids")],
            unresolved=named.unresolved,
            coverage=[_covered(record) for record in await safety.records(named.entities)],
            total=len(cautions),
            next_cursor=next_cursor,
            notice=NOTICE[wording.lang],
        )

    async def _resolve(self, request: contract.FindContraindicationsInput) -> _Named:
        names, named = Names(self.store), _Named([], [], [])
        for field, types in _TYPES.items():
            for given in dict.fromkeys(getattr(request, field)):
                found = await names.resolve(given, types)
                if isinstance(found, Exact) and found.is_sure:
                    named.take(found.node)
                    continue
                candidates = found.candidates or (await names.resolve(given)).candidates
                named.unresolved.append(
                    contract.Unresolved(
                        given=given,
                        field=field,
                        reason="ambiguous" if isinstance(found, Ambiguous) else "unknown",
                        candidates=[Candidate(id=one.node.id, label=one.node.label) for one in candidates],
                    )
                )
        return named

    def _page(
        self, request: contract.FindContraindicationsInput, cautions: list[Caution]
    ) -> tuple[list[Caution], str | None]:
        query: dict[str, Any] = {"tool": "find_contraindications", **request.model_dump(exclude={"cursor", "limit"})}
        rest = cautions
        if request.cursor is not None:
            rank, entity, object_id = self.cursors.open(query, request.cursor)
            rest = [one for one in cautions if one.order > (rank, entity, object_id)]
        page = rest[: request.limit]
        return page, self.cursors.seal(query, list(page[-1].order)) if len(rest) > len(page) else None

    async def _wording(
        self,
        request: contract.FindContraindicationsInput,
        page: Sequence[Caution],
        related: dict[str, dict[str, str]],
    ) -> _Wording:
        objects = await self.store.nodes_by_id(one.object_id for one in page)
        return _Wording(_language(request), objects, related)


@dataclass(frozen=True, slots=True)
class _Named:
    entities: list[Node]
    about: list[Node]
    unresolved: list[contract.Unresolved]

    def take(self, node: Node) -> None:
        """The same thing under two names is checked once."""
        nodes = self.entities if node.type in ("herb", "formulation") else self.about
        if node not in nodes:
            nodes.append(node)


@dataclass(frozen=True, slots=True)
class _Wording:
    lang: Literal["th", "en"]
    objects: dict[str, Node]
    related: dict[str, dict[str, str]]

    def result(self, caution: Caution) -> contract.Contraindication:
        strongest, target = caution.said[0].edge, self.objects[caution.object_id]
        asked = self.related.get(target.id, {})
        return contract.Contraindication(
            entity_id=caution.entity.id,
            type=cast(Literal["herb", "formulation"], caution.entity.type),
            contraindication=target.label_in(self.lang),
            evidence=_evidence(strongest),
            strength=cast(Strength, strongest.strength),
            object_id=target.id,
            object_type=cast(Literal["drug", "condition"], target.type),
            basis=strongest.basis,
            review=strongest.review,
            sources=_all(one.edge.sources for one in caution.said),
            via=_all([one.via] for one in caution.said if one.via) if all(one.via for one in caution.said) else [],
            matched=[f"{id} ({how})" for id, how in asked.items()],
            statements=[self._statement(one) for one in caution.said],
        )

    def _statement(self, said: Said) -> contract.Statement:
        edge = said.edge
        return contract.Statement(
            id=edge.fact,
            kind=edge.data.get("kind", edge.type),
            text=edge.data.get(f"object_{self.lang}") or self.objects[edge.to_id].label_in(self.lang),
            evidence=_evidence(edge),
            strength=cast(Strength, edge.strength),
            basis=edge.basis,
            review=edge.review,
            note=edge.note,
            sources=list(edge.sources),
            via=said.via,
            stated_for=edge.data.get("via_formulation"),
        )


def _evidence(edge: Edge) -> str:
    """What the source gives as reason; where it gives none, the kind of warning is all there is."""
    reasons = [edge.data[key] for key in ("mechanism", "effect", "evidence") if edge.data.get(key)]
    return "; ".join(reasons) or str(edge.data.get("kind", edge.type)).replace("_", " ")


def _all(lists: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(one for some in lists for one in some))


def _covered(record: Record) -> contract.Covered:
    return contract.Covered(
        entity_id=record.entity.id,
        status="recorded" if record.own else "inherited_only" if record.inherited else "none",
        own=record.own,
        inherited=record.inherited,
        silent_ingredients=record.silent_ingredients,
        unidentified_ingredients=record.unidentified_ingredients,
        note=record.entity.note,
    )


def _language(request: contract.FindContraindicationsInput) -> Literal["th", "en"]:
    if request.lang != "auto":
        return request.lang
    given = (*request.herb_ids, *request.formulation_ids, *request.drugs, *request.conditions)
    return "th" if any(map(has_thai, given)) else "en"
