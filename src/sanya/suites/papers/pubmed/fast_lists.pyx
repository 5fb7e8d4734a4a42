"""Writes the lists of a record (authors, headings, substances, keywords) as JSON, straight from its XML.

No Python objects are made of them: an import needs the lists only inside the record's JSON.
"""

from sanya.suites.papers.pubmed.fast_tree cimport Tree, Declined
from sanya.suites.papers.pubmed.record_json cimport Json
from sanya.text.text_cache cimport Slot, TextCache, find, get_value

from sanya.suites.papers.pubmed.study_headings import STUDY_HEADINGS

cdef enum:
    MAX_CACHED = 50_000
    MAX_CACHED_BYTES = 2000  # longer ones are not cached

# JSON by XML: most terms and substances of a file recur. Whole headings recur less, because they combine terms.
cdef TextCache _known = TextCache()
# Each study heading has a bit, and each combination of bits has one frozenset, made when it first occurs.
cdef dict _bits = {f'"{name}"'.encode(): 1 << number for number, name in enumerate(sorted(STUDY_HEADINGS))}
cdef dict _sets = {}


cdef int write_authors(Tree tree, int article, Json json) except -1:
    """Write the list as a member, unless it is empty."""
    cdef int node = tree.find_first_in_list(article, b"AuthorList", b"Author")
    cdef Py_ssize_t before = json.size
    cdef bint is_any = False
    if node:
        json.add_name(b"authors")
    while node:
        json.add_byte(b"," if is_any else b"[")
        if _write_author(tree, node, json):
            is_any = True
        else:
            json.size -= 1
        node = tree.find_next_in_list(node, b"AuthorList", b"Author")
    if not is_any:
        json.size = before
        return 0
    return json.add_byte(b"]")


cdef bint _write_author(Tree tree, int author, Json json) except -1:
    """Write the author and return True; write nothing and return False for an author without a name."""
    cdef int[4] parts
    cdef int node = tree.nodes[author].child, kind
    cdef Py_ssize_t before = json.size
    cdef bint is_any = False
    parts[0] = parts[1] = parts[2] = parts[3] = 0
    while node:
        if tree.is_named(node, b"LastName", 8):
            kind = 0
        elif tree.is_named(node, b"ForeName", 8):
            kind = 1
        elif tree.is_named(node, b"Initials", 8):
            kind = 2
        elif tree.is_named(node, b"CollectiveName", 14):
            kind = 3
        else:
            kind = -1
        if kind >= 0 and not parts[kind]:
            parts[kind] = node
        node = tree.nodes[node].next
    for kind in range(4):
        json.add_byte(b"," if kind else b"[")
        if parts[kind] and tree.write_text(parts[kind], json):
            is_any = True
        else:
            json.add(b"null", 4)
    json.add_byte(b"]")
    if not is_any:
        json.size = before
    return is_any


cdef object write_headings(Tree tree, int citation, Json json):
    """Write the list as a member. Return the set of study headings, or None for a record without headings."""
    cdef int node = tree.find_first_in_list(citation, b"MeshHeadingList", b"MeshHeading"), bits = 0
    if not node:
        return None
    json.add_name(b"mesh")
    json.add_byte(b"[")
    while node:
        bits |= _write_heading(tree, node, json)
        json.add_byte(b",")
        node = tree.find_next_in_list(node, b"MeshHeadingList", b"MeshHeading")
    json.size -= 1
    json.add_byte(b"]")
    if bits not in _sets:
        _sets[bits] = STUDY_HEADINGS & {name[1:-1].decode() for name, bit in _bits.items() if bits & bit}
    return _sets[bits]


cdef int _write_heading(Tree tree, int node, Json json) except -1:
    """Return the bit of a study heading, or 0."""
    cdef int term = tree.find_first(node, b"DescriptorName")
    if not term:
        raise Declined
    json.add_byte(b"[")
    cdef int bit = _write_known(tree, term, json)
    json.add(b",[", 2)
    term = tree.find_first(node, b"QualifierName")
    while term:
        json.add_byte(b"[")
        _write_known(tree, term, json)
        json.add_byte(b"]")
        term = tree.find_next(term, b"QualifierName")
        if term:
            json.add_byte(b",")
    json.add(b"]]", 2)
    return bit


cdef int _write_known(Tree tree, int node, Json json) except -1:
    """Write a term or a substance from the cache; return the bit of a study heading, or 0."""
    cdef int start = tree.nodes[node].name, size = tree.find_element_end(node) - start, bit
    cdef Py_ssize_t before = json.size
    cdef const Slot *slot = find(_known, tree.text + start, size)
    if slot is not NULL:
        json.add(<const char *>get_value(_known, slot), slot.value_size)
        return slot.number
    if tree.is_named(node, b"Chemical", 8):
        bit = _write_substance(tree, node, json)
    else:
        bit = _write_term(tree, node, json)
    if size <= MAX_CACHED_BYTES:
        if _known.count >= MAX_CACHED:
            _known.clear()
        _known.remember(
            tree.text + start, size, <const unsigned char *>json.text + before, <int>(json.size - before), bit
        )
    return bit


cdef int _write_term(Tree tree, int node, Json json) except -1:
    """Write its name, its id and whether it is a major topic; return its bit."""
    cdef Py_ssize_t before = json.size
    if not tree.write_text(node, json):
        json.add(b'""', 2)
    cdef int bit = _bits.get(json.copy_from(before), 0)
    json.add_byte(b",")
    tree.write_attribute(node, b"UI", json)
    if tree.has_attribute(node, b"MajorTopicYN", b"Y"):
        json.add(b",true", 5)
    else:
        json.add(b",false", 6)
    return bit


cdef int write_substances(Tree tree, int citation, Json json) except -1:
    """Write the list as a member, unless it is empty."""
    cdef int node = tree.find_first_in_list(citation, b"ChemicalList", b"Chemical")
    if not node:
        return 0
    json.add_name(b"substances")
    json.add_byte(b"[")
    while node:
        _write_known(tree, node, json)
        json.add_byte(b",")
        node = tree.find_next_in_list(node, b"ChemicalList", b"Chemical")
    json.size -= 1
    return json.add_byte(b"]")


cdef int _write_substance(Tree tree, int node, Json json) except -1:
    cdef int name = tree.find_first(node, b"NameOfSubstance")
    json.add_byte(b"[")
    if not name:
        json.add(b'"",null', 7)
    else:
        if not tree.write_text(name, json):
            json.add(b'""', 2)
        json.add_byte(b",")
        tree.write_attribute(name, b"UI", json)
    json.add_byte(b",")
    tree.write_text_or_null(tree.find_first(node, b"RegistryNumber"), json)
    json.add_byte(b"]")
    return 0


cdef int write_texts(Tree tree, int parent, tuple path, Json json) except -1:
    """Write the texts as a member, unless there are none; `path` names the member, the container and the element."""
    cdef int node = tree.find_first_in_list(parent, path[1], path[2])
    cdef Py_ssize_t before = json.size
    cdef bint is_any = False
    if node:
        json.add_name(path[0])
    while node:
        json.add_byte(b"," if is_any else b"[")
        if tree.write_text(node, json):
            is_any = True
        else:
            json.size -= 1
        node = tree.find_next_in_list(node, path[1], path[2])
    if not is_any:
        json.size = before
        return 0
    return json.add_byte(b"]")
