"""The elements of one record in the part of XML that nearly all keep to, checked to be well-formed. What goes beyond it
(comments, numbered characters, namespaces) is unusual, and so is whatever is not well-formed."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcmp

from sanya.suites.papers.pubmed.record_json cimport Json

from sanya.suites.papers.pubmed.markup import extract_text
from sanya.suites.papers.pubmed.xml_reader import parse_element

cdef enum:
    MOST_DEPTH = 64
    MOST_ATTRIBUTES = 8


cdef class Unusual(Exception):
    """Something is written otherwise than usual."""


cdef unsigned char[256] _IN_NAME
cdef int _code
for _code in range(256):
    _IN_NAME[_code] = chr(_code).isascii() and (chr(_code).isalnum() or chr(_code) in "_-.")


cdef bint _is_plain(const unsigned char *text, int size) noexcept:
    """Whether it is read as it is written: no entity, no blank but single ones. Something stands behind it."""
    cdef unsigned char odd = 0, one
    cdef int at
    for at in range(size):
        one = text[at]
        odd |= (one == 38) | (one < 32) | ((one == 32) & (text[at + 1] == 32))
    return not odd


@cython.final
cdef class Tree:
    """The elements of one record, by their places in its XML. Every place is within it, because it was walked to."""

    def __cinit__(self, bytes xml not None):
        if PyBytes_GET_SIZE(xml) > 1 << 30:
            raise Unusual
        self.xml = xml
        self.text = <const unsigned char *>PyBytes_AS_STRING(xml)
        self.length = <int>PyBytes_GET_SIZE(xml)
        self.room = 256
        self.nodes = <Node *>malloc(self.room * sizeof(Node))
        if self.nodes is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.nodes)

    cdef int build(self) except -1:
        cdef int[MOST_DEPTH] open_nodes
        cdef int[MOST_DEPTH] last_children
        cdef int depth = 0, at = 0, node, name_length
        cdef const unsigned char *text = self.text
        cdef const void *found
        self.check_characters()
        if not self.length or text[0] != b"<":
            raise Unusual
        while True:
            found = memchr(text + at, b"<", self.length - at)
            if found is NULL:
                raise Unusual
            at = <int>(<const unsigned char *>found - text) + 1
            if at >= self.length:
                raise Unusual
            if text[at] == b"/":
                if not depth:
                    raise Unusual
                depth -= 1
                node = open_nodes[depth]
                self.nodes[node].end = at - 1
                name_length = self.nodes[node].name_end - self.nodes[node].name
                at += 1
                if self.length - at <= name_length:
                    raise Unusual
                if memcmp(text + at, text + self.nodes[node].name, name_length) or text[at + name_length] != b">":
                    raise Unusual
                at += name_length + 1
            else:
                node = self.add(at)
                if depth:
                    if last_children[depth - 1]:
                        self.nodes[last_children[depth - 1]].next = node
                    else:
                        self.nodes[open_nodes[depth - 1]].child = node
                    last_children[depth - 1] = node
                    self.nodes[node].parent = open_nodes[depth - 1]
                elif node:
                    raise Unusual
                at = self.nodes[node].inside
                if self.nodes[node].end < 0:  # it has content
                    if depth == MOST_DEPTH:
                        raise Unusual
                    open_nodes[depth] = node
                    last_children[depth] = 0
                    depth += 1
            if not depth:
                break
        if at != self.length:
            raise Unusual
        return 0

    cdef int check_characters(self) except -1:
        """What no XML may hold, and what only an XML parser may read."""
        cdef const unsigned char *text = self.text
        cdef unsigned char seen = 0, controls = 0, one, sign
        cdef int at
        for at in range(self.length):
            one = text[at]
            seen |= one
            controls |= (one < 32) & (one != 9) & (one != 10) & (one != 13)
        if controls:
            raise Unusual
        if seen & 128:
            self.check_wide_characters()
        at = self.place_of(b"]", 0, self.length)
        while at < self.length - 2:
            if text[at + 1] == b"]" and text[at + 2] == b">":
                raise Unusual
            at = self.place_of(b"]", at + 1, self.length)
        at = 0
        while at < self.length:
            at = self.place_of(b"&", at, self.length)
            if at < self.length:
                at += self.entity_at(at, &sign)
        return 0

    cdef int check_wide_characters(self) except -1:
        try:
            PyUnicode_DecodeUTF8(<const char *>self.text, self.length, NULL)
        except UnicodeDecodeError:
            raise Unusual from None
        cdef int at = self.place_of(0xEF, 0, self.length)
        while at < self.length:
            if self.text[at + 1] == 0xBF:  # two of the characters that begin so are none in XML
                raise Unusual
            at = self.place_of(0xEF, at + 1, self.length)
        return 0

    cdef int place_of(self, unsigned char sign, int start, int end) noexcept:
        """Where the sign comes next; `end` if it does not."""
        cdef const void *found = memchr(self.text + start, sign, end - start)
        return end if found is NULL else <int>(<const unsigned char *>found - self.text)

    cdef int entity_at(self, int at, unsigned char *sign) except -1:
        """The sign that the entity stands for; returns how long that is written."""
        cdef int left = self.length - at
        cdef const unsigned char *text = self.text + at
        if left > 5 and not memcmp(text, b"&amp;", 5):
            sign[0] = b"&"
            return 5
        if left > 4 and not memcmp(text, b"&lt;", 4):
            sign[0] = b"<"
            return 4
        if left > 4 and not memcmp(text, b"&gt;", 4):
            sign[0] = b">"
            return 4
        if left > 6 and not memcmp(text, b"&quot;", 6):
            sign[0] = b'"'
            return 6
        if left > 6 and not memcmp(text, b"&apos;", 6):
            sign[0] = b"'"
            return 6
        raise Unusual

    cdef int add(self, int at) except -1:
        """The element whose name begins here. Its end is not known yet and -1, unless it is empty."""
        cdef const unsigned char *text = self.text
        cdef Node *node
        cdef Node *grown
        if self.count == self.room:
            grown = <Node *>realloc(self.nodes, 2 * self.room * sizeof(Node))
            if grown is NULL:
                raise MemoryError
            self.nodes = grown
            self.room *= 2
        node = &self.nodes[self.count]
        node.name = at
        node.child = node.next = node.parent = 0
        node.end = -1
        at = self.name_end(at)
        node.name_end = at
        if text[at] != b">":
            at = self.attributes_end(at)
        if text[at] == b"/":
            at += 1
            if at >= self.length:
                raise Unusual
            node.end = at + 1
        if text[at] != b">":
            raise Unusual
        node.inside = at + 1
        self.count += 1
        return self.count - 1

    cdef int name_end(self, int at) except -1:
        """Where the name that begins here ends; something stands behind it."""
        cdef const unsigned char *text = self.text
        cdef int end = at + 1
        if at >= self.length or not _IN_NAME[text[at]] or text[at] < b"A":
            raise Unusual
        while _IN_NAME[text[end]]:  # a zero byte, which is in none, stands behind all bytes
            end += 1
        if end >= self.length:
            raise Unusual
        return end

    cdef int attributes_end(self, int at) except -1:
        """Checks the attributes that begin here; where they end, something stands."""
        cdef const unsigned char *text = self.text
        cdef int[MOST_ATTRIBUTES] names
        cdef int[MOST_ATTRIBUTES] lengths
        cdef int count = 0, start, end, other
        while True:
            start = at
            while at < self.length and text[at] in b" \t\r\n":
                at += 1
            if at == self.length:
                raise Unusual
            if text[at] in b">/":
                return at
            end = self.name_end(at)
            if at == start or count == MOST_ATTRIBUTES:
                raise Unusual
            for other in range(count):
                if lengths[other] == end - at and not memcmp(text + names[other], text + at, end - at):
                    raise Unusual
            names[count] = at
            lengths[count] = end - at
            if end - at >= 5 and not memcmp(text + at, b"xmlns", 5):
                raise Unusual
            count += 1
            at = self.value_end(end)

    cdef int value_end(self, int at) except -1:
        """The end of an attribute whose name ends here."""
        cdef const unsigned char *text = self.text
        cdef unsigned char odd = 0
        cdef int end
        if self.length - at < 3 or text[at] != b"=" or text[at + 1] not in b"\"'":
            raise Unusual
        end = self.place_of(text[at + 1], at + 2, self.length)
        for at in range(at + 2, end):
            odd |= (text[at] == 60) | (text[at] < 32)
        if odd or end + 1 >= self.length:
            raise Unusual
        return end + 1

    cdef bint is_named(self, int node, const char *name, int length) noexcept:
        cdef Node *one = &self.nodes[node]
        return one.name_end - one.name == length and not memcmp(self.text + one.name, name, length)

    cdef int first(self, int parent, bytes name) noexcept:
        """The first such element inside; 0 for none."""
        return self.following(self.nodes[parent].child, name)

    cdef int following(self, int node, bytes name) noexcept:
        """The node, or the first one beside it, that has this name; 0 for none."""
        cdef const char *wanted = PyBytes_AS_STRING(name)
        cdef int length = <int>PyBytes_GET_SIZE(name)
        while node and not self.is_named(node, wanted, length):
            node = self.nodes[node].next
        return node

    cdef int only(self, int parent, bytes name) except -1:
        """The one such element inside; 0 for none."""
        cdef int found = self.first(parent, name)
        if found and self.following(self.nodes[found].next, name):
            raise Unusual
        return found

    cdef bint find_attribute(self, int node, bytes name, int *start, int *end) except -1:
        """Whether it is there; if so, where its value stands."""
        cdef const unsigned char *text = self.text
        cdef int at = self.nodes[node].name_end, begin
        cdef int length = <int>PyBytes_GET_SIZE(name)
        while text[at] != b">" and text[at] != b"/":
            if _IN_NAME[text[at]]:
                begin = at
                at = self.name_end(at)
                start[0] = at + 2
                end[0] = self.place_of(text[at + 1], at + 2, self.length)
                if at - begin == length and not memcmp(text + begin, PyBytes_AS_STRING(name), length):
                    return True
                at = end[0]
            at += 1
        return False

    cdef str attribute(self, int node, bytes name):
        """None where it is not there or empty."""
        cdef int start, end
        return self.decoded(start, end, False) or None if self.find_attribute(node, name, &start, &end) else None

    cdef bint has_attribute(self, int node, bytes name, bytes plain) except -1:
        """Whether it has this value, in which no entity stands."""
        cdef int start, end, length = <int>PyBytes_GET_SIZE(plain)
        if not self.find_attribute(node, name, &start, &end):
            return False
        return end - start == length and not memcmp(self.text + start, PyBytes_AS_STRING(plain), length)

    cdef int write_attribute(self, int node, bytes name, Json json) except -1:
        """null where it is not there or empty."""
        cdef int start, end
        if not self.find_attribute(node, name, &start, &end) or start == end:
            return json.add(b"null", 4)
        if self.place_of(b"&", start, end) < end:
            return json.string(self.decoded(start, end, False))
        return json.quoted(self.text + start, end - start)

    cdef str text_of(self, int node):
        """All the text inside, markup resolved, blanks made single; None where there is none."""
        if not node:
            return None
        cdef Node *one = &self.nodes[node]
        if one.child:
            return extract_text(parse_element(self.outer(node).decode("utf-8"))) or None
        return self.decoded(one.inside, one.end, True) or None

    cdef bint has_text(self, int node) except -1:
        """Whether `text_of` gives any."""
        cdef int start = self.nodes[node].inside, end = self.nodes[node].end
        return self.text_of(node) is not None if self.nodes[node].child else self.trim(&start, &end)

    cdef bint write_text(self, int node, Json json) except -1:
        """Writes what `text_of` gives; nothing, and False, where there is none."""
        cdef int start = self.nodes[node].inside, end = self.nodes[node].end
        cdef str text
        if not node:
            return False
        if not self.nodes[node].child:
            if not self.trim(&start, &end):
                return False
            if _is_plain(self.text + start, end - start):
                json.quoted(self.text + start, end - start)
                return True
        text = self.text_of(node)
        if text is None:
            return False
        json.string(text)
        return True

    cdef int write_text_or_null(self, int node, Json json) except -1:
        return 0 if self.write_text(node, json) else json.add(b"null", 4)

    cdef bint trim(self, int *start, int *end) noexcept:
        """Leaves out blanks at both ends; whether anything is left."""
        while start[0] < end[0] and self.text[start[0]] in b" \t\r\n":
            start[0] += 1
        while start[0] < end[0] and self.text[end[0] - 1] in b" \t\r\n":
            end[0] -= 1
        return start[0] < end[0]

    cdef bytes outer(self, int node):
        """The element as it is written, with its tags."""
        cdef int start = self.nodes[node].name - 1
        return PyBytes_FromStringAndSize(<const char *>self.text + start, self.outer_end(node) - start)

    cdef int outer_end(self, int node) noexcept:
        cdef Node *one = &self.nodes[node]
        cdef bint is_empty = self.text[one.inside - 2] == b"/"
        return one.inside if is_empty else one.end + 3 + one.name_end - one.name

    cdef str text_in(self, int parent, bytes name):
        return self.text_of(self.first(parent, name))

    cdef str decoded(self, int start, int end, bint singly):
        """The characters between two places, entities resolved, and `singly` with single blanks, none at the ends."""
        if singly:
            self.trim(&start, &end)
        if _is_plain(self.text + start, end - start) or not (singly or self.place_of(b"&", start, end) < end):
            return PyUnicode_DecodeUTF8(<const char *>self.text + start, end - start, NULL)
        return self.rewritten(start, end, singly)

    cdef str rewritten(self, int start, int end, bint singly):
        cdef const unsigned char *text = self.text
        cdef unsigned char *written = <unsigned char *>malloc(end - start + 1)
        cdef int at = start, size = 0
        cdef unsigned char sign
        if written is NULL:
            raise MemoryError
        try:
            while at < end:
                sign = text[at]
                if sign == b"&":
                    at += self.entity_at(at, &sign) - 1
                elif singly and sign in b" \t\r\n":
                    sign = b" "
                    while text[at + 1] in b" \t\r\n":  # it ends before a blank would: `end` is behind none
                        at += 1
                written[size] = sign
                size += 1
                at += 1
            return PyUnicode_DecodeUTF8(<const char *>written, size, NULL)
        finally:
            free(written)

    cdef int first_inside(self, int parent, bytes container, bytes name) noexcept:
        """The first such element in such containers; 0 for none."""
        cdef int outer = self.first(parent, container), found = 0
        while outer and not found:
            found = self.first(outer, name)
            outer = self.next_of(outer, container)
        return found

    cdef int next_inside(self, int node, bytes container, bytes name) noexcept:
        """The next one behind one of these; 0 for none."""
        cdef int outer = self.nodes[node].parent, found = self.next_of(node, name)
        while not found:
            outer = self.next_of(outer, container)
            if not outer:
                return 0
            found = self.first(outer, name)
        return found

    cdef int next_of(self, int node, bytes name) noexcept:
        return self.following(self.nodes[node].next, name)
