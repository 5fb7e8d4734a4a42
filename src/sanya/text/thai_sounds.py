"""How Thai letters sound in the Royal Thai General System: consonants before and behind a vowel, vowels as written, and
the words whose sound no rule gives."""

from __future__ import annotations

from typing import NamedTuple

ONSETS = {
    **dict.fromkeys("ขฃคฅฆ", "kh"),
    **dict.fromkeys("จฉชฌ", "ch"),
    **dict.fromkeys("ซศษส", "s"),
    **dict.fromkeys("ดฎ", "d"),
    **dict.fromkeys("ตฏ", "t"),
    **dict.fromkeys("ถทธฐฑฒ", "th"),
    **dict.fromkeys("นณ", "n"),
    **dict.fromkeys("ผพภ", "ph"),
    **dict.fromkeys("ฝฟ", "f"),
    **dict.fromkeys("ยญ", "y"),
    **dict.fromkeys("ลฬ", "l"),
    **dict.fromkeys("หฮ", "h"),
    "ก": "k",
    "ง": "ng",
    "บ": "b",
    "ป": "p",
    "ม": "m",
    "ร": "r",
    "ว": "w",
    "อ": "",
}
# Two letters that begin one syllable: true clusters, letters led by a silent ห or อ, and clusters that lost a sound.
PAIRS = {
    **{first + second: ONSETS[first] + ONSETS[second] for first in "กขคปพ" for second in "รล"},
    **{first + "ว": ONSETS[first] + "w" for first in "กขค"},
    **{pair: ONSETS[pair[0]] + ONSETS[pair[1]] for pair in ("ตร", "ผล", "บร", "บล", "ดร", "ฟร", "ฟล")},
    **{"ห" + second: ONSETS[second] for second in "งญนมยรลว"},
    "ทร": "s",
    "สร": "s",
    "ศร": "s",
    "ซร": "s",
    "จร": "ch",
}
FINALS = {
    **dict.fromkeys("กขคฆ", "k"),
    **dict.fromkeys("จชซฎฏฐฑฒดตถทธศษส", "t"),
    **dict.fromkeys("นณญรลฬ", "n"),
    **dict.fromkeys("บปพฟภ", "p"),
    "ง": "ng",
    "ม": "m",
}
# Finals that only borrowed words have. Behind them a vowel often sounds that is not written: วิทยา is wit-tha-ya.
BORROWED_FINALS = frozenset("ขคฆจชฎฏฐฑฒตถทธศษสปพฟภ")
# Letters of Pali and Sanskrit words, in which ว is never the vowel ua.
INDIC_LETTERS = frozenset("ฆฌญฎฏฐฑฒณธภศษฬ")
SONORANTS = frozenset("งญณนมยรลว")
# Letters that lead a following sonorant with an unwritten a: เถลิง is tha-loeng.
LEADERS = frozenset("ขฉถผฝสศษตจ")
GLIDES = {
    ("a", "ย"): "ai",
    ("a", "ว"): "ao",
    ("i", "ว"): "io",
    ("e", "ว"): "eo",
    ("e", "ย"): "oei",
    ("ae", "ว"): "aeo",
    ("ia", "ว"): "iao",
    ("o", "ย"): "oi",
    ("u", "ย"): "ui",
    ("ua", "ย"): "uai",
    ("uea", "ย"): "ueai",
    ("oe", "ย"): "oei",
}


class Vowel(NamedTuple):
    """A vowel as written: before its consonant, behind it; its sound; whether the syllable may end there, or go on."""

    before: str
    behind: str
    sound: str
    open: bool = True
    closed: bool = True


