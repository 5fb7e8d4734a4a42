"""The compiled form of reading index terms and of counting tokens.

It reads plain text, which here means printable ASCII: most texts are. It gives exactly what the Python modules give,
and returns None for every other text, which the Python modules then read."""

cimport cython
from libc.string cimport memcpy

from sanya.text.text_cache cimport Buffer, TextCache, Slot, add, add_buffered, find, get_value

IS_COMPILED = True

cdef extern from "Python.h":
    object PyUnicode_New(Py_ssize_t size, Py_UCS4 most)
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    unsigned char *PyUnicode_1BYTE_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef enum:
    OTHER = 0  # not printable, or not ASCII
    BLANK = 1
    SIGN = 2
    LETTER = 3
    DIGIT = 4
    LONGEST = 40  # longer parts are not cached
    LONGEST_NUMBER = 4  # nor are longer numbers: they seldom recur, and there are many of them
    REMEMBERED = 150_000
    FIRST_ROOM = 2000  # enough for most texts

cdef unsigned char[256] _KIND
# True for a character that may stand inside a part: letters, digits and . , ' -
cdef bint[256] _IN_PART
cdef int _code
for _code in range(32, 127):
    _KIND[_code] = SIGN
    if chr(_code).isalpha():
        _KIND[_code] = LETTER
    elif chr(_code).isdigit():
        _KIND[_code] = DIGIT
    _IN_PART[_code] = chr(_code).isalnum() or chr(_code) in ".,'-"
_KIND[32] = BLANK


cdef str _make_string(const unsigned char *text, Py_ssize_t size):
    found = PyUnicode_New(size, 127)
    memcpy(PyUnicode_1BYTE_DATA(found), text, size)
    return found


cdef int _repeat(Buffer buffer, Py_ssize_t start, Py_ssize_t weight) except -1:
    """Repeat what the buffer holds from `start` on, until it stands there `weight` times."""
    cdef Py_ssize_t size = buffer.size - start
    if weight < 1:
        buffer.size = start
    for _ in range(weight - 1):
        if buffer.size + size > buffer.room:
            buffer.grow(size)  # before the source is addressed: growing may move it
        add(buffer, buffer.text + start, size)
    return 0


cdef Py_ssize_t _count_blanks(Buffer buffer) noexcept:
    cdef Py_ssize_t at, found = 0
    for at in range(buffer.size):
        found += buffer.text[at] == 32
    return found


