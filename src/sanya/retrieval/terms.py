"""Analyses texts and queries into terms: words, character n-grams and sounds of names.

A document is analysed by its language. A query is analysed once for each language of documents that it searches: in its
own language directly, in the other one by translation and by the sounds of names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from sanya.retrieval.documents import Document, DocumentText
from sanya.retrieval.index import TERM_KINDS, JoinedTerms, WeightedTerms
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.sounds import PIECE, compute_sound, split_sound
from sanya.retrieval.stop_words import load_thai_stop_words
from sanya.text.characters import THAI, has_thai
from sanya.text.english import STOP_WORDS, compute_stem, extract_english_words, is_cacheable, strip_punctuation
from sanya.text.ngrams import extract_ngrams
from sanya.text.normalisation import normalise, to_search_form
from sanya.text.plain_text import PlainTerms
from sanya.text.segmentation import Segmenter
from sanya.text.tokens import extract_tokens

SearchLanguage = Literal["th", "en"]
LANGUAGES: tuple[SearchLanguage, ...] = ("en", "th")

MAX_QUERY_CHARACTERS = 10_000
_MAX_QUERY_TERMS = 256
_GRAM = 3
_GRAM_WEIGHT = 0.5
_SOUND_WEIGHT = 0.5
_OTHER_NAMES_WEIGHT = 0.4
_THAI_SHARE = 0.2

_NAME = re.compile("[A-Z][A-Za-z]*")
_THAI_RUN = re.compile(f"[{THAI}]+")
_LETTERS = re.compile(f"([{THAI}]+)|([A-Za-z]+)")


class _KnownParts(dict[str, tuple[str, str]]):
    """Caches the terms of text parts between blanks: most have been read before."""

    def __missing__(self, part: str) -> tuple[str, str]:
        terms = _read_part(part)
        if is_cacheable(part):
            self[part] = terms
        return terms


def _read_part(part: str) -> tuple[str, str]:
    """Return the words and the sounds of a part between blanks in plain English. Only a capitalised part has sounds."""
    lowered = part.lower()
    return _read_plain_words(lowered), "" if lowered == part else _join_terms(_read_name_sounds(part))


def _read_plain_words(lowered: str) -> str:
    if lowered.isalnum():  # most parts are one word
        return "" if lowered in STOP_WORDS else f" {compute_stem(lowered)}"
    return _join_terms(extract_english_words(lowered))


_REMEMBERED_PARTS = 150_000
_known_parts = _KnownParts()
_compiled = PlainTerms(STOP_WORDS, compute_stem, compute_sound, PIECE)


def _read_plain_terms(shown: str) -> tuple[str, str]:
    """Return the words and the sounds of plain English. No term crosses a blank."""
    if len(_known_parts) > _REMEMBERED_PARTS:
        _known_parts.clear()
    parts = strip_punctuation(shown).split()
    if not parts:
        return "", ""
    words, sounds = zip(*map(_known_parts.__getitem__, parts), strict=True)
    return "".join(words), "".join(sounds)


def _join_terms(terms: Sequence[str]) -> str:
    """Join terms with a blank before each."""
    return f" {' '.join(terms)}" if terms else ""


def _read_name_sounds(shown: str) -> list[str]:
    names = [name.lower() for name in _NAME.findall(shown)]
    return [piece for name in names if name not in STOP_WORDS for piece in split_sound(name)]


class TermReader:
    """Analyses documents and queries. `segmenter` knows the domain's names, `lexicon` their translations."""

    def __init__(self, segmenter: Segmenter, lexicon: Lexicon) -> None:
        self._segmenter = segmenter
        self.lexicon = lexicon

    def with_names(self, names: Iterable[tuple[str, str]]) -> TermReader:
        """Return a reader that can also translate these names; this one does not change."""
        return TermReader(self._segmenter, self.lexicon.extend(names))

    def read_document(self, texts: Sequence[DocumentText], language: str) -> dict[str, JoinedTerms]:
        """Return the terms of each kind; those of a text of weight n stand n times."""
        if language != "th":
            words, word_count, sounds, sound_count = _compiled.read(texts) or self._read_english(texts)
            return {"words": JoinedTerms(words, word_count), "sounds": JoinedTerms(sounds, sound_count)}
        read = [(self._read_thai(text.value), text.weight) for text in texts]
        joined = {kind: "".join(_join_terms(terms[kind]) * weight for terms, weight in read) for kind in TERM_KINDS}
        return {kind: JoinedTerms(text, text.count(" ")) for kind, text in joined.items()}

    def read_query(self, query: str, documents: SearchLanguage, also: Sequence[str] = ()) -> WeightedTerms:
        """Return the terms to look up among documents of one language. `also` holds synonyms; those in that language
        are used."""
        terms = self._read_query(query[:MAX_QUERY_CHARACTERS], documents)
        names = [name for name in also if detect_text_language(name) == documents]
        if not names:
            return terms
        new = [word for name in names for word in self.extract_words(name) if word not in terms["words"]]
        weight = _OTHER_NAMES_WEIGHT / max(1, len(set(new))) ** 0.5
        return {**terms, "words": _keep_heaviest({**terms["words"], **dict.fromkeys(new, weight)})}

    def _read_query(self, query: str, documents: SearchLanguage) -> WeightedTerms:
        if detect_text_language(query) != documents:
            return self._translate_query(query, documents)
        terms = {"words": _count_terms(self.extract_words(query))}
        if documents == "th":
            terms["grams"] = _weigh_terms(_extract_grams(query), _GRAM_WEIGHT)
        return terms

    def extract_words(self, text: str) -> list[str]:
        """Return the text's words in the form in which they are compared."""
        return extract_tokens(text, self._segmenter)

    def _read_english(self, texts: Sequence[DocumentText]) -> tuple[str, int, str, int]:
        """Read English texts of which some are not plain; return what `PlainTerms.read` returns."""
        words = sounds = ""
        for text in texts:
            if (read := _compiled.read((text,))) is not None:
                some_words, _, some_sounds, _ = read
            else:
                some_words, some_sounds = (terms * text.weight for terms in self._read_english_text(text.value))
            words += some_words
            sounds += some_sounds
        return words, words.count(" "), sounds, sounds.count(" ")

    def _read_english_text(self, text: str) -> tuple[str, str]:
        """Return the words and the sounds of a text, a blank before each."""
        shown = normalise(text)
        if shown.isascii():
            return _read_plain_terms(shown)
        return _join_terms(self.extract_words(shown)), _join_terms(_read_name_sounds(shown))

    def _read_thai(self, text: str) -> dict[str, list[str]]:
        return {
            "words": self.extract_words(text),
            "grams": _extract_grams(text),
            "sounds": self._read_thai_sounds(text),
        }

    def _read_thai_sounds(self, text: str) -> list[str]:
        """Return the sounds of Thai text. Neighbouring words are read together, because segmentation often splits a
        foreign name."""
        stops = load_thai_stop_words()
        pieces: list[str] = []
        for run in _THAI_RUN.findall(to_search_form(text)):
            name = ""
            for word in [*self.lexicon.find_thai_phrases(self._segmenter.segment(run)), ""]:
                if word and word not in stops:
                    name += word
                elif name:
                    pieces += split_sound(name)
                    name = ""
        return pieces

    def _translate_query(self, query: str, documents: SearchLanguage) -> WeightedTerms:
        if documents == "en":
            return {
                "words": self._translate_to_english(query),
                "sounds": _weigh_terms(self._read_thai_sounds(query), _SOUND_WEIGHT),
            }
        return {
            "words": self._translate_to_thai(query),
            "sounds": _weigh_terms(_read_name_sounds(normalise(query)), _SOUND_WEIGHT),
        }

    def find_translations(
        self, query: str, documents: SearchLanguage
    ) -> list[tuple[str, tuple[tuple[str, float], ...]]]:
        """Return each phrase of the query with its translations in the lexicon."""
        if documents == "en":
            phrases = [
                phrase
                for run in _THAI_RUN.findall(to_search_form(query))
                for phrase in self.lexicon.find_thai_phrases(self._segmenter.segment(run))
            ]
            return [
                (phrase, self.lexicon.translate_thai(phrase))
                for phrase in phrases
                if phrase not in load_thai_stop_words()
            ]
        stems = extract_english_stems(query)
        return [(phrase, self.lexicon.translate_english(phrase)) for phrase in self.lexicon.find_english_phrases(stems)]

    def _translate_to_english(self, query: str) -> dict[str, float]:
        terms = _count_terms(extract_english_stems(query))
        for _, translations in self.find_translations(query, "en"):
            _add_best(terms, ((extract_english_stems(text), weight) for text, weight in translations))
        return _keep_heaviest(terms)

    def _translate_to_thai(self, query: str) -> dict[str, float]:
        terms = _count_terms(extract_english_stems(query))
        for _, translations in self.find_translations(query, "th"):
            _add_best(terms, (self._segment_translation(text, weight) for text, weight in translations))
        return _keep_heaviest(terms)

    def _segment_translation(self, text: str, weight: float) -> tuple[list[str], float]:
        words = [word for word in self._segmenter.segment(text) if word not in ("การ", "ความ")]
        return words, weight / max(1, len(words)) ** 0.5


