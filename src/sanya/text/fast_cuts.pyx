"""The compiled form of finding where a text may be cut into windows, for the usual text: one line, no Thai, no links, no
numbered citations.

It classifies each character once, where `windows.py` runs several regular expressions over the text. Questions about
words (abbreviations, sentence ends) go to the Python modules. It returns None for any other text."""

from sanya.text.sentences import ABBREVIATIONS, is_abbreviation
from sanya.text.thai_sentences import is_sentence_end
from sanya.text.token_count import PARTS, has_more_parts

IS_COMPILED = True

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void *PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    Py_UCS4 PyUnicode_READ(int width, const void *data, Py_ssize_t at)

cdef enum:  # classes of characters, one bit each
    WORD = 1 << 0  # needs no action
    BLANK = 1 << 1
    OPENER = 1 << 2  # opens a bracket or a quotation
    STOP = 1 << 3
    CLOSER = 1 << 4  # may stand between a stop and the blank behind it
    BEGINNING = 1 << 5  # can begin a sentence behind a stop and a blank
    COMPARISON = 1 << 6  # behind a stop and a blank it may continue a quantity
    LETTER = 1 << 7
    DIGIT = 1 << 8
    IN_NUMBER = 1 << 9  # may stand between the digits of a citation
    BEFORE_WORD = 1 << 10
    UNSAFE = 1 << 11  # cutting at a blank before or behind it is not safe
    UNSAFE_BEHIND = 1 << 12  # nor is cutting at a blank before this
    APART = 1 << 13  # a safe blank behind it is outside every quantity
    CLOSING = 1 << 14  # followed by a blank and OPENING, it may end a sentence without a stop
    OPENING = 1 << 15  # a safe blank before it is outside every quantity
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


cdef inline int _classify(Py_UCS4 character) except -1:
    """Return the class bits of a character, 0 for one that this module does not read."""
    return _ASCII[character] if character < 128 else _classify_beyond_ascii(character)


cdef int _classify_beyond_ascii(Py_UCS4 character) except -1:
    cdef object known = _BEYOND.get(<long>character)
    if known is not None:
        return known
    if character.isspace() or 0x0E00 <= character < 0x0E80:
        return 0
    if not character.isalnum():
        return WORD
    return WORD | BEGINNING if character.isdecimal() else WORD | BEGINNING | LETTER


