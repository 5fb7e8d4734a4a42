"""What is done with every word of every text, compiled. It reads plain text (printable ASCII), which most texts are, and
gives exactly what the modules in Python give, which read everything else."""

from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

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
    MOST_STEPS = 64
    LONGEST = 40  # longer parts are not remembered
    REMEMBERED = 150_000

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


cdef class _Buffer:
    """A text that grows."""

    cdef unsigned char *text
    cdef Py_ssize_t size
    cdef Py_ssize_t room

    def __cinit__(self, Py_ssize_t room):
        self.room = room
        self.text = <unsigned char *>malloc(self.room)
        if self.text is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.text)

    cdef int add(self, const unsigned char *text, Py_ssize_t size) except -1:
        cdef unsigned char *grown
        if self.size + size > self.room:
            grown = <unsigned char *>realloc(self.text, 2 * (self.room + size))
            if grown is NULL:
                raise MemoryError
            self.text = grown
            self.room = 2 * (self.room + size)
        memcpy(self.text + self.size, text, size)
        self.size += size
        return 0

    cdef str taken(self):
        return _plain_text(self.text, self.size)


cdef str _plain_text(const unsigned char *text, Py_ssize_t size):
    found = PyUnicode_New(size, 127)
    memcpy(PyUnicode_1BYTE_DATA(found), text, size)
    return found


cdef struct Part:
    unsigned long long mark  # of its letters; 0 where nothing is
    Py_ssize_t start  # where it stands among the letters of all, its words and its sounds behind it
    int size
    int words
    int sounds


cdef class _Known:
    """The terms of each part that was read, all in one piece of memory: to look one up is the most frequent thing in an
    import, and a dictionary of texts takes twice as long."""

    cdef Part *places
    cdef Py_ssize_t room
    cdef readonly Py_ssize_t count
    cdef _Buffer letters

    def __cinit__(self):
        self.room = 1 << 16
        self.letters = _Buffer(1 << 16)
        self.places = <Part *>calloc(self.room, sizeof(Part))
        if self.places is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.places)

    cdef int forget(self) except -1:
        memset(self.places, 0, self.room * sizeof(Part))
        self.count = self.letters.size = 0
        return 0

    cdef bint write(self, const unsigned char *part, Py_ssize_t size, _Buffer words, _Buffer sounds) except -1:
        """Adds the part's terms, if it is known."""
        cdef unsigned long long mark = _mark(part, size)
        cdef Py_ssize_t at = mark & (self.room - 1)
        cdef Part *place
        cdef const unsigned char *found
        for _ in range(MOST_STEPS):
            place = &self.places[at]
            if not place.mark:
                return False
            found = self.letters.text + place.start
            if place.mark == mark and place.size == size and not memcmp(found, part, size):
                words.add(found + size, place.words)
                if place.sounds:
                    sounds.add(found + size + place.words, place.sounds)
                return True
            at = (at + 1) & (self.room - 1)
        return False

    cdef int remember(self, str part, str words, str sounds) except -1:
        """One that finds no room nearby is read again when it comes again: nobody can make the search for it long."""
        if 2 * self.count > self.room:
            self.grow()
        cdef Part new
        new.mark = _mark(PyUnicode_1BYTE_DATA(part), PyUnicode_GET_LENGTH(part))
        new.start = self.letters.size
        new.size = <int>PyUnicode_GET_LENGTH(part)
        new.words = <int>PyUnicode_GET_LENGTH(words)
        new.sounds = <int>PyUnicode_GET_LENGTH(sounds)
        if self.put(&new):
            self.letters.add(PyUnicode_1BYTE_DATA(part), new.size)
            self.letters.add(PyUnicode_1BYTE_DATA(words), new.words)
            self.letters.add(PyUnicode_1BYTE_DATA(sounds), new.sounds)
        return 0

    cdef bint put(self, const Part *new) noexcept:
        cdef Py_ssize_t at = new.mark & (self.room - 1)
        for _ in range(MOST_STEPS):
            if not self.places[at].mark:
                self.places[at] = new[0]
                self.count += 1
                return True
            at = (at + 1) & (self.room - 1)
        return False

    cdef int grow(self) except -1:
        cdef Part *before = self.places
        cdef Py_ssize_t room = self.room, at
        cdef Part *grown = <Part *>calloc(2 * room, sizeof(Part))
        if grown is NULL:
            raise MemoryError
        self.places = grown
        self.room = 2 * room
        self.count = 0
        for at in range(room):
            if before[at].mark:
                self.put(&before[at])
        free(before)
        return 0


