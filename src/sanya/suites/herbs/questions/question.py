"""Parsing of a question: which nodes it names, and what it asks about them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, cast

from sanya.suite.text import detect_language, has_thai, to_search_form
from sanya.suites.herbs.graph.model import SUBJECT_TYPES, HerbGraph, NodeType
from sanya.suites.herbs.pattern_tables import read_pattern_table
from sanya.suites.herbs.questions.ages import find_age_conditions
from sanya.suites.herbs.questions.mentions import CERTAINTY, Gazetteer, NameMention
from sanya.suites.herbs.questions.ordinary_slips import correct_slips
from sanya.suites.herbs.questions.rewording import normalise_question
from sanya.suites.herbs.questions.romanised_questions import restore_thai
from sanya.suites.herbs.questions.unknown_names import UnknownMention, find_modified_names, find_unrecognised
from sanya.suites.herbs.safety.thai_loanwords import MIN_LOANWORD

QuestionLanguage = Literal["th", "en"]
Intent = Literal[
    "safety",
    "uses",
    "ingredients",
    "constituents",
    "names",
    "papers",
    "dosage",
    "elsewhere",
    "evidence",
    "avoid",
    "allowed",
    "parts",
]

_WORDS = read_pattern_table("sanya.suites.herbs.questions", "question_words.toml")


def _compile_words(words: dict[str, str]) -> re.Pattern[str]:
    return re.compile(rf"{words['thai']}|\b(?:{words['english']})\b", re.IGNORECASE)


_INTENTS = {cast(Intent, intent): _compile_words(words) for intent, words in _WORDS["intents"].items()}
_FRAME = _compile_words(_WORDS["frame"])
FRAME_WORDS = frozenset(_WORDS["frame_words"]["words"].split("|"))


@dataclass(frozen=True, slots=True)
class AmbiguousMention:
    """A name in the question that means several nodes of one type."""

    name: str
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    text: str
    lang: QuestionLanguage
    intents: frozenset[Intent]
    mentions: tuple[NameMention, ...]
    named: dict[str, float]
    """The ids of the nodes it names, each with the certainty of that, 0 to 1."""
    ambiguous: tuple[AmbiguousMention, ...]
    age_conditions: tuple[str, ...] = ()
    """The ids of the populations that the ages in it belong to."""
    unrecognised: tuple[str, ...] = ()
    """What it names and the graph does not know. No answer is given about something else."""
    has_unknown_subject: bool = False
    """True where such a name stands in the place of what is taken, or beside it."""

    def list_named(self, graph: HerbGraph, *types: NodeType) -> list[str]:
        """Return the ids of the named nodes of these types."""
        return [node_id for node_id in self.named if graph.nodes[node_id].type in types]

    @property
    def is_about_safety(self) -> bool:
        return "safety" in self.intents

    @property
    def is_out_of_scope(self) -> bool:
        """True where the question asks for what the graph does not hold: doses, prices, growing."""
        return not self.intents.isdisjoint(("dosage", "elsewhere"))


def parse_question(
    text: str, lang: QuestionLanguage | Literal["auto"], graph: HerbGraph, gazetteer: Gazetteer
) -> ParsedQuestion:
    """Parse a question. A Thai question in Latin letters is read, and answered, in Thai. Slips in ordinary words are
    corrected once what is a name is known."""
    read_as = normalise_question(restore_thai(text))
    language: QuestionLanguage = ("th" if detect_language(read_as) == "th" else "en") if lang == "auto" else lang
    parsed, unknown = _parse_as(read_as, language, graph, gazetteer)
    corrected = correct_slips(to_search_form(read_as), unknown)
    if corrected != to_search_form(read_as):
        parsed, _ = _parse_as(normalise_question(corrected), language, graph, gazetteer)
    return parsed


def _parse_as(
    read_as: str, language: QuestionLanguage, graph: HerbGraph, gazetteer: Gazetteer
) -> tuple[ParsedQuestion, tuple[UnknownMention, ...]]:
    form = to_search_form(read_as)
    found = gazetteer.find(read_as)
    modified = find_modified_names(
        form, [mention for mention in found if _is_subject(graph, mention)], gazetteer.is_name
    )
    mentions = tuple(mention for mention in found if mention not in modified)
    named: dict[str, float] = {}
    for mention in mentions:
        for node_id in mention.nodes:
            named[node_id] = max(named.get(node_id, 0.0), CERTAINTY[mention.kind])
    has_subject = any(_is_subject(graph, mention) for mention in mentions)
    unknown = find_unrecognised(form, mentions, has_subject=has_subject)
    if drugs := _read_loanwords(form, unknown, gazetteer):
        mentions = tuple(sorted((*mentions, *drugs), key=lambda mention: mention.start))
        named |= {mention.nodes[0]: CERTAINTY[mention.kind] for mention in drugs}
        unknown = find_unrecognised(form, mentions, has_subject=has_subject)
    related = tuple(name for name in graph.related_names if name in form)
    parsed = ParsedQuestion(
        read_as,
        language,
        _recognise_intents(read_as, graph, named),
        mentions,
        named,
        tuple(_list_ambiguous(graph, mentions)),
        tuple(id for id in find_age_conditions(form) if id in graph.nodes),
        tuple(dict.fromkeys((*related, *modified.values(), *(name.text for name in unknown)))),
        has_unknown_subject=bool(modified or related) or any(name.is_in_place_of_subject for name in unknown),
    )
    return parsed, unknown


def _read_loanwords(form: str, unknown: Iterable[UnknownMention], gazetteer: Gazetteer) -> list[NameMention]:
    """Return the drugs that unknown words begin with in another Thai spelling. Thai has no blanks between words, so the
    name may run into the next one: "วาฟารีนอยู่"."""
    drugs: list[NameMention] = []
    for name in unknown:
        start = form.find(name.text)
        for end in range(start + len(name.text), start + MIN_LOANWORD - 1, -1):
            if has_thai(name.text) and (drug := gazetteer.loanwords.find_alike(form[start:end])):
                drugs.append(NameMention(start, end, form[start:end], "slip", (drug,)))
                break
    return drugs


def _is_subject(graph: HerbGraph, mention: NameMention) -> bool:
    return graph.nodes[mention.nodes[0]].type in SUBJECT_TYPES


def strip_recognised_words(question: ParsedQuestion) -> str:
    """Return the rest of the question without its names, the words of its intents and the frame words."""
    letters = list(to_search_form(question.text))
    for mention in question.mentions:
        letters[mention.start : mention.end] = " " * (mention.end - mention.start)
    text = "".join(letters)
    for pattern in (*_INTENTS.values(), _FRAME):
        text = pattern.sub(" ", text)
    return text


def _recognise_intents(text: str, graph: HerbGraph, named: dict[str, float]) -> frozenset[Intent]:
    intents: set[Intent] = {intent for intent, pattern in _INTENTS.items() if pattern.search(text)}
    types = {graph.nodes[node_id].type for node_id in named}
    if "drug" in types and types.intersection(SUBJECT_TYPES) and "papers" not in intents:
        # A question that names a herb and a drug is one about safety, whatever else it asks.
        intents.add("safety")
    return frozenset(intents)


def _list_ambiguous(graph: HerbGraph, mentions: tuple[NameMention, ...]) -> list[AmbiguousMention]:
    ambiguous = []
    for mention in mentions:
        type = graph.nodes[mention.nodes[0]].type
        alike = tuple(node_id for node_id in mention.nodes if graph.nodes[node_id].type == type)
        if type in SUBJECT_TYPES and len(alike) > 1:
            ambiguous.append(AmbiguousMention(mention.text, alike))
    return ambiguous
