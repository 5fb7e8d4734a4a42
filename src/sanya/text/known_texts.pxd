"""Texts that were read before, for the compiled parts that meet the same ones again and again."""

cimport cython
from libc.string cimport memcmp, memcpy

cdef enum:
    AT_ONCE = 16  # so many bytes are copied as fast as one, so all memory here goes on for as many
    MOST_STEPS = 64


@cython.final
cdef class Buffer:
    """A text that grows."""

    cdef unsigned char *text
    cdef Py_ssize_t size
    cdef Py_ssize_t room

    cdef int grow(self, Py_ssize_t size) except -1


cdef inline int add(Buffer buffer, const unsigned char *text, Py_ssize_t size) except -1:
    if buffer.size + size > buffer.room:
        buffer.grow(size)
    memcpy(buffer.text + buffer.size, text, size)
    buffer.size += size
    return 0


cdef inline int add_known(Buffer buffer, const unsigned char *text, Py_ssize_t size) except -1:
    """As `add`, of a text that stands in a buffer itself."""
    if size > AT_ONCE:
        return add(buffer, text, size)
    if buffer.size + size > buffer.room:
        buffer.grow(size)
    memcpy(buffer.text + buffer.size, text, AT_ONCE)
    buffer.size += size
    return 0


cdef struct Place:
    unsigned long long head  # the first letters of the text, and the last: all of them, if it is short
    unsigned long long tail
    unsigned int start  # where it stands among all, what is known of it behind it
    int size  # 0 where nothing is
    int known
    int number


@cython.final
cdef class KnownTexts:
    cdef Place *places
    cdef Py_ssize_t room
    cdef readonly Py_ssize_t count
    cdef Buffer letters

    cdef int forget(self) except -1
    cdef int remember(
        self, const unsigned char *text, int size, const unsigned char *known, int known_size, int number
    ) except -1
    cdef bint put(self, const Place *new) noexcept
    cdef int grow(self) except -1


cdef inline const Place *find(KnownTexts known, const unsigned char *text, Py_ssize_t size) noexcept:
    """NULL where it is not known. What is found is there until something is remembered."""
    cdef unsigned long long head, tail
    cdef Py_ssize_t at
    cdef const Place *place
    if not size:
        return NULL
    ends(text, size, &head, &tail)
    at = mark(text, size, head, tail) & (known.room - 1)
    for _ in range(MOST_STEPS):
        place = &known.places[at]
        if place.head == head and place.tail == tail and place.size == size:
            if size <= 16 or not memcmp(known.letters.text + place.start, text, size):
                return place
        if not place.size:
            return NULL
        at = (at + 1) & (known.room - 1)
    return NULL


cdef inline const unsigned char *known_of(KnownTexts known, const Place *place) noexcept:
    return known.letters.text + place.start + place.size


cdef inline void ends(
    const unsigned char *text, Py_ssize_t size, unsigned long long *head, unsigned long long *tail
) noexcept:
    """They overlap where the text is shorter than both: with its size they are the text, up to sixteen letters."""
    cdef unsigned int half
    if size >= 8:
        memcpy(head, text, 8)
        memcpy(tail, text + size - 8, 8)
    elif size >= 4:
        memcpy(&half, text, 4)
        head[0] = half
        memcpy(&half, text + size - 4, 4)
        tail[0] = half
    else:
        head[0] = text[0] | text[size >> 1] << 8
        tail[0] = text[size - 1]


cdef inline unsigned long long mark(
    const unsigned char *text, Py_ssize_t size, unsigned long long head, unsigned long long tail
) noexcept:
    """A number that few texts share: all letters count, eight at once."""
    cdef unsigned long long found = (head ^ size) * 0x9E3779B97F4A7C15ULL, letters
    cdef Py_ssize_t at = 8
    while at + 8 < size:
        memcpy(&letters, text + at, 8)
        found = (found ^ found >> 32 ^ letters) * 1099511628211ULL
        at += 8
    found = (found ^ found >> 32 ^ tail) * 0x9E3779B97F4A7C15ULL
    return found ^ found >> 32
