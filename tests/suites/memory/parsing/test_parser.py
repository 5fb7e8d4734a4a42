from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.suites.memory.graph.claim_json import from_json, make_claim_key, to_json
from sanya.suites.memory.parsing.aliases import find_aliases
from sanya.suites.memory.parsing.amounts import find_amounts, may_agree
from sanya.suites.memory.parsing.mentions import find_mentions
from sanya.suites.memory.parsing.parser import parse_text
from sanya.suites.memory.parsing.times import PartialTime, TimeRange, find_times, relate_times
from sanya.suites.memory.parsing.tokens import tokenize
from sanya.text.spans import Span
from tests.long_form import often

_PIECES = [
    "John Doe",
    "นายสมชาย ใจดี",
    "did not",
    "ไม่ได้",
    "travel",
    "เดินทางไป",
    "St. Thomas",
    "เชียงใหม่",
    "on 2010-03-15",
    "March 15",
    "เมื่อวันที่ 15 มีนาคม 2553",
    "at 09:00",
    "เวลา 09.00 น.",
    "because",
    "เพราะ",
    "according to",
    "อ้างจาก",
    "|",
    "->",
    "passengers:",
    ";",
    ",",
    ".",
    "?",
    "\n",
    "50 employees",
    "ร้อยละ 30",
    "[2025-03-01]",
    "Alice:",
    "than",
    "กว่า",
    "all",
    "no longer",
    "(aka",
    ")",
    "ถ้า",
    "may",
    "AC123",
    "'",
    "’s",
    "I've",
    "๑๒",
    "1,234.5",
    "$",
    "%",
    "before",
    "หลังจาก",
]
TEXTS = st.lists(st.sampled_from(_PIECES) | st.text(max_size=12), max_size=14).map(" ".join) | st.text(max_size=300)
SAID = date(2025, 3, 1)


@given(TEXTS)
@settings(max_examples=often(62, 250), deadline=None)
def test_any_text_is_read_and_every_span_is_true(text: str) -> None:
    parsed = parse_text(text, SAID)
    spans: list[Span] = [claim.span for claim in parsed.claims]
    spans += [mention.span for mention in parsed.mentions]
    spans += [time.span for time in parsed.times]
    spans += [span for link in parsed.links for span in (link.first, link.second)]
    spans += [attribution.span for attribution in parsed.attributions]
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(mention.name in mention.span.slice(text) for mention in parsed.mentions)
    assert parse_text(text, SAID) == parsed


@given(TEXTS)
@settings(max_examples=often(50, 200), deadline=None)
def test_what_is_found_in_a_text_stands_where_it_is_said_to(text: str) -> None:
    assert all(word.text == word.span.slice(text) for word in tokenize(text))
    for found in (find_times(text, SAID), find_amounts(text), find_mentions(text)):
        spans = [item.span for item in found]
        assert spans == sorted(spans)
        assert all(0 <= span.start < span.end <= len(text) for span in spans)
    find_aliases(text)


@given(TEXTS)
@settings(max_examples=often(50, 200), deadline=None)
def test_a_claim_comes_back_from_json_as_the_same_claim(text: str) -> None:
    for claim in parse_text(text, SAID).claims:
        kept = from_json(to_json(claim))
        assert make_claim_key(kept) == make_claim_key(claim)
        assert to_json(kept) == to_json(claim)


