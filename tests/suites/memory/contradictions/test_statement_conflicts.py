"""Statements laid side by side: what excludes each other in other words, and what does not."""

from datetime import date
from pathlib import Path

import pytest

from sanya.suites.memory.contradictions.addressing import remove_address
from sanya.suites.memory.contradictions.facts import find_facts
from sanya.suites.memory.contradictions.stated_fact import find_fact_conflict
from sanya.suites.memory.contradictions.statement_conflicts import StatementConflict, find_statement_conflict
from sanya.suites.memory.contradictions.statements import read_statements
from sanya.suites.memory.parsing.written_numbers import rewrite_numbers

DAY, LATER = date(2026, 3, 2), date(2026, 3, 9)
# Both hold: other things, other times, other people. None of them may be linked.
KEPT_APART = (Path(__file__).parent / "kept_apart.txt").read_text(encoding="utf-8").splitlines()


def compare(older: str, newer: str) -> StatementConflict | None:
    return find_statement_conflict(read_statements(newer, LATER), read_statements(older, DAY))


def have_conflicting_facts(older: str, newer: str) -> bool:
    return any(find_fact_conflict(fact, known) for fact in find_facts(newer, LATER) for known in find_facts(older, DAY))


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The ferry is booked for 9 July.", "Rebooked the ferry to 12 July."),
        ("CI runs on Jenkins.", "We migrated CI from Jenkins to GitHub Actions."),
        ("Beatrix handles returns.", "Returns are handled by Callum from now on, not Beatrix."),
        ("Mr Abara takes warfarin.", "Warfarin was discontinued for Mr Abara."),
        ("The Leeds branch employs 14 people.", "After the layoffs the Leeds branch employs nine people."),
        ("Nils weighs 91 kg.", "Nils is down to 86 kg."),
        ("Session tokens expire after 15 minutes.", "Session tokens expire after 60 minutes."),
        ("The library is licensed under MIT.", "The library is licensed under GPL-3.0."),
        ("The blue folder is in the filing cabinet.", "The blue folder is on Eva's desk."),
        ("Replica lag alerts go to the pager.", "Replica lag alerts go to Slack now, no longer to the pager."),
        ("The default branch is called master.", "Renamed the default branch from master to main."),
        ("Backups go to S3.", "Backups now go to Azure instead of S3."),
        ("The kitchen tap drips.", "Fixed the kitchen tap."),
        ("The tax return is due on 31 January.", "The deadline for the tax return is 31 March."),
        ("Petra's blood group is A positive.", "Petra is blood type O negative."),
        ("The flat costs us 14,000 baht a month.", "From May we pay 15,500 a month for the flat."),
        ("Ellen's rent is 950 pounds.", "Ellen's rent goes up to 1,020 pounds."),
        ("The fee is 3,000 baht.", "The fee was raised to 3,050 baht."),
        ("Felix is allergic to bee stings.", "Felix is allergic to nothing at all."),
        ("Leo is allergic to penicillin.", "The clinic found that Leo is not allergic to penicillin."),
        ("The boiler is under warranty.", "The warranty of the boiler ran out last month."),
        ("Ben works as a nurse at St Mary's.", "Ben left St Mary's and now works at the Lakeside clinic."),
        ("กรุ๊ปเลือดของมะลิคือ B", "มะลิเลือดกรุ๊ป AB"),
        ("Redis runs version 6.2 in production.", "Redis in production was upgraded to 7.2."),
        ("Jonas studies law in Graz.", "Jonas dropped law and studies economics in Graz."),
        ("The release branch is frozen until 9 May.", "The freeze of the release branch was extended to 16 May."),
        ("สัญญาจ้างหมดอายุ 30 กันยายน 2569", "ต่อสัญญาจ้างถึง 30 กันยายน 2570"),
        ("ตาอยู่โรงพยาบาล", "ตากลับบ้านแล้ว"),
        ("เซิร์ฟเวอร์ทดสอบใช้พอร์ต 3000", "เซิร์ฟเวอร์ทดสอบเปลี่ยนเป็นพอร์ต 3100"),
        ("พ่อกินยาลดไขมันวันละ 1 เม็ด", "หมอสั่งหยุดยาลดไขมันของพ่อแล้ว"),
        ("รถของลุงสีแดง", "ลุงทำสีรถใหม่เป็นสีดำ"),
        ("กุญแจสำรองอยู่ในลิ้นชัก", "กุญแจสำรองย้ายไปไว้บนตู้เย็นแล้ว"),
        ("ต้องคืนหนังสือห้องสมุดวันที่ 11", "ต้องคืนหนังสือห้องสมุดวันที่ 18"),
        ("รถตู้จอดอยู่ที่ปั๊ม", "รถตู้จอดอยู่ที่วัด"),
        ("ค่าส่วนกลางเดือนละ ๑,๒๐๐ บาท", "นิติแจ้งขึ้นค่าส่วนกลางเป็นเดือนละ ๑,๕๐๐ บาท"),
        ("งานวัดจัดวันเสาร์นี้", "งานวัดวันเสาร์ถูกยกเลิกแล้ว"),
        ("งบการตลาดปีนี้สองล้านห้าแสนบาท", "แก้ไข งบการตลาดปีนี้สามล้านบาท"),
        ("คนไข้เตียง 4 เป็นเบาหวาน", "คนไข้เตียง 4 ไม่ได้เป็นเบาหวาน"),
        ("Rounds take place twice a day.", "Rounds take place every other day."),
        ("The filters are cleaned every quarter.", "The filters are cleaned once a month."),
        ("ประชุมฝ่ายขายเดือนละครั้ง", "ประชุมฝ่ายขายสัปดาห์ละครั้ง"),
        ("The ironing board is behind the door.", "Bea moved the ironing board to under the stairs."),
        ("Tilly sits next to Ruben.", "The coach put Tilly next to Mona."),
        ("เครื่องพิมพ์อยู่ข้างตู้เย็น", "แม่ย้ายเครื่องพิมพ์ไปไว้ในห้องทำงาน"),
        ("Kofi is on a waiting list for a kidney.", "Kofi got a kidney on Sunday."),
        ("The grant application is pending.", "The grant came through."),
        ("ป้ารอคิวทำฟัน", "ป้าทำฟันเรียบร้อยแล้ว"),
        ("The kiosk takes coins.", "The kiosk takes cards only."),
        ("We cook with gas.", "We switched and now cook with induction."),
        ("Ms Okoro chairs the panel.", "The panel is chaired by Mr Lund."),
        ("The demo is planned for Monday.", "The demo slipped to next Wednesday."),
        ("The van is booked with Avis.", "Cancelled Avis, the van is with Europcar."),
        ("ลานจอดรถว่าง", "ลานจอดรถไม่ว่าง"),
        ("ทีมมี 9 คน", "ทีมออกไป 3 คน เหลือ 6 คน"),
        ("The shop is open until 18:00.", "The shop closes at 20:00."),
        ("The ferry crossing takes three hours.", "It is a five-hour crossing with the ferry."),
        ("We are looking for a nanny.", "We found a nanny, Odile."),
        ("The fence is green.", "We painted the fence brown."),
        ("The bakery is closed on Mondays.", "The bakery is open on Mondays."),
        ("The bakery is closed on Mondays.", "The bakery is open every day."),
        ("The API returns XML.", "The API returns JSON only."),
        ("Our team uses Slack.", "Our team dropped Slack for Teams."),
        ("The museum tour is in English.", "The museum tour will be in Dutch from May."),
        ("Mr Pike is our landlord.", "The house was sold; Mrs Lowe is our landlady now."),
        ("The team lead is Ravi.", "Ravi handed the team lead to Mei."),
        ("The van needs new tyres.", "The van got new tyres on Friday."),
        ("Gwen is vegan.", "Gwen eats fish again."),
        ("กำลังหาพี่เลี้ยงเด็ก", "ได้พี่เลี้ยงเด็กแล้ว ชื่อพี่นุช"),
        ("รั้วบ้านสีเขียว", "ทาสีรั้วบ้านเป็นสีน้ำตาลแล้ว"),
        ("ร้านกาแฟปิดวันจันทร์", "ร้านกาแฟเปิดทุกวัน"),
        ("หมาป่วย", "หมาหายป่วยแล้ว"),
        ("น้องแนนกินเจ", "น้องแนนกลับมากินเนื้อแล้ว"),
        ("หัวหน้าทีมคือพี่ก้อง", "พี่ก้องส่งต่อหัวหน้าทีมให้พี่เมย์"),
        ("น้ำไม่ไหลตั้งแต่เช้า", "น้ำไหลแล้ว"),
        ("อินเทอร์เน็ตใช้ของทรู", "เปลี่ยนอินเทอร์เน็ตเป็นเอไอเอสแล้ว"),
    ],
)
def test_a_change_in_other_words_is_found(older: str, newer: str) -> None:
    assert compare(older, newer) is not None