cdef unsigned long long _mark(const unsigned char *text, Py_ssize_t size) noexcept:
    """A number that hardly two parts share (as FNV-1a, by eight letters at once, stirred); never 0."""
    cdef unsigned long long mark = 14695981039346656037ULL ^ <unsigned long long>size, letters
    cdef Py_ssize_t at
    while size >= 8:
        memcpy(&letters, text, 8)
        mark = (mark ^ letters) * 1099511628211ULL
        mark ^= mark >> 32
        text += 8
        size -= 8
    letters = 0
    for at in range(size):
        letters = letters << 8 | text[at]
    mark = (mark ^ letters) * 0x9E3779B97F4A7C15ULL
    mark ^= mark >> 32
    return mark or 1


cdef class PlainTerms:
    """The index words and the sounds of plain English, a blank before each. What stands between blanks comes again and
    again, and is read once: `stem` gives the stem of a word in small letters, `sound` the sound of a name in small
    letters, which is cut into pieces; the `stops` are no words."""

    cdef _Known _known
    cdef frozenset _stops
    cdef object _stem
    cdef object _sound
    cdef int _piece

    def __init__(self, frozenset stops not None, stem, sound, int piece):
        self._known = _Known()
        self._stops = stops
        self._stem = stem
        self._sound = sound
        self._piece = piece

    def of(self, str text not None):
        """None where the text is not plain."""
        if not PyUnicode_IS_COMPACT_ASCII(text):
            return None
        cdef const unsigned char *data = PyUnicode_1BYTE_DATA(text)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), at, start = 0, end
        cdef unsigned char odd = 0
        while length and data[length - 1] == 32:
            length -= 1
        for at in range(length):
            odd |= (data[at] < 32) | (data[at] > 126)
        if odd:
            return None
        if self._known.count > REMEMBERED:
            self._known.forget()
        cdef _Buffer words = _Buffer(length + 64), sounds = _Buffer(length + 64)  # most need no more
        while start < length:
            if not _IN_PART[data[start]]:
                start += 1
                continue
            end = start
            while end < length and _IN_PART[data[end]]:
                end += 1
            self._add(data, start, _trimmed(data, start, end, end == length), words, sounds)
            start = end
        return words.taken(), sounds.taken()

    cdef int _add(
        self, const unsigned char *data, Py_ssize_t start, Py_ssize_t end, _Buffer words, _Buffer sounds
    ) except -1:
        cdef Py_ssize_t size = end - start
        if not size or self._known.write(data + start, size, words, sounds):
            return 0
        cdef str part = _plain_text(data + start, size)
        cdef str small = part.lower()
        cdef str some_words = self._words_of(small), some_sounds = ""
        if small != part:
            some_sounds = _joined(self._name_sounds(part))
        words.add(PyUnicode_1BYTE_DATA(some_words), PyUnicode_GET_LENGTH(some_words))
        sounds.add(PyUnicode_1BYTE_DATA(some_sounds), PyUnicode_GET_LENGTH(some_sounds))
        if size <= LONGEST:
            self._known.remember(part, some_words, some_sounds)
        return 0

    cdef str _words_of(self, str small):
        """A blank before each."""
        cdef list words
        if small.isalnum():  # most are one word
            return "" if small in self._stops else _plain(" " + self._stem(small))
        words = []
        self._add_compounds(small, words)
        return _joined(words)

    cdef int _add_word(self, str word, list words) except -1:
        if word not in self._stops:
            words.append(self._stem(word))
        return 0

    cdef int _add_compounds(self, str part, list words) except -1:
        """Words that signs join count each, and together."""
        cdef const unsigned char *data = PyUnicode_1BYTE_DATA(part)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(part), at = 0, end, behind
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
                self._add_word(word, words)
            at = end
        return 0

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


cdef class PlainCosts:
    """How many parts of tokens plain text has: runs of letters and of digits by their length, each sign the same. A run
    beyond its table costs as much for each character as the longest one in it."""

    cdef int[64] _letters
    cdef int[64] _digits
    cdef int _last_letters
    cdef int _last_digits
    cdef int _sign

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


    def between(self, str text not None, list places not None):
        """What each piece has, from place to place; None where the text is not plain."""
        cdef list found = []
        cdef Py_ssize_t start, end
        if not PyUnicode_IS_COMPACT_ASCII(text):
            return None
        for at in range(len(places) - 1):
            start, end = places[at], places[at + 1]
            if not 0 <= start <= end <= PyUnicode_GET_LENGTH(text):
                raise ValueError("places rise within the text")
            cost = self._of(PyUnicode_1BYTE_DATA(text) + start, end - start)
            if cost < 0:
                return None
            found.append(cost)
        return found


cdef long long _cost(int *table, int last, Py_ssize_t length) noexcept:
    return table[length] if length <= last else table[last] * <long long>length // last
