"""Mentions: the people, organisations, places, documents and other things that a text names.

Thai writes neither capitals nor blanks between words, so a Thai name is found by what stands before it (a title, the
word for "company" or "province", a known given name) and ends at the first word that can only continue the sentence.
A missing name does less harm than a wrong one, so in doubt nothing is found.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from sanya.suite.text import ENGLISH_MONTHS, THAI, Span, has_thai
from sanya.suites.memory.parsing.cues import HEDGES, NEGATIONS, PLANS
from sanya.suites.memory.parsing.given_names import GIVEN_NAMES, THAI_GIVEN_NAMES, load_thai_given_names
from sanya.suites.memory.parsing.places import THAI_PLACE_PREFIXES, find_place
from sanya.suites.memory.parsing.tokens import WordToken, tokenize
from sanya.suites.memory.parsing.verbs import THAI_VERBS
from sanya.suites.memory.word_lists import open_word_file

EntityKind = Literal["person", "organisation", "place", "artifact", "thing"]

_WORDS = open_word_file(__file__)
TITLES = _WORDS.read_words("titles")
_THAI_PROFESSIONS = frozenset(("หมอ", "อาจารย์"))
THAI_TITLES = _WORDS.read_words("thai_titles")


class EntityMention(NamedTuple):
    span: Span
    kind: EntityKind
    name: str
    """As written, without the title."""
    title: str | None = None


_ORGANISATION_ENDINGS = _WORDS.read_set("organisation_endings")
_PLACE_ENDINGS = _WORDS.read_set("place_endings")
_PLACE_BEGINNINGS = _WORDS.read_set("place_beginnings")
_NOT_NAMES = _WORDS.read_set("not_names") | frozenset(ENGLISH_MONTHS)
_CAPITAL = r"[A-Z][^\W\d_]*(?:['’-][A-Z]?[^\W\d_]+)*"
_CAPITALISED = re.compile(
    rf"(?:(?:St|Mt|Ft)\.\s|(?<![\w.])(?:Ministry|Department|University|Bank|Institute) of (?:the )?)?"
    rf"(?<![\w.]){_CAPITAL}"
    rf"(?:\s[A-Z]\.(?=\s[A-Z])|\s(?:(?:de|da|van|von|bin|al|du|la)\s){{0,2}}{_CAPITAL}){{0,6}}"
)
_TITLE = re.compile(rf"\b(?:{'|'.join(TITLES)})\.?\s$")
_CODE = re.compile(
    r"(?<![\w-])(?:[A-Z]{1,5}-?\d{2,8}[A-Z]?|[A-Z]{2,6}(?:-\d{2,6}){1,3}|(?:INV|PO|DOC|REF|ID|No)[.#:-]?\s?\d[\w-]{1,20})(?![\w-])"
)
_ACRONYM = re.compile(r"(?<![\w.-])[A-Z]{2,6}(?![\w-])")
_THAI_RUN = re.compile(f"[{THAI}]+")
_THAI_ORGANISATION = re.compile(
    rf"บริษัท\s?[{THAI}A-Za-z0-9]+(?:\s[{THAI}A-Za-z0-9]+){{0,3}}?\s?จำกัด(?:\s?\(มหาชน\))?|ห้างหุ้นส่วนจำกัด\s?[{THAI}]+"
)
_THAI_ORGANISATION_BEGINNINGS = _WORDS.read_words("thai_organisation_beginnings")
_THAI_NAME_STOPS = NEGATIONS | HEDGES | PLANS | _WORDS.read_set("thai_name_stops")
_THAI_CONTINUATIONS = _WORDS.read_set("thai_continuations")
_NOT_ACRONYMS = _WORDS.read_set("not_acronyms")
# Names of provinces that are ordinary words as well.
_AMBIGUOUS_THAI_PLACES = ("เลย", "น่าน", "ตาก", "แพร่", "นาน")


def find_mentions(text: str) -> list[EntityMention]:
    """Return mentions in the order of the text, none inside another. The finders that are surest come first."""
    found: list[EntityMention] = []
    for finder in (
        _find_codes,
        _find_thai_titled,
        _find_thai_organisations,
        _find_thai_places,
        _find_thai_given_names,
        _find_capitalised,
        _find_acronyms,
    ):
        for mention in sorted(finder(text), key=_order_by_length):
            if mention.name and not _is_covered(mention.span, found):
                found.append(mention)
    return sorted(found)


def _order_by_length(mention: EntityMention) -> tuple[int, int]:
    return (mention.span.start - mention.span.end, mention.span.start)


def _is_covered(span: Span, taken: list[EntityMention]) -> bool:
    return any(span.start < other.span.end and other.span.start < span.end for other in taken)


def _find_codes(text: str) -> list[EntityMention]:
    return [EntityMention(Span(*match.span()), "artifact", match[0]) for match in _CODE.finditer(text)]


def _find_acronyms(text: str) -> list[EntityMention]:
    return [
        EntityMention(Span(*match.span()), "thing", match[0])
        for match in _ACRONYM.finditer(text)
        if match[0] not in _NOT_ACRONYMS
    ]


def _find_capitalised(text: str) -> list[EntityMention]:
    found = []
    for match in _CAPITALISED.finditer(text):
        span = _trim_run(text, match)
        if span is not None:
            mention = _classify(text, span)
            # A single capitalised word at the beginning of a sentence need not be a name.
            if mention.kind != "thing" or " " in mention.name or _is_inside_sentence(text, span.start):
                found.append(mention)
    return found


def _is_inside_sentence(text: str, position: int) -> bool:
    before = text[:position].rstrip()
    return bool(before) and before[-1] not in '.!?:;\n|[("“'


def _trim_run(text: str, match: re.Match[str]) -> Span | None:
    """Return the run without titles, and without words that are capitalised only because a sentence begins."""
    start, end = match.span()
    while True:
        word = re.match(r"[^\s]+\s?", text[start:end])
        if word is None:
            return None
        plain = word[0].strip().rstrip(".")
        if plain in _NOT_NAMES or plain in TITLES:
            start += word.end()
        else:
            break
    last = text[start:end].rsplit(" ", 1)[-1]
    if last in _NOT_NAMES:
        end -= len(last) + 1
    if text[start:end].endswith(("'s", "’s")):
        end -= 2
    return Span(start, end) if end - start > 1 else None


def _classify(text: str, span: Span) -> EntityMention:
    name = span.slice(text)
    titled = _TITLE.search(text, max(0, span.start - 14), span.start)
    if titled:
        return EntityMention(Span(titled.start(), span.end), "person", name, titled[0].strip())
    words = name.replace(".", "").split()
    if words[-1] in _ORGANISATION_ENDINGS or words[0] in ("Ministry", "Department", "University", "Bank"):
        return EntityMention(span, "organisation", name)
    if find_place(name) or words[0] in _PLACE_BEGINNINGS or words[-1] in _PLACE_ENDINGS:
        return EntityMention(span, "place", name)
    if words[0].lower() in GIVEN_NAMES and len(words) <= 4:
        return EntityMention(span, "person", name)
    return EntityMention(span, "thing", name)


def _find_thai_titled(text: str) -> list[EntityMention]:
    found: list[EntityMention] = []
    if not has_thai(text):
        return found
    ends = {word.span.end for word in tokenize(text)}
    for title in THAI_TITLES:
        start = text.find(title)
        while start >= 0:
            before = text[start - 1 : start]
            if "." not in title and start + len(title) not in ends:
                # Part of a longer word: quality (คุณภาพ) and employer (นายจ้าง) begin like titles.
                start = text.find(title, start + len(title))
                continue
            name_end = _find_thai_name_end(text, start + len(title))
            span = Span(start, name_end)
            if title in _THAI_PROFESSIONS and _is_verb_first(text[start + len(title) : name_end]):
                name_end = start
            if not has_thai(before) and name_end > start + len(title) and not _is_covered(span, found):
                name = text[start + len(title) : name_end].strip()
                found.append(EntityMention(span, "person", name, title))
            start = text.find(title, start + len(title))
    return found


def _is_verb_first(run: str) -> bool:
    """Tell "the doctor ordered" (หมอสั่ง) from a doctor's name."""
    words = tokenize(run)
    return bool(words) and words[0].text in _THAI_CONTINUATIONS and run.strip() not in load_thai_given_names()


