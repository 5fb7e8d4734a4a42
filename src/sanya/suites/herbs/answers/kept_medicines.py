"""Says of a medicine that somebody means to stop for a herb that no statement lets a herb take its place."""

from __future__ import annotations

import re
from functools import cache

from sanya.suite.text import to_search_form
from sanya.suites.herbs.answers.lines import AnswerLine, write_line
from sanya.suites.herbs.answers.materials import AnswerMaterials
from sanya.suites.herbs.pattern_tables import read_pattern_table

# "Stop drinking alcohol" gives up no medicine.
_NO_MEDICINES = ("drug:alcohol", "drug:nicotine", "drug:cannabinoids")


def write_kept_medicines(materials: AnswerMaterials) -> list[AnswerLine]:
    """Return a line for the medicines that the question speaks of stopping or replacing, none where it does not."""
    names = ", ".join(dict.fromkeys(map(materials.get_label, _list_given_up(materials))))
    return [write_line(materials.question.lang, "keep_medicine", drug=names)] if names else []


def _list_given_up(materials: AnswerMaterials) -> list[str]:
    form = to_search_form(materials.question.text)
    return [
        mention.nodes[0]
        for mention in materials.question.mentions
        if (drug := mention.nodes[0]) in materials.roles.drugs and drug not in _NO_MEDICINES
        if _compile_giving_up().search(form[: mention.start])
    ]


@cache
def _compile_giving_up() -> re.Pattern[str]:
    words = read_pattern_table("sanya.suites.herbs.questions", "role_words.toml")["giving_up"]
    return re.compile(rf"(?:(?:{words['thai']})|\b(?:{words['english']})\W*)$")
