"""Writes the canonical JSON (RFC 8785) of a record, compiled: it is kept and hashed of each."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

IS_COMPILED = True

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL


@cython.final
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

    cdef int name(self, bytes name) except -1:
        """A plain name of a member of the object that begins where all begins."""
        self.sign(b"," if self.size else b"{")
        self.sign(b'"')
        self.add_bytes(name)
        return self.add(b'":', 2)

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

    cdef int string(self, value) except -1:
        cdef Py_ssize_t size
        cdef const char *text = PyUnicode_AsUTF8AndSize(value, &size)
        return self.quoted(<const unsigned char *>text, size)

    cdef int quoted(self, const unsigned char *text, Py_ssize_t size) except -1:
        """The string that this text in UTF-8 is."""
        cdef Py_ssize_t at
        cdef unsigned char one, odd = 0
        self.make_room(2 * size + 2)
        cdef char *written = self.text + self.size
        written[0] = b'"'
        written += 1
        for at in range(size):
            one = text[at]
            odd |= (one == 34) | (one == 92) | (one < 32)
        if odd:
            for at in range(size):
                one = text[at]
                if one == b'"' or one == b"\\":
                    written[0] = b"\\"
                    written += 1
                elif one < 32:
                    raise ValueError("a control")
                written[0] = one
                written += 1
        else:
            memcpy(written, text, size)
            written += size
        written[0] = b'"'
        self.size = written + 1 - self.text
        return 0

    cdef str taken(self):
        return PyUnicode_DecodeUTF8(self.text, self.size, NULL)

    cdef bytes since(self, Py_ssize_t start):
        return PyBytes_FromStringAndSize(self.text + start, self.size - start)


def write_canonical_json(dict values not None, tuple names not None):
    """The object of those values that are not empty; `names` are sorted and plain. Raises ValueError for what takes
    more care: controls and half characters."""
    cdef Json json = Json()
    for name in names:
        value = values.get(name)
        if value:
            json.name(name.encode("ascii"))
            json.value(value)
    if not json.size:
        json.sign(b"{")
    json.sign(b"}")
    return json.since(0)
