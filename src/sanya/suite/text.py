"""Text: read Thai and English. Normalise, segment, stem, date, and find personal data. Pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sanya.suite.lazy_names import load_by_name

# Names are loaded with their first use: `sanya call` reads a tool's dialect, and must not wait for pydantic shapes,
# segmenters or numpy. The table and the imports for type checkers say the same; a test compares them.
_ORIGINS = {
    "BUDDHIST_OFFSET": "sanya.text.dates",
    "DEFAULT_WINDOW_SIZES": "sanya.text.windows:DEFAULT_SIZES",
    "ENGLISH_MONTHS": "sanya.text.dates",
    "ENGLISH_STOP_WORDS": "sanya.text.english:STOP_WORDS",
    "PaperIdentifier": "sanya.text.paper_identifiers",
    "PartialDate": "sanya.text.dates",
    "PersonalDatum": "sanya.text.personal_data",
    "RedactedText": "sanya.text.personal_data",
    "Segmenter": "sanya.text.segmentation",
    "Span": "sanya.text.spans",
    "THAI": "sanya.text.characters",
    "THAI_CONSONANTS": "sanya.text.characters:CONSONANTS",
    "THAI_LEADING_VOWELS": "sanya.text.characters:LEADING_VOWELS",
    "THAI_MONTHS": "sanya.text.dates",
    "THAI_MONTHS_SHORT": "sanya.text.dates",
    "TOKEN_PARTS": "sanya.text.token_count:PARTS",
    "build_spans": "sanya.text.spans",
    "count_tokens": "sanya.text.token_count",
    "detect_language": "sanya.text.language",
    "extract_tokens": "sanya.text.tokens",
    "find_dates": "sanya.text.dates",
    "find_identifiers": "sanya.text.paper_identifiers",
    "find_identity_numbers": "sanya.text.personal_data",
    "fold": "sanya.kernel.folding",
    "get_default_segmenter": "sanya.text.segmentation",
    "has_more_parts": "sanya.text.token_count",
    "has_thai": "sanya.text.characters",
    "load_general_words": "sanya.text.dictionary",
    "load_known_words": "sanya.text.dictionary",
    "make_spelling_key": "sanya.text.spelling",
    "normalise": "sanya.text.normalisation",
    "parse_date": "sanya.text.dates",
    "redact_personal": "sanya.text.personal_data",
    "redact_spans": "sanya.text.personal_data:redact",
    "split_sentences": "sanya.text.sentences",
    "split_windows": "sanya.text.windows",
    "stem_english": "sanya.text.english:stem",
    "to_search_form": "sanya.text.normalisation",
}
__all__ = [*_ORIGINS]

if TYPE_CHECKING:
    from sanya.kernel.folding import fold as fold
    from sanya.text.characters import CONSONANTS, LEADING_VOWELS
    from sanya.text.characters import THAI as THAI
    from sanya.text.characters import has_thai as has_thai
    from sanya.text.dates import BUDDHIST_OFFSET as BUDDHIST_OFFSET
    from sanya.text.dates import ENGLISH_MONTHS as ENGLISH_MONTHS
    from sanya.text.dates import THAI_MONTHS as THAI_MONTHS
    from sanya.text.dates import THAI_MONTHS_SHORT as THAI_MONTHS_SHORT
    from sanya.text.dates import PartialDate as PartialDate
    from sanya.text.dates import find_dates as find_dates
    from sanya.text.dates import parse_date as parse_date
    from sanya.text.dictionary import load_general_words as load_general_words
    from sanya.text.dictionary import load_known_words as load_known_words
    from sanya.text.english import STOP_WORDS, stem
    from sanya.text.language import detect_language as detect_language
    from sanya.text.normalisation import normalise as normalise
    from sanya.text.normalisation import to_search_form as to_search_form
    from sanya.text.paper_identifiers import PaperIdentifier as PaperIdentifier
    from sanya.text.paper_identifiers import find_identifiers as find_identifiers
    from sanya.text.personal_data import PersonalDatum as PersonalDatum
    from sanya.text.personal_data import RedactedText as RedactedText
    from sanya.text.personal_data import find_identity_numbers as find_identity_numbers
    from sanya.text.personal_data import redact
    from sanya.text.personal_data import redact_personal as redact_personal
    from sanya.text.segmentation import Segmenter as Segmenter
    from sanya.text.segmentation import get_default_segmenter as get_default_segmenter
    from sanya.text.sentences import split_sentences as split_sentences
    from sanya.text.spans import Span as Span
    from sanya.text.spans import build_spans as build_spans
    from sanya.text.spelling import make_spelling_key as make_spelling_key
    from sanya.text.token_count import PARTS
    from sanya.text.token_count import count_tokens as count_tokens
    from sanya.text.token_count import has_more_parts as has_more_parts
    from sanya.text.tokens import extract_tokens as extract_tokens
    from sanya.text.windows import DEFAULT_SIZES
    from sanya.text.windows import split_windows as split_windows

    THAI_CONSONANTS = CONSONANTS
    THAI_LEADING_VOWELS = LEADING_VOWELS
    ENGLISH_STOP_WORDS = STOP_WORDS
    stem_english = stem
    redact_spans = redact
    TOKEN_PARTS = PARTS
    DEFAULT_WINDOW_SIZES = DEFAULT_SIZES
else:
    __getattr__ = load_by_name(__name__, _ORIGINS)
