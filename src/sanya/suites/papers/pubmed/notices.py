"""Notices about papers that a record brings: about itself, or, if it is a notice, about the paper that it concerns."""

from __future__ import annotations

from sanya.suite.citations import NoticeSource, PaperNotice, PaperStanding
from sanya.suites.papers.pubmed.record import PaperRecord

# Kinds of links by which a record says that a notice about itself exists.
_ABOUT_ITSELF: dict[str, PaperStanding] = {
    "retraction_in": "retracted",
    "retracted_and_republished_in": "retracted",
    "expression_of_concern_in": "concern",
    "erratum_in": "corrected",
    "corrected_and_republished_in": "corrected",
}
# Kinds of links by which a notice names the paper that it is about.
_ABOUT_ANOTHER: dict[str, PaperStanding] = {
    "retraction_of": "retracted",
    "retracted_and_republished_from": "retracted",
    "expression_of_concern_for": "concern",
    "erratum_for": "corrected",
    "corrected_and_republished_from": "corrected",
}


def read_notices(record: PaperRecord) -> NoticeSource:
    notices = [
        PaperNotice(record.pmid, _ABOUT_ITSELF[link.kind], link.pmid or link.citation)
        for link in record.links
        if link.kind in _ABOUT_ITSELF
    ]
    notices += [
        PaperNotice(link.pmid, _ABOUT_ANOTHER[link.kind], record.pmid)
        for link in record.links
        if link.kind in _ABOUT_ANOTHER and link.pmid and link.pmid != record.pmid
    ]
    if record.is_retracted and not any(notice.standing == "retracted" for notice in notices):
        notices.append(PaperNotice(record.pmid, "retracted", ""))
    # Most records bring none; the DOI of those is not read, because that would parse their JSON.
    return NoticeSource(record.pmid, record.doi if notices else None, tuple(notices))
