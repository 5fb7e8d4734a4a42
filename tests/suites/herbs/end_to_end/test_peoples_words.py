"""tool.rag_answer on questions as people ask them: warnings first, and nothing about something else."""

from __future__ import annotations

from typing import Any

import pytest

from sanya.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def ask(app: App, question: str) -> dict[str, Any]:
    return await app.call("tool.rag_answer", {"question": question})


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("May children take senna?", "senna"),
        ("Can my 4 year old take ginger for motion sickness?", "children under 6"),
        ("ท้องผูกตอนท้อง กินมะขามแขกได้ไหม", "ห้ามใช้มะขามแขกในกรณีหญิงตั้งครรภ์"),
        ("คนท้องกินฟ้าทะลายโจรแก้หวัดได้ไหม", "ห้ามใช้ฟ้าทะลายโจรในกรณีหญิงตั้งครรภ์"),
        ("Is ginseng good for high blood pressure?", "high blood pressure"),
        ("khon thong kin makham khaek dai mai", "ห้ามใช้มะขามแขกในกรณีหญิงตั้งครรภ์"),
    ],
)
async def test_an_answer_begins_with_the_warning_for_what_was_asked(sqlite_app: App, question: str, first: str) -> None:
    body = await ask(sqlite_app, question)
    assert first in body["answer"].splitlines()[0]
    assert body["citations"][0]["strength"]
    assert body["safety"]["results"]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Can I take ashwagandha with warfarin?", "ashwagandha"),
        ("Is Siberian ginseng ok with digoxin?", "siberian ginseng"),
        ("dandelion tea and lithium", "dandelion"),
        ("ว่านหอมแดงแก้หวัดได้ไหม", "ว่านหอมแดง"),
        ("คาโมมายล์ช่วยให้นอนหลับไหม", "คาโมมายล์"),
        ("ขมิ้นชันกินกับยาโซบูแมกซ์ได้ไหม", "โซบูแมกซ์"),
        ("cannabis oil for snoring", "snoring"),
    ],
)
async def test_what_nobody_knows_is_named_and_never_answered_by_a_neighbour(
    sqlite_app: App, question: str, name: str
) -> None:
    body = await ask(sqlite_app, question)
    assert body["answer"] == ""
    assert body["withheld"]["reason"] == "unrecognised"
    assert body["unrecognised"] == [name]
    assert name in body["withheld"]["advice"]


async def test_a_suggestion_leaves_out_what_is_warned_with_the_medicine(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "I take aspirin every day, which herb helps with a sore throat?")
    suggested = [citation for citation in body["citations"] if " is used for " in citation["span"] and citation["used"]]
    assert suggested
    for citation in suggested:
        checked = await sqlite_app.call(
            "tool.find_contraindications", {"herb_ids": [citation["id"].split("/")[0]], "drugs": ["aspirin"]}
        )
        assert checked["pairs"][0]["verdict"] == "no_warning_recorded"
    assert "Not suggested" in body["answer"]


async def test_where_everything_is_warned_nothing_is_suggested(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "กินวาร์ฟารินอยู่ นอนไม่หลับ ใช้สมุนไพรตัวไหนได้")
    assert body["answer"].startswith("ทุกรายการที่บันทึกไว้สำหรับ")
    assert not any("ใช้สำหรับ" in citation["span"] for citation in body["citations"] if citation["used"])


async def test_uses_come_with_their_main_warnings(sqlite_app: App) -> None:
    answer = (await ask(sqlite_app, "What is senna used for?"))["answer"]
    assert "constipation" in answer
    assert "Main warnings:" in answer
    assert "contraindicated in" in answer


async def test_a_list_says_how_many_there_are_and_names_them_all(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "Which herbs should a patient on warfarin avoid?")
    first, *rest = body["answer"].splitlines()
    total = int(first.split()[0])
    strengths = [citation["strength"] for citation in body["citations"] if citation["used"]]
    assert total > 30
    assert strengths == sorted(strengths, key=["high", "moderate", "low"].index)
    also = next(line for line in rest if line.startswith("Also: "))
    # One name has a comma of its own.
    assert abs(also.count(", ") + 1 + len(strengths) - total) <= 1


async def test_papers_are_on_the_topic_and_no_note_stands_for_a_title(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "Which papers study ginger for nausea?")
    assert all("nausea" in citation["span"] for citation in body["citations"] if "Evidence for" in citation["span"])
    garlic = await ask(sqlite_app, "research papers on garlic")
    assert "garlic supplement lowers saquinavir" not in garlic["answer"]


async def test_a_dose_comes_from_the_dosing_table_or_not_at_all(sqlite_app: App) -> None:
    assert "500 mg to 1 g, 4 times a day" in (await ask(sqlite_app, "How much turmeric a day?"))["answer"]
    unknown = await ask(sqlite_app, "dosage of valerian root")
    assert unknown["answer"] == ""
    assert "No dose is on record" in unknown["withheld"]["advice"]


async def test_a_withheld_answer_shows_the_nearest_statements_in_few_words(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "Does lemongrass interact with paracetamol?")
    assert body["answer"] == ""
    assert 1 <= len(body["citations"]) <= 3
    assert "no statement links it" in body["withheld"]["advice"]


@pytest.mark.parametrize("question", ["Is senna habit forming?", "can dogs eat turmeric"])
async def test_what_no_table_holds_is_not_answered_with_uses(sqlite_app: App, question: str) -> None:
    body = await ask(sqlite_app, question)
    assert body["answer"] == ""
    assert body["withheld"]["reason"] in ("unsure", "unrecognised", "elsewhere")