@cython.final
cdef class PlainTerms:
    """Reads the index words and the name sounds of plain English, each with a blank before it.

    The parts of a text recur, so each is read once and cached. `stem` gives the stem of a lower-case word, `sound` the
    sound of a lower-case name, which is cut into pieces of `piece` letters; `stops` are the stop words."""

    cdef TextCache _known
    cdef frozenset _stops
    cdef object _stem
    cdef object _sound
    cdef int _piece

    def __init__(self, frozenset stops not None, stem, sound, int piece):
        self._known = TextCache()
        self._stops = stops
        self._stem = stem
        self._sound = sound
        self._piece = piece

    def __len__(self):
        """Return the number of cached parts."""
        return self._known.count

    def read(self, texts not None):
        """Read pairs of a text and its weight; return the words, their count, the sounds and their count. Return None
        if a text is not plain."""
        cdef Buffer words = Buffer(FIRST_ROOM), sounds = Buffer(FIRST_ROOM)
        cdef Py_ssize_t weight, of_words, of_sounds
        if self._known.count > REMEMBERED:
            self._known.clear()
        for text, weight in texts:
            of_words, of_sounds = words.size, sounds.size
            if not self._read(text, words, sounds):
                return None
            _repeat(words, of_words, weight)
            _repeat(sounds, of_sounds, weight)
        return (
            _make_string(words.text, words.size), _count_blanks(words), _make_string(sounds.text, sounds.size), _count_blanks(sounds)
        )

    cdef bint _read(self, str text, Buffer words, Buffer sounds) except -1:
        """Append the terms of the text; return False if it is not plain."""
        if not PyUnicode_IS_COMPACT_ASCII(text):
            return False
        cdef const unsigned char *data = PyUnicode_1BYTE_DATA(text)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), at, start = 0, end
        cdef unsigned char odd = 0
        while length and data[length - 1] == 32:
            length -= 1
        for at in range(length):
            odd |= (data[at] < 32) | (data[at] > 126)
        if odd:
            return False
        while start < length:
            if not _IN_PART[data[start]]:
                start += 1
                continue
            end = start + 1
            while end < length and _IN_PART[data[end]]:
                end += 1
            self._add(data + start, _trim(data, start, end, end == length) - start, words, sounds)
            start = end
        return True

    cdef int _add(self, const unsigned char *part, Py_ssize_t size, Buffer words, Buffer sounds) except -1:
        cdef const Slot *slot = find(self._known, part, size)
        if slot is NULL:
            return self._add_new(part, size, words, sounds) if size else 0
        cdef const unsigned char *known = get_value(self._known, slot)
        add_buffered(words, known, slot.number)
        if slot.value_size > slot.number:
            add_buffered(sounds, known + slot.number, slot.value_size - slot.number)
        return 0

    cdef int _add_new(self, const unsigned char *data, Py_ssize_t size, Buffer words, Buffer sounds) except -1:
        cdef Py_ssize_t at, capitals = 0, signs = 0, digits = 0, of_words
        cdef str small = PyUnicode_New(size, 127), found
        for at in range(size):
            capitals += <unsigned char>(data[at] - 65) < 26
            signs += _KIND[data[at]] < LETTER
            digits += _KIND[data[at]] == DIGIT
            PyUnicode_1BYTE_DATA(small)[at] = data[at] | 32 if <unsigned char>(data[at] - 65) < 26 else data[at]
        if signs:
            found = (self._find_words(small) if capitals else "") or self._read_compound(small)
        else:
            found = self._read_word(small)
        of_words = PyUnicode_GET_LENGTH(found)
        if capitals:
            found += _join(self._read_name_sounds(_make_string(data, size)))
        add(words, PyUnicode_1BYTE_DATA(found), of_words)
        add(sounds, PyUnicode_1BYTE_DATA(found) + of_words, PyUnicode_GET_LENGTH(found) - of_words)
        if size <= LONGEST and (size <= LONGEST_NUMBER or digits < size):
            self._known.remember(
                data, <int>size, PyUnicode_1BYTE_DATA(found), <int>PyUnicode_GET_LENGTH(found), <int>of_words
            )
        return 0

    cdef str _read_word(self, str word):
        """Return the stem with a blank before it, or "" for a stop word."""
        return self._find_words(word) or ("" if word in self._stops else _check_ascii(" " + <str>self._stem(word)))

    cdef str _find_words(self, str small):
        """Return the cached words of a part, or "" if it is not cached."""
        cdef const Slot *slot = find(self._known, PyUnicode_1BYTE_DATA(small), PyUnicode_GET_LENGTH(small))
        return _make_string(get_value(self._known, slot), slot.number) if slot is not NULL else ""

    cdef str _read_compound(self, str part):
        """Return the words of parts joined by signs: each part, and all of them joined."""
        cdef const unsigned char *data = PyUnicode_1BYTE_DATA(part)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(part), at = 0, end, behind
        cdef str found = ""
        while at < length:
            if _KIND[data[at]] < LETTER:
                at += 1
                continue
            end = _find_word_end(data, at, length)
            while True:
                behind = end
                while behind < length and (data[behind] == b"'" or data[behind] == b"-"):
                    behind += 1
                if behind == end or behind == length or _KIND[data[behind]] < LETTER:
                    break
                end = _find_word_end(data, behind, length)
            for word in _split_compound(part[at:end]):
                found += self._read_word(word)
            at = end
        return found

    cdef list _read_name_sounds(self, str part):
        """Return the sound pieces of every capitalised word."""
        cdef const unsigned char *data = PyUnicode_1BYTE_DATA(part)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(part), at = 0, end
        cdef list found = []
        while at < length:
            end = at + 1
            if b"A" <= data[at] <= b"Z":
                while end < length and _KIND[data[end]] == LETTER:
                    end += 1
                name = part[at:end].lower()
                if name not in self._stops:
                    sound = self._sound(name)
                    for start in range(len(sound) - self._piece + 1):
                        found.append(sound[start : start + self._piece])
            at = end
        return found


cdef str _join(list terms):
    return _check_ascii(" " + " ".join(terms)) if terms else ""


cdef str _check_ascii(str text):
    if not PyUnicode_IS_COMPACT_ASCII(text):
        raise ValueError("a term of plain text is not ASCII")
    return text


cdef Py_ssize_t _find_word_end(const unsigned char *data, Py_ssize_t start, Py_ssize_t length) noexcept:
    """Return where the word that begins at `start` ends: a number with its point and commas, or a run of letters and
    digits."""
    cdef Py_ssize_t at = start, number = 0
    while at < length and _KIND[data[at]] == DIGIT:
        at += 1
    while at > start and at + 1 < length and (data[at] == b"." or data[at] == b",") and _KIND[data[at + 1]] == DIGIT:
        at += 1
        while at < length and _KIND[data[at]] == DIGIT:
            at += 1
        number = at
    if number:
        return number
    while at < length and _KIND[data[at]] >= LETTER:
        at += 1
    return at


