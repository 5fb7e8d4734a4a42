"""What is known of texts that were read before, all in one piece of memory: to look one up is the most frequent thing in
an import, and a dictionary takes twice as long."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

cdef enum:
    MOST_STEPS = 64


cdef class Buffer:
    """A text that grows."""

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


cdef class KnownTexts:
    """Of each text some bytes and a number."""

    def __cinit__(self):
        self.room = 1 << 16
        self.letters = Buffer(1 << 16)
        self.places = <Place *>calloc(self.room, sizeof(Place))
        if self.places is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.places)

    cdef int forget(self) except -1:
        memset(self.places, 0, self.room * sizeof(Place))
        self.count = self.letters.size = 0
        return 0

    cdef const Place *find(self, const unsigned char *text, Py_ssize_t size) noexcept:
        """NULL where it is not known. What is found is there until something is remembered."""
        cdef unsigned long long mark = _mark(text, size)
        cdef Py_ssize_t at = mark & (self.room - 1)
        cdef Place *place
        for _ in range(MOST_STEPS):
            place = &self.places[at]
            if not place.mark:
                return NULL
            if place.mark == mark and place.size == size and not memcmp(self.letters.text + place.start, text, size):
                return place
            at = (at + 1) & (self.room - 1)
        return NULL

    cdef const unsigned char *known(self, const Place *place) noexcept:
        return self.letters.text + place.start + place.size

    cdef int remember(self, const unsigned char *text, int size, bytes known, int number) except -1:
        """One that finds no room nearby is read again when it comes again: nobody can make the search for it long."""
        if 2 * self.count > self.room:
            self.grow()
        cdef Place new
        new.mark = _mark(text, size)
        new.start = self.letters.size
        new.size = size
        new.known = <int>PyBytes_GET_SIZE(known)
        new.number = number
        self.letters.add(text, size)
        self.letters.add(<const unsigned char *>PyBytes_AS_STRING(known), new.known)
        if not self.put(&new):
            self.letters.size = new.start
        return 0

    cdef bint put(self, const Place *new) noexcept:
        cdef Py_ssize_t at = new.mark & (self.room - 1)
        for _ in range(MOST_STEPS):
            if not self.places[at].mark:
                self.places[at] = new[0]
                self.count += 1
                return True
            at = (at + 1) & (self.room - 1)
        return False

    cdef int grow(self) except -1:
        cdef Place *before = self.places
        cdef Py_ssize_t room = self.room, at
        cdef Place *grown = <Place *>calloc(2 * room, sizeof(Place))
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
    """A number that hardly two texts share (as FNV-1a, by eight letters at once, stirred); never 0."""
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
