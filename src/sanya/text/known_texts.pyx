"""What is known of texts that were read before, all in one piece of memory: to look one up is the most frequent thing in
an import, and a dictionary takes four times as long."""

cimport cython
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset


@cython.final
cdef class Buffer:
    def __cinit__(self, Py_ssize_t room):
        self.room = room
        self.text = <unsigned char *>malloc(self.room + AT_ONCE)
        if self.text is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.text)

    cdef int grow(self, Py_ssize_t size) except -1:
        cdef Py_ssize_t room = 2 * (self.room + size)
        cdef unsigned char *grown = <unsigned char *>realloc(self.text, room + AT_ONCE)
        if grown is NULL:
            raise MemoryError
        self.text = grown
        self.room = room
        return 0


@cython.final
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

    cdef int remember(
        self, const unsigned char *text, int size, const unsigned char *known, int known_size, int number
    ) except -1:
        """One that finds no room nearby is read again when it comes again: nobody can make the search for it long."""
        if not size or self.letters.size > (1 << 31):
            return 0
        if 2 * self.count > self.room:
            self.grow()
        cdef Place new
        ends(text, size, &new.head, &new.tail)
        new.start = <unsigned int>self.letters.size
        new.size = size
        new.known = known_size
        new.number = number
        add(self.letters, text, size)
        add(self.letters, known, known_size)
        if not self.put(&new):
            self.letters.size = new.start
        return 0

    cdef bint put(self, const Place *new) noexcept:
        cdef Py_ssize_t at = mark(self.letters.text + new.start, new.size, new.head, new.tail) & (self.room - 1)
        for _ in range(MOST_STEPS):
            if not self.places[at].size:
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
            if before[at].size:
                self.put(&before[at])
        free(before)
        return 0
