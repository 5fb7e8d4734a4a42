"""Texts that were read before, for the compiled parts that meet the same ones again and again."""

cdef class Buffer:
    cdef unsigned char *text
    cdef Py_ssize_t size
    cdef Py_ssize_t room

    cdef int add(self, const unsigned char *text, Py_ssize_t size) except -1


cdef struct Place:
    unsigned long long mark  # of the text; 0 where nothing is
    Py_ssize_t start  # where it stands among all, what is known of it behind it
    int size
    int known
    int number


cdef class KnownTexts:
    cdef Place *places
    cdef Py_ssize_t room
    cdef readonly Py_ssize_t count
    cdef Buffer letters

    cdef int forget(self) except -1
    cdef const Place *find(self, const unsigned char *text, Py_ssize_t size) noexcept
    cdef const unsigned char *known(self, const Place *place) noexcept
    cdef int remember(self, const unsigned char *text, int size, bytes known, int number) except -1
    cdef bint put(self, const Place *new) noexcept
    cdef int grow(self) except -1