def _find_thai_name_end(text: str, start: int) -> int:
    """Return the end of a Thai name after a title: a given name and, after a blank, a family name."""
    end = start
    for part in (0, 1):
        begin = end + len(text[end : end + 2]) - len(text[end : end + 2].lstrip(" "))
        run = _THAI_RUN.match(text, begin)
        if run is None or (part and begin == end):
            return end
        taken = measure_name(run[0]) if part else measure_given_name(run[0])
        if not taken:
            return end
        end = begin + taken
        if taken < len(run[0]):
            return end
    return end


def measure_given_name(run: str) -> int:
    """Return the length of the given name at the beginning of a run of Thai: a known one that ends with a word."""
    known = load_thai_given_names()
    words = tokenize(run)
    ends = [
        word.span.end for word, following in zip(words, [*words[1:], None], strict=True) if _is_separate_word(following)
    ]
    return next((end for end in reversed(ends) if run[:end] in known), 0) or measure_name(run)


def _is_separate_word(word: WordToken | None) -> bool:
    """Return False for a single letter that the segmenter left over: it belongs to the word before it."""
    return word is None or len(word.text) > 1


def measure_name(run: str) -> int:
    """Return the length of the name at the beginning of a run of Thai, up to the first word that cannot be in one."""
    length = 0
    for word in tokenize(run):
        if (
            word.text in _THAI_NAME_STOPS
            or (word.text in THAI_VERBS and len(word.text) > 2)
            or (length and (word.text in THAI_VERBS or word.text in _THAI_CONTINUATIONS))
        ):
            break
        length = word.span.end
    return length


