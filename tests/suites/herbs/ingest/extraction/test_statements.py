"""Statements of Thai and English sentences. All sentences are test inputs of our own, not facts."""

from __future__ import annotations

import pytest

from tests.suites.herbs.ingest.proposals import proposed, stated

GINGER, TURMERIC = "zingiber-officinale", "curcuma-longa"
ANDROGRAPHIS, EMBLICA = "andrographis-paniculata", "phyllanthus-emblica"


def said(*statements: str) -> set[str]:
    return set(statements)


USES = [
    ("ขิงใช้รักษาอาการท้องอืด", said(f"{GINGER} treats icd10:R14")),
    (
        "ขมิ้นชันมีสรรพคุณบรรเทาอาการท้องอืด ท้องเฟ้อ และแน่นจุกเสียด",
        said(f"{TURMERIC} treats icd10:R14", f"{TURMERIC} treats icd10:K30"),
    ),
    (
        "ฟ้าทะลายโจรช่วยบรรเทาอาการเจ็บคอและแก้ไข้",
        said(f"{ANDROGRAPHIS} treats icd10:J02.9", f"{ANDROGRAPHIS} treats icd10:R50.9"),
    ),
    ("มะขามป้อมแก้ไอ", said(f"{EMBLICA} treats icd10:R05")),
    ("มะขามป้อมมีสรรพคุณขับเสมหะ", said(f"{EMBLICA} treats icd10:R05")),
    ("ขิง (Zingiber officinale Roscoe) แก้คลื่นเหียน อาเจียน", said(f"{GINGER} treats icd10:R11")),
    ("ขิงและขมิ้นชันช่วยขับลม", said(f"{GINGER} treats icd10:R14", f"{TURMERIC} treats icd10:R14")),
    ("ว่านหางจระเข้ใช้รักษาแผลไฟไหม้ น้ำร้อนลวก", said("aloe-vera treats icd10:T30.0")),
    ("เพชรสังฆาตใช้รักษาริดสีดวงทวาร", said("cissus-quadrangularis treats icd10:K64")),
    ("สรรพคุณของขิงคือแก้ท้องอืด", said(f"{GINGER} treats icd10:R14")),
    ("Ginger is used for nausea and vomiting.", said(f"{GINGER} treats icd10:R11")),
    ("Ginger is traditionally used to relieve flatulence.", said(f"{GINGER} treats icd10:R14")),
    ("Turmeric treats dyspepsia and flatulence.", said(f"{TURMERIC} treats icd10:K30", f"{TURMERIC} treats icd10:R14")),
    ("Zingiber officinale is effective against motion sickness.", said(f"{GINGER} treats icd10:T75.3")),
    ("A. paniculata relieves sore throat.", said(f"{ANDROGRAPHIS} treats icd10:J02.9")),
    ("Common cold is treated with Andrographis paniculata.", said(f"{ANDROGRAPHIS} treats icd10:J00")),
    ("Ginger is a plant. It is used for nausea. Artichoke is used for asthma.", said(f"{GINGER} treats icd10:R11")),
    (
        "ขมิ้นชัน Curcuma longa L.\nUses: dyspepsia, flatulence\nStorage: dry",
        said(f"{TURMERIC} treats icd10:K30", f"{TURMERIC} treats icd10:R14"),
    ),
    ("Turmeric is indicated for dyspepsia (K30).", said(f"{TURMERIC} treats icd10:K30")),
]
CONTENTS = [
    ("ขมิ้นชันมีสารเคอร์คูมิน", said(f"{TURMERIC} contains curcumin")),
    ("เคอร์คูมินพบในขมิ้นชัน", said(f"{TURMERIC} contains curcumin")),
    ("สารสำคัญในขมิ้นชันคือเคอร์คูมิน", said(f"{TURMERIC} contains curcumin")),
    (
        "ยาตรีผลาประกอบด้วย สมอไทย สมอพิเภก และมะขามป้อม",
        said(
            "terminalia-chebula part_of ya-tri-phala",
            "terminalia-bellirica part_of ya-tri-phala",
            f"{EMBLICA} part_of ya-tri-phala",
        ),
    ),
    (
        "ยาหอมนวโกฐประกอบด้วย ขิง 10 กรัม ดีปลี 5 กรัม และพริกไทย 5 กรัม",
        said(
            f"{GINGER} part_of ya-hom-nawakot",
            "piper-retrofractum part_of ya-hom-nawakot",
            "piper-nigrum part_of ya-hom-nawakot",
        ),
    ),
    (
        "ยาประสะไพลประกอบด้วย ไพล เครื่องเทศลึกลับ และขิง",
        said("zingiber-montanum part_of ya-prasa-phlai", f"{GINGER} part_of ya-prasa-phlai"),
    ),
    ("Turmeric contains curcumin.", said(f"{TURMERIC} contains curcumin")),
    ("Curcumin is isolated from Curcuma longa L.", said(f"{TURMERIC} contains curcumin")),
    (
        "Ginger is rich in 6-gingerol, 6-shogaol and zingerone.",
        said(f"{GINGER} contains 6-gingerol", f"{GINGER} contains 6-shogaol", f"{GINGER} contains zingerone"),
    ),
    (
        "Andrographolide is a major constituent of Andrographis paniculata.",
        said(f"{ANDROGRAPHIS} contains andrographolide"),
    ),
]
WARNINGS = [
    ("ห้ามใช้ขิงในหญิงตั้งครรภ์", said(f"{GINGER} contraindicated_in condition:pregnancy")),
    ("ขิงห้ามใช้ในหญิงตั้งครรภ์", said(f"{GINGER} contraindicated_in condition:pregnancy")),
    ("หญิงให้นมบุตรไม่ควรรับประทานฟ้าทะลายโจร", said(f"{ANDROGRAPHIS} contraindicated_in condition:breastfeeding")),
    ("ผู้ป่วยโรคไตไม่ควรรับประทานกระชายดำ", said("kaempferia-parviflora contraindicated_in condition:renal-impairment")),
    ("ควรระวังการใช้ขิงในผู้ที่มีนิ่วในถุงน้ำดี", said(f"{GINGER} contraindicated_in condition:gallstones")),
    ("ขิงควรใช้ด้วยความระมัดระวังในผู้ป่วยโรคหัวใจ", said(f"{GINGER} contraindicated_in condition:heart-disease")),
    ("ขิงห้ามใช้ร่วมกับวาร์ฟาริน", said(f"{GINGER} interacts_with drug:warfarin")),
    (
        "ขิงช่วยขับลม แต่ห้ามใช้ในผู้ที่มีนิ่วในถุงน้ำดี",
        said(f"{GINGER} treats icd10:R14", f"{GINGER} contraindicated_in condition:gallstones"),
    ),
    ("ขิงไม่ปลอดภัยในหญิงตั้งครรภ์", said(f"{GINGER} contraindicated_in condition:pregnancy")),
    (
        "Turmeric is contraindicated in bile duct obstruction.",
        said(f"{TURMERIC} contraindicated_in condition:bile-duct-obstruction"),
    ),
    ("Avoid ginger during pregnancy.", said(f"{GINGER} contraindicated_in condition:pregnancy")),
    (
        "Patients with kidney disease should avoid turmeric.",
        said(f"{TURMERIC} contraindicated_in condition:renal-impairment"),
    ),
    ("Ginger should not be used in children.", said(f"{GINGER} contraindicated_in condition:children")),
    ("Use ginger with caution in gallstones.", said(f"{GINGER} contraindicated_in condition:gallstones")),
    ("Ginger interacts with warfarin.", said(f"{GINGER} interacts_with drug:warfarin")),
    ("Interactions between ginger and warfarin were reported.", said(f"{GINGER} interacts_with drug:warfarin")),
    (
        "Ginger increases the effect of warfarin and aspirin.",
        said(f"{GINGER} interacts_with drug:warfarin", f"{GINGER} interacts_with drug:aspirin"),
    ),
    ("Ginger reduces the effect of warfarin.", said(f"{GINGER} interacts_with drug:warfarin")),
    (
        "Garlic may increase the risk of bleeding when taken with aspirin.",
        said("allium-sativum interacts_with drug:aspirin"),
    ),
    ("กระเทียมเพิ่มความเสี่ยงต่อการเกิดเลือดออกเมื่อใช้ร่วมกับแอสไพริน", said("allium-sativum interacts_with drug:aspirin")),
    (
        "ผู้ที่รับประทานยาต้านการแข็งตัวของเลือด เช่น วาร์ฟาริน ไม่ควรใช้ขมิ้นชัน",
        said(f"{TURMERIC} interacts_with drug:anticoagulants", f"{TURMERIC} interacts_with drug:warfarin"),
    ),
    ("หากมีไข้ห้ามใช้ยาหอมนวโกฐ", said("ya-hom-nawakot contraindicated_in condition:fever")),
    ("ไม่แนะนำให้ใช้ขิงในหญิงตั้งครรภ์", said(f"{GINGER} contraindicated_in condition:pregnancy")),
    ("Curcumin, a compound of turmeric, interacts with tacrolimus.", said(f"{TURMERIC} contains curcumin")),
    ("In pregnancy, ginger should be avoided.", said(f"{GINGER} contraindicated_in condition:pregnancy")),
    (
        "Senna is contraindicated in bowel obstruction, inflammatory bowel disease, and in children.",
        said(
            "senna-alexandrina contraindicated_in condition:bowel-obstruction",
            "senna-alexandrina contraindicated_in condition:inflammatory-bowel-disease",
            "senna-alexandrina contraindicated_in condition:children",
        ),
    ),
    ("Warfarin interacts with ginger.", said(f"{GINGER} interacts_with drug:warfarin")),
    ("Do not combine turmeric with clopidogrel.", said(f"{TURMERIC} interacts_with drug:clopidogrel")),
]
NOTHING = [
    # denied
    "ไม่พบว่าขมิ้นชันรักษาเบาหวาน",
    "ขิงไม่สามารถรักษามะเร็งตับได้",
    "ขิงไม่ได้ใช้รักษาท้องอืด",
    "ขิงรักษาไข้ไม่ได้",
    "ยังไม่มีหลักฐานว่าขิงรักษาเบาหวาน",
    "ขิงไม่มีสารเคอร์คูมิน",
    "ขิงไม่มีปฏิกิริยากับวาร์ฟาริน",
    "Ginger does not treat fever.",
    "There is no evidence that turmeric treats diabetes.",
    "Ginger failed to relieve nausea.",
    "Ginger contains no curcumin.",
    "It is a myth that ginger treats diabetes.",
    "Ginger is not contraindicated in pregnancy.",
    "Neither ginger nor turmeric treats asthma.",
    "Although ginger is loved, it is not effective for asthma.",
    "ห้ามใช้ขมิ้นชันรักษาเบาหวาน",
    "Ginger should not be used to treat fever.",
    "Chili is contraindicated in capsaicin allergy of any kind.",
    # asked
    "ขิงรักษามะเร็งตับได้หรือไม่",
    "Does ginger treat fever?",
    # called safe
    "ขิงปลอดภัยในหญิงตั้งครรภ์",
    "Ginger can be used in pregnancy.",
    # ambiguous, unknown, or another plant
    "ว่านชักมดลูกใช้รักษาปวดประจำเดือน",
    "ไพลดำใช้แก้ปวดท้อง",
    "อาติโชกใช้รักษาความจำเสื่อม ส่วนขิงปลูกง่าย",
    "ขิงปลูกง่าย ส่วนอาติโชกรักษาเบาหวาน",
    "นอกจากขิงแล้ว ยังมีอาติโชกที่ใช้รักษาท้องอืด",
    "Patients taking warfarin were given ginger for nausea.",
    "The safety of ginger in pregnancy has not been established.",
    "Unlike ginger, artichoke treats asthma.",
    "Ya Sombat Khaminchan is used for fever.",
    "ฟ้าทะลายโจรใช้รักษาไข้หวัดใหญ่",
    "Curcuma contains curcumin.",
    # no statement
    "ขิงและท้องอืด",
    "ราคาขิงในตลาดเพิ่มขึ้นร้อยละ 12 ในปี 2566",
    "Ginger was grown in pots next to turmeric.",
    "ควรเก็บรักษาขิงในที่แห้ง",
    "ใช้ขิงแทนวาร์ฟาริน",
    "",
]


@pytest.mark.parametrize(("sentence", "expected"), [*USES, *CONTENTS, *WARNINGS])
def test_a_sentence_states_what_it_says_and_nothing_else(sentence: str, expected: set[str]) -> None:
    assert stated(proposed(sentence)) == expected


@pytest.mark.parametrize("sentence", NOTHING)
def test_a_sentence_that_states_nothing_sure_brings_nothing(sentence: str) -> None:
    assert stated(proposed(sentence)) == set()
