"""Authors, headings and substances of a record as JSON straight from its XML: of most records nobody asks for more."""

from cpython.bytes cimport PyBytes_FromStringAndSize

from sanya.suites.papers.pubmed_tree cimport Tree, Unusual
from sanya.suites.papers.record_json cimport Json

from sanya.suites.papers.study_headings import STUDY_HEADINGS

cdef enum:
    REMEMBERED = 50_000

# As they are written: most headings and substances of a file were read before.
cdef dict _headings = {}
cdef dict _substances = {}
# Each of the headings that tell of a study has a bit, and each set of them is made once.
cdef dict _bits = {f'"{name}"'.encode(): 1 << place for place, name in enumerate(sorted(STUDY_HEADINGS))}
cdef dict _sets = {}


cdef remember(dict known, bytes written, read):
    if len(known) >= REMEMBERED:
        known.clear()
    known[written] = read
    return read


cdef int write_authors(Tree tree, int article, Json json) except -1:
    """The list as a member, unless it is empty."""
    cdef int node = tree.first_inside(article, b"AuthorList", b"Author")
    cdef Py_ssize_t before = json.size
    cdef bint is_any = False
    if node:
        json.name(b"authors")
    while node:
        json.sign(b"," if is_any else b"[")
        if _write_author(tree, node, json):
            is_any = True
        else:
            json.size -= 1
        node = tree.next_inside(node, b"AuthorList", b"Author")
    if not is_any:
        json.size = before
        return 0
    return json.sign(b"]")


cdef bint _write_author(Tree tree, int author, Json json) except -1:
    """Nothing, and False, for one without a name."""
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
        json.sign(b"," if kind else b"[")
        if parts[kind] and tree.write_text(parts[kind], json):
            is_any = True
        else:
            json.add(b"null", 4)
    json.sign(b"]")
    if not is_any:
        json.size = before
    return is_any


cdef object write_headings(Tree tree, int citation, Json json):
    """The list as a member; gives the set of those that tell of the study, or None where there are no headings."""
    cdef int node = tree.first_inside(citation, b"MeshHeadingList", b"MeshHeading"), bits = 0
    cdef bytes written
    cdef tuple known
    if not node:
        return None
    json.name(b"mesh")
    json.sign(b"[")
    while node:
        written = tree.outer(node)
        found = _headings.get(written)
        known = remember(_headings, written, _heading(tree, node)) if found is None else found
        json.add_bytes(<bytes>known[0])
        json.sign(b",")
        bits |= <int>known[1]
        node = tree.next_inside(node, b"MeshHeadingList", b"MeshHeading")
    json.size -= 1
    json.sign(b"]")
    if bits not in _sets:
        _sets[bits] = STUDY_HEADINGS & {name[1:-1].decode() for name, bit in _bits.items() if bits & bit}
    return _sets[bits]


cdef tuple _heading(Tree tree, int node):
    """Its JSON, and its bit."""
    cdef Json json = Json()
    cdef int term = tree.first(node, b"DescriptorName")
    if not term:
        raise Unusual
    json.sign(b"[")
    cdef Py_ssize_t named = _write_term(tree, term, json)
    bit = _bits.get(PyBytes_FromStringAndSize(json.text + 1, named - 1), 0)
    json.add(b",[", 2)
    term = tree.first(node, b"QualifierName")
    while term:
        json.sign(b"[")
        _write_term(tree, term, json)
        json.sign(b"]")
        term = tree.next_of(term, b"QualifierName")
        if term:
            json.sign(b",")
    json.add(b"]]", 2)
    return json.since(0), bit


cdef Py_ssize_t _write_term(Tree tree, int node, Json json) except -1:
    """Its name, its id and whether it is a major topic; gives where the name ends."""
    if not tree.write_text(node, json):
        json.add(b'""', 2)
    cdef Py_ssize_t named = json.size
    json.sign(b",")
    tree.write_attribute(node, b"UI", json)
    if tree.has_attribute(node, b"MajorTopicYN", b"Y"):
        json.add(b",true", 5)
    else:
        json.add(b",false", 6)
    return named


cdef int write_substances(Tree tree, int citation, Json json) except -1:
    """The list as a member, unless it is empty."""
    cdef int node = tree.first_inside(citation, b"ChemicalList", b"Chemical")
    cdef bytes written
    if not node:
        return 0
    json.name(b"substances")
    json.sign(b"[")
    while node:
        written = tree.outer(node)
        known = _substances.get(written)
        json.add_bytes(remember(_substances, written, _substance(tree, node)) if known is None else known)
        json.sign(b",")
        node = tree.next_inside(node, b"ChemicalList", b"Chemical")
    json.size -= 1
    return json.sign(b"]")


cdef bytes _substance(Tree tree, int node):
    cdef Json json = Json()
    cdef int name = tree.first(node, b"NameOfSubstance")
    json.sign(b"[")
    if not name:
        json.add(b'"",null', 7)
    else:
        if not tree.write_text(name, json):
            json.add(b'""', 2)
        json.sign(b",")
        tree.write_attribute(name, b"UI", json)
    json.sign(b",")
    tree.write_text_or_null(tree.first(node, b"RegistryNumber"), json)
    json.sign(b"]")
    return json.since(0)


cdef int write_texts(Tree tree, int parent, tuple path, Json json) except -1:
    """Those that there are, as a member, unless there is none; `path` has its name, a container's and an element's."""
    cdef int node = tree.first_inside(parent, path[1], path[2])
    cdef Py_ssize_t before = json.size
    cdef bint is_any = False
    if node:
        json.name(path[0])
    while node:
        json.sign(b"," if is_any else b"[")
        if tree.write_text(node, json):
            is_any = True
        else:
            json.size -= 1
        node = tree.next_inside(node, path[1], path[2])
    if not is_any:
        json.size = before
        return 0
    return json.sign(b"]")
