"""Finds what a question names that the graph does not know, so that no answer is given about something else.

The names of the graph, the words of questions and ordinary words are set aside. What is left may be the name of a herb
or a medicine. It vetoes an answer where it is no word of the dictionary at all, where it stands beside a known name
("turmeric and …"), and where the question names no herb and does not ask for any either. Everyday words of the
dictionary tell circumstances ("itches like crazy") wherever no name of a herb would stand.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sanya.suite.search import load_thai_stop_words
from sanya.suite.text import ENGLISH_STOP_WORDS, get_default_segmenter, has_thai, load_general_words
from sanya.suites.herbs.questions.everyday_words import is_everyday
from sanya.suites.herbs.questions.mentions import NameMention, is_english_word

_TOKEN = re.compile(r"[a-z][a-z'’-]*[a-z]|[฀-๿]+|\d+|[^\sa-z\d฀-๿]")
_MIN_LATIN_LENGTH = 3
_MIN_THAI_LENGTH = 2
_MAX_WORDS = 4
_MAX_PIECE = 3
# So many words may stand between what a herb is wanted for and the unknown one: "help with hair loss".
_MAX_COMPLAINT_WORDS = 3
_HELPS = ("ช่วย", "help", "helps")
_CONTRACTION = re.compile(r"n't$|'(?:ll|ve|re|d|m)$")


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int
    is_named: bool
    is_ordinary: bool


@dataclass(frozen=True, slots=True)
class UnknownMention:
    text: str
    is_in_place_of_subject: bool
    """False where the question names a known herb and the unknown word stands elsewhere."""


def find_unrecognised(form: str, mentions: Sequence[NameMention], *, has_subject: bool) -> tuple[UnknownMention, ...]:
    """Return what the search form of a question names and nobody knows, in its order."""
    tokens = list(_list_tokens(form, mentions))
    is_open = bool(_load_open().search(form))
    found: list[UnknownMention] = []
    for first, last in _list_runs(tokens):
        run = tokens[first:last]
        if has_thai(run[0].text) and _is_ordinary_thai(form[run[0].start : run[-1].end]):
            continue  # ordinary words that were cut in the wrong place
        wanted_for = _find_complaint_start(form, tokens, first, last)
        is_complaint = wanted_for is not None or _is_wanted_for(tokens, first)
        is_subject = _is_beside_name(tokens, first, last) or not (has_subject or is_open)
        if is_complaint or (not _is_circumstance(tokens, first, last) and (is_subject or _is_foreign(run))):
            start = run[0].start if wanted_for is None else wanted_for
            text = form[start : run[min(len(run), _MAX_WORDS) - 1].end].strip()
            found.append(UnknownMention(text, is_subject or not has_subject))
    return tuple(dict.fromkeys(found))


def is_asking_for_herbs(form: str) -> bool:
    """Return whether the search form of a question asks for any herb, rather than about what it names."""
    return bool(_load_open().search(form) or _load_asks().search(form))


def is_for_animal(rest: str) -> bool:
    """Return whether the rest of a question, without the names in it, speaks of an animal that takes something."""
    words = {word.strip() for word in get_default_segmenter().segment(rest)}
    return not words.isdisjoint(_load_table()["animals"]["words"])


def find_modified_names(
    form: str, mentions: Iterable[NameMention], is_name: Callable[[str], bool]
) -> dict[NameMention, str]:
    """Return the mentions of herbs that a modifier turns into another plant, each with the whole name as written. Where
    the name with its modifier is one as well, the herb is known: "น้ำกระเจี๊ยบแดง" is roselle."""
    modified: dict[NameMention, str] = {}
    before, _ = _load_modifiers()
    for mention in mentions:
        ahead = before.search(form[: mention.start])
        behind = _match_thai_modifier(form[mention.end :]) if has_thai(mention.text) else None
        end = mention.end + (behind.end() if behind else 0)
        if behind and any(is_name(form[start:end]) for start in range(mention.start, mention.end)):
            continue
        if ahead or behind:
            start = ahead.start() if ahead else mention.start
            modified[mention] = form[start:end].strip()
    return modified


def _match_thai_modifier(rest: str) -> re.Match[str] | None:
    """Return the modifier that a text begins with, where it ends with a word: "ขิงขาวรักษาอะไร" is about white ginger."""
    _, after = _load_modifiers()
    words = get_default_segmenter().segment(rest)
    found = after.match(rest)
    return found if found and found.end() in {len("".join(words[:at])) for at in (1, 2)} else None


def _list_tokens(form: str, mentions: Sequence[NameMention]) -> Iterator[_Token]:
    named = [(mention.start, mention.end) for mention in mentions]
    for match in _TOKEN.finditer(form):
        for text, start, end in _split_match(match):
            is_named = any(start < right and left < end for left, right in named)
            yield _Token(text, start, end, is_named, is_named or is_ordinary(text))


def _split_match(match: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    if not has_thai(match[0]):
        yield match[0], match.start(), match.end()
        return
    start = match.start()
    for word in get_default_segmenter().segment(match[0]):
        yield word, start, start + len(word)
        start += len(word)


def list_ordinary_words() -> frozenset[str]:
    """Return the ordinary words of both languages."""
    return _load_ordinary()


def is_ordinary(word: str) -> bool:
    """Return whether the word names nothing: a number, a sign, a word of questions or of everyday talk."""
    if has_thai(word):
        return _is_ordinary_thai(word)
    if not word[0].isalpha() or len(word) < _MIN_LATIN_LENGTH or word in ENGLISH_STOP_WORDS:
        return True
    base = word.replace("’", "'")
    if "-" in base:
        return all(part in ENGLISH_STOP_WORDS or is_ordinary(part) for part in base.split("-") if part)
    return bool(_CONTRACTION.search(base)) or base in _load_ordinary() or base.removesuffix("'s") in _load_ordinary()


def _is_ordinary_thai(word: str) -> bool:
    """Return whether a Thai word is ordinary, or made of ordinary words that were not told apart ("แล้วจะ")."""
    known = _load_known_thai()
    reachable = {0}
    for end in range(1, len(word) + 1):
        if any(start in reachable and word[start:end] in known for start in range(end)):
            reachable.add(end)
    return len(word) < _MIN_THAI_LENGTH or len(word) in reachable


def _list_runs(tokens: Sequence[_Token]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last index of each run of neighbouring words that are not ordinary."""
    at = 0
    while at < len(tokens):
        first = at
        while at < len(tokens) and not tokens[at].is_ordinary:
            at += 1
        if at > first:
            at = _join_pieces(tokens, first, at)
            yield first, at
        at += 1