def _find_thai_organisations(text: str) -> list[EntityMention]:
    if not has_thai(text):
        return []
    found = [
        EntityMention(Span(*match.span()), "organisation", match[0]) for match in _THAI_ORGANISATION.finditer(text)
    ]
    for run in _THAI_RUN.finditer(text):
        beginning = next((word for word in _THAI_ORGANISATION_BEGINNINGS if run[0].startswith(word)), None)
        if beginning:
            length = max(measure_name(run[0]), len(beginning))
            found.append(EntityMention(Span(run.start(), run.start() + length), "organisation", run[0][:length]))
    return found


def _find_thai_places(text: str) -> list[EntityMention]:
    if not has_thai(text):
        return []
    found = []
    for word in tokenize(text):
        if word.is_thai and find_place(word.text) and word.text not in _AMBIGUOUS_THAI_PLACES:
            found.append(EntityMention(word.span, "place", word.text))
    return found + _find_headed_places(text)


def _find_headed_places(text: str) -> list[EntityMention]:
    found = []
    for match in re.finditer(rf"(?:{'|'.join(THAI_PLACE_PREFIXES)})([{THAI}]+)", text):
        length = measure_name(match[1])
        if length:
            found.append(EntityMention(Span(match.start(), match.start(1) + length), "place", match[1][:length]))
    return found


def _find_thai_given_names(text: str) -> list[EntityMention]:
    """Find given names at the beginning of a run of Thai, where they need no title."""
    if not has_thai(text):
        return []
    found = []
    for run in _THAI_RUN.finditer(text):
        name = next((name for name in THAI_GIVEN_NAMES if len(name) > 3 and run[0].startswith(name)), None)
        if name:
            end = run.start() + len(name)
            family = _find_family_name_end(text, end) if end == run.end() else end
            found.append(EntityMention(Span(run.start(), family), "person", text[run.start() : family]))
    return found


def _find_family_name_end(text: str, end: int) -> int:
    run = _THAI_RUN.match(text, end + 1) if text[end : end + 1] == " " else None
    taken = measure_name(run[0]) if run else 0
    return end + 1 + taken if run and taken == len(run[0]) else end
