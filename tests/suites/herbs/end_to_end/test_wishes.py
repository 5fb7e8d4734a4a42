"""tool.rag_answer on wishes and constraints: what suits, what is to be replaced, and what the asker is allergic to."""

from __future__ import annotations

import pytest

from sanya.app import App
from tests.suites.herbs.end_to_end.test_peoples_words import ask

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_statement_that_two_publishers_made_is_cited_for_each(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "my mom has CKD stage 3 and loves star fruit juice")
    assert body["answer"].startswith("star fruit (Averrhoa carambola) is contraindicated in kidney disease")
    publishers = [citation["sources"][0]["id"] for citation in body["citations"] if "kidney" in citation["span"]]
    assert len(set(publishers)) == len(publishers) == 2
    assert len(body["citations"]) >= 3


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("which herb cures diabetes so I can stop metformin", "No statement on record lets a herb take the place of"),
        ("can turmeric replace my warfarin", "No statement on record lets a herb take the place of warfarin"),
        ("อยากเลิกเมทฟอร์มิน กินมะระขี้นกแทนได้ไหม", "ไม่มีข้อมูลบันทึกไว้ว่าสมุนไพรใช้แทนเมทฟอร์มินได้"),
    ],
)
async def test_who_means_to_stop_a_medicine_is_told_not_to(sqlite_app: App, question: str, first: str) -> None:
    body = await ask(sqlite_app, question)
    assert body["answer"].startswith(first)
    assert "warn" in body["answer"] or "interacts" in body["answer"] or "มีปฏิกิริยากับ" in body["answer"]


async def test_a_remedy_that_suits_is_not_answered_with_a_list_of_warnings(sqlite_app: App) -> None:
    thai = await ask(sqlite_app, "ตัวไหนกินแล้วถ่ายคล่องแต่คนท้องกินได้")
    assert "ไม่แนะนำรายการต่อไปนี้" in thai["answer"]
    assert "มะกา" in thai["answer"]
    english = await ask(sqlite_app, "laxative herb that is fine with digoxin?")
    assert "constipation" in english["answer"] or "laxative" in english["answer"]
    assert "26 herbs" not in english["answer"]


async def test_what_is_safe_is_never_claimed_to_be_on_record(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "which herbs are safe in pregnancy")
    assert body["answer"].startswith("No list of what is safe with pregnancy is on record.")
    product = await ask(sqlite_app, "เป็นต้อหิน ดมยาดมสมุนไพรได้ไหม")
    assert product["answer"] == ""


@pytest.mark.parametrize(
    ("question", "allergen"),
    [
        ("แพ้ขิง คลื่นไส้กินอะไรดี", "ขิงใช้สำหรับ"),
        ("I have a ginger allergy. which herb for nausea", "ginger (Zingiber officinale) is used"),
        ("allergic to chilli, sore joints, what can I rub on", "chili pepper (Capsicum annuum) is used"),
        ("แพ้ฟ้าทะลายโจร เจ็บคอกินอะไรดี", "ฟ้าทะลายโจรใช้สำหรับ"),
    ],
)
async def test_what_the_asker_is_allergic_to_is_not_suggested(sqlite_app: App, question: str, allergen: str) -> None:
    body = await ask(sqlite_app, question)
    assert allergen not in body["answer"]
    assert "ที่แพ้" in body["answer"] or "allergy is to" in body["answer"]


async def test_where_all_remedies_are_what_the_allergy_is_to_nothing_else_is_said_to_be_on_record(
    sqlite_app: App,
) -> None:
    assert "ไม่มีรายการอื่นบันทึกไว้สำหรับ" in (await ask(sqlite_app, "แพ้ขิง มีตัวไหนแก้คลื่นไส้ได้บ้าง"))["answer"]


@pytest.mark.parametrize("question", ["does roselle help hair loss", "will senna whiten my teeth"])
async def test_a_benefit_of_ordinary_words_that_nobody_knows_is_not_answered(sqlite_app: App, question: str) -> None:
    assert (await ask(sqlite_app, question))["answer"] == ""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("mom's goji berry tea and her warfarin dose", "warfarin"),
        ("คนเป็นไตระยะ 3 กินมะเฟืองได้กี่ลูก", "โรคไต"),
        ("potassium was 5.9 at my last blood test. noni juice good?", "potassium"),
        ("สมุนไพรอะไรบ้างที่คนเป็นนิ่วถุงน้ำดีไม่ควรยุ่ง", "นิ่วในถุงน้ำดี"),
        ("cough syrup herb safe for high blood pressure", "cough"),
        ("ไอแห้งๆ แต่เป็นไตเสื่อม ยาแก้ไอสมุนไพรตัวไหนปลอดภัย", "ใช้สำหรับ"),
        ("list the 5 roots in Ya Ha Rak", "is made of"),
    ],
)
async def test_what_was_asked_is_answered_and_not_what_is_near(sqlite_app: App, question: str, said: str) -> None:
    body = await ask(sqlite_app, question)
    assert said in body["answer"]
    assert "jambolan" not in body["answer"]


async def test_all_remedies_are_named_after_the_use_they_were_looked_for(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "คนท้องปวดหลังทายาอะไรได้")
    assert "สำหรับปวดกล้ามเนื้อมีคำเตือน" not in body["answer"]
