"""The sentences of a page, each with what it names and states; headings say what the lines below them are about."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sanya.suites.herbs.ingest.comparison import Read
from sanya.suites.herbs.ingest.extraction.binomials import Binomial
from sanya.suites.herbs.ingest.extraction.cues import cues
from sanya.suites.herbs.ingest.extraction.entity_linker import SUBJECTS, Found
from sanya.suites.herbs.ingest.extraction.page_text import PageText
from sanya.suites.herbs.ingest.extraction.statements import Sentence, statements
from sanya.text.sentences import sentence_spans
from sanya.text.spans import Span, spans_between

_LINE = re.compile("\n+")
# A line that ends like this goes on in the next, however short it is.
_GOES_ON = re.compile(
    r"(?:[,:;]|และ|หรือ|ได้แก่|เช่น|คือ|ของ|ด้วย|กับ|\b(?:and|or|of|with|the|in|for|to|by|contains?|includ\w+))\s*$"
)
_CONTINUES = re.compile(r"\s*(?:และ|หรือ|[a-z(,])")
_MOST_HEADING, _MOST_BESIDE = 80, 8
_BESIDE = re.compile(r"\([^()]{0,60}\)|[^\w]|[\d_]|\b[A-Z][\w.]*\.")
_TAIL = 30
_MOST_SENTENCE = 2000
_CLOSED = re.compile(r"[)\]]?[ \t]*")


def read_page(page: PageText, found: Sequence[Found], latin: Sequence[Binomial]) -> Iterator[Read]:
    """Everything that the page states, in its order."""
    starts = [one.start for one in found]
    states = list(cues(page.form))
    cue_starts = [one.start for one in states]
    heading: Found | None = None
    before: Found | None = None
    for span in _sentences(page.text, latin):
        named = found[bisect_left(starts, span.start) : bisect_left(starts, span.end)]
        cued = states[bisect_left(cue_starts, span.start) : bisect_left(cue_starts, span.end)]
        if _is_line(page.text, span):
            own, before = _heading(page.text, span, named), None
            # A line of another kind may be a heading that names what nobody knows: what follows is not of the last.
            heading = own if own or not cued else heading
        subjects = [one for one in named if one.may_be_subject]
        sentence = Sentence(page.form, span, named, cued)
        if not subjects:
            before = before if sentence.goes_on else None
            sentence = replace(sentence, topic=before or heading)
        else:
            before = subjects[-1] if _is_one(subjects) else None
        for one in statements(sentence) if named else ():
            yield Read(one, page, span)


def _is_one(subjects: Sequence[Found]) -> bool:
    nodes = {one.one(*SUBJECTS) for one in subjects}
    return len(nodes) == 1 and None not in nodes


def _sentences(text: str, latin: Sequence[Binomial]) -> list[Span]:
    """As they are parted anywhere, and at the ends of lines that stand for themselves; but not behind the shortened
    name of whoever described a plant."""
    authors = {
        end
        for one in latin
        if (closed := _CLOSED.match(text, one.end))
        for end in range(one.span.end, closed.end() + 1)
    }
    cuts = {span.start for span in sentence_spans(text)} - authors
    for line in _LINE.finditer(text):
        before = text[max(0, line.start() - _TAIL) : line.start()]
        if not _GOES_ON.search(before) and not _CONTINUES.match(text, line.end()):
            cuts.add(line.end())
    return [part for span in spans_between(sorted(cuts), len(text)) for part in _parted(text, span)]


def _parted(text: str, span: Span) -> Iterator[Span]:
    """A sentence that never ends is none: it is cut, so that no text costs more than its length."""
    start = span.start
    while span.end - start > _MOST_SENTENCE:
        cut = text.rfind(" ", start + 1, start + _MOST_SENTENCE) + 1 or start + _MOST_SENTENCE
        yield Span(start, cut)
        start = cut
    yield Span(start, span.end)


def _is_line(text: str, span: Span) -> bool:
    """A short line of its own."""
    whole = span.of(text)
    begins = span.start == 0 or text[span.start - 1] == "\n" or whole.startswith("\n")
    ends = span.end == len(text) or whole.endswith("\n")
    return begins and ends and len(whole.strip()) <= _MOST_HEADING and "\n" not in whole.strip()


def _heading(text: str, span: Span, named: Sequence[Found]) -> Found | None:
    """What a line names that holds nothing but the name of one thing, in one or several languages."""
    if not _is_one(named):
        return None
    rest = list(span.of(text))
    for one in named:
        rest[one.start - span.start : one.end - span.start] = " " * (one.end - one.start)
    return named[0] if len(_BESIDE.sub("", "".join(rest))) <= _MOST_BESIDE else None
