"""The herbs suite: its tools, resources, prompts and workers."""

from __future__ import annotations

from functools import partial

from sanya.suite import Cursors, Example, NotFound, Resource, ResourceLinks, Suite, Tool
from sanya.suites.herbs.answers.tools import QuestionTools, define_question_tools
from sanya.suites.herbs.dialect import DIALECT
from sanya.suites.herbs.evaluation.tools import EvaluationTools
from sanya.suites.herbs.graph.store import SUITE, HerbStore
from sanya.suites.herbs.ingest.suite import define_ingest_resources, define_ingest_tools, define_ingest_workers
from sanya.suites.herbs.ingest.tools import IngestTools
from sanya.suites.herbs.paths.contract import PathPage, QueryKgInput
from sanya.suites.herbs.paths.tools import PathTools
from sanya.suites.herbs.prompts import define_prompts
from sanya.suites.herbs.resources.herb import define_herb_resource
from sanya.suites.herbs.resources.node import define_node_resource
from sanya.suites.herbs.resources.paper import define_paper_resource
from sanya.suites.herbs.safety.contract import LEFT_OUT_IN_SHORT, ContraindicationPage, FindContraindicationsInput
from sanya.suites.herbs.safety.tools import SafetyTools


def build(
    store: HerbStore, cursors: Cursors, search: QuestionTools, evaluation: EvaluationTools, ingest: IngestTools
) -> Suite:
    return Suite(
        name=SUITE,
        title="Herbs",
        dialect=DIALECT,
        tools=(
            *define_graph_tools(store, cursors),
            *define_question_tools(search),
            evaluation.define_tool(),
            *define_ingest_tools(ingest),
        ),
        resources=(*define_resources(store), *evaluation.define_resources(), *define_ingest_resources(ingest)),
        prompts=define_prompts(store),
        workers=define_ingest_workers(ingest),
    )


def define_resources(store: HerbStore) -> tuple[Resource, ...]:
    """Return the resources, the herb first: the first match reads a URI, and kg://{type}/{id} matches herbs too."""
    return (define_herb_resource(store), define_paper_resource(store), define_node_resource(store))


def define_graph_tools(store: HerbStore, cursors: Cursors) -> tuple[Tool, ...]:
    tool = partial(Tool, suite=SUITE, dialect=DIALECT)
    return (
        tool(
            name="tool.query_kg",
            title="Herb graph paths",
            description="Follows the herb graph from a node: what it contains, treats, is part of or is warned "
            "against. To find a node use tool.hybrid_search; it never answers questions.",
            input=QueryKgInput,
            left_out_in_short=(
                "edges.*.basis",
                "edges.*.review",
                "work",
            ),
            output=PathPage,
            asks_about="ambiguous",
            handler=PathTools(store, cursors).query_kg,
            faults=(NotFound,),
            examples=(
                Example(
                    "From a herb over its constituents to uses",
                    {
                        "start": {"type": "herb", "id": "curcuma-longa"},
                        "pattern": "herb->constituent->indication",
                        "limit": 5,
                    },
                ),
                Example(
                    "Herbs used for flatulence, by ICD-10 code",
                    {"start": {"type": "indication", "id": "icd10:R14"}, "pattern": "indication-[treats]->herb"},
                ),
            ),
        ),
        tool(
            name="tool.find_contraindications",
            title="Check contraindications",
            description="Checks herbs and formulations against drugs and conditions, with a verdict for every pair."
            " For uses ask tool.rag_answer; no warning on record never means safe.",
            input=FindContraindicationsInput,
            asks_about="unresolved",
            links=(ResourceLinks("results.*", "kg://{type}/{entity_id}", "entity_id"),),
            left_out_in_short=LEFT_OUT_IN_SHORT,
            output=ContraindicationPage,
            handler=SafetyTools(store, cursors).answer,
            examples=(
                Example("Turmeric with warfarin", {"herb_ids": ["curcuma-longa"], "drugs": ["warfarin"]}),
                Example(
                    "A formulation in pregnancy", {"formulation_ids": ["ya-hom-nawakot"], "conditions": ["ตั้งครรภ์"]}
                ),
            ),
        ),
    )
