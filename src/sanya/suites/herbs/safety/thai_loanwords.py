"""Thai spellings of foreign drug names, which nobody spells alike: เด็กซาเมทาโซน and เดกซาเมธาโซน are one drug.

`fold_loanword` removes what the spellings differ in and no two drugs do: tone marks, the length of vowels, silent
letters, letters of the same sound, doubled consonants. A key that two drugs share decides nothing, so such drugs are
left to their exact names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from sanya.suites.herbs.graph.model import HerbGraph
from sanya.suites.herbs.questions.name_forms import fold_spelling
from sanya.text.characters import has_thai

_LONG_VOWELS = str.maketrans("ีืูำ", "ิึุา")
_SAME_SOUNDS = str.maketrans("คขฃทถพปผซฤ", "กกกตตบบบสร")
# The vowel ai is written before its consonant or behind it: ไม and มาย sound alike.
_AI = re.compile("ไ(.)")
_SHORT_A = re.compile("[ะัา]")
_DOUBLED = re.compile(r"(.)\1+")
_MIN_LENGTH = 5


def fold_loanword(name: str) -> str:
    """Return what the Thai spellings of a foreign name have in common."""
    plain = _AI.sub(r"\1าย", fold_spelling(name)).replace("ัย", "าย").translate(_LONG_VOWELS)
    return _DOUBLED.sub(r"\1", _SHORT_A.sub("า", plain).translate(_SAME_SOUNDS))


def index_loanwords(graph: HerbGraph) -> Mapping[str, str]:
    """Return the drug of each folded Thai name that only one drug has."""
    owners: dict[str, set[str]] = defaultdict(set)
    for name in graph.names:
        if name.node_type == "drug" and has_thai(name.name) and not name.exact_only:
            owners[fold_loanword(name.name)].add(name.node_id)
    return {key: min(ids) for key, ids in owners.items() if len(ids) == 1 and len(key) >= _MIN_LENGTH}