_VOWELS = [
    Vowel("", "ะ", "a", closed=False),
    Vowel("", "ั", "a", open=False),
    Vowel("", "ัวะ", "ua", closed=False),
    Vowel("", "ัว", "ua", closed=False),
    Vowel("", "า", "a"),
    Vowel("", "ำ", "am", closed=False),
    Vowel("", "ิ", "i"),
    Vowel("", "ี", "i"),
    Vowel("", "ึ", "ue"),
    Vowel("", "ือ", "ue", closed=False),
    Vowel("", "ื", "ue", open=False),
    Vowel("", "ุ", "u"),
    Vowel("", "ู", "u"),
    Vowel("", "อ", "o"),
    Vowel("", "็อ", "o", open=False),
    Vowel("", "ว", "ua", open=False),
    Vowel("", "รร", "a", open=False),
    Vowel("", "รร", "an", closed=False),
    Vowel("เ", "", "e"),
    Vowel("เ", "ะ", "e", closed=False),
    Vowel("เ", "็", "e", open=False),
    Vowel("เ", "า", "ao", closed=False),
    Vowel("เ", "าะ", "o", closed=False),
    Vowel("เ", "อ", "oe"),
    Vowel("เ", "อะ", "oe", closed=False),
    Vowel("เ", "ิ", "oe", open=False),
    Vowel("เ", "ีย", "ia"),
    Vowel("เ", "ียะ", "ia", closed=False),
    Vowel("เ", "ือ", "uea"),
    Vowel("เ", "ือะ", "uea", closed=False),
    Vowel("แ", "", "ae"),
    Vowel("แ", "ะ", "ae", closed=False),
    Vowel("แ", "็", "ae", open=False),
    Vowel("โ", "", "o"),
    Vowel("โ", "ะ", "o", closed=False),
    Vowel("ไ", "", "ai", closed=False),
    Vowel("ไ", "ย", "ai", closed=False),
    Vowel("ใ", "", "ai", closed=False),
]
VOWELS = {leading: [vowel for vowel in _VOWELS if vowel.before == leading] for leading in ("", *"เแโไใ")}
DEPENDENT = frozenset("ะัาำิีึืฺุู็ๅ")

# Letters written behind a final and not spoken.
SILENT_PAIRS = frozenset(["ทธ", "ตต", "ฏฐ", "ตถ", "ทย", "ตย", "ธย", "ตน", "ฒน", "ตว", "จจ"])

# A sound behind + is heard only before another syllable.
IRREGULAR_WORDS = """
    กรกฎ ko-ra-kot|กรณี ko-ra-ni|กษัตริย์ ka-sat|กาญจน kan-cha-na|กาฬสินธุ์ ka-la-sin|ก็ ko
    จระเข้ cho-ra-khe|จักร chak|จันท chan-tha|ชัยภูมิ chai-ya-phum|ชาติ chat|ณ na|ทรมาน tho-ra-man
    ทฤษฎี thrit-sa-di|ทวีป tha-wip|ธรณี tho-ra-ni|ธรรมชาติ tham-ma-chat|ธรรมราช tham-ma-rat|ธาตุ that
    นคร na-khon|นว na-wa|บริ bo-ri|บ่ bo|ปกติ pa-ka-ti|ประวัติ pra-wat|ปรัชญา prat-ya
    ปรารถนา prat-tha-na|ผลไม้ phon-la-mai|พรหม phrom|พฤหัส pha-rue-hat|พุทธ phut+tha|ภูมิ phum
    มธุร ma-thu-ra|มหา ma-ha|ราช rat+cha|วงศ์ wong|ศัตรู sat-tru|ศีรษะ si-sa|สกล sa-kon
    สมบัติ som-bat|สระบุรี sa-ra-bu-ri|สหัศ sa-hat-sa|สหัส sa-hat-sa|สามารถ sa-mat|สารคาม sa-ra-kham
    สารภี sa-ra-phi|สุขภาพ suk-kha-phap|อยาก yak|อยู่ yu|อย่า ya|อย่าง yang|อุตร ut-ta-ra
    อุบัติ u-bat|เกษตร ka-set|เขมร kha-men|เจริญ cha-roen|เทพ thep|เบญจ ben-cha|เพชร phet
    เพชรบุรี phet-cha-bu-ri|เพชรบูรณ์ phet-cha-bun|เมรุ men|เศรษฐ set+tha|เสด็จ sa-det
    เสบียง sa-biang|เหตุ het|แคว khwae|แสดง sa-daeng|แสม sa-mae|โทร tho-ra|โหระพา ho-ra-pha
"""
