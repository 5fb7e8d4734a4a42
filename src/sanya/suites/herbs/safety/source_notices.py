"""Notices about the papers that warnings rest on, and what a verdict says of them.

A retracted source never removes a warning: who relies on the check must learn of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from sanya.suite.citations import PaperStanding
from sanya.suites.herbs.graph.model import HerbEdge, HerbSource
from sanya.suites.herbs.safety.contract import SourceNotice

_WORDS: dict[str, dict[PaperStanding, str]] = {
    "en": {
        "retracted": "was retracted",
        "concern": "is under an expression of concern",
        "corrected": "was corrected",
    },
    "th": {
        "retracted": "ถูกเพิกถอนการตีพิมพ์แล้ว",
        "concern": "มีประกาศแสดงความกังวลจากวารสาร",
        "corrected": "มีการแก้ไขหลังตีพิมพ์",
    },
}
_ONLY_SOURCE = {
    "en": " No other source supports this warning.",
    "th": " และไม่มีแหล่งข้อมูลอื่นรองรับคำเตือนนี้",
}


def list_notices(edges: Iterable[HerbEdge], sources: Mapping[str, HerbSource]) -> list[SourceNotice]:
    ids = dict.fromkeys(id for edge in edges for id in edge.sources)
    cited = (sources[id] for id in ids if id in sources)
    return [
        SourceNotice(source=source.id, pmid=source.pmid, standing=source.standing)
        for source in cited
        if source.standing and source.pmid
    ]


def describe_notices(
    notices: Sequence[SourceNotice], edges: Sequence[HerbEdge], sources: Mapping[str, HerbSource], lang: str
) -> str:
    """Return a sentence for each notice, and whether anything else supports the warning."""
    if not notices:
        return ""
    parts = [_format_notice(notice, lang) for notice in notices]
    cited = {id for edge in edges for id in edge.sources}
    is_alone = cited and all(id in sources and sources[id].is_doubtful for id in cited)
    return " " + " ".join(parts) + (_ONLY_SOURCE[_choose(lang)] if is_alone else "")


def _format_notice(notice: SourceNotice, lang: str) -> str:
    words = _WORDS[_choose(lang)][notice.standing]
    return f"แหล่งอ้างอิง PMID {notice.pmid} {words}" if lang == "th" else f"Its source PMID {notice.pmid} {words}."


def _choose(lang: str) -> Literal["th", "en"]:
    return "th" if lang == "th" else "en"
