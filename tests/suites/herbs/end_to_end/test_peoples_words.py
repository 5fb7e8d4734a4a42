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
    child = (await ask(sqlite_app, "ginger dose for a 4 year old"))["answer"]
    assert "children under 6 years" in child.splitlines()[0]
    assert "No dose is on record for who takes it" in child
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
        ("มะขามแขกช่วยเรื่องสิวไหม", "unrecorded", []),
        ("มะขามแขกช่วยเรื่องหัวล้านไหม", "unrecognised", ["หัวล้าน"]),
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


@pytest.mark.parametrize(
    ("question", "wanted", "unwanted"),
    [
        # what is drunk is no alcohol, and who takes aspirin is not allergic to it
        ("I've been drinking butterfly pea tea w/ my warfarin", "butterfly pea", "alcohol"),
        ("period pain but I take aspirin daily, which herb", "ginger", "allergy"),
        ("เป็นความดันสูง กินชะเอมเทศได้ไหม", "ห้ามใช้ชะเอมเทศในกรณีความดันโลหิตสูง", "ไขมัน"),
        ("ท้องผูก แต่กำลังให้นมลูก มีสมุนไพรอะไรกินได้บ้าง", "ให้นมบุตร", "กับเด็ก"),
        # a use in a grave illness is no remedy for anybody else
        ("ปวดหน่วงๆ ตอนเมนส์มา ตัวไหนช่วยได้", "ปวดประจำเดือน", "มะเร็ง"),
        ("which herb helps with pain", "", "cancer"),
        # a lost tone mark hides no contraindication
        ("ฟ้าทะลายโจร คนท้องกินไดไหม", "ห้ามใช้ฟ้าทะลายโจรในกรณีหญิงตั้งครรภ์", "ไม่รู้จัก"),
        ("ท้องอ่อนๆ แพ้ท้องมาก จิบน้ำขิงได้มั้ยคะ", "คลื่นไส้ขณะตั้งครรภ์", "ไม่มีข้อมูลบันทึกไว้"),
        ("บัวบกช่วยความจำ มีหลักฐานไหม", "ความจำ", "สมานแผล"),
        ("tummy ache after spicy food", "dyspepsia", "muscle"),
        ("Thai herb for fever", "fever", "COVID"),
        ("กินยาโรคหัวใจดิจอกซิน ห้ามกินสมุนไพรอะไร", "กับดิจอกซินมี", "ยาโรคหัวใจและหลอดเลือดมี"),
        ("เป็นมะเร็งเต้านม กินว่านชักมดลูกได้ไหม", "มะเร็ง", "ไม่พบคำเตือน"),
        ("what happens if you take too much kratom", "warnings on record for kratom", "is a herb called"),
    ],
)
async def test_a_question_is_answered_about_what_it_says_alone(
    sqlite_app: App, question: str, wanted: str, unwanted: str
) -> None:
    answer = (await ask(sqlite_app, question))["answer"]
    assert wanted in answer
    assert unwanted not in answer


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Is ginkgo ok if I'm on Xarelto?", "interacts with warfarin"),
        ("history of heart attack, can I use cannabis oil", "severe cardiovascular disease"),
    ],
)
async def test_a_warning_about_the_same_group_is_told_as_such(sqlite_app: App, question: str, wanted: str) -> None:
    lines = (await ask(sqlite_app, question))["answer"].splitlines()
    assert "itself, no warning is on record" in lines[0]
    assert wanted in lines[1]


async def test_a_statement_is_said_once(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "my aunt takes glipizide, should she worry about bitter gourd?")
    said = [line.rpartition(" [")[0] for line in body["answer"].splitlines()]
    assert len(said) == len(set(said))


async def test_where_most_remedies_are_warned_the_warnings_come_first(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "constipated, 80 yrs old, on digoxin, what herb")
    lines = body["answer"].splitlines()
    assert lines[0].startswith("Not suggested")
    assert "digoxin" in lines[1]
    assert any("may act in the same way" in line for line in lines)


