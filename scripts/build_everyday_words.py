"""Builds two lists of src/sanya/suites/herbs/questions from the Thai WordNet that PyThaiNLP ships.

    python scripts/build_everyday_words.py

everyday_english.txt.gz holds the stems of English dictionary words that name nothing that is taken and no illness, so
that one of them in a question is no herb that the graph does not know. naming_thai.txt.gz holds the Thai dictionary
words that do name such a thing.
"""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from sanya.retrieval.lexicon import load_general_lexicon, stem_phrase
from sanya.text.dictionary import load_general_words
from sanya.text.normalisation import to_search_form

SUITE = Path(__file__).parent.parent / "src" / "sanya" / "suites" / "herbs"
EVERYDAY, NAMING_THAI = (SUITE / "questions" / name for name in ("everyday_english.txt.gz", "naming_thai.txt.gz"))
CORPUS = Path((find_spec("pythainlp").submodule_search_locations or [""])[0]) / "corpus"  # type: ignore[union-attr]
# The nouns of WordNet 3.0 are numbered by subject. These are animals, food, plants, states with illnesses, substances,
# and the most general ideas ("thing", "plant", "food").
NAMING = ((1_740, 29_999), (1_313_093, 2_664_999), (7_555_863, 7_939_999), (11_530_512, 13_224_999),
          (14_034_177, 14_559_999), (14_580_000, 15_119_999))  # fmt: skip
MOST_NAMING, RARE = 0.3, 0.08
ENGLISH = re.compile("[a-z]{3,}")
# Medicines: by what their generic names end in, and by the word that their Thai names begin with.
MEDICINE = re.compile(
    "(?:illin|mycin|statin|olol|pril|azol|azin|epam|olam|codon|cain|barbit|profen|ovir|sartan|oxacin|idin|aminophen)$"
)
THAI_MEDICINE = re.compile("ยา(?![กงนมยว])")
# Medicines and illnesses that WordNet counts as artefacts, events and acts.
EXCLUDED_WORDS = """
aspirin heroin insulin melatonin collagen nettl hangov seizur fractur miscarriag pus abscess ulcer bruis ruptur
infect inflamm hemorrhag concuss transplant steroid antibiot opium cocain marijuana amphetamin morphin tobacco
cigarett snuff placebo medicin medic drug tablet capsul pill dose supplement remedi herb extract syrup tonic
laxat ointment contracept abort overdos injuri lesion tumor tumour cyst polyp stroke asthma angina gangren
hernia sprain
"""
EXCLUDED = frozenset(EXCLUDED_WORDS.split())


def main() -> None:
    naming, known = read_naming(CORPUS / "wordnet_th.db"), EXCLUDED | read_names()
    english, general = load_general_lexicon().english, load_general_words()
    stems = {word for word in english if ENGLISH.fullmatch(word) and not MEDICINE.search(word)} - known
    write_words(EVERYDAY, list_everyday(stems, english, naming))
    write_words(NAMING_THAI, sorted({word for word in general if any(naming.get(word, ()))} | (general & known)))


def write_words(target: Path, words: Iterable[str]) -> None:
    target.write_bytes(gzip.compress(("\n".join(words) + "\n").encode(), mtime=0))


def read_names() -> set[str]:
    """Return the words that are names of the starter graph."""
    rows = map(json.loads, (SUITE / "starter.jsonl").read_text("utf-8").splitlines())
    return {stem_phrase(name) if name.isascii() else name for name in (str(row[2]) for row in rows if row[0] == "name")}


def read_naming(path: Path) -> dict[str, list[bool]]:
    """Return for each meaning of a Thai word whether it names what is taken, or an illness."""
    naming: dict[str, list[bool]] = defaultdict(list)
    for meaning, word in sqlite3.connect(path).execute("SELECT synsetid, li FROM word_synset ORDER BY synsetid, li"):
        number, part = str(meaning).split("-")
        is_naming = part == "n" and any(low <= int(number) <= high for low, high in NAMING)
        naming[to_search_form(str(word)).replace(" ", "").replace("_", "")].append(is_naming)
    return dict(naming)


def list_everyday(
    stems: Iterable[str], english: Mapping[str, tuple[tuple[str, float], ...]], naming: Mapping[str, list[bool]]
) -> Iterator[str]:
    """Yield the stems with several translations of which hardly any meaning, and no translation alone, names a thing
    that is taken."""
    for stem in sorted(stems):
        known = [(naming[thai], weight, thai) for thai, weight in english[stem] if thai in naming]
        named = [all(kinds) or bool(THAI_MEDICINE.match(thai)) for kinds, _, thai in known]
        if not known or len(english[stem]) < 2:
            continue
        total = sum(weight for _, weight, _ in known)
        share = sum(weight * sum(kinds) / len(kinds) for kinds, weight, _ in known) / total
        is_name = any(is_named and weight >= RARE for is_named, (_, weight, _) in zip(named, known, strict=True))
        if not is_name and share <= MOST_NAMING:
            yield stem


if __name__ == "__main__":
    main()