async def test_a_cough_is_not_a_fever(sqlite_app: App) -> None:
    answer = (await ask(sqlite_app, "ไอแห้งๆ กินสมุนไพรอะไรดี"))["answer"]
    assert "ไอ" in answer.splitlines()[0]
    assert "ไข้" not in answer.splitlines()[0]


@pytest.mark.parametrize(
    "question",
    [
        "ยาหม่องกินได้ไหม",
        "อะม็อกซีซิลลินคนท้องกินได้ไหม",
        "โรคไตกินน้ำเยอะๆ ได้ไหม",
        "คาเฟอีนกินได้ไหม",
        "Can I take ibuprofen while pregnant?",
        "What are the side effects of warfarin?",
        "หมาท้องเสียกินยาอะไรดี",
        "แมวกินขมิ้นได้ไหม",
    ],
)
async def test_a_question_about_no_herb_is_not_answered_with_herbs(app: App, question: str) -> None:
    answer = await app.call("tool.rag_answer", {"question": question})
    assert answer["answer"] == ""
    assert answer["withheld"]["reason"] == "elsewhere"


@pytest.mark.parametrize(
    "question",
    ["กินวาร์ฟารินอยู่ ห้ามกินอะไรบ้าง", "Which herbs should a patient on warfarin avoid?", "herbs to avoid with metformin"],
)
async def test_a_question_for_herbs_to_avoid_still_gets_its_list(app: App, question: str) -> None:
    answer = await app.call("tool.rag_answer", {"question": question})
    assert len([citation for citation in answer["citations"] if citation["used"]]) >= 3


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("ลูก 2 ขวบ ไอ กินยาอะไรดี", "ไม่มีข้อมูลบันทึกไว้ว่า"),
        ("แม่อายุ 80 ท้องผูก มียาสมุนไพรอะไรบ้าง", "ไม่มีข้อมูลบันทึกไว้ว่า"),
        ("cough remedy for my 4 year old", "Nothing is on record about"),
    ],
)
async def test_a_remedy_without_a_record_for_who_takes_it_says_so_first(app: App, question: str, says: str) -> None:
    answer = await app.call("tool.rag_answer", {"question": question})
    assert answer["answer"].startswith(says)


async def test_a_question_that_names_nothing_is_withheld(app: App) -> None:
    answer = await app.call("tool.rag_answer", {"question": "what do i do now, any herb"})
    assert answer["answer"] == ""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("does bitter melon really lower blood suger", "type 2 diabetes"),
        ("plai cream for sprained ankle does it work", "is used for sprain"),
        ("คนไข้กิน clopidogrel + ASA อยากกินแปะก๊วย ควรตอบอย่างไร", "ยาต้านเกล็ดเลือด"),
        ("กินวาฟารีนอยู่กินขมินชันได้ไหม", "ขมิ้นชันมีปฏิกิริยากับวาร์ฟาริน"),
        ("ยาหอมนวโกฐใส่ไรบ้าง", "ยาหอมนวโกฐประกอบด้วย"),
        ("pain in my knees, which herb?", "knee osteoarthritis"),
        ("Does cannabis increase INR in patients on warfarin?", "INR rises"),
        ("ตำรับที่มีกัญชาช่วยเรื่องนอนไม่หลับ", "ยาศุขไสยาศน์ใช้สำหรับช่วยให้นอนหลับ"),
        ("เด็กเป็นหัดมีไข้ ใช้ยาอะไรในบัญชียาหลัก", "ไข้จากหัด"),
    ],
)
async def test_what_people_mean_is_answered(sqlite_app: App, question: str, said: str) -> None:
    assert said in (await ask(sqlite_app, question))["answer"]


@pytest.mark.parametrize(
    ("question", "reason", "unrecognised"),
    [
        ("Does turmeric help with hair loss?", "unrecognised", ["hair loss"]),
        ("มะขามแขกช่วยเรื่องสิวไหม", "unrecognised", ["สิว"]),
        ("อัชวากันดากินกับยาไทรอยด์ได้ไหม", "unrecognised", ["อัชวากันดา"]),
        ("ยาธาตุน้ำแดงมีอะไรบ้าง", "unrecognised", ["ยาธาตุน้ำแดง"]),
        ("ผ่าตัดไส้ติ่งใช้เวลานานไหม", "elsewhere", []),
        ("can I breastfeed while taking fenugreek", "unrecorded", []),
        ("Can I take sugen with ginger?", "unrecognised", ["sugen"]),
    ],
)
async def test_what_is_not_on_record_is_withheld_with_its_reason(
    sqlite_app: App, question: str, reason: str, unrecognised: list[str]
) -> None:
    body = await ask(sqlite_app, question)
    assert body["answer"] == ""
    assert body["withheld"]["reason"] == reason
    assert body["unrecognised"] == unrecognised


async def test_a_question_for_studies_gets_the_warning_first_and_the_paper(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "effect of ginger on the pharmacokinetics of warfarin")
    lines = body["answer"].splitlines()
    assert "Bleeding may become more likely" in lines[0]
    assert "pharmacokinetics and pharmacodynamics of warfarin" in lines[-1]


async def test_words_that_were_not_understood_are_told_before_general_warnings(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "is fenugreek dangerous for trombone players?")
    assert not body["answer"] or "trombon" in body["answer"].splitlines()[0]


async def test_an_unknown_complaint_hides_no_warning_for_who_takes_it(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "pregnant, can I take andrographis for zorbles?")
    lines = body["answer"].splitlines()
    assert "zorbles" in lines[0]
    assert "contraindicated in pregnancy" in lines[1]