def detect_text_language(text: str) -> SearchLanguage:
    """Return Thai if a fifth of the letters are Thai, else English: Thai texts quote more English than the reverse."""
    # Most texts that are not ASCII have a Greek letter or an accent and no Thai, which is a quick test.
    if not has_thai(text):
        return "en"
    thai = latin = 0
    for thai_letters, latin_letters in _LETTERS.findall(text):
        thai += len(thai_letters)
        latin += len(latin_letters)
    return "th" if thai >= _THAI_SHARE * (thai + latin) else "en"


def detect_document_language(document: Document) -> SearchLanguage:
    """Return the language of all texts together. If every text is ASCII, they need not be joined to know it."""
    for text in document.texts:
        if not text.value.isascii():
            return detect_text_language(document.text)
    return "en"


def extract_english_stems(text: str) -> list[str]:
    """Return the stemmed English words of a text in either language."""
    return extract_english_words(_THAI_RUN.sub(" ", to_search_form(text)))


def _extract_grams(text: str) -> list[str]:
    """Return the n-grams with blanks replaced: indexes separate terms by blanks."""
    return [gram.replace(" ", "_") for gram in extract_ngrams(text, _GRAM)]


def _count_terms(terms: Iterable[str]) -> dict[str, float]:
    counts: dict[str, float] = {}
    for term in terms:
        counts[term] = counts.get(term, 0.0) + 1.0
    return _keep_heaviest(counts)


def _weigh_terms(terms: Iterable[str], weight: float) -> dict[str, float]:
    return {term: count * weight for term, count in _count_terms(terms).items()}


def _keep_heaviest(terms: dict[str, float]) -> dict[str, float]:
    """Keep the heaviest terms, so that a query of ten thousand characters does not cost a thousand times a short
    one."""
    if len(terms) <= _MAX_QUERY_TERMS:
        return terms
    ordered = sorted(terms.items(), key=lambda item: -item[1])
    return dict(ordered[:_MAX_QUERY_TERMS])


def _add_best(terms: dict[str, float], options: Iterable[tuple[Sequence[str], float]]) -> None:
    """Add the words of translations. A word of several translations counts once, with its best weight."""
    best: dict[str, float] = {}
    for words, weight in options:
        for word in words:
            best[word] = max(weight, best.get(word, 0.0))
    for word, weight in best.items():
        terms[word] = terms.get(word, 0.0) + weight
