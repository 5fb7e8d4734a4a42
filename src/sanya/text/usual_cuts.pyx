"""Where a usual text may be cut into windows, compiled: what takes `windows.py` several looks is found in one. What needs
words is asked of the modules in Python, which read everything else: Thai, several lines, links, citations by number."""

from sanya.text.sentences import ABBREVIATIONS, is_abbreviation
from sanya.text.thai_sentences import ends_sentence
from sanya.text.token_count import PARTS, has_more_parts

IS_COMPILED = True

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void *PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    Py_UCS4 PyUnicode_READ(int width, const void *data, Py_ssize_t at)

cdef enum:  # what a character is, each a bit
    WORD = 1 << 0  # nothing is to be done where it stands
    BLANK = 1 << 1
    OPENER = 1 << 2  # of a bracket
    STOP = 1 << 3
    CLOSER = 1 << 4  # behind a stop
    BEGINNING = 1 << 5  # of a sentence, behind a stop and a blank
    COMPARISON = 1 << 6  # there it may as well go on with a quantity
    LETTER = 1 << 7
    DIGIT = 1 << 8
    IN_NUMBER = 1 << 9  # between digits
    BEFORE_WORD = 1 << 10
    UNSAFE = 1 << 11  # a blank before or behind it is not safe to cut at
    UNSAFE_BEHIND = 1 << 12  # nor is one before this
    APART = 1 << 13  # a safe blank behind it is in no quantity
    CLOSING = 1 << 14  # with a blank and OPENING behind it, it may end a sentence without a stop
    OPENING = 1 << 15  # a safe blank before it is in no quantity
    LONGEST_ROUND = 400
    LONGEST_NESTED = 100
    LONGEST_SQUARE = 200
    LONGEST_QUOTED = 300

cdef int[128] _ASCII
cdef dict _BEYOND = dict.fromkeys(map(ord, "。！？"), 0)
cdef int _bit
for _bit, _characters in {
    WORD: [chr(code) for code in range(33, 127) if chr(code) not in "([.!?"] + list("”’»‘«≤≥≈±–−×‰°•∼≪≫"),
    BLANK: " ",
    OPENER: "([“",
    STOP: ".!?…",
    CLOSER: "\"')]”’»",
    BEGINNING: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\"'([<>~+-*#“‘«≤≥±–•",
    COMPARISON: "<>=~≤≥≈∼≪≫",
    LETTER: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    DIGIT: "0123456789",
    IN_NUMBER: ",-–",
    BEFORE_WORD: " ([\"“‘",
    UNSAFE: "0123456789<>=~+≤≥≈±−×",
    UNSAFE_BEHIND: "%‰°",
    APART: ".,;!?\"')]",
    CLOSING: "!?\"')]%.”’»",
    OPENING: "([\"'“‘«",
}.items():
    for _code in map(ord, _characters):
        if _code < 128:
            _ASCII[_code] |= _bit
        else:
            _BEYOND[_code] = _BEYOND.get(_code, 0) | _bit


cdef inline int _kind(Py_UCS4 character) except -1:
    """0 of what is not for here."""
    return _ASCII[character] if character < 128 else _kind_beyond(character)


cdef int _kind_beyond(Py_UCS4 character) except -1:
    cdef object known = _BEYOND.get(<long>character)
    if known is not None:
        return known
    if character.isspace() or 0x0E00 <= character < 0x0E80:
        return 0
    if not character.isalnum():
        return WORD
    return WORD | BEGINNING if character.isdecimal() else WORD | BEGINNING | LETTER


def usual_cuts(str text not None, Py_ssize_t longest):
    """The places where the text may be cut, which of them end sentences, and those that are surely outside quantities:
    of others that remains to be seen. None where the text is not for here, and where more than `longest` tokens have no
    place that is sure and safe."""
    if "://" in text or "www." in text or "doi:" in text:
        return None
    cdef _Cuts cuts = _Cuts(text, longest)
    return (cuts.places, cuts.sentence_ends, cuts.sure) if cuts.find() else None


