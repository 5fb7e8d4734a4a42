"""What is done with every word of every text, compiled. It reads plain text (printable ASCII), which most texts are, and
gives exactly what the modules in Python give, which read everything else."""

cimport cython
from libc.string cimport memcpy

from sanya.text.known_texts cimport Buffer, KnownTexts, Place, add, add_known, find, known_of

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
    LONGEST = 40  # longer parts are not remembered
    LONGEST_NUMBER = 4  # nor longer numbers: they hardly come again, and there are many of them
    REMEMBERED = 150_000
    FIRST_ROOM = 2000  # most texts need no more

cdef unsigned char[256] _KIND
# Whether it may stand inside what is read as one part: letters, digits and . , ' -
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


cdef str _plain_text(const unsigned char *text, Py_ssize_t size):
    found = PyUnicode_New(size, 127)
    memcpy(PyUnicode_1BYTE_DATA(found), text, size)
    return found


cdef int _weigh(Buffer buffer, Py_ssize_t start, Py_ssize_t weight) except -1:
    """What stands there from `start` on, so often."""
    cdef Py_ssize_t size = buffer.size - start
    if weight < 1:
        buffer.size = start
    for _ in range(weight - 1):
        if buffer.size + size > buffer.room:
            buffer.grow(size)  # before what is added is pointed at: it may move
        add(buffer, buffer.text + start, size)
    return 0


cdef Py_ssize_t _blanks(Buffer buffer) noexcept:
    cdef Py_ssize_t at, found = 0
    for at in range(buffer.size):
        found += buffer.text[at] == 32
    return found


@cython.final
cdef class PlainTerms:
    """The index words and the sounds of plain English, a blank before each. What stands between blanks comes again and
    again, and is read once: `stem` gives the stem of a word in small letters, `sound` the sound of a name in small
    letters, which is cut into pieces; the `stops` are no words."""

    cdef KnownTexts _known
    cdef frozenset _stops
    cdef object _stem
    cdef object _sound
    cdef int _piece

    def __init__(self, frozenset stops not None, stem, sound, int piece):
        self._known = KnownTexts()
        self._stops = stops
        self._stem = stem
        self._sound = sound
        self._piece = piece

    def __len__(self):
        """How many parts are remembered."""
        return self._known.count

    def of(self, texts not None):
        """Of pairs of a text and how often it counts: the words, how many they are, the sounds, how many they are. None
        where a text is not plain."""
        cdef Buffer words = Buffer(FIRST_ROOM), sounds = Buffer(FIRST_ROOM)
        cdef Py_ssize_t weight, of_words, of_sounds
        if self._known.count > REMEMBERED:
            self._known.forget()
        for text, weight in texts:
            of_words, of_sounds = words.size, sounds.size
            if not self._read(text, words, sounds):
                return None
            _weigh(words, of_words, weight)
            _weigh(sounds, of_sounds, weight)
        return (
            _plain_text(words.text, words.size), _blanks(words), _plain_text(sounds.text, sounds.size), _blanks(sounds)
        )

    cdef bint _read(self, str text, Buffer words, Buffer sounds) except -1:
        """Whether the text is plain."""
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
            self._add(data + start, _trimmed(data, start, end, end == length) - start, words, sounds)
            start = end
        return True

    cdef int _add(self, const unsigned char *part, Py_ssize_t size, Buffer words, Buffer sounds) except -1:
        cdef const Place *place = find(self._known, part, size)
        if place is NULL:
            return self._add_new(part, size, words, sounds) if size else 0
        cdef const unsigned char *known = known_of(self._known, place)
        add_known(words, known, place.number)
        if place.known > place.number:
            add_known(sounds, known + place.number, place.known - place.number)
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
            found = (self._known_words(small) if capitals else "") or self._compound_words(small)
        else:
            found = self._word(small)
        of_words = PyUnicode_GET_LENGTH(found)
        if capitals:
            found += _joined(self._name_sounds(_plain_text(data, size)))
        add(words, PyUnicode_1BYTE_DATA(found), of_words)
        add(sounds, PyUnicode_1BYTE_DATA(found) + of_words, PyUnicode_GET_LENGTH(found) - of_words)
        if size <= LONGEST and (size <= LONGEST_NUMBER or digits < size):
            self._known.remember(
                data, <int>size, PyUnicode_1BYTE_DATA(found), <int>PyUnicode_GET_LENGTH(found), <int>of_words
            )
        return 0

    cdef str _word(self, str word):
        """Its stem behind a blank; nothing for one that is no word."""
        return self._known_words(word) or ("" if word in self._stops else _plain(" " + <str>self._stem(word)))

    cdef str _known_words(self, str small):
        """Of what was read before; nothing where it was not."""
        cdef const Place *place = find(self._known, PyUnicode_1BYTE_DATA(small), PyUnicode_GET_LENGTH(small))
        return _plain_text(known_of(self._known, place), place.number) if place is not NULL else ""

    cdef str _compound_words(self, str part):
        """Words that signs join count each, and together."""
        cdef const unsigned char *data = PyUnicode_1BYTE_DATA(part)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(part), at = 0, end, behind
        cdef str found = ""
        while at < length:
            if _KIND[data[at]] < LETTER:
                at += 1
                continue
            end = _word_end(data, at, length)
            while True:
                behind = end
                while behind < length and (data[behind] == b"'" or data[behind] == b"-"):
                    behind += 1
                if behind == end or behind == length or _KIND[data[behind]] < LETTER:
                    break
                end = _word_end(data, behind, length)
            for word in _words_of(part[at:end]):
                found += self._word(word)
            at = end
        return found

    cdef list _name_sounds(self, str part):
        """A name begins with a capital."""
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


