"""The herbs suite as the house takes it."""

from __future__ import annotations

from functools import partial

from sanya.kernel.cursors import Cursors
from sanya.kernel.faults import NotFound
from sanya.kernel.suite import Suite
from sanya.kernel.tool import Example, Tool
from sanya.suites.herbs import contract
from sanya.suites.herbs.dialect import DIALECT
from sanya.suites.herbs.evaluation.tools import EvaluationTools
from sanya.suites.herbs.ingest.suite import ingest_resources, ingest_tools, ingest_workers
from sanya.suites.herbs.ingest.tools import IngestTools
from sanya.suites.herbs.path_tools import PathTools
from sanya.suites.herbs.prompts import prompts
from sanya.suites.herbs.resources import resources
from sanya.suites.herbs.safety_tools import SafetyTools
from sanya.suites.herbs.search_tools import SearchTools, search_tools
from sanya.suites.herbs.store import SUITE, HerbStore


def build(
    store: HerbStore, cursors: Cursors, search: SearchTools, evaluation: EvaluationTools, ingest: IngestTools
) -> Suite:
    return Suite(
        name=SUITE,
        title="Herbs",
        dialect=DIALECT,
        tools=(*graph_tools(store, cursors), *search_tools(search), evaluation.tool(), *ingest_tools(ingest)),
        resources=(*resources(store), *evaluation.resources(), *ingest_resources(ingest)),
        prompts=prompts(store),
        workers=ingest_workers(ingest),
    )


def graph_tools(store: HerbStore, cursors: Cursors) -> tuple[Tool, ...]:
    tool = partial(Tool, suite=SUITE, dialect=DIALECT)
    return (
        tool(
            name="tool.query_kg",
            title="Paths in the herb graph",
            description="Paths from a node of the Thai herbal medicine graph, with the statements along them.",
            input=contract.QueryKgInput,
            output=contract.PathPage,
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
            description="Warnings about herbs and formulations, ingredients' included. No result does not mean safe.",
            input=contract.FindContraindicationsInput,
            output=contract.ContraindicationPage,
            handler=SafetyTools(store, cursors).find_contraindications,
            examples=(
                Example("Turmeric with warfarin", {"herb_ids": ["curcuma-longa"], "drugs": ["warfarin"]}),
                Example(
                    "A formulation in pregnancy", {"formulation_ids": ["ya-hom-nawakot"], "conditions": ["ตั้งครรภ์"]}
                ),
            ),
        ),
    )
