"""Writes the canonical JSON (RFC 8785) of a record, compiled: it is kept and hashed of each."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

IS_COMPILED = True

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL


cdef class Json:
    """Canonical JSON (RFC 8785) of texts, truths, nothing and tuples of these."""

    def __cinit__(self):
        self.room = 4096
        self.text = <char *>malloc(self.room)
        if self.text is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.text)

    cdef int make_room(self, Py_ssize_t size) except -1:
        cdef char *grown
        if self.size + size > self.room:
            grown = <char *>realloc(self.text, 2 * (self.room + size))
            if grown is NULL:
                raise MemoryError
            self.text = grown
            self.room = 2 * (self.room + size)
        return 0

    cdef int sign(self, char sign) except -1:
        self.make_room(1)
        self.text[self.size] = sign
        self.size += 1
        return 0

    cdef int add(self, const char *text, Py_ssize_t size) except -1:
        self.make_room(size)
        memcpy(self.text + self.size, text, size)
        self.size += size
        return 0

    cdef int add_bytes(self, bytes text) except -1:
        return self.add(PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))

    cdef int value(self, value) except -1:
        cdef bint is_first = True
        if value is None:
            return self.add(b"null", 4)
        if value is True:
            return self.add(b"true", 4)
        if value is False:
            return self.add(b"false", 5)
        if isinstance(value, str):
            return self.string(value)
        if not isinstance(value, tuple):
            raise ValueError("neither text nor tuple")
        self.sign(b"[")
        for one in <tuple>value:  # a named one too
            if not is_first:
                self.sign(b",")
            self.value(one)
            is_first = False
        return self.sign(b"]")

    cdef int joined(self, list members) except -1:
        cdef bint is_first = True
        self.sign(b"[")
        for one in members:
            if not is_first:
                self.sign(b",")
            self.add_bytes(one)
            is_first = False
        return self.sign(b"]")

    cdef int string(self, value) except -1:
        cdef Py_ssize_t size, at
        cdef const unsigned char *text = <const unsigned char *>PyUnicode_AsUTF8AndSize(value, &size)
        cdef unsigned char one
        self.make_room(6 * size + 2)
        cdef char *written = self.text + self.size
        written[0] = b'"'
        written += 1
        for at in range(size):
            one = text[at]
            if one == b'"' or one == b"\\":
                written[0] = b"\\"
                written += 1
            elif one < 32:
                raise ValueError("a control")
            written[0] = one
            written += 1
        written[0] = b'"'
        self.size = written + 1 - self.text
        return 0

    cdef str taken(self):
        return PyUnicode_DecodeUTF8(self.text, self.size, NULL)


def json_of(value):
    """The JSON of one value."""
    cdef Json json = Json()
    json.value(value)
    return PyBytes_FromStringAndSize(json.text, json.size)


def canonical_json(dict values not None, tuple names not None, dict written=None):
    """The object of those values that are not empty; `names` are sorted and plain. `written` has the members of lists
    whose JSON is known. Raises ValueError for what takes more care: controls and half characters."""
    cdef Json json = Json()
    cdef bint is_first = True
    json.sign(b"{")
    for name in names:
        value = values.get(name)
        if value:
            if not is_first:
                json.sign(b",")
            json.string(name)
            json.sign(b":")
            if written is not None and name in written:
                json.joined(<list?>written[name])
            else:
                json.value(value)
            is_first = False
    json.sign(b"}")
    return PyBytes_FromStringAndSize(json.text, json.size)