def _join_pieces(tokens: Sequence[_Token], first: int, last: int) -> int:
    """Return the end of a Thai run with what belongs to it behind a short ordinary word: อัชวา·กัน·ดา is one name."""
    while last + 1 < len(tokens):
        between, after = tokens[last], tokens[last + 1]
        is_close = tokens[last - 1].end == between.start and between.end == after.start
        is_piece = has_thai(after.text) and len(after.text) <= _MAX_PIECE and not after.is_ordinary
        if not (is_close and is_piece and has_thai(between.text) and not between.is_named):
            break
        if len(between.text) > _MAX_PIECE or has_thai(tokens[first].text) is False:
            break
        last += 2
        while last < len(tokens) and not tokens[last].is_ordinary:
            last += 1
    return last


def _is_circumstance(tokens: Sequence[_Token], first: int, last: int) -> bool:
    """Return whether the run is made of everyday words and stands where a herb would not: after a known name in Thai,
    where a herb comes first, and in no language beside "take", "root of" or "… tea helps"."""
    run = tokens[first:last]
    if not all(token.is_ordinary or is_everyday(token.text) for token in run):
        return False
    before, after = tokens[max(first - 1, 0) : first], tokens[last : last + 1]
    # The name may end with an ordinary word: "สาวร้อยผัวช่วย".
    following = tokens[last : last + 2]
    is_of_herb = (
        any(token.text in _load_places("before_herb") for token in before)
        or any(token.text in _load_places("after_herb") for token in after)
        or any(token.text in _load_places("wanted_for") or token.text in _HELPS for token in following)
    )
    if is_of_herb:
        return False
    if not has_thai(run[0].text):
        return True
    return any(token.is_named for token in tokens[:first]) and not _is_beside_name(tokens, first, last)


