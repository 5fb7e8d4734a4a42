"""Statements of a page: its sentences, each read with the names and cues in it.

A sentence that names no subject takes one from its context. A heading, a short line with nothing but one name on it,
is the topic of the lines below. A sentence that continues the one before takes its subject.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sanya.suite.text import Span, build_spans, get_default_segmenter, split_sentences
from sanya.suites.herbs.graph.model import SUBJECT_TYPES
from sanya.suites.herbs.ingest.extraction.binomials import Binomial
from sanya.suites.herbs.ingest.extraction.cues import Cue, find_cues
from sanya.suites.herbs.ingest.extraction.entity_linker import PageMention
from sanya.suites.herbs.ingest.extraction.page_text import PageText
from sanya.suites.herbs.ingest.extraction.statements import ExtractedStatement, PageSentence, extract_statements
from sanya.suites.herbs.ingest.proposals import TextLocation
from sanya.suites.herbs.pattern_tables import read_pattern_table
from sanya.suites.herbs.questions.mentions import is_common_word

_LINE_BREAK = re.compile("\n+")
# A line with such an end continues on the next line, however short it is.
_UNFINISHED_END = re.compile(
    r"(?:[,:;]|และ|หรือ|ได้แก่|เช่น|คือ|ของ|ด้วย|กับ|\b(?:and|or|of|with|the|in|for|to|by|contains?|includ\w+))\s*$"
)
_UNFINISHED_END_LENGTH = 30
_CONTINUATION = re.compile(r"\s*(?:และ|หรือ|[a-z(,])")
_MAX_HEADING_LENGTH = 80
# Letters that a heading may hold beside its name, brackets, digits and abbreviations.
_MAX_OTHER_LETTERS = 8
_IGNORED_IN_HEADING = re.compile(r"\([^()]{0,60}\)|[^\w]|[\d_]|\b[A-Z][\w.]*\.")
_WORDS = read_pattern_table("sanya.suites.herbs.ingest.extraction", "page_statements.toml")
_HEADING_WORDS = re.compile(f"{_WORDS['heading']['thai']}|\\b(?:{_WORDS['heading']['english']})\\b")
_GENERIC = re.compile(f"(?:{_WORDS['generic']['thai']})|(?i:{_WORDS['generic']['english']})\\b")
_MAX_SENTENCE_LENGTH = 2000
_WARNING_CLAIMS = ("contraindicated", "precaution", "interacts")
# Warnings that are listed where nothing was read from them. Not "affects": too many sentences with it warn of nothing.
_LISTED_CLAIMS = ("contraindicated", "precaution")
_MIN_WARNING_LETTERS = 5
_MAX_LINE_LENGTH = 300
# A short name at the beginning of a line, after the mark of a list item.
_UNKNOWN_SUBJECT = re.compile(r"[\s\d.)•*·–-]*((?:ว่าน|ต้น)?[^\W\d_][^\n.:;]{1,38}?)\s*(?:\([^()\n]{0,60}\))?\s*$")
# A name between a warning and whom it concerns: "do not use … with warfarin", "ห้ามใช้…ร่วมกับ…".
_UNKNOWN_OBJECT = re.compile(
    rf"\s*(?:(?:{_WORDS['taking']['thai']})|(?i:{_WORDS['taking']['english']})\b)?\s*([^\W\d_][^\n.:;,()]{{1,38}}?)\s*"
    rf"(?:{_WORDS['concerns']['thai']}|\b(?:{_WORDS['concerns']['english']})\b)"
)
_PLANT = re.compile(f"(?:{_WORDS['plant']['thai']})")
_CLOSING_BRACKET = re.compile(r"[)\]]?[ \t]*")


@dataclass(frozen=True, slots=True)
class LocatedStatement:
    """A statement with the page and the sentence it stands in."""

    statement: ExtractedStatement
    page: PageText
    sentence: Span

    @property
    def location(self) -> TextLocation:
        return TextLocation(self.page.page.number, *self.statement.span)


@dataclass(frozen=True, slots=True)
class PageReading:
    """Statements of a page, and its sentences that warn of something that could not be read."""

    statements: list[LocatedStatement]
    unread_warnings: list[Span]


def read_page_statements(page: PageText, mentions: Sequence[PageMention], binomials: Sequence[Binomial]) -> PageReading:
    """Return everything that the page states, in its order."""
    reading = PageReading([], [])
    for sentence in _read_sentences(page, mentions, binomials):
        statements = extract_statements(sentence) if sentence.mentions else []
        reading.statements.extend(LocatedStatement(statement, page, sentence.span) for statement in statements)
        if _has_unread_warning(sentence, statements):
            reading.unread_warnings.append(sentence.span)
    return reading


def find_line(text: str, sentence: Span) -> Span:
    """Return the line of a sentence without blanks around it, or the sentence alone where the line is very long. In
    Thai, a blank may end a sentence whose subject stands before it."""
    inner = Span(sentence.end - len(sentence.slice(text).lstrip()), sentence.start + len(sentence.slice(text).rstrip()))
    start = text.rfind("\n", 0, inner.start) + 1
    end = len(text) if (line_end := text.find("\n", inner.end)) < 0 else line_end
    if end - start > _MAX_LINE_LENGTH:
        return inner
    line = text[start:end]
    return Span(end - len(line.lstrip()), start + len(line.rstrip()))


def _has_unread_warning(sentence: PageSentence, statements: Sequence[ExtractedStatement]) -> bool:
    """Return whether a known subject is warned of in words from which no statement was read: a reviewer must see it."""
    named = [mention for mention in sentence.mentions if mention.may_be_subject]
    if not named and sentence.topic is None:
        return False
    return any(
        cue.claim in _LISTED_CLAIMS
        and not any(statement.span.start <= cue.start < statement.span.end for statement in statements)
        and _has_words_beside_cue(sentence, cue, named)
        for cue in sentence.cues
    )


def _has_words_beside_cue(sentence: PageSentence, cue: Cue, named: Sequence[PageMention]) -> bool:
    """Return whether words are left beside the cue and the subjects. Headings like "contraindications" have none."""
    letters = list(sentence.span.slice(sentence.form))
    for start, end in ((cue.start, cue.end), *((mention.start, mention.end) for mention in named)):
        for offset in range(start - sentence.span.start, min(end - sentence.span.start, len(letters))):
            letters[offset] = " "
    left = _IGNORED_IN_HEADING.sub("", _HEADING_WORDS.sub("", "".join(letters)))
    return len(left) >= _MIN_WARNING_LETTERS


def _read_sentences(
    page: PageText, mentions: Sequence[PageMention], binomials: Sequence[Binomial]
) -> Iterator[PageSentence]:
    """Yield the sentences of a page, each with the names and cues in it and its topic."""
    mention_starts = [mention.start for mention in mentions]
    cues = list(find_cues(page.form))
    cue_starts = [cue.start for cue in cues]
    heading: PageMention | None = None
    previous_subject: PageMention | None = None
    for span in _split_page(page.text, binomials):
        named = mentions[bisect_left(mention_starts, span.start) : bisect_left(mention_starts, span.end)]
        cued = cues[bisect_left(cue_starts, span.start) : bisect_left(cue_starts, span.end)]
        if _is_short_line(page.text, span):
            own_heading, previous_subject = _read_heading(page.text, span, named), None
            # A line without a cue may be a heading that names something unknown. It ends the heading before it.
            heading = own_heading if own_heading or not cued else heading
        subjects = [mention for mention in named if mention.may_be_subject]
        sentence = PageSentence(page.form, span, named, cued)
        if subjects:
            previous_subject = subjects[-1] if _is_single_subject(subjects) else None
        else:
            previous_subject = previous_subject if sentence.continues_topic else None
            sentence = replace(sentence, topic=previous_subject or heading)
        yield sentence


def find_unknown_subjects(page: PageText, mentions: Sequence[PageMention]) -> Iterator[Span]:
    """Yield what stands in the place of the subject of a warning, before or after it, and is a name that nobody knows:
    a reviewer must see that the document warns of it."""
    for cue in find_cues(page.form):
        if cue.claim not in _WARNING_CLAIMS:
            continue
        start = page.text.rfind("\n", 0, cue.start) + 1
        end = len(page.text) if (line_end := page.text.find("\n", cue.end)) < 0 else line_end
        named = [mention for mention in mentions if start <= mention.start < end]
        if not named or any(mention.may_be_subject for mention in named):
            continue
        before = _UNKNOWN_SUBJECT.match(page.text, start, min(cue.start, named[0].start))
        if before is not None and not is_common_word(before[1].casefold()) and not _GENERIC.match(before[1]):
            yield Span(*before.span(1))
        after = _UNKNOWN_OBJECT.match(page.text, cue.end, end)
        if after is not None and after.end(1) <= named[-1].start and _may_be_plant(after[1]):
            yield Span(*after.span(1))


def _may_be_plant(name: str) -> bool:
    """Return whether a name behind a warning may be one of a plant: it says so itself, or it is made of no words."""
    if _GENERIC.match(name) or is_common_word(name.casefold()):
        return False
    words = get_default_segmenter().segment(name)
    return bool(_PLANT.match(name)) or not all(word.isspace() or is_common_word(word.casefold()) for word in words)


def _is_single_subject(subjects: Sequence[PageMention]) -> bool:
    nodes = {mention.get_single_node(*SUBJECT_TYPES) for mention in subjects}
    return len(nodes) == 1 and None not in nodes


def _split_page(text: str, binomials: Sequence[Binomial]) -> list[Span]:
    """Split into sentences, at ends of lines that stand for themselves too, but not after the abbreviated author of a
    Latin name."""
    inside_authors = {
        offset
        for binomial in binomials
        if (closing := _CLOSING_BRACKET.match(text, binomial.end))
        for offset in range(binomial.span.end, closing.end() + 1)
    }
    cuts = {span.start for span in split_sentences(text)} - inside_authors
    for line_break in _LINE_BREAK.finditer(text):
        line_end = text[max(0, line_break.start() - _UNFINISHED_END_LENGTH) : line_break.start()]
        if not _UNFINISHED_END.search(line_end) and not _CONTINUATION.match(text, line_break.end()):
            cuts.add(line_break.end())
    return [part for span in build_spans(sorted(cuts), len(text)) for part in _limit_length(text, span)]


def _limit_length(text: str, span: Span) -> Iterator[Span]:
    """Cut an endless sentence, so that reading a page takes time linear in its length."""
    start = span.start
    while span.end - start > _MAX_SENTENCE_LENGTH:
        cut = text.rfind(" ", start + 1, start + _MAX_SENTENCE_LENGTH) + 1 or start + _MAX_SENTENCE_LENGTH
        yield Span(start, cut)
        start = cut
    yield Span(start, span.end)


def _is_short_line(text: str, span: Span) -> bool:
    sentence = span.slice(text)
    begins = span.start == 0 or text[span.start - 1] == "\n" or sentence.startswith("\n")
    ends = span.end == len(text) or sentence.endswith("\n")
    return begins and ends and len(sentence.strip()) <= _MAX_HEADING_LENGTH and "\n" not in sentence.strip()


def _read_heading(text: str, span: Span, mentions: Sequence[PageMention]) -> PageMention | None:
    """Return the mention of a line that holds nothing but the name of one subject, in one or several languages."""
    if not _is_single_subject(mentions):
        return None
    letters = list(span.slice(text))
    for mention in mentions:
        letters[mention.start - span.start : mention.end - span.start] = " " * (mention.end - mention.start)
    rest = _IGNORED_IN_HEADING.sub("", "".join(letters))
    return mentions[0] if len(rest) <= _MAX_OTHER_LETTERS else None