async def test_no_heading_stands_without_its_line(sqlite_app: App) -> None:
    lines = (await ask(sqlite_app, "ลูก 3 ขวบเป็นหวัดไอ มีสมุนไพรให้กินไหม"))["answer"].splitlines()
    headings = [at for at, line in enumerate(lines) if line.endswith(":")]
    assert headings
    assert all(lines[at + 1].endswith("]") for at in headings)


async def test_two_medicines_are_not_answered_with_a_list_of_herbs(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "Does amiodarone interact with simvastatin?")
    assert body["answer"] == ""
    assert body["withheld"]["reason"] == "elsewhere"


async def test_a_study_within_a_wider_assessment_is_not_said_to_be_missing(sqlite_app: App) -> None:
    answer = (await ask(sqlite_app, "is there proof phlai cream helps sprains"))["answer"]
    assert "ankle-sprain trial" in answer.splitlines()[0]
    assert "is used for sprain" in answer.splitlines()[1]
    assert "No study" not in answer


async def test_a_warning_for_a_narrower_condition_is_shown_and_leaves_no_remedy_out(sqlite_app: App) -> None:
    lines = (await ask(sqlite_app, "น้ำนมน้อยหลังคลอด ตำรับไหนช่วยเพิ่มน้ำนม"))["answer"].splitlines()
    use = next(at for at, line in enumerate(lines) if line.startswith("ยาปลูกไฟธาตุใช้สำหรับ"))
    assert "เฉพาะบางกรณี" in lines[0]
    assert any("ห้ามใช้ยาปลูกไฟธาตุในกรณีหญิงผ่าคลอด" in line for line in lines[1:use])
    assert not any("น้ำคาวปลา" in line for line in lines)
    asked = (await ask(sqlite_app, "น้ำนมน้อยหลังผ่าคลอด ตำรับไหนช่วยเพิ่มน้ำนม"))["answer"]
    assert "ยาปลูกไฟธาตุใช้สำหรับ" not in asked
    assert "ห้ามใช้ยาปลูกไฟธาตุในกรณีหญิงผ่าคลอด" in asked


async def test_herbs_to_avoid_are_listed_for_each_medicine_and_condition(sqlite_app: App) -> None:
    lines = (await ask(sqlite_app, "Which herbs should a patient on aspirin and warfarin avoid?"))[
        "answer"
    ].splitlines()
    totals = {line.rpartition(" with ")[2].partition(".")[0]: line for line in lines if "on record with " in line}
    assert list(totals) == ["aspirin", "warfarin"]
    above = next(line for line in lines if line.startswith("Listed above already: "))
    assert "Ya Lueang Pit Samut" in above
    both = (await ask(sqlite_app, "pregnant and on warfarin, which herbs must I avoid"))["answer"]
    assert "with warfarin" in both
    assert "with pregnancy" in both