def _is_foreign(run: Sequence[_Token]) -> bool:
    """Return whether a word of the run is in no dictionary, or the run is a Thai word that fell apart into pieces."""
    if len(run) > 1 and any(has_thai(token.text) and len(token.text) <= _MAX_PIECE for token in run):
        return True
    for token in run:
        if has_thai(token.text):
            if token.text not in load_general_words() and len(token.text) > _MIN_THAI_LENGTH:
                return True
        elif not is_english_word(token.text.removesuffix("'s")):
            return True
    return False


def _is_wanted_for(tokens: Sequence[_Token], first: int) -> bool:
    """Return whether the run is what a herb is wanted for ("for …", "แก้…")."""
    first = _find_place_start(tokens, first)
    before = tokens[first - 1] if first else None
    return before is not None and before.text in _load_places("wanted_for") and not before.is_named


def _find_place_start(tokens: Sequence[_Token], first: int) -> int:
    while first and tokens[first - 1].text in _load_places("between"):
        first -= 1
    return first


def _is_beside_name(tokens: Sequence[_Token], first: int, last: int) -> bool:
    """Return whether the run is joined to a known name ("turmeric with …") or is what is taken ("กิน … กับ")."""
    first = _find_place_start(tokens, first)
    before = tokens[first - 1] if first else None
    after = tokens[last] if last < len(tokens) else None
    if before is not None and before.text in _load_places("taken") and not before.is_named:
        return True
    joined_before = (
        before is not None and before.text in _load_places("joints") and any(token.is_named for token in tokens[:first])
    )
    joined_after = (
        after is not None
        and after.text in _load_places("joints")
        and last + 1 < len(tokens)
        and tokens[last + 1].is_named
    )
    return joined_before or joined_after


def _find_complaint_start(form: str, tokens: Sequence[_Token], first: int, last: int) -> int | None:
    """Return where a complaint begins that holds the run and nobody knows: "help with hair loss", "ช่วยเรื่องสิว". None
    where the run is part of no complaint, or says more of one that is known: "help with a nasty cough"."""
    if any(token.is_named for token in tokens[last : last + _MAX_COMPLAINT_WORDS]):
        return None
    cue = _load_complaint_cue()
    for at in range(first, max(first - _MAX_COMPLAINT_WORDS, -1), -1):
        if at < first and (tokens[at].is_named or not tokens[at].text[0].isalpha()):
            return None
        if cue.search(form[: tokens[at].start]):
            return tokens[at].start
    return None


@cache
def _load_complaint_cue() -> re.Pattern[str]:
    table = _load_table()["complaint_cues"]
    return re.compile(rf"(?:(?:{'|'.join(table['thai'])})|\b(?:{'|'.join(table['english'])})\s+)$")


@cache
def _load_table() -> dict[str, dict[str, str | list[str]]]:
    text = (files("sanya.suites.herbs.questions") / "ordinary_words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _load_ordinary() -> frozenset[str]:
    table = _load_table()
    return frozenset(word for lang in ("english", "thai") for word in str(table[lang]["words"]).split())


@cache
def _load_places(name: str) -> frozenset[str]:
    return frozenset(_load_table()["places"][name])


@cache
def _load_known_thai() -> frozenset[str]:
    return _load_ordinary() | load_thai_stop_words()


@cache
def _load_open() -> re.Pattern[str]:
    table = _load_table()["open"]
    return re.compile(rf"{'|'.join(table['thai'])}|\b(?:{'|'.join(table['english'])})\b")


@cache
def _load_asks() -> re.Pattern[str]:
    table = _load_table()["asks"]
    return re.compile(rf"{'|'.join(table['thai'])}|\b(?:{'|'.join(table['english'])})\b")


@cache
def _load_modifiers() -> tuple[re.Pattern[str], re.Pattern[str]]:
    table = _load_table()["modifiers"]
    before = rf"(?:(?<![a-z])(?:{'|'.join(table['english'])})[ -]|(?:{'|'.join(table['thai_before'])}))$"
    return re.compile(before), re.compile(rf"(?:{'|'.join(table['thai'])}){{1,2}}")
