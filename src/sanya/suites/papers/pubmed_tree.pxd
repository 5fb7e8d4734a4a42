"""What `pubmed_usual` may do with a tree of elements."""

cdef struct Node:
    int name  # where its name begins
    int name_end
    int inside  # where its content begins, behind the opening tag
    int end  # where its content ends, before the closing tag
    int child  # the first one inside; 0 for none, which is the root's own place
    int next  # the next beside it; 0 for none


cdef class Unusual(Exception):
    pass


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
    cdef str attribute(self, int node, bytes name)
    cdef str text_of(self, int node)
    cdef bytes outer(self, int node)
    cdef str text_in(self, int parent, bytes name)
    cdef str decoded(self, int start, int end, bint singly)
    cdef str rewritten(self, int start, int end, bint singly)
    cdef list texts(self, int parent, bytes container, bytes name)
    cdef list inside_all(self, int parent, bytes container, bytes name)
    cdef list all_of(self, int parent, bytes name)
