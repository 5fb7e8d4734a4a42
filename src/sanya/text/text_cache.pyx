"""The part of the text cache that grows and forgets; `text_cache.pxd` has the lookup and explains the table."""

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
cdef class TextCache:
    def __cinit__(self):
        self.room = 1 << 16
        self.texts = Buffer(1 << 16)
        self.slots = <Slot *>calloc(self.room, sizeof(Slot))
        if self.slots is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.slots)

    cdef int clear(self) except -1:
        memset(self.slots, 0, self.room * sizeof(Slot))
        self.count = self.texts.size = 0
        return 0

    cdef int remember(
        self, const unsigned char *text, int size, const unsigned char *value, int value_size, int number
    ) except -1:
        """Store the value of a text that is not in the table.

        A text whose slots are all taken is dropped and simply read again when it comes back. So no choice of texts can
        make lookups slow."""
        if not size or self.texts.size > (1 << 31):
            return 0
        if 2 * self.count > self.room:
            self.grow()
        cdef Slot new
        read_ends(text, size, &new.head, &new.tail)
        new.start = <unsigned int>self.texts.size
        new.size = size
        new.value_size = value_size
        new.number = number
        add(self.texts, text, size)
        add(self.texts, value, value_size)
        if not self.put(&new):
            self.texts.size = new.start
        return 0

    cdef bint put(self, const Slot *new) noexcept:
        cdef Py_ssize_t at = hash_text(self.texts.text + new.start, new.size, new.head, new.tail) & (self.room - 1)
        for _ in range(MAX_PROBES):
            if not self.slots[at].size:
                self.slots[at] = new[0]
                self.count += 1
                return True
            at = (at + 1) & (self.room - 1)
        return False

    cdef int grow(self) except -1:
        cdef Slot *before = self.slots
        cdef Py_ssize_t room = self.room, at
        cdef Slot *grown = <Slot *>calloc(2 * room, sizeof(Slot))
        if grown is NULL:
            raise MemoryError
        self.slots = grown
        self.room = 2 * room
        self.count = 0
        for at in range(room):
            if before[at].size:
                self.put(&before[at])
        free(before)
        return 0