cdef class _Cuts:
    cdef str text
    cdef int width
    cdef const void *data
    cdef Py_ssize_t length
    cdef Py_ssize_t longest
    cdef Py_ssize_t stop  # where the last stop is,
    cdef Py_ssize_t closed  # and where the signs end that close it
    cdef Py_ssize_t bracket  # where the last bracket ends: no sentence ends inside
    cdef Py_ssize_t begun  # the last beginning of a sentence, though it be inside a bracket,
    cdef Py_ssize_t cut  # and the last outside
    cdef Py_ssize_t sure_blank  # the last place that is sure and safe
    cdef list places
    cdef list sentence_ends
    cdef list sure

    def __init__(self, str text, Py_ssize_t longest):
        self.text = text
        self.width = PyUnicode_KIND(text)
        self.data = PyUnicode_DATA(text)
        self.length = PyUnicode_GET_LENGTH(text)
        self.longest = longest
        self.closed = -1
        self.places = [0]
        self.sentence_ends = [0]
        self.sure = [0]

    cdef inline Py_UCS4 at(self, Py_ssize_t place) noexcept:
        return PyUnicode_READ(self.width, self.data, place)

    cdef bint find(self) except -1:
        """False where the text is declined."""
        cdef Py_ssize_t place = 0, start
        cdef int kind
        while place < self.length:
            start = place
            kind = _kind(self.at(place))
            if kind & WORD:
                place += 1
            elif kind & BLANK:
                place = self.past(place, BLANK)
                if place < self.length and not self.add(start, place):
                    return False
            elif kind & STOP:
                place = self.past(self.past(place, STOP), CLOSER)
                self.stop, self.closed = start, place
                if self.may_be_cited(place):
                    return False
            elif kind & OPENER:
                if place >= self.bracket:
                    self.bracket = self.bracket_end(place)
                place += 1
            else:
                return False
        self.sentence_ends.append(len(self.places))
        self.places.append(self.length)
        self.sure.append(self.length)
        return not self.is_far(self.length)

    cdef bint add(self, Py_ssize_t blank, Py_ssize_t place) except -1:
        """The place behind this blank, if it is one. False where the text is declined."""
        cdef int before = _kind(self.at(blank - 1)) if blank else 0, behind = _kind(self.at(place))
        cdef bint is_safe = not (before & UNSAFE or behind & (UNSAFE | UNSAFE_BEHIND))
        cdef bint is_sure = is_safe and (before & APART or behind & OPENING)
        cdef bint is_end = self.ends_sentence(blank, place, before, behind)
        if self.closed == blank and behind & COMPARISON or is_sure and self.is_far(place):
            return False
        if is_sure:
            self.sure_blank = place
        if is_end:
            self.sentence_ends.append(len(self.places))
        if is_end or is_sure:
            self.sure.append(place)
        if is_end or is_safe:
            self.places.append(place)
        return True

    cdef bint is_far(self, Py_ssize_t place) except -1:
        """Whether it is too far from the last that is sure and safe. No character costs more than one token."""
        if place - self.sure_blank <= self.longest:
            return False
        return has_more_parts(self.text[self.sure_blank : place], self.longest * PARTS)

    cdef bint ends_sentence(self, Py_ssize_t blank, Py_ssize_t place, int before, int behind) except -1:
        cdef bint is_outside = self.bracket <= place
        cdef Py_ssize_t last = self.cut
        if not (is_outside and self.closed == blank and behind & BEGINNING and not self.is_abbreviation()) and not (
            before & CLOSING and behind & OPENING and ends_sentence(self.text, blank, place, place - self.begun)
        ):
            return False
        self.begun = place
        if not is_outside:
            return False
        self.cut = place
        return self.has_letter(last, place)

    cdef bint is_abbreviation(self) except -1:
        """Whether the last stop shortens a word: what has more than two characters does so only if it is known."""
        cdef Py_ssize_t start = self.stop
        if self.at(start) != c"." or _kind(self.at(start + 1)) & STOP:
            return False
        while start and not _kind(self.at(start - 1)) & BEFORE_WORD:
            start -= 1
        if self.stop - start > 2 and self.text[start : self.stop].lower() not in ABBREVIATIONS:
            return False
        return is_abbreviation(self.text, self.stop)

    cdef bint may_be_cited(self, Py_ssize_t place) except -1:
        """Whether a citation's number may stand right behind the stop."""
        if place == self.length or not _kind(self.at(place)) & DIGIT:
            return place < self.length and self.at(place) == c"["
        cdef Py_ssize_t end = self.past(place, DIGIT | IN_NUMBER)
        return end < self.length and self.at(end) == c" " and self.stop and _kind(self.at(place - 2)) & LETTER

    cdef bint has_letter(self, Py_ssize_t start, Py_ssize_t end) except -1:
        while start < end and not _kind(self.at(start)) & LETTER:
            start += 1
        return start < end

    cdef Py_ssize_t past(self, Py_ssize_t place, int kinds) except -1:
        while place < self.length and _kind(self.at(place)) & kinds:
            place += 1
        return place

    cdef Py_ssize_t bracket_end(self, Py_ssize_t start) noexcept:
        """Where the bracket ends that opens here; 0 where none does. Round ones may have others inside."""
        cdef Py_ssize_t place = start + 1
        cdef int size = 0
        if self.at(start) == c"[":
            return self.closed_by(c"]", place, LONGEST_SQUARE, c"[")
        if self.at(start) != c"(":
            return self.closed_by(u"”", place, LONGEST_QUOTED, u"”")
        while place and place < self.length and self.at(place) != c")" and size < LONGEST_ROUND:
            place = self.closed_by(c")", place + 1, LONGEST_NESTED, c"(") if self.at(place) == c"(" else place + 1
            size += 1
        return place + 1 if place and place < self.length and self.at(place) == c")" else 0

    cdef Py_ssize_t closed_by(self, Py_UCS4 closer, Py_ssize_t place, int most, Py_UCS4 opener) noexcept:
        """Where it ends, 0 where it does not: no other may open inside, and no more characters than these may be."""
        cdef Py_ssize_t end = min(self.length, place + most)
        while place < end and self.at(place) != closer and self.at(place) != opener:
            place += 1
        return place + 1 if place < self.length and self.at(place) == closer else 0
