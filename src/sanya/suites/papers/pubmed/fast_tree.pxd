"""Declares the element tree for the other compiled modules."""

cimport cython
from sanya.suites.papers.pubmed.record_json cimport Json


cdef struct Node:
    # Offsets into the XML, and indexes of other nodes. Index 0 is the root, so 0 also stands for "none".
    int name
    int name_end
    int inside  # the content begins here, after the opening tag
    int end  # the content ends here, before the closing tag
    int child  # the first child
    int next  # the next sibling
    int parent


cdef class Declined(Exception):
    pass


@cython.final
cdef class Tree:
    cdef bytes xml
    cdef const unsigned char *text
    cdef int length
    cdef Node *nodes
    cdef int count
    cdef int capacity

    cdef int build(self) except -1
    cdef int check_characters(self) except -1
    cdef int check_wide_characters(self) except -1
    cdef int find_byte(self, unsigned char byte, int start, int end) noexcept
    cdef int read_entity(self, int at, unsigned char *character) except -1
    cdef int add_element(self, int at) except -1
    cdef int find_name_end(self, int at) except -1
    cdef int check_attributes(self, int at) except -1
    cdef int find_value_end(self, int at) except -1
    cdef bint is_named(self, int node, const char *name, int length) noexcept
    cdef int find_first(self, int parent, bytes name) noexcept
    cdef int find_from(self, int node, bytes name) noexcept
    cdef int find_only(self, int parent, bytes name) except -1
    cdef bint find_attribute(self, int node, bytes name, int *start, int *end) except -1
    cdef str read_attribute(self, int node, bytes name)
    cdef bint has_attribute(self, int node, bytes name, bytes plain) except -1
    cdef int write_attribute(self, int node, bytes name, Json json) except -1
    cdef str read_text(self, int node)
    cdef bint has_text(self, int node) except -1
    cdef bint write_text(self, int node, Json json) except -1
    cdef int write_text_or_null(self, int node, Json json) except -1
    cdef bint trim(self, int *start, int *end) noexcept
    cdef bytes copy_element(self, int node)
    cdef int find_element_end(self, int node) noexcept
    cdef str read_child_text(self, int parent, bytes name)
    cdef str decode(self, int start, int end, bint singly)
    cdef str decode_irregular(self, int start, int end, bint singly)
    cdef int find_first_in_list(self, int parent, bytes container, bytes name) noexcept
    cdef int find_next_in_list(self, int node, bytes container, bytes name) noexcept
    cdef int find_next(self, int node, bytes name) noexcept
