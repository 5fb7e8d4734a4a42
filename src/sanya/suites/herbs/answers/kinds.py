"""The kind of a question: which of the graph's tables answers it."""

from __future__ import annotations

import re
from typing import Literal

from sanya.suite.text import to_search_form
from sanya.suites.herbs.graph.model import SUBJECT_TYPES, HerbGraph
from sanya.suites.herbs.questions.question import ParsedQuestion, strip_recognised_words
from sanya.suites.herbs.questions.roles import QuestionRoles
from sanya.suites.herbs.questions.unknown_names import is_asking_for_herbs, is_for_animal

AnswerKind = Literal[
    "elsewhere",
    "no_herb",
    "dose",
    "evidence",
    "parts",
    "ingredients",
    "constituents",
    "names",
    "safety",
    "uses",
    "recommendation",
    "warned_list",
    "containing",
    "together",
    "search",
]
_IN_IT = re.compile(
    r"ใน.*มี|มี.*(?:ไหม|มั้ย|หรือ)|ใส่.*(?:ไหม|มั้ย)|(?:เข้า|ผสม).*(?:ไหม|มั้ย|หรือ)|\bis there\b|\bcontains?\b|\bin it\b",
    re.IGNORECASE,
)


def classify_question(graph: HerbGraph, question: ParsedQuestion, roles: QuestionRoles) -> AnswerKind:
    if "elsewhere" in question.intents or is_for_animal(strip_recognised_words(question)):
        return "elsewhere"
    return _classify_named(graph, question, roles) if roles.subjects else _classify_open(question, roles)


def _classify_named(graph: HerbGraph, question: ParsedQuestion, roles: QuestionRoles) -> AnswerKind:
    """Classify a question that names a herb or a formulation."""
    intents = question.intents
    formulations = [id for id in roles.subjects if graph.nodes[id].type == "formulation"]
    asks_contents = not intents.isdisjoint(("ingredients", "constituents", "parts"))
    if _is_about_ingredient(graph, question, roles):
        return "ingredients"
    if "dosage" in intents:
        return "dose"
    if not intents.isdisjoint(("evidence", "papers")):
        return "evidence"
    if roles.checked and not asks_contents:
        return "safety"
    if "parts" in intents or ("ingredients" in intents and not formulations):
        return "parts"
    if asks_contents:
        return "ingredients" if formulations else "constituents"
    if roles.constituents:
        return "constituents"
    if "names" in intents and not roles.complaints:
        return "names"
    if "safety" in intents and not roles.complaints:
        return "together" if _count_subjects(graph, question) > 1 else "safety"
    return "uses"


def _classify_open(question: ParsedQuestion, roles: QuestionRoles) -> AnswerKind:
    """Classify a question that names no herb and so asks for some."""
    if _is_about_other_thing(question, roles):
        return "no_herb"
    asks_harm = "avoid" in question.intents or ("safety" in question.intents and not roles.complaints)
    if roles.constituents:
        return "containing"
    if roles.checked and (asks_harm or not roles.complaints):
        return "warned_list"
    if roles.complaints:
        return "warned_list" if "avoid" in question.intents and _has_conditions(roles) else "recommendation"
    return "search"


def _is_about_other_thing(question: ParsedQuestion, roles: QuestionRoles) -> bool:
    """Return whether the question is about a medicine, a product or a food that it names, and asks for no herb: a list
    of herbs would answer something else."""
    if is_asking_for_herbs(to_search_form(question.text)):
        return False
    if "avoid" in question.intents:
        return _count_drugs(question) > 1  # "does grapefruit interact with simvastatin" is about those two
    if roles.drugs or ("safety" not in question.intents and roles.conditions and not roles.complaints):
        return True  # "ผ่าตัดไส้ติ่งใช้เวลานานไหม" asks for no herb
    return "safety" in question.intents and bool(roles.constituents or (roles.conditions and not roles.complaints))


def _count_drugs(question: ParsedQuestion) -> int:
    return sum(all(id.startswith("drug:") for id in mention.nodes) for mention in question.mentions)


def _count_subjects(graph: HerbGraph, question: ParsedQuestion) -> int:
    return len({mention.nodes for mention in question.mentions if graph.nodes[mention.nodes[0]].type in SUBJECT_TYPES})


def _is_about_ingredient(graph: HerbGraph, question: ParsedQuestion, roles: QuestionRoles) -> bool:
    """Return whether the question names a formulation and a herb and asks whether the one is in the other."""
    types = {graph.nodes[id].type for id in roles.subjects}
    return types == set(SUBJECT_TYPES) and bool(_IN_IT.search(question.text)) and _count_subjects(graph, question) > 1


def _has_conditions(roles: QuestionRoles) -> bool:
    return any(complaint.conditions for complaint in roles.complaints)
