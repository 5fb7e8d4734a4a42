"""Writes the canonical JSON (RFC 8785) of a record, which the store keeps and hashes."""

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
    """A writer of canonical JSON (RFC 8785) for strings, booleans, None and tuples of these."""

    def __cinit__(self):
        self.capacity = 4096
        self.text = <char *>malloc(self.capacity)
        if self.text is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.text)

    cdef int reserve(self, Py_ssize_t size) except -1:
        cdef char *grown
        if self.size + size > self.capacity:
            grown = <char *>realloc(self.text, 2 * (self.capacity + size))
            if grown is NULL:
                raise MemoryError
            self.text = grown
            self.capacity = 2 * (self.capacity + size)
        return 0

    cdef int add_byte(self, char byte) except -1:
        self.reserve(1)
        self.text[self.size] = byte
        self.size += 1
        return 0

    cdef int add(self, const char *text, Py_ssize_t size) except -1:
        self.reserve(size)
        memcpy(self.text + self.size, text, size)
        self.size += size
        return 0

    cdef int add_bytes(self, bytes text) except -1:
        return self.add(PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))

    cdef int add_name(self, bytes name) except -1:
        """Add the name of a member of the outermost object; the first one opens the object."""
        self.add_byte(b"," if self.size else b"{")
        self.add_byte(b'"')
        self.add_bytes(name)
        return self.add(b'":', 2)

    cdef int add_value(self, value) except -1:
        cdef bint is_first = True
        if value is None:
            return self.add(b"null", 4)
        if value is True:
            return self.add(b"true", 4)
        if value is False:
            return self.add(b"false", 5)
        if isinstance(value, str):
            return self.add_string(value)
        if not isinstance(value, tuple):
            raise ValueError("neither a string nor a tuple")
        self.add_byte(b"[")
        for item in <tuple>value:  # named tuples too
            if not is_first:
                self.add_byte(b",")
            self.add_value(item)
            is_first = False
        return self.add_byte(b"]")

    cdef int add_string(self, value) except -1:
        cdef Py_ssize_t size
        cdef const char *text = PyUnicode_AsUTF8AndSize(value, &size)
        return self.add_quoted(<const unsigned char *>text, size)

    cdef int add_quoted(self, const unsigned char *text, Py_ssize_t size) except -1:
        """Add the string that this UTF-8 text is."""
        cdef Py_ssize_t at
        cdef unsigned char byte, irregular = 0
        self.reserve(2 * size + 2)
        cdef char *written = self.text + self.size
        written[0] = b'"'
        written += 1
        for at in range(size):
            byte = text[at]
            irregular |= (byte == 34) | (byte == 92) | (byte < 32)
        if irregular:
            for at in range(size):
                byte = text[at]
                if byte == b'"' or byte == b"\\":
                    written[0] = b"\\"
                    written += 1
                elif byte < 32:
                    raise ValueError("a control character")
                written[0] = byte
                written += 1
        else:
            memcpy(written, text, size)
            written += size
        written[0] = b'"'
        self.size = written + 1 - self.text
        return 0

    cdef str to_text(self):
        return PyUnicode_DecodeUTF8(self.text, self.size, NULL)

    cdef bytes copy_from(self, Py_ssize_t start):
        return PyBytes_FromStringAndSize(self.text + start, self.size - start)


def write_canonical_json(dict values not None, tuple names not None):
    """Return the JSON object of the values that are not empty; `names` are sorted and need no escaping.

    Raises ValueError for control characters and lone surrogates.
    """
    cdef Json json = Json()
    for name in names:
        value = values.get(name)
        if value:
            json.add_name(name.encode("ascii"))
            json.add_value(value)
    if not json.size:
        json.add_byte(b"{")
    json.add_byte(b"}")
    return json.copy_from(0)
