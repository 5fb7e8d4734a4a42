"""Joins statements that say the same: one for each herb or formulation, thing that it is about, and effect.

The stronger severity is kept, an official warning is never lowered, all sources are cited, and where rows differ each
is shown with its own severity. A contraindication and a precaution about the same condition are the same warning at
two strengths; what a plant does to people (`toxicity`) stays apart from whom it must not be given to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from scripts.herbs_starter.rules import EVIDENCE, rank_severity
from scripts.herbs_starter.statements import Statement
from scripts.herbs_starter.tables import unique


@dataclass(frozen=True)
class Joined:
    """All rows that say the same of one pair; `shown` is the row whose words are used."""

    entity_id: str
    object_id: str
    effect_class: str
    shown: Statement
    others: tuple[Statement, ...]

    @property
    def statements(self) -> tuple[Statement, ...]:
        return (self.shown, *self.others)

    @property
    def fact(self) -> str:
        """Ids of all rows: two edges with the same rows are the same statement."""
        return "+".join(statement.id for statement in self.statements)

    @property
    def sources(self) -> list[str]:
        return unique(source for statement in self.statements for source in statement.sources)

    @property
    def is_supported(self) -> bool:
        """A row of the severity that is shown rests on a source that was read."""
        return any(statement.is_supported for statement in self.statements if statement.severity == self.shown.severity)

    @property
    def evidence(self) -> str:
        """Best evidence for the severity that is shown."""
        same = [statement for statement in self.statements if statement.severity == self.shown.severity]
        return min((statement.evidence for statement in same), key=EVIDENCE.index)

    @property
    def is_disputed(self) -> bool:
        return any(statement.severity != self.shown.severity for statement in self.others)


def join_statements(statements: Iterable[Statement]) -> list[Joined]:
    groups: dict[tuple[str, str, str], list[Statement]] = defaultdict(list)
    for statement in statements:
        for object_id in statement.objects:
            groups[statement.entity_id, object_id, statement.effect_class].append(statement)
    return [_join(key, some) for key, some in sorted(groups.items())]


def _join(key: tuple[str, str, str], statements: list[Statement]) -> Joined:
    shown, *others = sorted(statements, key=_precedence)
    return Joined(*key, shown, tuple(others))


def _precedence(statement: Statement) -> tuple[int, bool, bool, int, bool, str]:
    """Sort the most severe first; of equals what is supported, what was found rather than denied, better evidence, and
    the second tables, whose words say more."""
    return (
        -rank_severity(statement.severity),
        not statement.is_supported,
        statement.is_negative,
        EVIDENCE.index(statement.evidence),
        statement.id.startswith("ix-"),
        statement.id,
    )


def group_pairs(joined: Iterable[Joined]) -> dict[tuple[str, str], list[Joined]]:
    """Group what is joined by herb or formulation and what it is about."""
    found: dict[tuple[str, str], list[Joined]] = defaultdict(list)
    for statement in joined:
        found[statement.entity_id, statement.object_id].append(statement)
    return found