@pytest.mark.parametrize(
    ("question", "first", "said"),
    [
        ("ขนาดการใช้เพชรสังฆาต", "ไม่มีขนาดใช้ของเพชรสังฆาตเอง", "ครั้งละ 1.2 กรัม"),
        ("ขี้ผึ้งพญายอ", "พญายอ", "เริม"),
        ("puat thong men", "ปวดประจำเดือน", "ใช้สำหรับ"),
        ("my ALT is high, can I take kava", "contraindicated in liver disease", "kava"),
    ],
)
async def test_what_is_on_record_is_not_withheld(sqlite_app: App, question: str, first: str, said: str) -> None:
    answer = (await ask(sqlite_app, question))["answer"]
    assert first in answer.partition("\n")[0]
    assert said in answer


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("mosquito bites itch like crazy", "insect bites"),
        ("gassy belly after beans, natural fix?", "flatulence"),
        ("wasp stung my arm by the pool", "insect bites"),
        ("ลมพิษขึ้นเต็มตัวคันยิบๆ", "ลมพิษ"),
        ("เด็กเป็นเหาทั้งห้อง ครูจะเอาอะไรหมักผม", "เหา"),
        ("thong uet thong fuea kin samunphrai tua nai", "ท้องอืด"),
        ("ใจสั่น ใจหวิวๆ ดมยาหอมอะไร", "ยาหอมเทพจิตร"),
        ("ไพลอยู่ในยาอะไรมั่ง", "ตำรับที่มีไพล"),
        ("does garlic lower blood pressure", "Evidence for garlic"),
        ("My brother has schizophrenia and smokes weed", "schizophrenia"),
        ("What should my dad on digoxin stay away from, herb-wise?", "with digoxin"),
        ("what do Thais call butterfly pea", "อัญชัน"),
    ],
)
async def test_everyday_words_hide_no_answer(sqlite_app: App, question: str, said: str) -> None:
    body = await ask(sqlite_app, question)
    assert body["withheld"] is None
    assert said in body["answer"]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("ขมิ้นขาวรักษาอะไร", "ขมิ้นขาว"),
        ("โสมอินเดียช่วยให้นอนหลับไหม", "โสมอินเดีย"),
        ("ไอมาก ใบนางพญาเสือโคร่งดีไหม", "นางพญาเสือโคร่ง"),
        ("ท้องอืด นางพญาเสือโคร่งช่วยได้ไหม", "นางพญาเสือโคร่ง"),
        ("passion flower for insomnia", "passion"),
        ("witch hazel for piles", "witch"),
    ],
)
async def test_everyday_words_in_the_place_of_a_herb_veto_the_answer(sqlite_app: App, question: str, name: str) -> None:
    body = await ask(sqlite_app, question)
    assert body["answer"] == ""
    assert any(name in unknown for unknown in body["unrecognised"])


async def test_a_medicine_of_a_herb_alone_is_not_called_its_ingredient(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "hives all over, which herb?")
    assert "Clinacanthus (Ya Phaya Yo) with caution" in body["answer"]
    assert "contains Clinacanthus" not in body["answer"]


async def test_who_is_not_pregnant_is_not_answered_as_one_who_is(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "เมนส์ไม่มาสองเดือนแล้ว ตรวจแล้วไม่ท้อง ใช้ยาไทยตัวไหน")
    assert body["answer"].startswith("ยาปลูกไฟธาตุ")
    assert body["safety"] is None


async def test_a_dose_for_another_age_is_told_as_such(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "เด็ก 3 ขวบกินยาประสะมะแว้งเท่าไหร่")
    before, _, after = body["answer"].partition("ไม่มีขนาดใช้บันทึกไว้สำหรับอายุนี้")
    assert "200-400 มก." not in before
    assert "เด็ก 6-12 ปี" in after
    asked_for = await ask(sqlite_app, "เด็ก 7 ขวบกินยาประสะมะแว้งเท่าไหร่")
    assert "ไม่มีขนาดใช้" not in asked_for["answer"]


async def test_a_warning_about_the_class_comes_before_one_about_an_enzyme(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "I take sertraline, is St John's wort ok?")
    assert "SSRI" in body["answer"].splitlines()[0] or "serotonin" in body["answer"].splitlines()[0]


async def test_what_studies_say_of_just_the_asker_is_told(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "pregnant with bad nausea, natural options?")
    assert body["answer"].startswith("Evidence for ginger (Zingiber officinale) in nausea in pregnancy")
    assert "Nothing is on record about ginger," not in body["answer"]


async def test_a_statement_with_too_few_sources_says_so(sqlite_app: App) -> None:
    body = await ask(sqlite_app, "krachai dum constituents")
    assert body["withheld"]["tests"] == ["citations"]
    assert "few statements" in body["withheld"]["advice"]