def test_what_both_hold_is_kept_apart() -> None:
    pairs = [tuple(part.strip() for part in line.split(" | ")) for line in KEPT_APART]
    assert len(pairs) > 260
    assert [pair for pair in pairs if compare(*pair) or compare(*reversed(pair)) or have_conflicting_facts(*pair)] == []


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Logs are kept for 14 days.", "Ola proposed keeping logs for 90 days."),
        ("The fair takes place on Saturday.", "Perhaps the fair was moved to Sunday."),
        ("ร้านเปิดเก้าโมง", "ปู่คิดว่าร้านเปลี่ยนเป็นเปิดสิบโมง"),
        ("Alice: The deadline is 3 May.", "Bob: The deadline was moved to 5 May."),
        ("2026-03-01 | pump | 3 bar", "2026-03-02 | pump | now 5 bar"),
    ],
)
def test_proposals_guesses_log_rows_and_other_speakers_replace_nothing(older: str, newer: str) -> None:
    assert compare(older, newer) is None


@pytest.mark.parametrize(
    ("written", "digits"),
    [
        ("สองล้านห้าแสนบาท", "2500000 บาท"),
        ("ยี่สิบเอ็ดคน", "21 คน"),
        ("แปดโมงครึ่ง", "08:30"),
        ("บ่ายสาม", "15:00"),
        ("สองทุ่ม", "20:00"),
        ("ตีห้า", "05:00"),
        ("3.2 ล้านบาท", "3.2 ล้านบาท"),
        ("half past eight", "08:30"),
        ("an hour and a half", "90 minutes"),
        ("at 1,240 euros", "at 1,240 euros"),
    ],
)
def test_numbers_in_words_are_rewritten_in_digits(written: str, digits: str) -> None:
    assert rewrite_numbers(written).strip() == digits


@pytest.mark.parametrize(
    ("remark", "rest"),
    [
        ("Thanks, Gina! I love it", "I love it"),
        ("I won't give up, Gina!", "I won't give up!"),
        ("Hey Mel!", ""),
        ("I moved to Berlin, Germany.", "I moved to Berlin, Germany."),
        ("Nice restaurants open late", "Nice restaurants open late"),
    ],
)
def test_words_that_address_somebody_are_left_out(remark: str, rest: str) -> None:
    assert remove_address(remark) == rest
