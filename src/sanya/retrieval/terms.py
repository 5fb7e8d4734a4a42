"""What of a text is indexed, and what of a query is looked up: words, character n-grams, sounds of names.

The language of a document decides how it is read; a query is read once for each language of documents it searches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from sanya.retrieval.documents import Document, Text
from sanya.retrieval.index import WAYS, JoinedTerms, Terms
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.sounds import PIECE, sound_of, sound_pieces
from sanya.retrieval.stops import thai_stops
from sanya.text.characters import THAI, has_thai
from sanya.text.english import STOP_WORDS, bare, comes_again, english_words, fresh_stem
from sanya.text.ngrams import ngrams
from sanya.text.normalisation import normalise, search_form
from sanya.text.plain_text import PlainTerms
from sanya.text.segmentation import Segmenter
from sanya.text.tokens import tokens

Language = Literal["th", "en"]
LANGUAGES: tuple[Language, ...] = ("en", "th")

MAX_QUERY_CHARACTERS = 10_000
_MAX_QUERY_TERMS = 256
_GRAM = 3
_GRAM_WEIGHT = 0.5
_SOUND_WEIGHT = 0.5
_OTHER_NAMES_WEIGHT = 0.4
_THAI_SHARE = 0.2

_NAME = re.compile("[A-Z][A-Za-z]*")
_THAI_RUN = re.compile(f"[{THAI}]+")
_LETTERS = re.compile(f"([{THAI}])|([A-Za-z])")


class _KnownParts(dict[str, tuple[str, str]]):
    """Most of what stands between blanks has been read before."""

    def __missing__(self, part: str) -> tuple[str, str]:
        found = _read_part(part)
        if comes_again(part):
            self[part] = found
        return found


def _read_part(part: str) -> tuple[str, str]:
    """The words and the sounds of what stands between blanks in plain English, as it is written."""
    small = part.lower()
    return _plain_words(small), "" if small == part else _joined(_name_sounds(part))


def _plain_words(small: str) -> str:
    if small.isalnum():  # most are one word
        return "" if small in STOP_WORDS else f" {fresh_stem(small)}"
    return _joined(english_words(small))


_REMEMBERED_PARTS = 150_000
_known_parts = _KnownParts()
_compiled = PlainTerms(STOP_WORDS, fresh_stem, sound_of, PIECE)


def _plain_terms(shown: str) -> tuple[str, str]:
    """The words and the sounds of plain English. No term reaches over a blank."""
    if len(_known_parts) > _REMEMBERED_PARTS:
        _known_parts.clear()
    parts = bare(shown).split()
    if not parts:
        return "", ""
    words, sounds = zip(*map(_known_parts.__getitem__, parts), strict=True)
    return "".join(words), "".join(sounds)


def _joined(terms: Sequence[str]) -> str:
    """A blank before each."""
    return f" {' '.join(terms)}" if terms else ""


def _name_sounds(shown: str) -> list[str]:
    names = [name.lower() for name in _NAME.findall(shown)]
    return [piece for name in names if name not in STOP_WORDS for piece in sound_pieces(name)]


class Reader:
    """Reads documents and queries; `segmenter` knows the domain's names, `lexicon` their translations."""

    def __init__(self, segmenter: Segmenter, lexicon: Lexicon) -> None:
        self._segmenter = segmenter
        self.lexicon = lexicon

    def knowing(self, names: Iterable[tuple[str, str]]) -> Reader:
        """A reader that can also translate these names; this one stays as it is."""
        return Reader(self._segmenter, self.lexicon.extended(names))

    def read_document(self, texts: Sequence[Text], language: str) -> dict[str, JoinedTerms]:
        """The terms of each way, a text of weight n given n times."""
        if language != "th":
            words, word_count, sounds, sound_count = _compiled.of(texts) or self._read_english(texts)
            return {"words": JoinedTerms(words, word_count), "sounds": JoinedTerms(sounds, sound_count)}
        read = [(self._read_thai(text.value), text.weight) for text in texts]
        joined = {way: "".join(_joined(found[way]) * weight for found, weight in read) for way in WAYS}
        return {way: JoinedTerms(text, text.count(" ")) for way, text in joined.items()}

    def read_query(self, query: str, documents: Language, also: Sequence[str] = ()) -> Terms:
        """The terms to look up among documents of one language; `also` has other names of what is asked for, of which
        those in that language are taken."""
        terms = self._read_query(query[:MAX_QUERY_CHARACTERS], documents)
        names = [name for name in also if language_of_text(name) == documents]
        if not names:
            return terms
        new = [word for name in names for word in self.words(name) if word not in terms["words"]]
        weight = _OTHER_NAMES_WEIGHT / max(1, len(set(new))) ** 0.5
        return {**terms, "words": _most({**terms["words"], **dict.fromkeys(new, weight)})}

    def _read_query(self, query: str, documents: Language) -> Terms:
        if language_of_text(query) != documents:
            return self._translated(query, documents)
        terms = {"words": _counted(self.words(query))}
        if documents == "th":
            terms["grams"] = _weighted(_grams(query), _GRAM_WEIGHT)
        return terms

    def words(self, text: str) -> list[str]:
        """The text's words in the form in which they are compared."""
        return tokens(text, self._segmenter)

    def _read_english(self, texts: Sequence[Text]) -> tuple[str, int, str, int]:
        """As the compiled part reads texts that are all plain."""
        words = sounds = ""
        for text in texts:
            if (read := _compiled.of((text,))) is not None:
                some_words, _, some_sounds, _ = read
            else:
                some_words, some_sounds = (terms * text.weight for terms in self._english_terms(text.value))
            words += some_words
            sounds += some_sounds
        return words, words.count(" "), sounds, sounds.count(" ")

    def _english_terms(self, text: str) -> tuple[str, str]:
        """Its words and its sounds, a blank before each."""
        shown = normalise(text)
        if shown.isascii():
            return _plain_terms(shown)
        return _joined(self.words(shown)), _joined(_name_sounds(shown))

    def _read_thai(self, text: str) -> dict[str, list[str]]:
        return {"words": self.words(text), "grams": _grams(text), "sounds": self._thai_sounds(text)}

    def _thai_sounds(self, text: str) -> list[str]:
        """Of neighbouring words together, because a foreign name is often cut into several."""
        stops = thai_stops()
        pieces: list[str] = []
        for run in _THAI_RUN.findall(search_form(text)):
            together = ""
            for word in [*self.lexicon.thai_phrases(self._segmenter.segment(run)), ""]:
                if word and word not in stops:
                    together += word
                elif together:
                    pieces += sound_pieces(together)
                    together = ""
        return pieces

    def _translated(self, query: str, documents: Language) -> Terms:
        if documents == "en":
            return {"words": self._english_for(query), "sounds": _weighted(self._thai_sounds(query), _SOUND_WEIGHT)}
        return {"words": self._thai_for(query), "sounds": _weighted(_name_sounds(normalise(query)), _SOUND_WEIGHT)}

    def translations(self, query: str, documents: Language) -> list[tuple[str, tuple[tuple[str, float], ...]]]:
        """Each phrase of the query with what the lexicon has for it in the other language."""
        if documents == "en":
            phrases = [
                phrase
                for run in _THAI_RUN.findall(search_form(query))
                for phrase in self.lexicon.thai_phrases(self._segmenter.segment(run))
            ]
            return [(phrase, self.lexicon.from_thai(phrase)) for phrase in phrases if phrase not in thai_stops()]
        stems = english_stems(query)
        return [(phrase, self.lexicon.from_english(phrase)) for phrase in self.lexicon.english_phrases(stems)]

    def _english_for(self, query: str) -> dict[str, float]:
        terms = _counted(english_stems(query))
        for _, translations in self.translations(query, "en"):
            _add_best(terms, ((english_stems(text), weight) for text, weight in translations))
        return _most(terms)

    def _thai_for(self, query: str) -> dict[str, float]:
        terms = _counted(english_stems(query))
        for _, translations in self.translations(query, "th"):
            _add_best(terms, (self._thai_words(text, weight) for text, weight in translations))
        return _most(terms)

    def _thai_words(self, text: str, weight: float) -> tuple[list[str], float]:
        words = [word for word in self._segmenter.segment(text) if word not in ("การ", "ความ")]
        return words, weight / max(1, len(words)) ** 0.5


