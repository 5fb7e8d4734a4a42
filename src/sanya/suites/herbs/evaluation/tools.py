"""Handler of tool.eval.run and the resources of its reports.

The modules that measure take long to import, so the first run imports them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sanya.suite import Caller, Content, Context, Example, NotFound, Resource, Tool
from sanya.suites.herbs.answers.tools import QuestionTools
from sanya.suites.herbs.dialect import DIALECT
from sanya.suites.herbs.evaluation import contract
from sanya.suites.herbs.evaluation.store import EvaluationRun, EvaluationStore
from sanya.suites.herbs.graph.store import SUITE

_TIMEOUT_MS = 600_000
_MAX_COMPLETIONS = 20
_HTML = "text/html"


@dataclass(frozen=True, slots=True)
class EvaluationTools:
    search: QuestionTools
    store: EvaluationStore

    async def run(self, request: contract.EvalRunInput, context: Context) -> contract.EvalRunAnswer:
        from sanya.suites.herbs.evaluation.evaluator import Evaluator

        service = self.search.get_service()
        return await Evaluator(service.index, self.store, service.least_confidence).run(request, context)

    def define_tool(self) -> Tool:
        return Tool(
            name="tool.eval.run",
            operator=True,
            suite=SUITE,
            dialect=DIALECT,
            title="Measure search and answers",
            description="Operators: measures search and answers on a set of questions and keeps a report. To ask "
            "one question use tool.rag_answer; it never changes the graph.",
            input=contract.EvalRunInput,
            output=contract.EvalRunAnswer,
            handler=self.run,
            effect="write",
            idempotent=True,
            timeout_ms=_TIMEOUT_MS,
            # These fields depend on earlier runs, not on the graph and the request.
            unhashed=("metrics.*.previous", "metrics.*.change", "previous_run", "repeated"),
            examples=(
                Example("A small set, in seconds", {"set": "smoke"}),
                Example(
                    "A question of your own",
                    {
                        "set": "custom",
                        "metrics": ["R@5", "MRR", "factuality"],
                        "params": {
                            "questions": [
                                {
                                    "text": "กินขมิ้นชันกับ warfarin ได้ไหม",
                                    "relevant": ["curcuma-longa"],
                                    "facts": [["curcuma-longa", "interacts_with", "drug:warfarin"]],
                                }
                            ]
                        },
                    },
                ),
            ),
        )

    def define_resources(self) -> tuple[Resource, ...]:
        return (
            Resource(
                uri="eval://reports",
                suite=SUITE,
                name="evaluations",
                title="Evaluations",
                description="The evaluations that were run, newest first, with their metrics.",
                read=self._list,
            ),
            Resource(
                uri="eval://report/{id}",
                suite=SUITE,
                name="evaluation report",
                title="One evaluation",
                description="The report of an evaluation as one HTML page.",
                read=self._read,
                mime_type=_HTML,
                complete={"id": self._complete},
            ),
        )

    async def _list(self, parts: Mapping[str, str], context: Context) -> Content:
        del parts, context
        return Content(data={"evaluations": [summarise_run(run) for run in await self.store.list_newest()]})

    async def _read(self, parts: Mapping[str, str], context: Context) -> Content:
        del context
        report = await self.store.get_report(parts["id"])
        if report is None:
            raise NotFound(f"no evaluation has the id {parts['id'][:80]!r}; eval://reports lists them")
        return Content(text=report, mime_type=_HTML)

    async def _complete(self, text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen, caller
        return await self.store.complete_ids(text, _MAX_COMPLETIONS)


def summarise_run(run: EvaluationRun) -> dict[str, object]:
    """Return a run as lists show it, with metrics at the usual depths instead of all fifty."""
    shown = ("R@1", "R@5", "R@10", "MRR", "nDCG@10", *(name for name in run.metrics if "@" not in name))
    return {
        "id": run.id,
        "set": run.set_name,
        "questions": run.questions,
        "revision": run.revision,
        "at": run.at,
        "metrics": [
            {"name": name, "value": run.metrics[name][0], "n": run.metrics[name][1]}
            for name in dict.fromkeys(shown)
            if name in run.metrics
        ],
        "previous_run": run.previous_id,
        "report_uri": f"eval://report/{run.id}",
        "report_path": f"/evaluations/{run.id}",
    }
