"""Decisions as actions of the owner: each leaves a row in the ledger, with who decided what and on which grounds."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from sanya.suite.runtime import AT_COMMAND_LINE, Ledger, record_owner_action
from sanya.suites.herbs.graph.store import SUITE, HerbStore
from sanya.suites.herbs.review.contract import DecisionInput
from sanya.suites.herbs.review.deciding import ReviewDesk
from sanya.suites.herbs.review.decision import ReviewDecision
from sanya.suites.herbs.review.transfer import ImportReport, import_lines


@dataclass(frozen=True, slots=True)
class RecordedDesk:
    """Writes decisions and records them. `by` is the surface and the caller."""

    store: HerbStore
    ledger: Ledger
    by: tuple[str, str] = AT_COMMAND_LINE

    async def decide(self, statement: str, given: DecisionInput) -> ReviewDecision:
        content = {"statement": statement, **given.model_dump(mode="json", exclude_none=True)}
        async with record_owner_action(self.ledger, "herbs.review", SUITE, content, by=self.by) as action:
            decision = await ReviewDesk(self.store.database).decide(statement, given)
            action.add(id=decision.id, date=decision.date, seen=decision.seen.model_dump(exclude_none=True))
        return decision

    async def undo(self, statement: str, reviewer: str, reason: str | None) -> ReviewDecision:
        content = {"statement": statement, "reviewer": reviewer, "reason": reason}
        async with record_owner_action(self.ledger, "herbs.review.undo", SUITE, content, by=self.by) as action:
            decision = await ReviewDesk(self.store.database).undo(statement, reviewer, reason)
            action.add(id=decision.id, verdict=decision.verdict)
        return decision

    async def import_text(self, text: str, name: str) -> ImportReport:
        digest = sha256(text.encode("utf-8")).hexdigest()
        content = {"name": name, "sha256": digest}
        async with record_owner_action(self.ledger, "herbs.review.import", SUITE, content, by=self.by) as action:
            report = await import_lines(self.store, text, dry_run=False)
            action.add(counts=report.count_outcomes(), refused=len(report.errors), written=report.written)
            if report.errors:
                action.discard()
        return report
