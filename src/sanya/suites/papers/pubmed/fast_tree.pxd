"""What other compiled parts may do with a tree of elements."""

cimport cython
from sanya.suites.papers.pubmed.record_json cimport Json


cdef struct Node:
    int name  # where its name begins
    int name_end
    int inside  # where its content begins, behind the opening tag
    int end  # where its content ends, before the closing tag
    int child  # the first one inside; 0 for none, which is the root's own place
    int next  # the next beside it; 0 for none
    int parent


cdef class Unusual(Exception):
    pass


@cython.final
cdef class Tree:
    cdef bytes xml
    cdef const unsigned char *text
    cdef int length
    cdef Node *nodes
    cdef int count
    cdef int room

    cdef int build(self) except -1
    cdef int check_characters(self) except -1
    cdef int check_wide_characters(self) except -1
    cdef int place_of(self, unsigned char sign, int start, int end) noexcept
    cdef int entity_at(self, int at, unsigned char *sign) except -1
    cdef int add(self, int at) except -1
    cdef int name_end(self, int at) except -1
    cdef int attributes_end(self, int at) except -1
    cdef int value_end(self, int at) except -1
    cdef bint is_named(self, int node, const char *name, int length) noexcept
    cdef int first(self, int parent, bytes name) noexcept
    cdef int following(self, int node, bytes name) noexcept
    cdef int only(self, int parent, bytes name) except -1
    cdef bint find_attribute(self, int node, bytes name, int *start, int *end) except -1
    cdef str attribute(self, int node, bytes name)
    cdef bint has_attribute(self, int node, bytes name, bytes plain) except -1
    cdef int write_attribute(self, int node, bytes name, Json json) except -1
    cdef str text_of(self, int node)
    cdef bint has_text(self, int node) except -1
    cdef bint write_text(self, int node, Json json) except -1
    cdef int write_text_or_null(self, int node, Json json) except -1
    cdef bint trim(self, int *start, int *end) noexcept
    cdef bytes outer(self, int node)
    cdef int outer_end(self, int node) noexcept
    cdef str text_in(self, int parent, bytes name)
    cdef str decoded(self, int start, int end, bint singly)
    cdef str rewritten(self, int start, int end, bint singly)
    cdef int first_inside(self, int parent, bytes container, bytes name) noexcept
    cdef int next_inside(self, int node, bytes container, bytes name) noexcept
    cdef int next_of(self, int node, bytes name) noexcept
