"""The strength of a statement: it follows from the severity, one step lower where only animals or test tubes speak.

Contraindicated and major are `high`, moderate is `moderate`, minor is `low`. Where every row of a statement rests on
animals or test tubes, the strength is one step lower, unless an official text warns: of the same herb, or a medicine
made of it alone, with the same thing or with what covers it. The severity, by which the check sorts, stays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from sanya.suites.herbs.safety.severity import LABORATORY, derive_strength
from scripts.herbs_starter.joining import Joined
from scripts.herbs_starter.rows import StarterRows
from scripts.herbs_starter.rules import OFFICIAL

_OFFICIAL_KINDS = frozenset({"regulation", "regulator_page", "guideline", "drug_label"})
# Departments of the Thai government sign their pages with this word.
_DEPARTMENT = "กรม"


@dataclass(frozen=True)
class Strengths:
    """The strengths of all statements of one build."""

    rows: StarterRows
    _above: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    _kin: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    _warned: set[tuple[str, str]] = field(default_factory=set)
    """Pairs that an official text warns of."""

    @classmethod
    def read(cls, rows: StarterRows, joined: Iterable[Joined]) -> Strengths:
        strengths = cls(rows)
        for edge in rows.edges.values():
            if edge[3] == "part_of":
                strengths._above[edge[2]].add(edge[4])
                if edge[-1].get("only_herb"):
                    strengths._kin[edge[2]].add(edge[4])
                    strengths._kin[edge[4]].add(edge[2])
        strengths._warned.update((each.entity_id, each.object_id) for each in joined if strengths._is_official(each))
        return strengths

    def is_lowered(self, joined: Joined) -> bool:
        """Return whether the statement rests on animals or test tubes alone and no official text warns."""
        kinds = {statement.evidence for statement in joined.statements if not statement.is_negative}
        if not kinds or not kinds <= LABORATORY:
            return False
        entities = {joined.entity_id, *self._kin[joined.entity_id]}
        return not any((entity, id) in self._warned for entity in entities for id in self._list_covering(joined))

    def derive(self, joined: Joined) -> str:
        strength = derive_strength(joined.shown.severity, is_lowered=self.is_lowered(joined))  # type: ignore[arg-type]
        return str(strength)

    def _is_official(self, joined: Joined) -> bool:
        rows = [statement for statement in joined.statements if not statement.is_negative]
        return any(statement.is_official or any(map(self._is_official_source, statement.sources)) for statement in rows)

    def _is_official_source(self, id: str) -> bool:
        source = self.rows.sources.get(id)
        if source is None:
            return False
        return id in OFFICIAL or source[1] in _OFFICIAL_KINDS or str(source[5] or "").startswith(_DEPARTMENT)

    def _list_covering(self, joined: Joined) -> set[str]:
        found, waiting = {joined.object_id}, [joined.object_id]
        while waiting:
            for parent in self._above[waiting.pop()] - found:
                found.add(parent)
                waiting.append(parent)
        return found
