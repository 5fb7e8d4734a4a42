"""The roles of what a question names: what is taken, by whom, with which medicines, and against what.

A complaint ("for motion sickness") says what a herb is wanted for. A condition ("pregnant", "a 4 year old") says who
takes it. Many names are both; what stands before the name decides. A complaint never narrows the safety check: a herb
is checked against every condition, unless it is used for just that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sanya.suite.text import to_search_form
from sanya.suites.herbs.graph.hierarchy import list_related_nodes
from sanya.suites.herbs.graph.model import SUBJECT_TYPES, HerbGraph, NodeType
from sanya.suites.herbs.graph.name_lookup import find_named_nodes
from sanya.suites.herbs.pattern_tables import read_pattern_table
from sanya.suites.herbs.questions.mentions import NameMention
from sanya.suites.herbs.questions.question import ParsedQuestion

_WORDS = read_pattern_table("sanya.suites.herbs.questions", "role_words.toml")
_FOR_USE = re.compile(rf"(?:{_WORDS['for_use']['thai']}|\b(?:{_WORDS['for_use']['english']}))\W*$")
_OF_PERSON = re.compile(rf"(?:{_WORDS['of_person']['thai']}|\b(?:{_WORDS['of_person']['english']}))\W*$")
_FIT_FOR = re.compile(rf"(?:{_WORDS['fit_for']['thai']}|\b(?:{_WORDS['fit_for']['english']}))\W*$")
_WISHES = {drug: tuple(uses.split("|")) for drug, uses in _WORDS["wishes"].items()}
_HERB_BEFORE = re.compile(rf"(?:{_WORDS['herb_beside']['before']})\W*$")
_HERB_AFTER = re.compile(rf"\W*(?:{_WORDS['herb_beside']['after']})")
_ANYONE = "condition:anyone"
_ALLERGIC = "condition:allergy"
_ALLERGIC_TO = re.compile(r"(?:แพ้|allerg(?:ic|y) to|react(?:s|ed)? badly to)\W*$")
_ALLERGY_WORD = re.compile(r"^แพ้|^allerg(?:y|ic) to(?: the)?|allerg(?:y|ies)$")
_ALLERGY = re.compile(r"แพ้|allerg|react(?:s|ed)? badly")
_WHEN = ("after ", "หลัง")
_LOOK_BACK = 24
_OBJECT_TYPES: tuple[NodeType, ...] = ("drug", "condition", "indication", "constituent")


@dataclass(frozen=True, slots=True)
class Complaint:
    """A complaint that a herb is wanted for: the uses that count as it, and the conditions of the same name."""

    text: str
    uses: frozenset[str]
    conditions: tuple[str, ...]
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuestionRoles:
    subjects: tuple[str, ...]
    """Herbs and formulations, in the order of the question."""
    drugs: tuple[str, ...]
    conditions: tuple[str, ...]
    """Conditions and ages of the person who takes it."""
    complaints: tuple[Complaint, ...]
    constituents: tuple[str, ...]
    allergens: tuple[str, ...] = ()
    """Herbs and formulations that the asker is allergic to, where a remedy for something else is asked for."""

    @property
    def checked(self) -> tuple[str, ...]:
        """The drugs and conditions to check against, without those of complaints."""
        return (*self.drugs, *self.conditions)


def assign_roles(graph: HerbGraph, question: ParsedQuestion) -> QuestionRoles:
    form = to_search_form(question.text)
    found: dict[str, list[str]] = {type: [] for type in (*SUBJECT_TYPES, "drug", "condition", "constituent")}
    subjects: list[str] = []
    mixed: list[tuple[NameMention, bool]] = []
    wished: list[Complaint] = []
    allergens: list[str] = []
    for mention in question.mentions:
        types = {graph.nodes[node_id].type for node_id in mention.nodes}
        first = graph.nodes[mention.nodes[0]].type
        if "constituent" in types and "constituents" in question.intents:
            # Piperine is a name of pepper as well; a question for substances means the substance.
            found["constituent"] += [id for id in mention.nodes if graph.nodes[id].type == "constituent"]
        elif first in SUBJECT_TYPES:
            own = [id for id in mention.nodes if graph.nodes[id].type == first]
            subjects += own
            allergens += own if _ALLERGIC_TO.search(form[: mention.start]) else []
        elif wish := _find_wish(graph, form, mention):
            wished.append(wish)
        elif "indication" in types or ("condition" in types and _is_for_use(form, mention)):
            mixed.append((mention, _is_of_person(form, mention) and not _is_for_use(form, mention)))
        else:
            allergens += _list_allergens(graph, mention)
            for id in _drop_allergies(graph, form, mention.nodes):
                if id != _ANYONE:  # "why would anyone drink it" asks about nobody
                    found.setdefault(graph.nodes[id].type, []).append(id)
    complaints, conditions = _split_mixed(graph, mixed)
    if not (complaints or wished) or set(subjects) - set(allergens):
        allergens = []  # the question is about what is named beside the allergy, or about the allergen itself
    if allergens:  # what the allergy is to says more than that there is one
        found["condition"] = [id for id in found["condition"] if id != _ALLERGIC]
    return QuestionRoles(
        subjects=tuple(id for id in dict.fromkeys(subjects) if id not in allergens),
        allergens=tuple(dict.fromkeys(allergens)),
        drugs=tuple(dict.fromkeys(found["drug"])),
        conditions=tuple(dict.fromkeys([*found["condition"], *conditions, *question.age_conditions])),
        complaints=(*wished, *complaints),
        constituents=tuple(dict.fromkeys(found["constituent"])),
    )


def _drop_allergies(graph: HerbGraph, form: str, nodes: tuple[str, ...]) -> list[str]:
    """Return the nodes of a name. "Aspirin" is the medicine, and an allergy to it only where one is spoken of."""
    is_drug = any(graph.nodes[id].type == "drug" for id in nodes)
    return [id for id in nodes if not is_drug or not id.endswith("-allergy") or _ALLERGY.search(form)]


def _find_wish(graph: HerbGraph, form: str, mention: NameMention) -> Complaint | None:
    """Return the complaint that a class of medicines stands for where such a herb is wanted: "laxative herb"."""
    wishes = [use for id in mention.nodes for use in _WISHES.get(id, ()) if use in graph.nodes]
    before = form[max(0, mention.start - _LOOK_BACK) : mention.start]
    if not wishes or not (_HERB_BEFORE.search(before) or _HERB_AFTER.match(form, mention.end)):
        return None
    related = frozenset(other for id in wishes for other in list_related_nodes(graph, id))
    return Complaint(mention.text, related, (), tuple(wishes))


def _list_allergens(graph: HerbGraph, mention: NameMention) -> list[str]:
    """Return the herbs that an allergy in the question is to, and their kin: "แพ้ขิง" is one to the ginger family."""
    allergies = [id for id in mention.nodes if id.endswith("-allergy")]
    names = [name.name for id in allergies for name in graph.get_names(id)] if allergies else []
    plants = (_ALLERGY_WORD.sub("", name).strip() for name in (*names, mention.text) if allergies)
    return [node.id for plant in plants if plant for node in find_named_nodes(graph, plant, "herb")]


def _split_mixed(graph: HerbGraph, mixed: list[tuple[NameMention, bool]]) -> tuple[tuple[Complaint, ...], list[str]]:
    """Return the complaints and the conditions among names that are both.

    A long illness (diabetes) is a condition where the question has another complaint as well.
    """
    complaints: list[Complaint] = []
    conditions: list[str] = []
    for mention, is_of_person in mixed:
        groups = [id for id in mention.nodes if _is_group(graph, id)]
        own = [id for id in mention.nodes if graph.nodes[id].type == "condition" and id not in groups]
        conditions += groups
        is_long = any(graph.nodes[id].data.get("usually_takes") for id in own)
        if len(mixed) > 1 and groups and mention.text.startswith(_WHEN):
            continue  # "low milk after childbirth" asks nothing for childbirth itself
        if own and is_long and (is_of_person or len(mixed) > 1):
            conditions += own
        else:
            complaints.append(_build_complaint(graph, mention, own))
    return tuple(complaints), conditions


def _is_group(graph: HerbGraph, id: str) -> bool:
    """Return whether the node is a group of people, such as pregnant women: a name such as "morning sickness" tells
    who takes the herb as well as what for."""
    return graph.nodes[id].type == "condition" and graph.nodes[id].data.get("kind") == "population"


def _build_complaint(graph: HerbGraph, mention: NameMention, conditions: list[str]) -> Complaint:
    uses = [id for id in mention.nodes if graph.nodes[id].type == "indication"]
    related = frozenset(other for id in uses for other in list_related_nodes(graph, id))
    nodes = tuple(id for id in mention.nodes if graph.nodes[id].type in _OBJECT_TYPES)
    return Complaint(mention.text, related, tuple(conditions), nodes)


def _is_for_use(form: str, mention: NameMention) -> bool:
    before = form[max(0, mention.start - _LOOK_BACK) : mention.start]
    # "ลดความดัน" says itself what for, but after "ยา" it names a medicine.
    is_own = mention.text.startswith(("ลด", "แก้", "lower ")) and not before.endswith("ยา")
    return is_own or bool(_FOR_USE.search(before) and not _FIT_FOR.search(before))


def _is_of_person(form: str, mention: NameMention) -> bool:
    return bool(_OF_PERSON.search(form[max(0, mention.start - _LOOK_BACK) : mention.start]))