def language_of_text(text: str) -> Language:
    """Thai when a fifth of its letters are, else English: Thai texts quote more English than the reverse."""
    # Most texts that are not plain have a Greek letter or an accent, no Thai: that takes a look, not a count.
    if not has_thai(text):
        return "en"
    thai = latin = 0
    for thai_letter, latin_letter in _LETTERS.findall(text):
        thai += bool(thai_letter)
        latin += bool(latin_letter)
    return "th" if thai >= _THAI_SHARE * (thai + latin) else "en"


def language_of_document(document: Document) -> Language:
    """That of its texts together, which most need not be for that."""
    for text in document.texts:
        if not text.value.isascii():
            return language_of_text(document.text)
    return "en"


def english_stems(text: str) -> list[str]:
    """The English words of a text in either language."""
    return english_words(_THAI_RUN.sub(" ", search_form(text)))


def _grams(text: str) -> list[str]:
    """A term holds no blank: indexes part terms by them."""
    return [gram.replace(" ", "_") for gram in ngrams(text, _GRAM)]


def _counted(terms: Iterable[str]) -> dict[str, float]:
    counts: dict[str, float] = {}
    for term in terms:
        counts[term] = counts.get(term, 0.0) + 1.0
    return _most(counts)


def _weighted(terms: Iterable[str], weight: float) -> dict[str, float]:
    return {term: count * weight for term, count in _counted(terms).items()}


def _most(terms: dict[str, float]) -> dict[str, float]:
    """A query of ten thousand characters may not cost a thousand times a plain one: its heaviest terms are kept."""
    if len(terms) <= _MAX_QUERY_TERMS:
        return terms
    ordered = sorted(terms.items(), key=lambda one: -one[1])
    return dict(ordered[:_MAX_QUERY_TERMS])


def _add_best(terms: dict[str, float], options: Iterable[tuple[Sequence[str], float]]) -> None:
    """A word that several translations share counts by the best of them, once."""
    best: dict[str, float] = {}
    for words, weight in options:
        for word in words:
            best[word] = max(weight, best.get(word, 0.0))
    for word, weight in best.items():
        terms[word] = terms.get(word, 0.0) + weight