cdef str _joined(list terms):
    return _plain(" " + " ".join(terms)) if terms else ""


cdef str _plain(str text):
    if not PyUnicode_IS_COMPACT_ASCII(text):
        raise ValueError("the terms of plain text are plain")
    return text


cdef Py_ssize_t _word_end(const unsigned char *data, Py_ssize_t start, Py_ssize_t length) noexcept:
    """A number with its point and commas is one word, and otherwise what has letters and digits alone."""
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


cdef list _words_of(str compound):
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
        end = _word_end(data, at, length)
        words.append(bare[at:end])
        at = end
    if len(words) > 1:
        together = "".join(words)
        if not together.isdigit():
            words.append(together)
    return words


cdef Py_ssize_t _trimmed(const unsigned char *data, Py_ssize_t start, Py_ssize_t end, bint is_last) noexcept:
    """Where a part ends without the comma and the full stop behind it: before a blank one of each, at the end of the
    text all."""
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
    """How many parts of tokens plain text has: runs of letters and of digits by their length, each sign the same. A run
    beyond its table costs as much for each character as the longest one in it."""

    cdef int[64] _letters
    cdef int[64] _digits
    cdef int _last_letters
    cdef int _last_digits
    cdef int _sign
    cdef int _most_of_run  # beyond what its letters cost at the rate of the longest run
    cdef int _most_of_other

    def __init__(self, list letters, list digits, int sign):
        if not 1 < len(letters) <= 64 or not 1 < len(digits) <= 64:
            raise ValueError("a table has 2 to 64 lengths")
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
        """Whether it has more than these; None where the text is not plain. Most short ones have not, whatever stands
        in them: that takes a fraction of counting."""
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
        return most > parts and self._of(data, length) > parts

    def of(self, str text not None):
        """None where the text is not plain."""
        if not PyUnicode_IS_COMPACT_ASCII(text):
            return None
        cdef long long found = self._of(PyUnicode_1BYTE_DATA(text), PyUnicode_GET_LENGTH(text))
        return found if found >= 0 else None

    cdef long long _of(self, const unsigned char *data, Py_ssize_t length) noexcept:
        """-1 where the text is not plain."""
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
                    total += _cost(self._letters, self._last_letters, at - start)
                else:
                    total += _cost(self._digits, self._last_digits, at - start)
        return total


    def before(self, str text not None, list places not None):
        """What is before each place, counted piece by piece from the first; None where the text is not plain."""
        cdef list found = []
        cdef Py_ssize_t start = places[0] if places else 0, end
        cdef long long total = 0, cost
        if not PyUnicode_IS_COMPACT_ASCII(text):
            return None
        for end in places:
            if not 0 <= start <= end <= PyUnicode_GET_LENGTH(text):
                raise ValueError("places rise within the text")
            cost = self._of(PyUnicode_1BYTE_DATA(text) + start, end - start)
            if cost < 0:
                return None
            total += cost
            found.append(total)
            start = end
        return found


cdef long long _cost(int *table, int last, Py_ssize_t length) noexcept:
    return table[length] if length <= last else table[last] * <long long>length // last