@pytest.mark.parametrize(
    ("text", "subject", "verb", "negated", "when"),
    [
        ("John Doe did not travel to St. Thomas on March 15, 2010.", "john doe", "go", True, "2010-03-15"),
        ("John Doe didn’t travel to Rome.", "john doe", "go", True, None),
        ("Alice Brown was born in 1980.", "alice brown", "born", False, "1980"),
        ("AC123 departed JFK at 09:00.", "ac123", "depart", False, "T09:00"),
        ("นายสมชาย ใจดี ไม่ได้เดินทางไปเชียงใหม่เมื่อวันที่ 15 มีนาคม 2553", "สมชาย ใจดี", "go", True, "2010-03-15"),
        ("การประชุมเริ่มเมื่อวันที่ 3 พฤษภาคม 2567 เวลา 09.00 น.", "การประชุม", "begin", False, "2024-05-03T09:00"),
        ("สมชายยังไม่ได้ลงนามในสัญญา", "สมชาย", "sign", True, None),
    ],
)
def test_a_sentence_is_a_claim(text: str, subject: str, verb: str, negated: bool, when: str | None) -> None:
    claim = parse_text(text).claims[0]
    assert (claim.subject_key, claim.verb, claim.negated) == (subject, verb, negated)
    assert (claim.when.to_iso() if claim.when else None) == when


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("John may travel to Rome.", "hedged"),
        ("John will travel to Rome.", "planned"),
        ("If John travels to Rome, he is happy.", "conditional"),
        ("Did John travel to Rome?", "asked"),
        ("สมชายอาจเดินทางไปโรม", "hedged"),
        ("ถ้าสมชายเดินทางไปโรม", "conditional"),
        ("สมชายเดินทางไปโรมหรือไม่", "asked"),
    ],
)
def test_what_is_doubted_planned_or_asked_is_not_asserted(text: str, modality: str) -> None:
    assert all(claim.modality != "asserted" for claim in parse_text(text).claims)
    assert not parse_text(text).claims or parse_text(text).claims[0].modality == modality


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("The launch was delayed because the server failed.", "the server failed", "The launch was delayed"),
        ("Heavy rain led to flooding in Ayutthaya.", "Heavy rain", "flooding in Ayutthaya"),
        ("Because the bridge collapsed, the road was closed.", "the bridge collapsed", "the road was closed"),
        ("ฝนตกหนักทำให้น้ำท่วมอยุธยา", "ฝนตกหนัก", "น้ำท่วมอยุธยา"),
        ("เที่ยวบิน TG102 ถูกยกเลิกเพราะพายุเข้า", "พายุเข้า", "เที่ยวบิน TG102 ถูกยกเลิก"),
        ("โรงงานปิดเนื่องจากไฟไหม้", "ไฟไหม้", "โรงงานปิด"),
    ],
)
def test_cause_and_effect_are_told_apart(text: str, cause: str, effect: str) -> None:
    link = parse_text(text).links[0]
    assert link.kind == "caused"
    assert (link.first.slice(text), link.second.slice(text)) == (cause, effect)


def test_a_denied_cause_is_none() -> None:
    assert not parse_text("The fire was not caused by lightning.").links


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("According to the police, the shop was closed.", "police"),
        ("Flight log reports AC123 departed JFK at 09:00.", "Flight log"),
        ("The shop was closed, according to customs.", "customs"),
        ("ตำรวจยืนยันว่าร้านปิด", "ตำรวจ"),
        ("ร้านปิด อ้างจากเจ้าของร้าน", "เจ้าของร้าน"),
    ],
)
def test_a_sentence_says_whom_it_has_it_from(text: str, source: str) -> None:
    assert [attribution.source for attribution in parse_text(text).attributions] == [source]


@pytest.mark.parametrize(
    ("first", "second", "agree"),
    [
        ("about 10", "10.2", True),
        ("10", "10.2", True),
        ("10", "12", False),
        ("5 kg", "5000 grams", True),
        ("at least 120", "450", True),
        ("10 million baht", "10 ล้านบาท", True),
        ("500 baht", "15 dollars", True),
        ("50 คน", "80 คน", False),
        ("ร้อยละ 30", "30%", True),
    ],
)
def test_amounts_agree_as_far_as_they_are_exact(first: str, second: str, agree: bool) -> None:
    assert may_agree(find_amounts(first)[0].amount, find_amounts(second)[0].amount) is agree


def test_times_are_compared_as_far_as_they_are_known() -> None:
    year, month, day = (
        TimeRange(item, item) for item in (PartialTime(2024), PartialTime(2024, 5), PartialTime(2024, 5, 3))
    )
    clock = TimeRange(PartialTime(hour=9, minute=0), PartialTime(hour=9, minute=0))
    assert relate_times(year, month) == relate_times(month, day) == "contains"
    assert relate_times(day, year) == "within"
    assert relate_times(day, day) == "same"
    assert relate_times(day, TimeRange(PartialTime(2024, 5, 4), PartialTime(2024, 5, 4))) == "apart"
    assert relate_times(day, clock) == "unknown"


