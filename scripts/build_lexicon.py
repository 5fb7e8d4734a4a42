"""Builds src/sanya/retrieval/lexicon.tsv.gz from Princeton's WordNet 3.0 and the Thai WordNet that PyThaiNLP ships.

    python scripts/build_lexicon.py FOLDER_WITH_DATA_AND_INDEX_FILES

Each Thai word has a line of English words with their weights. The weight of a translation is the sum of 1/rank over
shared senses, where rank orders the senses of the English word by frequency.
"""

from __future__ import annotations

import csv
import re
import sqlite3
import sys
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path

from sanya.retrieval.lexicon import pack_lines
from sanya.text.characters import has_thai
from sanya.text.normalisation import to_search_form

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
TARGET = Path(__file__).parent.parent / "src" / "sanya" / "retrieval" / "lexicon.tsv.gz"
RARE_SENSE = 9
TRANSLITERATION_WEIGHT = 2.0
MARKER = re.compile(r"\(.*\)")
CORPUS = Path((find_spec("pythainlp").submodule_search_locations or [""])[0]) / "corpus"


def main(folder: Path) -> None:
    translations: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    lemmas, ranks = read_lemmas(folder), read_ranks(folder)
    for sense, word in sqlite3.connect(CORPUS / "wordnet_th.db").execute("SELECT synsetid, li FROM word_synset"):
        thai = to_search_form(str(word)).replace(" ", "").replace("_", "")
        for lemma in lemmas.get(sense, ()) if has_thai(thai) else ():
            translations[thai][lemma] += 1 / ranks.get((lemma, sense), RARE_SENSE)
    with (CORPUS / "th_en_transliteration_v1.4.tsv").open(encoding="utf-8") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            translations[to_search_form(row["th"])][row["en"].lower()] += TRANSLITERATION_WEIGHT
    TARGET.write_bytes(pack_lines({word: format_translations(translations[word]) for word in sorted(translations)}))


def read_lemmas(folder: Path) -> dict[str, list[str]]:
    lemmas: dict[str, list[str]] = {}
    for part, name in PARTS.items():
        for columns in read_rows(folder / f"data.{name}"):
            words = columns[4 : 4 + 2 * int(columns[3], 16) : 2]
            lemmas[f"{columns[0]}-{part}"] = [MARKER.sub("", word).replace("_", " ").lower() for word in words]
    return lemmas


def read_ranks(folder: Path) -> dict[tuple[str, str], int]:
    ranks: dict[tuple[str, str], int] = {}
    for part, name in PARTS.items():
        for columns in read_rows(folder / f"index.{name}"):
            senses = columns[6 + int(columns[3]) :]
            for rank, sense in enumerate(senses, start=1):
                ranks[columns[0].replace("_", " ").lower(), f"{sense}-{part}"] = rank
    return ranks


def read_rows(path: Path) -> list[list[str]]:
    lines = path.read_text(encoding="latin-1").splitlines()
    return [line.split() for line in lines if not line.startswith("  ")]


def format_translations(english: dict[str, float]) -> str:
    ordered = sorted(english.items(), key=lambda entry: (-entry[1], entry[0]))
    return "\t".join(f"{word}|{weight:.2g}" for word, weight in ordered)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