def find_cuts(str text not None, Py_ssize_t longest):
    """Return the places where the text may be cut, the indexes of those that end a sentence, and the places that are
    surely outside every quantity (the caller checks the others). Return None for a text that this module does not read,
    and if more than `longest` tokens follow each other without a place that is both safe and sure."""
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
    cdef Py_ssize_t stop  # where the last stop is
    cdef Py_ssize_t closed  # where the signs that close it end
    cdef Py_ssize_t bracket  # where the last bracket ends: no sentence ends inside it
    cdef Py_ssize_t begun  # the last beginning of a sentence, inside a bracket or not
    cdef Py_ssize_t cut  # the last beginning of a sentence outside brackets
    cdef Py_ssize_t sure_blank  # the last place that is both safe and sure
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
        """Find all cuts; return False if the text is declined."""
        cdef Py_ssize_t place = 0, start
        cdef int kind
        while place < self.length:
            start = place
            kind = _classify(self.at(place))
            if kind & WORD:
                place += 1
            elif kind & BLANK:
                place = self.skip(place, BLANK)
                if place < self.length and not self.add(start, place):
                    return False
            elif kind & STOP:
                place = self.skip(self.skip(place, STOP), CLOSER)
                self.stop, self.closed = start, place
                if self.may_hold_citation(place):
                    return False
            elif kind & OPENER:
                if place >= self.bracket:
                    self.bracket = self.find_bracket_end(place)
                place += 1
            else:
                return False
        self.sentence_ends.append(len(self.places))
        self.places.append(self.length)
        self.sure.append(self.length)
        return not self.is_far(self.length)

    cdef bint add(self, Py_ssize_t blank, Py_ssize_t place) except -1:
        """Add the place behind this blank if the text may be cut there; return False if the text is declined."""
        cdef int before = _classify(self.at(blank - 1)) if blank else 0, behind = _classify(self.at(place))
        cdef bint is_safe = not (before & UNSAFE or behind & (UNSAFE | UNSAFE_BEHIND))
        cdef bint is_sure = is_safe and (before & APART or behind & OPENING)
        cdef bint is_end = self.is_sentence_end(blank, place, before, behind)
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
        """Return whether a place is too far from the last safe and sure one. No character costs more than one token, so
        the distance alone decides for most places."""
        if place - self.sure_blank <= self.longest:
            return False
        return has_more_parts(self.text[self.sure_blank : place], self.longest * PARTS)

    cdef bint is_sentence_end(self, Py_ssize_t blank, Py_ssize_t place, int before, int behind) except -1:
        cdef bint is_outside = self.bracket <= place
        cdef Py_ssize_t last = self.cut
        if not (is_outside and self.closed == blank and behind & BEGINNING and not self.is_abbreviation()) and not (
            before & CLOSING and behind & OPENING and is_sentence_end(self.text, blank, place, place - self.begun)
        ):
            return False
        self.begun = place
        if not is_outside:
            return False
        self.cut = place
        return self.has_letter(last, place)

    cdef bint is_abbreviation(self) except -1:
        """Return whether the last stop shortens a word. A word of more than two characters must be a listed
        abbreviation."""
        cdef Py_ssize_t start = self.stop
        if self.at(start) != c"." or _classify(self.at(start + 1)) & STOP:
            return False
        while start and not _classify(self.at(start - 1)) & BEFORE_WORD:
            start -= 1
        if self.stop - start > 2 and self.text[start : self.stop].lower() not in ABBREVIATIONS:
            return False
        return is_abbreviation(self.text, self.stop)

    cdef bint may_hold_citation(self, Py_ssize_t place) except -1:
        """Return whether a citation's number may stand right behind the stop."""
        if place == self.length or not _classify(self.at(place)) & DIGIT:
            return place < self.length and self.at(place) == c"["
        cdef Py_ssize_t end = self.skip(place, DIGIT | IN_NUMBER)
        return end < self.length and self.at(end) == c" " and self.stop and _classify(self.at(place - 2)) & LETTER

    cdef bint has_letter(self, Py_ssize_t start, Py_ssize_t end) except -1:
        while start < end and not _classify(self.at(start)) & LETTER:
            start += 1
        return start < end

    cdef Py_ssize_t skip(self, Py_ssize_t place, int kinds) except -1:
        while place < self.length and _classify(self.at(place)) & kinds:
            place += 1
        return place

    cdef Py_ssize_t find_bracket_end(self, Py_ssize_t start) noexcept:
        """Return where the bracket that opens here ends, 0 if it does not. Round brackets may nest once."""
        cdef Py_ssize_t place = start + 1
        cdef int size = 0
        if self.at(start) == c"[":
            return self.find_closer(c"]", place, LONGEST_SQUARE, c"[")
        if self.at(start) != c"(":
            return self.find_closer(u"”", place, LONGEST_QUOTED, u"”")
        while place and place < self.length and self.at(place) != c")" and size < LONGEST_ROUND:
            place = self.find_closer(c")", place + 1, LONGEST_NESTED, c"(") if self.at(place) == c"(" else place + 1
            size += 1
        return place + 1 if place and place < self.length and self.at(place) == c")" else 0

    cdef Py_ssize_t find_closer(self, Py_UCS4 closer, Py_ssize_t place, int most, Py_UCS4 opener) noexcept:
        """Return the place behind the closer, 0 if another opener or more than `most` characters come first."""
        cdef Py_ssize_t end = min(self.length, place + most)
        while place < end and self.at(place) != closer and self.at(place) != opener:
            place += 1
        return place + 1 if place < self.length and self.at(place) == closer else 0
