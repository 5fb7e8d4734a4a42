"""Declares the JSON writer for the other compiled modules."""

cimport cython


@cython.final
cdef class Json:
    cdef char *text
    cdef Py_ssize_t size
    cdef Py_ssize_t capacity

    cdef int reserve(self, Py_ssize_t size) except -1
    cdef int add_byte(self, char byte) except -1
    cdef int add(self, const char *text, Py_ssize_t size) except -1
    cdef int add_bytes(self, bytes text) except -1
    cdef int add_name(self, bytes name) except -1
    cdef int add_value(self, value) except -1
    cdef int add_string(self, value) except -1
    cdef int add_quoted(self, const unsigned char *text, Py_ssize_t size) except -1
    cdef str to_text(self)
    cdef bytes copy_from(self, Py_ssize_t start)
