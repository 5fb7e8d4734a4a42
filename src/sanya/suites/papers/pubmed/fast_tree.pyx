"""Parses the XML of one record into a tree of elements, for the part of XML that nearly all records keep to.

The tree raises `Declined` for everything else: comments, numeric character references, namespaces, and whatever is not
well-formed. The XML parser of `xml_reader` then reads the record or says what is wrong with it.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcmp

from sanya.suites.papers.pubmed.record_json cimport Json

from sanya.suites.papers.pubmed.markup import extract_text
from sanya.suites.papers.pubmed.xml_reader import parse_element

cdef enum:
    MAX_DEPTH = 64
    MAX_ATTRIBUTES = 8


cdef class Declined(Exception):
    """The XML is outside the part that the fast reader reads."""


cdef unsigned char[256] _IN_NAME
cdef int _code
for _code in range(256):
    _IN_NAME[_code] = chr(_code).isascii() and (chr(_code).isalnum() or chr(_code) in "_-.")


cdef bint _is_plain(const unsigned char *text, int size) noexcept:
    """Return whether the text needs no rewriting: no entity, and single blanks only. A byte must follow the text."""
    cdef unsigned char irregular = 0, byte
    cdef int at
    for at in range(size):
        byte = text[at]
        irregular |= (byte == 38) | (byte < 32) | ((byte == 32) & (text[at + 1] == 32))
    return not irregular


@cython.final
cdef class Tree:
    """The elements of one record, by their offsets in its XML. `build` checks every offset, so later reads need no check."""

    def __cinit__(self, bytes xml not None):
        if PyBytes_GET_SIZE(xml) > 1 << 30:
            raise Declined
        self.xml = xml
        self.text = <const unsigned char *>PyBytes_AS_STRING(xml)
        self.length = <int>PyBytes_GET_SIZE(xml)
        self.capacity = 256
        self.nodes = <Node *>malloc(self.capacity * sizeof(Node))
        if self.nodes is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.nodes)

    cdef int build(self) except -1:
        cdef int[MAX_DEPTH] open_nodes
        cdef int[MAX_DEPTH] last_children
        cdef int depth = 0, at = 0, node, name_length
        cdef const unsigned char *text = self.text
        cdef const void *found
        self.check_characters()
        if not self.length or text[0] != b"<":
            raise Declined
        while True:
            found = memchr(text + at, b"<", self.length - at)
            if found is NULL:
                raise Declined
            at = <int>(<const unsigned char *>found - text) + 1
            if at >= self.length:
                raise Declined
            if text[at] == b"/":
                if not depth:
                    raise Declined
                depth -= 1
                node = open_nodes[depth]
                self.nodes[node].end = at - 1
                name_length = self.nodes[node].name_end - self.nodes[node].name
                at += 1
                if self.length - at <= name_length:
                    raise Declined
                if memcmp(text + at, text + self.nodes[node].name, name_length) or text[at + name_length] != b">":
                    raise Declined
                at += name_length + 1
            else:
                node = self.add_element(at)
                if depth:
                    if last_children[depth - 1]:
                        self.nodes[last_children[depth - 1]].next = node
                    else:
                        self.nodes[open_nodes[depth - 1]].child = node
                    last_children[depth - 1] = node
                    self.nodes[node].parent = open_nodes[depth - 1]
                elif node:
                    raise Declined
                at = self.nodes[node].inside
                if self.nodes[node].end < 0:  # it has content
                    if depth == MAX_DEPTH:
                        raise Declined
                    open_nodes[depth] = node
                    last_children[depth] = 0
                    depth += 1
            if not depth:
                break
        if at != self.length:
            raise Declined
        return 0

    cdef int check_characters(self) except -1:
        """Decline characters that XML forbids, and sequences that only an XML parser can judge."""
        cdef const unsigned char *text = self.text
        cdef unsigned char seen = 0, controls = 0, byte, character
        cdef int at
        for at in range(self.length):
            byte = text[at]
            seen |= byte
            controls |= (byte < 32) & (byte != 9) & (byte != 10) & (byte != 13)
        if controls:
            raise Declined
        if seen & 128:
            self.check_wide_characters()
        at = self.find_byte(b"]", 0, self.length)
        while at < self.length - 2:
            if text[at + 1] == b"]" and text[at + 2] == b">":
                raise Declined
            at = self.find_byte(b"]", at + 1, self.length)
        at = 0
        while at < self.length:
            at = self.find_byte(b"&", at, self.length)
            if at < self.length:
                at += self.read_entity(at, &character)
        return 0

    cdef int check_wide_characters(self) except -1:
        try:
            PyUnicode_DecodeUTF8(<const char *>self.text, self.length, NULL)
        except UnicodeDecodeError:
            raise Declined from None
        cdef int at = self.find_byte(0xEF, 0, self.length)
        while at < self.length:
            if self.text[at + 1] == 0xBF:  # XML forbids U+FFFE and U+FFFF, which begin with these bytes
                raise Declined
            at = self.find_byte(0xEF, at + 1, self.length)
        return 0

    cdef int find_byte(self, unsigned char byte, int start, int end) noexcept:
        """Return the offset of the next such byte, or `end` where there is none."""
        cdef const void *found = memchr(self.text + start, byte, end - start)
        return end if found is NULL else <int>(<const unsigned char *>found - self.text)

    cdef int read_entity(self, int at, unsigned char *character) except -1:
        """Set the character that the entity stands for, and return the length of the entity."""
        cdef int left = self.length - at
        cdef const unsigned char *text = self.text + at
        if left > 5 and not memcmp(text, b"&amp;", 5):
            character[0] = b"&"
            return 5
        if left > 4 and not memcmp(text, b"&lt;", 4):
            character[0] = b"<"
            return 4
        if left > 4 and not memcmp(text, b"&gt;", 4):
            character[0] = b">"
            return 4
        if left > 6 and not memcmp(text, b"&quot;", 6):
            character[0] = b'"'
            return 6
        if left > 6 and not memcmp(text, b"&apos;", 6):
            character[0] = b"'"
            return 6
        raise Declined

    cdef int add_element(self, int at) except -1:
        """Add the element whose name begins here. Its end is -1 until its closing tag, unless it is empty."""
        cdef const unsigned char *text = self.text
        cdef Node *node
        cdef Node *grown
        if self.count == self.capacity:
            grown = <Node *>realloc(self.nodes, 2 * self.capacity * sizeof(Node))
            if grown is NULL:
                raise MemoryError
            self.nodes = grown
            self.capacity *= 2
        node = &self.nodes[self.count]
        node.name = at
        node.child = node.next = node.parent = 0
        node.end = -1
        at = self.find_name_end(at)
        node.name_end = at
        if text[at] != b">":
            at = self.check_attributes(at)
        if text[at] == b"/":
            at += 1
            if at >= self.length:
                raise Declined
            node.end = at + 1
        if text[at] != b">":
            raise Declined
        node.inside = at + 1
        self.count += 1
        return self.count - 1

    cdef int find_name_end(self, int at) except -1:
        """Return the end of the name that begins here; a byte always follows it."""
        cdef const unsigned char *text = self.text
        cdef int end = at + 1
        if at >= self.length or not _IN_NAME[text[at]] or text[at] < b"A":
            raise Declined
        while _IN_NAME[text[end]]:  # ends at the zero byte behind every bytes object
            end += 1
        if end >= self.length:
            raise Declined
        return end

    cdef int check_attributes(self, int at) except -1:
        """Check the attributes that begin here and return their end; a byte always follows it."""
        cdef const unsigned char *text = self.text
        cdef int[MAX_ATTRIBUTES] names
        cdef int[MAX_ATTRIBUTES] lengths
        cdef int count = 0, start, end, other
        while True:
            start = at
            while at < self.length and text[at] in b" \t\r\n":
                at += 1
            if at == self.length:
                raise Declined
            if text[at] in b">/":
                return at
            end = self.find_name_end(at)
            if at == start or count == MAX_ATTRIBUTES:
                raise Declined
            for other in range(count):
                if lengths[other] == end - at and not memcmp(text + names[other], text + at, end - at):
                    raise Declined
            names[count] = at
            lengths[count] = end - at
            if end - at >= 5 and not memcmp(text + at, b"xmlns", 5):
                raise Declined
            count += 1
            at = self.find_value_end(end)

    cdef int find_value_end(self, int at) except -1:
        """Return the end of the attribute whose name ends here."""
        cdef const unsigned char *text = self.text
        cdef unsigned char irregular = 0
        cdef int end
        if self.length - at < 3 or text[at] != b"=" or text[at + 1] not in b"\"'":
            raise Declined
        end = self.find_byte(text[at + 1], at + 2, self.length)
        for at in range(at + 2, end):
            irregular |= (text[at] == 60) | (text[at] < 32)
        if irregular or end + 1 >= self.length:
            raise Declined
        return end + 1

    cdef bint is_named(self, int node, const char *name, int length) noexcept:
        cdef Node *element = &self.nodes[node]
        return element.name_end - element.name == length and not memcmp(self.text + element.name, name, length)

    cdef int find_first(self, int parent, bytes name) noexcept:
        """Return the first child of this name, or 0."""
        return self.find_from(self.nodes[parent].child, name)

    cdef int find_from(self, int node, bytes name) noexcept:
        """Return the node or its first later sibling that has this name, or 0."""
        cdef const char *text = PyBytes_AS_STRING(name)
        cdef int length = <int>PyBytes_GET_SIZE(name)
        while node and not self.is_named(node, text, length):
            node = self.nodes[node].next
        return node

    cdef int find_only(self, int parent, bytes name) except -1:
        """Return the only child of this name, or 0; decline where there are several."""
        cdef int found = self.find_first(parent, name)
        if found and self.find_from(self.nodes[found].next, name):
            raise Declined
        return found

    cdef bint find_attribute(self, int node, bytes name, int *start, int *end) except -1:
        """Return whether the attribute exists, and set the offsets of its value."""
        cdef const unsigned char *text = self.text
        cdef int at = self.nodes[node].name_end, begin
        cdef int length = <int>PyBytes_GET_SIZE(name)
        while text[at] != b">" and text[at] != b"/":
            if _IN_NAME[text[at]]:
                begin = at
                at = self.find_name_end(at)
                start[0] = at + 2
                end[0] = self.find_byte(text[at + 1], at + 2, self.length)
                if at - begin == length and not memcmp(text + begin, PyBytes_AS_STRING(name), length):
                    return True
                at = end[0]
            at += 1
        return False

    cdef str read_attribute(self, int node, bytes name):
        """Return the value, or None for a missing or empty attribute."""
        cdef int start, end
        return self.decode(start, end, False) or None if self.find_attribute(node, name, &start, &end) else None

    cdef bint has_attribute(self, int node, bytes name, bytes plain) except -1:
        """Return whether the attribute has this value, which must hold no entity."""
        cdef int start, end, length = <int>PyBytes_GET_SIZE(plain)
        if not self.find_attribute(node, name, &start, &end):
            return False
        return end - start == length and not memcmp(self.text + start, PyBytes_AS_STRING(plain), length)

    cdef int write_attribute(self, int node, bytes name, Json json) except -1:
        """Write the value, or null for a missing or empty attribute."""
        cdef int start, end
        if not self.find_attribute(node, name, &start, &end) or start == end:
            return json.add(b"null", 4)
        if self.find_byte(b"&", start, end) < end:
            return json.add_string(self.decode(start, end, False))
        return json.add_quoted(self.text + start, end - start)

    cdef str read_text(self, int node):
        """Return all text inside, with markup resolved and single blanks, or None for no text."""
        if not node:
            return None
        cdef Node *element = &self.nodes[node]
        if element.child:
            return extract_text(parse_element(self.copy_element(node).decode("utf-8"))) or None
        return self.decode(element.inside, element.end, True) or None

    cdef bint has_text(self, int node) except -1:
        """Return whether `read_text` returns any text."""
        cdef int start = self.nodes[node].inside, end = self.nodes[node].end
        return self.read_text(node) is not None if self.nodes[node].child else self.trim(&start, &end)

    cdef bint write_text(self, int node, Json json) except -1:
        """Write the text that `read_text` returns, and return True; write nothing and return False for no text."""
        cdef int start = self.nodes[node].inside, end = self.nodes[node].end
        cdef str text
        if not node:
            return False
        if not self.nodes[node].child:
            if not self.trim(&start, &end):
                return False
            if _is_plain(self.text + start, end - start):
                json.add_quoted(self.text + start, end - start)
                return True
        text = self.read_text(node)
        if text is None:
            return False
        json.add_string(text)
        return True

    cdef int write_text_or_null(self, int node, Json json) except -1:
        return 0 if self.write_text(node, json) else json.add(b"null", 4)

    cdef bint trim(self, int *start, int *end) noexcept:
        """Move the offsets past blanks at both ends; return whether any text is left."""
        while start[0] < end[0] and self.text[start[0]] in b" \t\r\n":
            start[0] += 1
        while start[0] < end[0] and self.text[end[0] - 1] in b" \t\r\n":
            end[0] -= 1
        return start[0] < end[0]

    cdef bytes copy_element(self, int node):
        """Return the XML of the element, with its tags."""
        cdef int start = self.nodes[node].name - 1
        return PyBytes_FromStringAndSize(<const char *>self.text + start, self.find_element_end(node) - start)

    cdef int find_element_end(self, int node) noexcept:
        cdef Node *element = &self.nodes[node]
        cdef bint is_empty = self.text[element.inside - 2] == b"/"
        return element.inside if is_empty else element.end + 3 + element.name_end - element.name

    cdef str read_child_text(self, int parent, bytes name):
        return self.read_text(self.find_first(parent, name))

    cdef str decode(self, int start, int end, bint singly):
        """Return the characters between two offsets with entities resolved; `singly` also collapses and trims blanks."""
        if singly:
            self.trim(&start, &end)
        if _is_plain(self.text + start, end - start) or not (singly or self.find_byte(b"&", start, end) < end):
            return PyUnicode_DecodeUTF8(<const char *>self.text + start, end - start, NULL)
        return self.decode_irregular(start, end, singly)

    cdef str decode_irregular(self, int start, int end, bint singly):
        cdef const unsigned char *text = self.text
        cdef unsigned char *written = <unsigned char *>malloc(end - start + 1)
        cdef int at = start, size = 0
        cdef unsigned char character
        if written is NULL:
            raise MemoryError
        try:
            while at < end:
                character = text[at]
                if character == b"&":
                    at += self.read_entity(at, &character) - 1
                elif singly and character in b" \t\r\n":
                    character = b" "
                    while text[at + 1] in b" \t\r\n":  # ends within the text: `trim` left no blank at its end
                        at += 1
                written[size] = character
                size += 1
                at += 1
            return PyUnicode_DecodeUTF8(<const char *>written, size, NULL)
        finally:
            free(written)

    cdef int find_first_in_list(self, int parent, bytes container, bytes name) noexcept:
        """Return the first element of this name in any such container inside the parent, or 0."""
        cdef int outer = self.find_first(parent, container), found = 0
        while outer and not found:
            found = self.find_first(outer, name)
            outer = self.find_next(outer, container)
        return found

    cdef int find_next_in_list(self, int node, bytes container, bytes name) noexcept:
        """Return the next element of this name, in this container or a later one, or 0."""
        cdef int outer = self.nodes[node].parent, found = self.find_next(node, name)
        while not found:
            outer = self.find_next(outer, container)
            if not outer:
                return 0
            found = self.find_first(outer, name)
        return found

    cdef int find_next(self, int node, bytes name) noexcept:
        return self.find_from(self.nodes[node].next, name)
