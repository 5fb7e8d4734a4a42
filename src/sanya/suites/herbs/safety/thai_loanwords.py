"""Thai spellings of foreign drug names, which nobody spells alike: เด็กซาเมทาโซน and เดกซาเมธาโซน are one drug.

Three folds remove ever more of what the spellings differ in, and the first that finds a drug counts:

1. `fold_loanword`: tone marks, the length of vowels, silent letters, letters of the same sound, doubled consonants.
2. `drop_liquids`: ร and ล as well, which many speakers swap or leave out (วาร์ฟาลิน, อีนาลาพิล), and the vowel of the
   first syllable (แอมโลดิปีน, อมโลดิปีน).
3. `drop_vowels`: all vowels (ดีแลนติน, ไดแลนติน). The first fold of both must still be alike.

A key that two drugs share decides nothing, so such drugs are left to their exact names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from sanya.suite.text import has_thai, load_general_words
from sanya.suites.herbs.graph.edit_distance import measure_edit_distance
from sanya.suites.herbs.graph.model import HerbName
from sanya.suites.herbs.questions.name_forms import fold_spelling

_LONG_VOWELS = str.maketrans("ีืูำ", "ิึุา")
_SAME_SOUNDS = str.maketrans("คขฃทถพปผซฤ", "กกกตตบบบสร")
# The vowel ai is written before its consonant or behind it: ไม and มาย sound alike.
_AI = re.compile("ไ(.)")
_SHORT_A = re.compile("[ะัา]")
_DOUBLED = re.compile(r"(.)\1+")
_FIRST_VOWEL = re.compile("^[แเ]?อา?")
_LIQUIDS = re.compile("(?<=.)[รล]")
_VOWELS = re.compile("[ะ-ๅ็ัา]|(?<=.)[อย]")
_MEDICINE = "ยา"
MIN_LOANWORD = 5
_MIN_CONSONANTS = 4
# Names with the same consonants may differ in so many letters of their vowels.
_MAX_VOWEL_DIFFERENCE = 2
# So much of a name's letters may differ from those of the drug's name, and of a word that the dictionary has.
_MAX_DIFFERENCE, _MAX_DIFFERENCE_OF_WORDS = 0.5, 0.15


def fold_loanword(name: str) -> str:
    """Return what the Thai spellings of a foreign name have in common."""
    plain = _AI.sub(r"\1าย", fold_spelling(name)).replace("ัย", "าย").translate(_LONG_VOWELS)
    return _DOUBLED.sub(r"\1", _SHORT_A.sub("า", plain).translate(_SAME_SOUNDS))


def drop_liquids(folded: str) -> str:
    return _DOUBLED.sub(r"\1", _LIQUIDS.sub("", _FIRST_VOWEL.sub("อ", folded)))


def drop_vowels(folded: str) -> str:
    return _DOUBLED.sub(r"\1", _VOWELS.sub("", folded))


@dataclass(frozen=True, slots=True)
class Loanword:
    """A drug, the fold of one of its names, and the plain spellings of its names with the same key."""

    drug_id: str
    folded: str
    spellings: frozenset[str]


@dataclass(frozen=True, slots=True)
class LoanwordIndex:
    """The drug of each key that only one drug has.

    The folds join spellings that sound alike, and now and then an ordinary word: "ลูกกลอน" (pill) has the consonants of
    a brand of silymarin. So a reading counts only where the letters agree as well, and those of a word that stands in
    the dictionary must agree nearly whole.
    """

    names: Mapping[str, Loanword]
    without_liquids: Mapping[str, Loanword]
    without_vowels: Mapping[str, Loanword]

    def find_alike(self, name: str) -> str | None:
        """Return the id of the drug that the name is a near spelling of, by the first two folds alone: a piece of a
        sentence resembles too much in its consonants."""
        folded = fold_loanword(name)
        found = self.names.get(folded) or self.without_liquids.get(drop_liquids(folded))
        return found.drug_id if found and _is_spelt_alike(name, found) else None

    def find_drug(self, name: str) -> str | None:
        """Return the id of the drug that the name is a spelling of."""
        if alike := self.find_alike(name):
            return alike
        folded = fold_loanword(name)
        found = self.without_vowels.get(drop_vowels(folded))
        if found is None or measure_edit_distance(folded, found.folded) > _MAX_VOWEL_DIFFERENCE:
            return None
        return found.drug_id if _is_spelt_alike(name, found) else None


def _is_spelt_alike(name: str, loanword: Loanword) -> bool:
    words = load_general_words()
    is_word = name in words or name.removeprefix(_MEDICINE) in words
    share = _MAX_DIFFERENCE_OF_WORDS if is_word else _MAX_DIFFERENCE
    plain = fold_spelling(name)
    return any(measure_edit_distance(plain, other) <= share * len(plain) for other in loanword.spellings)


def index_loanwords(all_names: Iterable[HerbName]) -> LoanwordIndex:
    names = [
        (fold_loanword(name.name), name)
        for name in all_names
        if name.node_type == "drug" and has_thai(name.name) and not name.exact_only
        # "ยาเก๊าท์" is no foreign name, and its first syllable makes it alike to many: "ยาเก่า" is old medicine.
        if not name.name.startswith(_MEDICINE)
    ]
    return LoanwordIndex(
        _keep_single(names, str, MIN_LOANWORD),
        _keep_single(names, drop_liquids, MIN_LOANWORD),
        _keep_single(names, drop_vowels, _MIN_CONSONANTS),
    )


def _keep_single(names: list[tuple[str, HerbName]], make_key: Callable[[str], str], least: int) -> dict[str, Loanword]:
    owners: dict[str, list[tuple[str, HerbName]]] = defaultdict(list)
    for folded, name in names:
        owners[make_key(folded)].append((folded, name))
    return {
        key: Loanword(found[0][1].node_id, found[0][0], frozenset(fold_spelling(name.name) for _, name in found))
        for key, found in owners.items()
        if len(key) >= least and len({name.node_id for _, name in found}) == 1
    }
