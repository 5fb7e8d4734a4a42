"""Proposals of documents: properties of every diff, and single cases."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sanya.suites.herbs.graph.model import DOCUMENT, WARNING_EDGES, HerbEdge, HerbNode, HerbSource, rank_strength
from sanya.suites.herbs.ingest.extraction.page_text import fold_aligned, normalise_page, normalise_stored_text
from sanya.suites.herbs.ingest.proposals import GraphDiff
from sanya.suites.herbs.ingest.proposing import propose
from sanya.text.personal_data import find_personal_data
from tests.long_form import often
from tests.suites.herbs.ingest.proposals import (
    BATCH,
    apply,
    document,
    proposed,
    starter_graph,
    starter_linker,
    stated,
)

_PIECES = (
    "ขิง|ขมิ้นชัน|ฟ้าทะลายโจร|ว่านชักมดลูก|ยาตรีผลา|ไพลดำ| |  |และ|หรือ|ใช้รักษา|แก้|บรรเทาอาการ|ประกอบด้วย|มีสาร|พบใน|ห้ามใช้|"
    "ไม่ควรใช้|ควรระวัง|ปลอดภัยใน|ไม่|อาจ|แต่|ส่วน|ท้องอืด|ไข้|เบาหวาน|หญิงตั้งครรภ์|โรคไต|วาร์ฟาริน|แอสไพริน|เคอร์คูมิน|ร่วมกับ|หรือไม่|"
    ". |\n|\n\n|, |(|)|Ginger |turmeric |Curcuma longa L. |Zingiber ottensii Valeton |Z. officinale |contains |"
    "treats |is used for |does not |may |avoid |is contraindicated in |interacts with |is safe in |pregnancy|fever |"
    "nausea |warfarin |curcumin |and |but |? |ICD-10 R14 |Z99.9 |500 mg |081-234-5678|a@b.co.th|1101700230708|๑๒๓|ﬁ|"
    "İ|ß|\u200b|\ud800|ก็|ำ"
)
TEXTS = st.lists(st.sampled_from(_PIECES.split("|")), max_size=40).map("".join)
FEW = settings(max_examples=often(15, 60), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check_rows(diff: GraphDiff) -> None:
    """Check the properties that every diff has."""
    graph = starter_graph()
    rows: list[HerbSource | HerbNode | HerbEdge] = [*diff.sources, *diff.nodes, *diff.edges]
    based: list[HerbNode | HerbEdge] = [*diff.nodes, *diff.edges]
    assert all(row.review == "unreviewed" and row.batch == BATCH for row in rows)
    assert all(name.batch == BATCH for name in diff.names)
    assert all(row.basis == DOCUMENT for row in based)
    known = {*graph.nodes, *graph.sources, *(edge.id for edge in graph.edges)}
    assert known.isdisjoint(row.id for row in rows)
    nodes = {**graph.nodes, **{node.id: node for node in diff.nodes}}
    for edge in diff.edges:
        assert nodes[edge.from_id].type == edge.from_type and nodes[edge.to_id].type == edge.to_type
        assert edge.sources == (f"document:{diff.digest[:16]}",)
        assert rank_strength(edge.strength) <= rank_strength("moderate")
        assert (edge.strength is not None) == (edge.type in WARNING_EDGES)
    assert {node.type for node in diff.nodes} <= {"herb", "chunk"}


@FEW
@given(TEXTS, TEXTS)
def test_a_diff_is_unreviewed_deterministic_and_empty_once_applied(first: str, other: str) -> None:
    read = document(first, other)
    diff = propose(read, starter_linker(), BATCH)
    check_rows(diff)
    assert propose(read, starter_linker(), BATCH) == diff
    if not diff.is_empty:
        again = propose(read, apply(starter_graph(), diff), "job-2")
        assert again.is_empty
        assert again.conflicts == diff.conflicts


@FEW
@given(TEXTS, st.sampled_from(["text", "ocr"]))
def test_every_place_points_at_its_words(text: str, way: str) -> None:
    read = document(text)
    read = replace(read, pages=tuple(replace(page, origin=way) for page in read.pages))  # type: ignore[arg-type]
    kept = normalise_page(read.pages[0]).text
    diff = propose(read, starter_linker(), BATCH)
    for mention in (*diff.ambiguous, *diff.unlinked):
        assert kept[mention.place.start : mention.place.end] == mention.text
    for node in diff.nodes:
        if node.type == "chunk":
            assert kept[node.data["start"] : node.data["end"]].strip() == node.data["text"]
    chunks = {node.id: node for node in diff.nodes}
    for edge in diff.edges:
        if edge.type != "mentioned_in":
            assert kept[edge.data["start"] : edge.data["end"]].strip() in chunks[edge.data["chunk"]].data["text"]
            assert 0 < edge.data["confidence"] < 1


@FEW
@given(TEXTS)
def test_nothing_personal_is_proposed(text: str) -> None:
    diff = proposed(text)
    for node in diff.nodes:
        assert list(find_personal_data(str(node.data.get("text", "")))) == []
    assert list(find_personal_data(normalise_page(document(text).pages[0]).text)) == []


@given(st.one_of(TEXTS, st.text(max_size=80)))
def test_the_form_is_as_long_as_the_text(text: str) -> None:
    kept = normalise_stored_text(text)
    assert len(fold_aligned(kept)) == len(kept)


@pytest.mark.parametrize(
    "sentence",
    [
        "ขมิ้นชันปลอดภัยในหญิงตั้งครรภ์",
        "ขมิ้นชันสามารถใช้ได้ในหญิงตั้งครรภ์",
        "หญิงตั้งครรภ์สามารถใช้ขมิ้นชันได้อย่างปลอดภัย",
        "ขมิ้นชันไม่มีข้อห้ามในหญิงตั้งครรภ์",
        "ขมิ้นชันไม่มีผลต่อวาร์ฟาริน",
        "ขมิ้นชันไม่มีปฏิกิริยากับวาร์ฟาริน",
        "Turmeric is safe in pregnancy.",
        "Turmeric is not contraindicated in pregnancy.",
        "Turmeric can be used in pregnancy.",
        "Turmeric does not interact with warfarin.",
        "No interaction between turmeric and warfarin was found.",
    ],
)
def test_what_calls_safe_what_is_warned_of_is_a_conflict_and_nothing_else(sentence: str) -> None:
    diff = proposed(sentence)
    assert diff.is_empty
    assert [conflict.kind for conflict in diff.conflicts] == ["denied_warning"]


def test_what_denies_a_known_use_is_a_conflict() -> None:
    diff = proposed("ขิงไม่ช่วยบรรเทาอาการท้องอืด")
    assert diff.is_empty
    assert [conflict.kind for conflict in diff.conflicts] == ["denied"]


def test_a_use_against_a_known_warning_is_a_conflict() -> None:
    graph = starter_graph()
    warned = next(
        edge for edge in graph.edges if edge.type == "contraindicated_in" and edge.to_id == "condition:peptic-ulcer"
    )
    diff = proposed(f"{graph.nodes[warned.from_id].label_th}ใช้รักษาแผลในกระเพาะอาหาร")
    assert stated(diff) == set()
    assert [conflict.kind for conflict in diff.conflicts] == ["use_against_warning"]


def test_what_is_hedged_says_so_and_is_less_sure() -> None:
    sure, hedged = (
        next(edge for edge in proposed(text).edges if edge.type == "interacts_with")
        for text in ("ขิงเสริมฤทธิ์ของวาร์ฟาริน", "ขิงอาจเสริมฤทธิ์ของวาร์ฟาริน")
    )
    assert hedged.data["hedged"] and "hedged" not in sure.data
    assert hedged.data["confidence"] < sure.data["confidence"]


def test_two_documents_that_say_the_same_are_two_statements() -> None:
    first = proposed("ขิงใช้รักษาเบาหวาน")
    second = propose(document("ขิงใช้รักษาเบาหวาน", "หน้าสอง"), apply(starter_graph(), first), BATCH)
    assert stated(first) == stated(second) == {"zingiber-officinale treats icd10:E11.9"}
    assert not {edge.id for edge in first.edges} & {edge.id for edge in second.edges}


def test_a_name_that_several_plants_share_is_told_with_all_of_them() -> None:
    diff = proposed("ว่านชักมดลูกใช้รักษาปวดประจำเดือน ว่านชักมดลูก")
    assert [(mention.text, mention.nodes) for mention in diff.ambiguous] == [
        ("ว่านชักมดลูก", ("curcuma-comosa", "curcuma-latifolia", "curcuma-xanthorrhiza"))
    ]
    assert diff.counts["ambiguous"] == 2


def test_the_document_may_say_which_of_them_it_means() -> None:
    diff = proposed("ว่านชักมดลูก (Curcuma comosa Roxb.) เป็นพืช", "ว่านชักมดลูกใช้รักษาปวดประจำเดือน")
    assert stated(diff) == {"curcuma-comosa treats icd10:N94.6"}


def test_a_plant_that_nobody_knows_comes_with_what_is_said_of_it_or_not_at_all() -> None:
    told = proposed("ไพลดำ (Zingiber ottensii Valeton) ใช้แก้ท้องอืด")
    assert [node.id for node in told.nodes if node.type == "herb"] == ["zingiber-ottensii"]
    assert [(name.name, name.lang, name.kind) for name in told.names] == [("Zingiber ottensii", "la", "main")]
    assert proposed("ไพลดำ (Zingiber ottensii Valeton) ปลูกง่าย").is_empty


def test_slips_are_forgiven_only_where_a_machine_read_the_page() -> None:
    misread = "ขมิ้นชัมใช้รักษาเจ็บคอ"
    assert stated(proposed(misread, way="ocr")) == {"curcuma-longa treats icd10:J02.9"}
    assert stated(proposed(misread)) == set()


def test_other_spellings_of_a_name_are_known_everywhere() -> None:
    assert stated(proposed("เถาวัลเปรียงใช้บรรเทาปวดหลัง")) == {"derris-scandens treats icd10:M54.5"}


def test_lines_that_the_paper_broke_are_read_as_one() -> None:
    wrapped = (
        "การศึกษานี้รวบรวมข้อมูลจากตำรายาแผนไทยและพบว่าขมิ้น\nชันใช้รักษาเบาหวาน\n"
        "In a study of forty patients with this complaint Curcuma\nlonga interacts with warfa-\nrin"
    )
    assert "curcuma-longa treats icd10:E11.9" in stated(proposed(wrapped))


def test_a_heading_says_what_the_lines_below_are_about_until_another_line_comes() -> None:
    page = "ขิง (Zingiber officinale Roscoe)\nสรรพคุณ แก้ท้องอืด\nอาติโชก\nสรรพคุณ แก้ไข้"
    assert stated(proposed(page)) == {"zingiber-officinale treats icd10:R14"}


def test_a_dose_stays_with_the_use_it_stands_by() -> None:
    diff = proposed("ใช้ขมิ้นชันครั้งละ 500 มก. วันละ 3 ครั้ง หลังอาหาร เพื่อบรรเทาท้องอืด")
    (edge,) = (edge for edge in diff.edges if edge.type == "treats")
    assert edge.data["dosages"] == ["ครั้งละ 500 มก. วันละ 3 ครั้ง หลังอาหาร"]


def test_a_code_that_nobody_knows_is_an_unlinked_mention() -> None:
    assert [mention.text for mention in proposed("รหัสโรค ICD-10: R14 และ Z99.9").unlinked] == ["Z99.9"]


def test_personal_data_in_the_title_is_not_kept() -> None:
    read = replace(document("ขิงใช้รักษาเบาหวาน"), title="ผู้ป่วย somchai@example.com")
    (source,) = propose(read, starter_linker(), BATCH).sources
    assert source.title == "ผู้ป่วย [redacted: email]"
    assert source.url is None


def test_pages_made_to_be_costly_are_read_like_others() -> None:
    """Each of these texts once took quadratic time or worse to read."""
    thai = ("ขิง", "ประกอบด้วย ขิง ", "ขิง และ รักษา ท้องอืด ไม่ ", "ก\n")
    for piece in (*thai, "(", "a@", "Zingiber ottensii Valeton ", "risk of "):
        check_rows(proposed(piece * (20_000 // len(piece))))
