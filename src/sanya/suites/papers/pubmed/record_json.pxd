"""JSON as other compiled parts write it, piece by piece."""

cimport cython


@cython.final
cdef class Json:
    cdef char *text
    cdef Py_ssize_t size
    cdef Py_ssize_t room

    cdef int make_room(self, Py_ssize_t size) except -1
    cdef int sign(self, char sign) except -1
    cdef int add(self, const char *text, Py_ssize_t size) except -1
    cdef int add_bytes(self, bytes text) except -1
    cdef int name(self, bytes name) except -1
    cdef int value(self, value) except -1
    cdef int string(self, value) except -1
    cdef int quoted(self, const unsigned char *text, Py_ssize_t size) except -1
    cdef str taken(self)
    cdef bytes since(self, Py_ssize_t start)