def test_a_day_without_a_year_takes_it_from_the_day_it_was_said_on() -> None:
    assert find_times("The deadline is March 15.", SAID)[0].when.to_iso() == "2025-03-15"
    assert find_times("The deadline is March 15.")[0].when.to_iso() == "--03-15"
    assert find_times("เมื่อวานฝนตก", SAID)[0].when.to_iso() == "2025-02-28"


def test_a_row_of_a_log_is_a_record() -> None:
    row = parse_text("2002-01-10 | STT -> TEB | passengers: Epstein, Jeffrey; GM").row
    assert row is not None
    assert (row.day, row.origin, row.destination) == ("2002-01-10", "STT", "TEB")
    assert row.people == (("Epstein, Jeffrey", "passenger"), ("GM", "passenger"))


def test_a_long_text_is_read_in_bounded_time() -> None:
    assert len(parse_text("John Doe did not travel to Rome because of rain. " * 1300).claims) <= 400


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("คุณสมชายดูแลสวนสมุนไพรที่ระยอง", ["สมชาย", "ระยอง"]),
        ("สมชายดูแลสวนสมุนไพร", ["สมชาย"]),
        ("นายสมชาย ใจดีปลูกขมิ้น", ["สมชาย ใจดี"]),
        ("นายประยุทธ์ จันทร์โอชาเป็นนายกรัฐมนตรี", ["ประยุทธ์ จันทร์โอชา"]),
        ("คุณสมหญิงคนสวยชอบชา", ["สมหญิง"]),
        ("คุณชญานิศวิจัยยา", ["ชญานิศ"]),
        ("คุณเอดูแลร้าน", ["เอ"]),
        ("ดร.สมชายวิจัยฟ้าทะลายโจร", ["สมชาย"]),
        ("นายแพทย์สมชายตรวจคนไข้", ["สมชาย"]),
        ("ธนาคารแห่งประเทศไทยขึ้นดอกเบี้ย", ["ธนาคารแห่งประเทศไทย"]),
        ("กรมอนามัยเตือนประชาชน", ["กรมอนามัย"]),
        ("นางพยาบาลดูแลคนไข้", []),
        ("คุณภาพอากาศแย่มาก", []),
        ("คุณแม่ทำอาหาร", []),
        ("หมอดูทำนายอนาคต", []),
        ("นายจ้างจ่ายเงินเดือน", []),
    ],
)
def test_a_thai_name_ends_where_the_sentence_goes_on(text: str, names: list[str]) -> None:
    assert [mention.name for mention in find_mentions(text)] == names


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("ประชุมคณะกรรมการ วันที่ 3 ก.พ. 2566 ที่ระยอง", ["2023-02-03"]),
        ("งานแต่งของลูกสาว ๑๕ มกราคม ๒๕๖๖", ["2023-01-15"]),
        ("Board meeting, 12 May 2560 BE", ["2017-05-12"]),
        ("ตลาดเก่าริมน้ำ พ.ศ. 2540", ["1997"]),
        ("งานแต่งอาจจะ 15 มกราคม 2566", []),
        ("งานแต่ง 15 มกราคม 2566 ใช่ไหม?", []),
        ("John Doe traveled to Rome on March 15, 2010.", []),
    ],
)
def test_a_dated_note_without_a_claim_is_an_occasion(text: str, days: list[str]) -> None:
    assert [note.when.to_iso() for note in parse_text(text).dated_notes] == days


@pytest.mark.parametrize(
    ("text", "alias"),
    [
        ("Zelda Marsh is also known as Zee. She bakes rye bread.", "Zee"),
        ("Oskar Blum is called Ozzy by his friends.", "Ozzy"),
        ("Robert Stone goes by J.R. Stone at work.", "J.R. Stone"),
    ],
)
def test_an_alias_ends_with_its_name(text: str, alias: str) -> None:
    assert [stated.alias for stated in find_aliases(text)] == [alias]


def test_who_called_somebody_gave_no_alias() -> None:
    assert find_aliases("Oskar Blum called Robert Stone yesterday.") == []
