"""What the report says, in English and Thai."""

from __future__ import annotations

from collections.abc import Mapping

BilingualLabel = tuple[str, str]

SETS: Mapping[str, BilingualLabel] = {
    "smoke": ("Smoke set", "ชุดทดสอบย่อ"),
    "curated": ("Curated set", "ชุดคำถามคัดสรร"),
    "custom": ("Your own set", "ชุดคำถามของคุณ"),
}
METRICS: Mapping[str, tuple[BilingualLabel, str]] = {
    "R": (("Found in the first {k}", "พบใน {k} อันดับแรก"), "The share of what is relevant that search brings."),
    "MRR": (("Rank of the first find", "อันดับแรกที่พบ"), "1 where the first hit is relevant, ½ where the second is."),
    "nDCG": (("Order of the finds", "ลำดับของสิ่งที่พบ"), "1 where everything relevant comes before the rest."),
    "factuality": (
        ("Sentences borne out", "ประโยคที่มีหลักฐานรองรับ"),
        "Sentences of given answers that their cited span and the graph both bear out.",
    ),
    "answers_right": (("Answers that are right", "คำตอบที่ถูกต้อง"), "Given answers that state a reference fact."),
    "answered": (("Questions answered", "คำถามที่ได้คำตอบ"), "Of the questions that have an answer, those that got one."),
    "gate_precision": (
        ("Withheld rightly", "งดตอบอย่างถูกต้อง"),
        "Of the answers that the gate held back, those that would have been wrong.",
    ),
    "ECE": (
        ("Calibration error", "ความคลาดเคลื่อนของความเชื่อมั่น"),
        "How far confidence and truth lie apart; less is better.",
    ),
}
LANGUAGES: Mapping[str, BilingualLabel] = {"th": ("Thai", "ภาษาไทย"), "en": ("English", "ภาษาอังกฤษ")}
KINDS: Mapping[str, BilingualLabel] = {
    "name": ("By name", "ถามด้วยชื่อ"),
    "alias": ("By another name", "ถามด้วยชื่ออื่น"),
    "synonym": ("By a synonym", "ถามด้วยชื่อพ้อง"),
    "romanised": ("Thai in Latin letters", "ชื่อไทยอักษรโรมัน"),
    "slip": ("With a slip of the hand", "สะกดพลาด"),
    "symptom": ("By symptom", "ถามด้วยอาการ"),
    "safety": ("About safety", "ถามความปลอดภัย"),
    "ingredient": ("About ingredients", "ถามส่วนประกอบ"),
    "constituent": ("About constituents", "ถามสารสำคัญ"),
    "paper": ("About papers", "ถามงานวิจัย"),
    "outside": ("About something else", "นอกเรื่อง"),
    "unrecorded": ("Known, but not recorded", "รู้จักแต่ไม่มีบันทึก"),
    "custom": ("Custom", "กำหนดเอง"),
}
OUTCOMES: Mapping[str, BilingualLabel] = {
    "given_right": ("Answered, right", "ตอบถูก"),
    "given_wrong": ("Answered, wrong", "ตอบผิด"),
    "withheld_rightly": ("Withheld rightly", "งดตอบถูกต้อง"),
    "withheld_needlessly": ("Withheld needlessly", "งดตอบโดยไม่จำเป็น"),
}
TITLE: BilingualLabel = ("How good are search and answers?", "ค้นหาและตอบได้ดีเพียงใด")
HEADLINES: BilingualLabel = ("The figures", "ตัวเลขสำคัญ")
RELIABILITY: BilingualLabel = ("Is confidence to be trusted?", "ความเชื่อมั่นเชื่อถือได้หรือไม่")
SCORES: BilingualLabel = ("What the gate lets through", "ด่านตรวจปล่อยอะไรผ่าน")
RECALL: BilingualLabel = ("How soon search finds it", "ค้นพบเร็วเพียงใด")
GATE: BilingualLabel = ("Answered or withheld", "ตอบหรืองดตอบ")
BY_LANGUAGE: BilingualLabel = ("By language", "ตามภาษา")
BY_KIND: BilingualLabel = ("By kind of question", "ตามประเภทคำถาม")
WORST: BilingualLabel = ("Where to look first", "ควรดูตรงไหนก่อน")
METHOD: BilingualLabel = ("How this was measured", "วัดอย่างไร")
NUMBERS: BilingualLabel = ("The numbers", "ตัวเลข")
