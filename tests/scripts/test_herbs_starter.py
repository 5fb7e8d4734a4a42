"""The build of the starter graph: nothing is lost, the stronger warning stays, corrections hold, Thai is whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sanya.suites.herbs.safety.severity import LABORATORY, derive_strength
from scripts.herbs_starter.build import Build, build_all
from scripts.herbs_starter.filing import split_words
from scripts.herbs_starter.joining import join_statements
from scripts.herbs_starter.mistakes import find_mistakes, find_narrow_labels
from scripts.herbs_starter.rules import EVIDENCE, SEVERITIES, derive_severity, rank_severity
from scripts.herbs_starter.statements import Statement
from scripts.herbs_starter.tables import read_own
from scripts.herbs_starter.wording import find_foreign_words

Edge = list[Any]


def _statements(built: Build) -> list[Edge]:
    return [edge for edge in built.rows.edges.values() if edge[3] in ("interacts_with", "contraindicated_in")]


def _between(built: Build, entity: str, target: str) -> list[Edge]:
    return [edge for edge in _statements(built) if (edge[2], edge[4]) == (entity, target)]


def test_the_build_is_the_same_every_time(built: Build, fact_tables: Path) -> None:
    again = build_all(fact_tables)
    assert again.starter() == built.starter()
    assert again.files() == built.files()
    assert again.count() == built.count()


def test_every_row_of_both_tables_is_in_a_statement_or_withdrawn(built: Build) -> None:
    told = {row.partition(".")[0] for edge in _statements(built) for row in edge[1].split("+")}
    told |= {row["id"] for row in built.corrected.withdrawn}
    assert {row["id"] for row in [*built.tables.interactions, *built.tables.safety]} <= told


def test_every_node_of_the_tables_is_there(built: Build) -> None:
    drugs = {f"drug:{row['id']}" for row in built.tables.drugs}
    ids = set(built.rows.nodes) | {
        f"drug:{node[8]['table_id']}" for node in built.rows.nodes.values() if "table_id" in node[8]
    }
    assert drugs <= ids
    assert {row["id"] for row in [*built.tables.herbs, *built.tables.herbs_more]} <= ids
    assert {row["id"] for row in built.tables.formulations} <= ids


def test_words_lost_in_filing_are_back(built: Build) -> None:
    assert _between(built, "thunbergia-laurifolia", "drug:antivirals")
    assert _between(built, "cannabis-thc-oil", "drug:sedating-antihistamines")
    assert _between(built, "cannabis-thc-cbd-1-1", "drug:bcrp")
    assert _between(built, "coffea-arabica", "drug:dipyridamole")
    assert _between(built, "aloe-latex", "condition:breastfeeding")


def test_a_phrase_is_split_into_what_it_names() -> None:
    assert [*split_words("warfarin, DOACs (apixaban), aspirin 300 mg")] == ["warfarin", "DOACs", "apixaban", "aspirin"]


def test_inhibitors_are_not_filed_as_substrates(built: Build) -> None:
    assert _between(built, "cannabis-cbd-20-1", "drug:cyp3a4-inhibitors")
    assert not _between(built, "cannabis-cbd-20-1", "drug:cyp3a4-substrates")
    assert _between(built, "gloriosa-superba", "drug:p-gp-inhibitors")


def test_joined_rows_keep_the_stronger_and_all_sources(built: Build) -> None:
    (edge,) = _between(built, "senna-alexandrina", "condition:children-under-12")
    data = edge[-1]
    assert data["severity"] == "contraindicated"
    assert {"sa-0138", "ix-0709", "ix-0507", "ix-0667"} == set(data["rows"])
    assert {"nlem-2566", "dtam-sub-2567", "senokot-smpc-emc"} <= set(edge[-2])
    assert {difference["severity"] for difference in data["differences"]} == {"moderate"}
    assert "Sources differ" in edge[8]


def test_joining_never_lowers_and_never_loses_a_source(built: Build) -> None:
    for joined in built.joined:
        strongest = max((row.severity for row in joined.statements), key=rank_severity)
        assert joined.shown.severity == strongest
        assert {source for row in joined.statements for source in row.sources} == set(joined.sources)


def test_adding_a_statement_never_lowers_what_is_joined(built: Build) -> None:
    some = built.statements[:300]
    before = {
        (joined.entity_id, joined.object_id, joined.effect_class): joined.shown.severity
        for joined in join_statements(some)
    }
    weaker = [replace(statement, id=f"new-{statement.id}", severity="minor") for statement in some]
    after = {
        (joined.entity_id, joined.object_id, joined.effect_class): joined.shown.severity
        for joined in join_statements([*some, *weaker])
    }
    assert after == before


def test_a_pair_has_two_severities_only_with_a_note(built: Build) -> None:
    pairs: dict[tuple[str, str], list[Edge]] = {}
    for edge in _statements(built):
        pairs.setdefault((edge[2], edge[4]), []).append(edge)
    for edges in pairs.values():
        if len({edge[-1]["severity"] for edge in edges}) > 1:
            assert all("Another statement of this pair" in edge[8] for edge in edges)


def test_an_official_precaution_is_not_lowered_by_a_study(built: Build) -> None:
    (ginger,) = _between(built, "zingiber-officinale", "drug:warfarin")
    assert (ginger[-1]["severity"], ginger[-1]["evidence"]) == ("moderate", "official")
    assert "minor" in {difference["severity"] for difference in ginger[-1]["differences"]}


@pytest.mark.parametrize(
    ("row", "verdict"), [("ix-0591", "wrong"), ("ix-0579", "wrong"), ("ix-0285", "wrong"), ("ix-0372", "wrong")]
)
def test_rows_that_a_correction_drops_are_withdrawn_with_the_reason(built: Build, row: str, verdict: str) -> None:
    assert verdict in built.corrected.applied
    assert row in {withdrawn["id"] for withdrawn in built.corrected.withdrawn}
    assert row.encode() in built.files()["withdrawn.jsonl"]
    assert not any(row in edge[1].split("+") for edge in _statements(built))


def test_corrections_change_strength_terms_and_citations(built: Build) -> None:
    (garlic,) = _between(built, "allium-sativum", "drug:saquinavir")
    assert garlic[5] == "high"
    assert not _between(built, "moringa-oleifera", "drug:enalapril")
    assert not _between(built, "ya-fa-thalai-chon", "drug:amitriptyline")
    bleeding = [edge for edge in _statements(built) if edge[-1]["effect_class"] == "bleeding"]
    assert not any("pmid:18480186" in edge[-2] for edge in bleeding)


def test_no_mechanism_claims_coumarin_but_that_of_plants_that_hold_it(built: Build) -> None:
    claimed = {edge[2] for edge in _statements(built) if "coumarin" in edge[-1].get("mechanism_en", "")}
    assert claimed <= {
        "cinnamomum-cassia",
        "cinnamomum-burmannii",
        "cinnamomum-loureiroi",
        "cinnamomum-verum",
        "angelica-sinensis",
    }


def test_every_statement_has_its_closed_values_and_a_source(built: Build) -> None:
    for edge in _statements(built):
        data = edge[-1]
        assert data["severity"] in SEVERITIES
        assert data["evidence"] in EVIDENCE
        assert data["severity_basis"] in ("source", "assigned", "rule", "correction")
        assert data["route"] in ("oral", "topical", "any")
        assert edge[5] in (derive_strength(data["severity"]), derive_strength(data["severity"], is_lowered=True))
        assert edge[-2]
        assert set(edge[-2]) <= set(built.rows.sources)


def _find_strength(built: Build, entity: str, target: str) -> tuple[str, str]:
    (edge,) = _between(built, entity, target)
    return edge[-1]["severity"], edge[5]


def test_strength_is_one_step_lower_where_only_animals_or_test_tubes_speak(built: Build) -> None:
    assert _find_strength(built, "moringa-oleifera", "condition:pregnancy") == ("major", "moderate")
    assert _find_strength(built, "hibiscus-sabdariffa", "drug:captopril") == ("moderate", "low")
    (minor,) = [edge for edge in _statements(built) if edge[0].startswith("sb-0264:")]
    assert (minor[-1]["evidence"], minor[5]) == ("in_vitro", "low")


def test_strength_is_not_lowered_where_an_official_text_warns(built: Build) -> None:
    # The department that tested it in animals warned the public of it.
    assert _find_strength(built, "aristolochia-spp", "condition:pregnancy") == ("contraindicated", "high")


def test_strength_differs_from_severity_only_for_laboratory_evidence_and_says_so(built: Build) -> None:
    lowered = [edge for edge in _statements(built) if edge[5] != derive_strength(edge[-1]["severity"])]
    assert lowered
    for edge in lowered:
        rows = [edge[-1], *edge[-1].get("differences", ())]
        assert {row["evidence"] for row in rows} <= LABORATORY, edge[0]
        assert "one step lower" in edge[8]
        assert "ลดลงหนึ่งระดับ" in edge[-1]["note_th"]
        assert "nlem-2566" not in edge[-2]


def test_reviewed_means_that_a_source_was_read(built: Build) -> None:
    for edge in _statements(built):
        read = {built.rows.sources[source][9] for source in edge[-2]}
        if edge[7] == "reviewed":
            assert read - {"not-read", "title"}, edge[0]
        else:
            assert edge[8], edge[0]
    chatbot = [edge for edge in _statements(built) if edge[-2] == ["qa20"]]
    assert chatbot
    assert {edge[7] for edge in chatbot} == {"needs_review"}


def test_thai_is_whole(built: Build) -> None:
    for edge in _statements(built):
        data = edge[-1]
        for field in ("effect", "management", "object"):
            assert data[f"{field}_en"], edge[0]
            assert data[f"{field}_th"], edge[0]
        assert ("mechanism_en" in data) == ("mechanism_th" in data), edge[0]
        assert bool(edge[8]) == ("note_th" in data), edge[0]
        for key, text in data.items():
            if key.endswith("_th"):
                assert not find_foreign_words(text), (edge[0], text)


def test_a_narrower_wording_shows_its_phrase(built: Build) -> None:
    (uncontrolled,) = _between(built, "cannabis-sativa", "condition:severe-cardiovascular-disease")
    assert uncontrolled[-1]["severity"] == "contraindicated"
    assert not _between(built, "andrographis-paniculata", "condition:heart-disease")
    (camphor,) = _between(built, "ya-hom-thep-chit", "condition:hepatic-impairment")
    assert camphor[-1]["source_phrase_en"] == "hepatic or renal impairment, prolonged use"


def test_poisonous_plants_are_there_and_warn_everybody(built: Build) -> None:
    for plant in ("nerium-oleander", "gloriosa-superba", "croton-tiglium", "abrus-precatorius"):
        node = built.rows.nodes[plant]
        assert node[8]["toxic"]
        assert node[8]["toxic_note_th"]
        (edge,) = _between(built, plant, "condition:anyone")
        assert edge[-1]["severity"] == "contraindicated"
        assert edge[-1]["not_inherited"]


def test_a_single_herb_product_leads_to_its_herb(built: Build) -> None:
    only = {
        edge[2] for edge in built.rows.edges.values() if edge[-1].get("only_herb") and edge[4].startswith("cannabis-")
    }
    assert only == {"cannabis-sativa"}


def test_a_drug_reaches_its_classes_and_enzymes(built: Build) -> None:
    parents = {edge[4]: edge[-1] for edge in built.rows.edges.values() if edge[2] == "drug:omeprazole"}
    assert parents["drug:ppis"] == {"relation": "member"}
    assert parents["drug:cyp2c19-substrates"] == {"relation": "substrate", "strength": "sensitive"}
    assert "drug:acid-suppressants" not in parents
    combination = [edge for edge in built.rows.edges.values() if edge[2] == "drug:co-trimoxazole"]
    parts = {edge[4] for edge in combination if edge[-1]["relation"] == "component"}
    assert parts == {"drug:sulfamethoxazole", "drug:trimethoprim"}


def test_ids_that_were_given_once_stay(built: Build) -> None:
    for id in (
        "drug:cyclosporine",
        "drug:cyp3a4-substrates",
        "condition:hepatic-impairment",
        "condition:breastfeeding",
    ):
        assert built.rows.has(id)


def test_uses_have_plain_labels(built: Build) -> None:
    assert built.rows.nodes["icd10:R05"][2:4] == ["ไอ", "cough"]
    assert built.rows.nodes["icd10:R11"][2:4] == ["คลื่นไส้อาเจียน", "nausea and vomiting"]
    assert built.rows.edges["icd10:R52.1:part_of:icd10:R52"]


def test_a_source_has_an_address_or_says_that_it_has_none(built: Build) -> None:
    for id, _, title, _, url, _, pmid, _, note, read in built.rows.sources.values():
        assert title or pmid, id
        assert read in ("whole", "excerpt", "abstract", "copy", "title", "not-read"), id
        assert (url or "").startswith("http") or "no address" in note, id


@pytest.mark.parametrize(
    ("kind", "strength", "severity"),
    [
        ("contraindication", "high", "contraindicated"),
        ("precaution", "moderate", "moderate"),
        ("drug_interaction", "high", "major"),
        ("drug_interaction", "low", "minor"),
    ],
)
def test_severity_of_the_first_tables_follows_the_rule(kind: str, strength: str, severity: str) -> None:
    assert derive_severity({"kind": kind, "strength": strength}) == (severity, "rule")


def test_a_statement_is_about_drugs_or_about_conditions_never_both(built: Build) -> None:
    types: dict[str, set[str]] = {}
    for edge in _statements(built):
        types.setdefault(f"{edge[2]} {edge[1]}", set()).add(edge[3])
    assert [fact for fact, found in types.items() if len(found) > 1] == []


def test_the_statements_are_what_they_were_read_as(built: Build) -> None:
    assert all(isinstance(statement, Statement) and statement.sources for statement in built.statements)


def _spoil(built: Build, id: str, **fields: Any) -> dict[str, str]:
    """Return the mistakes that are found once a reviewed statement has these fields."""
    edges = {**built.rows.edges}
    edges[id] = [*edges[id][:-1], {**edges[id][-1], **fields}]
    return find_mistakes(replace(built.rows, edges=edges))


@pytest.mark.parametrize(
    ("fields", "mistake"),
    [
        ({"mechanism_en": "contains coumarin"}, "coumarin"),
        ({"mechanism_en": "inhibits CYP9Z9"}, "wrong enzyme"),
        ({"object_en": "CYP inhibitors"}, "inhibitors filed as substrates"),
        ({"evidence": "in_vitro", "severity": "moderate", "effect_en": "more bleeding"}, "test-tube evidence"),
        ({"evidence": "in_vitro", "severity": "major"}, "test-tube evidence"),
    ],
)
def test_a_known_class_of_mistake_is_found_in_any_statement(built: Build, fields: dict[str, Any], mistake: str) -> None:
    id = next(edge[0] for edge in _statements(built) if edge[4] == "drug:warfarin" and edge[7] == "reviewed")
    assert id not in find_mistakes(built.rows)
    assert _spoil(built, id, **fields)[id] == mistake


def _find_reviewed(built: Build, object_id: str) -> Edge:
    edges = (edge for edge in _statements(built) if edge[4] == object_id and edge[7] == "reviewed")
    return next(edge for edge in edges if edge[0] not in find_mistakes(built.rows))


@pytest.mark.parametrize(
    ("fields", "mistake"),
    [
        ({"mechanism_en": "inhibits CYP2C9"}, "wrong enzyme"),
        ({"mechanism_en": "", "effect_en": "CYP3A4 inhibitors raise its level"}, "inhibitors filed as substrates"),
    ],
)
def test_a_statement_about_an_enzyme_is_filed_under_that_enzyme(
    built: Build, fields: dict[str, Any], mistake: str
) -> None:
    edge = _find_reviewed(built, "drug:cyp3a4-substrates")
    alone = replace(built.rows, edges={edge[0]: [*edge[:-1], {**edge[-1], **fields}]})
    assert find_mistakes(alone) == {edge[0]: mistake}


def test_evidence_from_people_needs_a_source_about_people(built: Build) -> None:
    edge = _find_reviewed(built, "drug:warfarin")
    source = built.rows.sources[edge[-2][0]]
    titled = [*source[:2], "Effects on human liver microsomes in vitro", *source[3:]]
    sources = {**built.rows.sources, edge[-2][0]: titled}
    claimed = [*edge[:-2], edge[-2][:1], {**edge[-1], "evidence": "trial"}]
    rows = replace(built.rows, edges={edge[0]: claimed}, sources=sources)
    assert find_mistakes(rows) == {edge[0]: "sources about animals or test tubes"}


def test_the_label_of_a_use_is_not_narrower_than_its_code(built: Build) -> None:
    accepted = read_own("accepted_statements.json")
    assert set(find_narrow_labels(built.rows)) <= set(accepted)
    cough = built.rows.nodes["icd10:R05"]
    nodes = {cough[0]: [*cough[:3], "cough with phlegm", *cough[4:]]}
    assert find_narrow_labels(replace(built.rows, nodes=nodes)) == {"icd10:R05": "cough with phlegm"}
