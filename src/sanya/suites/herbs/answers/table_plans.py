"""Plans of answers from one table: doses, evidence and papers, contents, and names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sanya.suite.search import load_thai_stop_words
from sanya.suite.text import ENGLISH_STOP_WORDS, get_default_segmenter
from sanya.suites.herbs.answers.lines import NO_PLAN, UNRECORDED, AnswerLine, AnswerPlan, quote, write_line
from sanya.suites.herbs.answers.materials import AnswerMaterials
from sanya.suites.herbs.answers.record_gaps import write_unknown_for
from sanya.suites.herbs.facts.fact import FactRelation, HerbFact
from sanya.suites.herbs.questions.ages import find_ages
from sanya.suites.herbs.questions.question import FRAME_WORDS, strip_recognised_words
from sanya.suites.herbs.questions.unknown_names import is_ordinary

_MAX_DOSES = 5
_MAX_PAPERS = 5
_MAX_PARTS = 8
_CHILD = "condition:children"
# What is done to a complaint says nothing of which it is: "ลดไขมัน" is about lipids.
_WISH = re.compile(r"^(?:ลด|แก้|รักษา|บรรเทา|กระตุ้น|(?:high|lowers?|reduces?|cures?|treats?|relieves?) )")
_YEARS = re.compile(r"(\d+)-(\d+) years")


def plan_dose(materials: AnswerMaterials) -> AnswerPlan:
    """Plan the doses on record for who asks, after any warning for exactly who asks, with the main warnings."""
    subjects = materials.roles.subjects
    asked = _list_asked_warnings(materials, subjects)
    doses = [fact for subject in subjects for fact in _list_doses(materials, subject)]
    heading: list[AnswerLine] = []
    if not doses:
        names = ", ".join(map(materials.get_label, subjects))
        heading = [write_line(materials.question.lang, "dose_of_mixture", subject=names)]
        subjects = tuple(id for subject in subjects for id in _list_mixtures(materials, subject))
        doses = [fact for subject in subjects for fact in _list_doses(materials, subject)]
    if not doses and not asked:
        return UNRECORDED
    asked = list(dict.fromkeys([*asked, *_list_asked_warnings(materials, subjects)]))
    main = [fact for subject in subjects for fact in materials.find_main_warnings(subject, 2)]
    chosen = _choose_doses(materials, doses)
    if not chosen and not asked:
        return UNRECORDED
    if chosen and not any(_is_for_age(materials, fact) for fact in chosen):
        heading.append(write_line(materials.question.lang, "dose_of_other_age"))
    shown = [*heading, *quote(chosen)] if chosen else [write_line(materials.question.lang, "no_dose")]
    uses = [fact for subject in subjects for fact in materials.list_facts(subject, "treats")]
    about = uses[:2] if "names" in materials.question.intents else []  # "what is it, and when do I take it?"
    lines = [*quote([*asked[:4], *about]), *write_unknown_for(materials, subjects), *shown]
    warnings = [fact for fact in main if fact not in asked]
    if warnings:
        lines += [write_line(materials.question.lang, "main_warnings"), *quote(warnings)]
    bearing = _list_about(materials, "named", "treats")
    return AnswerPlan(tuple(lines), 1.0, bearing, is_recorded_warning=bool(asked))


def _list_asked_warnings(materials: AnswerMaterials, subjects: Iterable[str]) -> list[HerbFact]:
    """Return the warnings for exactly who asks, which come before any dose, and stand where there is none."""
    return [
        fact
        for subject in subjects
        for object in materials.list_conditions(subject)
        for fact in materials.find_pair_warnings(subject, object)[:2]
    ]


def _list_mixtures(materials: AnswerMaterials, herb: str) -> list[str]:
    """Return the formulations that hold the herb and are called by its name."""
    name = materials.graph.nodes[herb].label_th
    made = [fact.subject for fact in materials.indexed.facts.by_object.get(herb, ()) if fact.relation == "made_of"]
    return [id for id in dict.fromkeys(made) if name and name in (materials.graph.nodes[id].label_th or "")]


def _list_doses(materials: AnswerMaterials, subject: str) -> list[HerbFact]:
    facts = materials.indexed.facts
    of_herb = [fact for fact in facts.by_object.get(subject, ()) if fact.relation == "dosed"]
    return [*materials.list_facts(subject, "dosed"), *of_herb]


def _choose_doses(materials: AnswerMaterials, doses: list[HerbFact]) -> list[HerbFact]:
    """Return the doses for children where a child is asked for, otherwise those that share most of its words."""
    is_child = any(_is_child(materials, id) for id in materials.roles.conditions)
    for_children = [fact for fact in doses if "for children" in fact.english]
    if is_child:
        return for_children
    adults = [fact for fact in doses if fact not in for_children]
    words = set(list_content_words(materials))
    return sorted(adults, key=lambda fact: -len(words & _list_words(materials, fact)))[:_MAX_DOSES]


def _is_for_age(materials: AnswerMaterials, fact: HerbFact) -> bool:
    """Return whether a dose is for an age that was asked for; for any where none was, or none is told."""
    ages, told = find_ages(materials.question.text), _YEARS.search(fact.english)
    return not ages or told is None or any(int(told[1]) <= age <= int(told[2]) for age in ages)


def _is_child(materials: AnswerMaterials, condition: str) -> bool:
    return condition == _CHILD or _CHILD in materials.check.expand_object(materials.graph.nodes[condition])


def plan_evidence(materials: AnswerMaterials) -> AnswerPlan:
    """Plan what trials and reviews say of the use, and the papers whose titles name it."""
    assessed, papers = find_assessments(materials), _list_papers(materials)
    is_use = bool(materials.roles.complaints or list_content_words(materials))
    if not assessed and not papers:
        return _plan_recorded_uses(materials)
    lines: list[AnswerLine] = quote(assessed)
    if assessed and not any(_is_of_complaint(materials, fact) for fact in assessed):
        # Studies of something near ("nausea") are not of the use asked for ("motion sickness"), which is on record.
        lines += quote(materials.drop_same(_list_recorded_uses(materials))[:_MAX_PAPERS])
    if papers and ("papers" in materials.question.intents or not assessed):
        lines += [write_line(materials.question.lang, "no_papers"), *quote(papers[:_MAX_PAPERS])]
    warnings = [fact for subject in materials.roles.subjects for fact in materials.find_main_warnings(subject, 1)]
    if assessed and warnings:
        lines += [write_line(materials.question.lang, "main_warnings"), *quote(warnings[:2])]
    bearing = _list_about(materials, "treats", "named")
    return AnswerPlan(tuple(lines), 1.0 if assessed and is_use else 0.7, bearing)


def _plan_recorded_uses(materials: AnswerMaterials) -> AnswerPlan:
    """Plan the uses on record for the complaint where no assessment is about it: they carry their own kind of evidence.
    A wider assessment that names the complaint comes before them."""
    matched = _list_recorded_uses(materials)
    mentioning = _find_mentioning(materials)
    if not mentioning and (not matched or "papers" in materials.question.intents):
        return UNRECORDED
    warnings = [fact for subject in materials.roles.subjects for fact in materials.find_main_warnings(subject, 2)]
    lines = quote(mentioning) or [write_line(materials.question.lang, "no_studies")]
    lines += quote(materials.drop_same(matched)[:_MAX_PAPERS])
    if warnings:
        lines += [write_line(materials.question.lang, "main_warnings"), *quote(warnings[:4])]
    return AnswerPlan(tuple(lines), 0.8, _list_about(materials, "treats", "named"))


def _list_recorded_uses(materials: AnswerMaterials) -> list[HerbFact]:
    facts = [fact for subject in _list_kin(materials) for fact in materials.list_facts(subject, "treats")]
    return [fact for fact in facts if _is_of_complaint(materials, fact)]


def _is_of_complaint(materials: AnswerMaterials, fact: HerbFact) -> bool:
    return any(not complaint.uses.isdisjoint(fact.objects) for complaint in materials.roles.complaints)


def find_assessments(materials: AnswerMaterials) -> list[HerbFact]:
    """Return what the evidence table says of the named herbs for the complaint; all of it where none is named."""
    facts = [fact for subject in _list_kin(materials) for fact in materials.list_facts(subject, "assessed")]
    complaints = materials.roles.complaints
    words = set(list_content_words(materials))
    matched = [
        fact
        for fact in facts
        if any(is_about_topic(materials, fact, complaint.nodes) for complaint in complaints)
        or any(is_about_topic(materials, fact, (id,)) for id in materials.roles.checked)
        or words & _list_topic_words(materials, fact)
    ]
    if complaints or words or materials.roles.checked:
        return matched
    # "ความจำ" is an everyday word, and yet it is what one assessment is about.
    said = set(materials.indexed.tokenize(strip_recognised_words(materials.question)))
    return [fact for fact in facts if said & _list_topic_words(materials, fact)] or facts


def _find_mentioning(materials: AnswerMaterials) -> list[HerbFact]:
    """Return the assessments of a wider use that name the complaint: of muscle pain, with a trial in sprains."""
    phrases = materials.indexed.gazetteer.phrases_by_node
    names = {name for complaint in materials.roles.complaints for id in complaint.nodes for name in phrases.get(id, ())}
    patterns = [_compile_name(name) for name in names if len(name) > 3]
    facts = [fact for subject in _list_kin(materials) for fact in materials.list_facts(subject, "assessed")]
    texts = {fact: f"{fact.english} {fact.thai}".casefold() for fact in facts}
    return [fact for fact, text in texts.items() if any(pattern.search(text) for pattern in patterns)]


def _compile_name(name: str) -> re.Pattern[str]:
    """Return a pattern of a name: a whole word in English, any place in Thai, which has no blanks."""
    return re.compile(rf"\b{re.escape(name)}\b" if name.isascii() else re.escape(name))


def _list_kin(materials: AnswerMaterials) -> list[str]:
    """Return the subjects with the herb of a single-herb medicine and the medicines of a herb alone."""
    ids: list[str] = []
    for subject in materials.roles.subjects:
        herb = materials.graph.nodes[subject].data.get("single_herb_id")
        ids += [subject, *materials.list_single_herb_medicines(subject), *((herb,) if herb else ())]
    return [id for id in dict.fromkeys(ids) if id in materials.graph.nodes]


def is_about_topic(materials: AnswerMaterials, fact: HerbFact, nodes: Iterable[str]) -> bool:
    """Return whether an assessment is about one of the nodes, by its code or because it names one."""
    topics = _get_topics(fact)
    for node_id in nodes:
        code = node_id.removeprefix("icd10:").split(".")[0]
        if any(object.removeprefix("icd10:").split(".")[0] == code for object in fact.objects):
            return True
        phrases = materials.indexed.gazetteer.phrases_by_node.get(node_id, ())
        names = {_WISH.sub("", phrase) for phrase in phrases}
        if any(len(name) > 2 and name in topic for name in names for topic in topics):
            return True
    return False


def _get_topics(fact: HerbFact) -> tuple[str, str]:
    """Return the use that an assessment is about, in Thai and English, in small letters."""
    return fact.thai.partition(":")[0].casefold(), fact.english.partition(":")[0].casefold()


def _list_topic_words(materials: AnswerMaterials, fact: HerbFact) -> set[str]:
    named = {word for name in materials.graph.get_names(fact.subject) for word in materials.indexed.tokenize(name.name)}
    words = {word for topic in _get_topics(fact) for word in materials.indexed.tokenize(topic)}
    return words - named - FRAME_WORDS - load_thai_stop_words()


def _list_papers(materials: AnswerMaterials) -> list[HerbFact]:
    """Return the papers about the named herbs whose titles name the complaint; all where none is named. What a
    compiler noted in place of a title is no title."""
    papers = [
        fact
        for subject in materials.roles.subjects
        for fact in materials.indexed.facts.by_object.get(subject, ())
        if fact.relation == "mentioned_in" and materials.graph.nodes[fact.subject].label_en
    ]
    wanted = [*materials.roles.checked, *(id for complaint in materials.roles.complaints for id in complaint.nodes)]
    words = set(list_content_words(materials))
    if not wanted and not words:
        return list(dict.fromkeys(papers))
    phrases = materials.indexed.gazetteer.phrases_by_node
    names = {name for id in wanted for name in phrases.get(id, ()) if len(name) > 3}
    return [
        fact
        for fact in dict.fromkeys(papers)
        if any(name in fact.english.casefold() for name in names) or words & materials.indexed.tokenize(fact.english)
    ]


def plan_ingredients(materials: AnswerMaterials) -> AnswerPlan:
    """Plan what the named formulations are made of. A herb beside them is what may be in it."""
    formulations = [id for id in materials.roles.subjects if materials.graph.nodes[id].type == "formulation"]
    relations: tuple[FactRelation, ...] = ("made_of", "comes_as", "contains")
    facts = [fact for relation in relations for id in formulations for fact in materials.list_facts(id, relation)]
    if not facts:
        return UNRECORDED
    lines = quote(facts[:3])
    if "uses" in materials.question.intents:
        lines += quote(fact for id in formulations for fact in materials.list_facts(id, "treats")[:3])
    return AnswerPlan(tuple(lines), 1.0, _list_about(materials, "named", "treats", "contraindicated_in"))


def plan_containing(materials: AnswerMaterials) -> AnswerPlan:
    """Plan the herbs that contain a named substance."""
    by_object = materials.indexed.facts.by_object
    facts = [
        fact for id in materials.roles.constituents for fact in by_object.get(id, ()) if fact.relation == "contains"
    ]
    bearing = [other for fact in facts for other in materials.list_facts(fact.subject, "named", "treats")]
    return AnswerPlan(tuple(quote(facts[:_MAX_PARTS])), 1.0, tuple(bearing)) if facts else UNRECORDED


def plan_contents(materials: AnswerMaterials, *relations: FactRelation) -> AnswerPlan:
    """Plan which substances a herb contains."""
    facts = [fact for subject in _list_kin(materials) for fact in materials.list_facts(subject, *relations)]
    wanted = set(materials.roles.constituents)
    matched = [fact for fact in facts if wanted & set(fact.objects)] if wanted else facts
    if not matched:
        return UNRECORDED
    return AnswerPlan(tuple(quote(matched[:4])), 1.0, _list_about(materials, "named", "comes_as", "treats", "contains"))


def plan_parts(materials: AnswerMaterials) -> AnswerPlan:
    """Plan the formulations that contain a named herb."""
    lines: list[AnswerLine] = []
    for herb in materials.roles.subjects:
        made = [fact for fact in materials.indexed.facts.by_object.get(herb, ()) if fact.relation == "made_of"]
        if used := _list_used(materials, made):
            lines += used
        elif made:
            label, lang = materials.get_label(herb), materials.question.lang
            lines.append(write_line(lang, "parts", subject=label, total=len(made)))
            lines += quote(made[:_MAX_PARTS])
            rest = [materials.get_label(fact.subject) for fact in made[_MAX_PARTS:]]
            if rest:
                lines.append(write_line(lang, "list_rest", names=", ".join(rest)))
    return AnswerPlan(tuple(lines), 1.0, _list_about(materials, "named", "treats")) if lines else UNRECORDED


def _list_used(materials: AnswerMaterials, made: list[HerbFact]) -> list[AnswerLine]:
    """Return the formulations that are used for the complaint of the question, each with its use and its contents."""
    complaints = materials.roles.complaints
    lines: list[AnswerLine] = []
    for contents in made:
        uses = materials.list_facts(contents.subject, "treats")
        matched = [use for use in uses if any(not c.uses.isdisjoint(use.objects) for c in complaints)]
        if matched:
            lines += quote([*matched[:1], contents, *materials.find_main_warnings(contents.subject, 1)])
    return lines[: 3 * _MAX_PARTS]


def plan_names(materials: AnswerMaterials) -> AnswerPlan:
    """Plan the names of what is named, and its uses where they are asked for too."""
    facts = [fact for subject in materials.roles.subjects for fact in materials.list_facts(subject, "named")]
    if "uses" in materials.question.intents:
        facts += [fact for subject in materials.roles.subjects for fact in materials.list_facts(subject, "treats")[:3]]
    bearing = _list_about(
        materials, "treats", "contains", "made_of", "comes_as", "contraindicated_in", "interacts_with"
    )
    return AnswerPlan(tuple(quote(facts[:6])), 1.0, bearing) if facts else NO_PLAN


def _list_about(materials: AnswerMaterials, *relations: FactRelation) -> tuple[HerbFact, ...]:
    return tuple(
        fact
        for subject in _list_kin(materials)
        for relation in relations
        for fact in materials.list_facts(subject, relation)
    )


def is_name_alone(materials: AnswerMaterials) -> bool:
    """Return whether the question says little beside its names: "กระท่อม", "tell me about kratom"."""
    rest = get_default_segmenter().segment(strip_recognised_words(materials.question))
    words = {word.strip() for word in rest if word.strip() and word.strip()[0].isalpha()}
    return not words - ENGLISH_STOP_WORDS - load_thai_stop_words() - FRAME_WORDS


def list_content_words(materials: AnswerMaterials) -> list[str]:
    """Return the words of the question that are neither names nor words of questions."""
    ignored = load_thai_stop_words() | FRAME_WORDS
    rest = strip_recognised_words(materials.question)
    # Ordinary words are told by their full form, before the reader reduces them to stems.
    kept = [word for word in get_default_segmenter().segment(rest) if word.strip() and not is_ordinary(word.strip())]
    words = materials.indexed.library.reader.extract_words(" ".join(kept))
    return [word for word in words if word not in ignored and not is_ordinary(word)]


def _list_words(materials: AnswerMaterials, fact: HerbFact) -> set[str]:
    return set(materials.indexed.tokenize(fact.thai) | materials.indexed.tokenize(fact.english))