cdef list _split_compound(str compound):
    if compound.isalnum():
        return [compound]
    cdef str bare = compound.removesuffix("'s").replace(",", "")
    cdef const unsigned char *data = PyUnicode_1BYTE_DATA(bare)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(bare), at = 0, end
    cdef list words = []
    while at < length:
        if _KIND[data[at]] < LETTER:
            at += 1
            continue
        end = _find_word_end(data, at, length)
        words.append(bare[at:end])
        at = end
    if len(words) > 1:
        together = "".join(words)
        if not together.isdigit():
            words.append(together)
    return words


cdef Py_ssize_t _trim(const unsigned char *data, Py_ssize_t start, Py_ssize_t end, bint is_last) noexcept:
    """Return the end of a part without trailing commas and full stops: before a blank at most one of each, at the end
    of the text all of them."""
    if is_last:
        while end > start and (data[end - 1] == b"," or data[end - 1] == b"."):
            end -= 1
        return end
    if end > start and data[end - 1] == b",":
        end -= 1
    if end > start and data[end - 1] == b".":
        end -= 1
    return end


@cython.final
cdef class PlainCosts:
    """Counts the token parts of plain text. `letters` and `digits` give the cost of a run by its length; each sign costs
    `sign`. A run longer than its table costs as much per character as the longest run in it."""

    cdef int[64] _letters
    cdef int[64] _digits
    cdef int _last_letters
    cdef int _last_digits
    cdef int _sign
    cdef int _most_of_run  # beyond what its letters cost at the rate of the longest run
    cdef int _most_of_other

    def __init__(self, list letters, list digits, int sign):
        if not 1 < len(letters) <= 64 or not 1 < len(digits) <= 64:
            raise ValueError("a cost table has 2 to 64 lengths")
        for at, cost in enumerate(letters):
            self._letters[at] = cost
        for at, cost in enumerate(digits):
            self._digits[at] = cost
        self._last_letters = len(letters) - 1
        self._last_digits = len(digits) - 1
        self._sign = sign
        last, rate = len(letters) - 1, letters[-1]
        self._most_of_run = max([-((size * rate - cost * last) // last) for size, cost in enumerate(letters)])
        self._most_of_other = max([sign] + [-(-cost // size) for size, cost in enumerate(digits) if size])

    def exceed(self, str text not None, long long parts):
        """Return whether the text has more than `parts` token parts, or None if it is not plain. An upper bound from
        the number of letters decides for most texts, at a fraction of the cost of counting."""
        if not PyUnicode_IS_COMPACT_ASCII(text):
            return None
        cdef const unsigned char *data = PyUnicode_1BYTE_DATA(text)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), at
        cdef int letters = 0, blanks = 0, others
        cdef unsigned char odd = 0
        if length > 1 << 24:
            return None
        for at in range(length):
            odd |= (data[at] < 32) | (data[at] > 126)
            letters += <unsigned char>((data[at] | 32) - 97) < 26
            blanks += data[at] == 32
        if odd:
            return None
        others = <int>length - letters - blanks
        cdef long long most = <long long>self._most_of_run * (blanks + others + 1) + self._most_of_other * others
        most += self._letters[self._last_letters] * <long long>letters // self._last_letters + 1
        return most > parts and self._count(data, length) > parts

    def count(self, str text not None):
        """Return the token parts of the text, or None if it is not plain."""
        if not PyUnicode_IS_COMPACT_ASCII(text):
            return None
        cdef long long found = self._count(PyUnicode_1BYTE_DATA(text), PyUnicode_GET_LENGTH(text))
        return found if found >= 0 else None

    cdef long long _count(self, const unsigned char *data, Py_ssize_t length) noexcept:
        """Return the token parts, or -1 if the text is not plain."""
        cdef Py_ssize_t at = 0, start
        cdef long long total = 0
        cdef unsigned char kind
        while at < length:
            kind = _KIND[data[at]]
            if kind == OTHER:
                return -1
            start = at
            at += 1
            if kind == SIGN:
                total += self._sign
            elif kind != BLANK:
                while at < length and _KIND[data[at]] == kind:
                    at += 1
                if kind == LETTER:
                    total += _get_cost(self._letters, self._last_letters, at - start)
                else:
                    total += _get_cost(self._digits, self._last_digits, at - start)
        return total


    def count_before(self, str text not None, list places not None):
        """Return the token parts before each place, counted piece by piece from the first place on, or None if the text
        is not plain."""
        cdef list found = []
        cdef Py_ssize_t start = places[0] if places else 0, end
        cdef long long total = 0, cost
        if not PyUnicode_IS_COMPACT_ASCII(text):
            return None
        for end in places:
            if not 0 <= start <= end <= PyUnicode_GET_LENGTH(text):
                raise ValueError("places must ascend within the text")
            cost = self._count(PyUnicode_1BYTE_DATA(text) + start, end - start)
            if cost < 0:
                return None
            total += cost
            found.append(total)
            start = end
        return found


cdef long long _get_cost(int *table, int last, Py_ssize_t length) noexcept:
    return table[length] if length <= last else table[last] * <long long>length // last
