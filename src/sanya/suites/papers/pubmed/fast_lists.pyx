"""Authors, headings and substances of a record as JSON straight from its XML: of most records nobody asks for more."""

from sanya.suites.papers.pubmed.fast_tree cimport Tree, Unusual
from sanya.suites.papers.pubmed.record_json cimport Json
from sanya.text.text_cache cimport KnownTexts, Place, find, known_of

from sanya.suites.papers.pubmed.study_headings import STUDY_HEADINGS

cdef enum:
    REMEMBERED = 50_000
    LONGEST = 2000  # longer ones are not remembered

# As they are written: most terms and substances of a file were read before. Headings are more: they combine terms.
cdef KnownTexts _known = KnownTexts()
# Each of the headings that tell of a study has a bit, and each set of them is made once.
cdef dict _bits = {f'"{name}"'.encode(): 1 << place for place, name in enumerate(sorted(STUDY_HEADINGS))}
cdef dict _sets = {}


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
    if not node:
        return None
    json.name(b"mesh")
    json.sign(b"[")
    while node:
        bits |= _write_heading(tree, node, json)
        json.sign(b",")
        node = tree.next_inside(node, b"MeshHeadingList", b"MeshHeading")
    json.size -= 1
    json.sign(b"]")
    if bits not in _sets:
        _sets[bits] = STUDY_HEADINGS & {name[1:-1].decode() for name, bit in _bits.items() if bits & bit}
    return _sets[bits]


cdef int _write_heading(Tree tree, int node, Json json) except -1:
    """Gives the bit of one that tells of the study, or else 0."""
    cdef int term = tree.first(node, b"DescriptorName")
    if not term:
        raise Unusual
    json.sign(b"[")
    cdef int bit = _write_known(tree, term, json)
    json.add(b",[", 2)
    term = tree.first(node, b"QualifierName")
    while term:
        json.sign(b"[")
        _write_known(tree, term, json)
        json.sign(b"]")
        term = tree.next_of(term, b"QualifierName")
        if term:
            json.sign(b",")
    json.add(b"]]", 2)
    return bit


cdef int _write_known(Tree tree, int node, Json json) except -1:
    """A term or a substance; gives the bit of a term that tells of the study, or else 0."""
    cdef int start = tree.nodes[node].name, size = tree.outer_end(node) - start, bit
    cdef Py_ssize_t before = json.size
    cdef const Place *place = find(_known, tree.text + start, size)
    if place is not NULL:
        json.add(<const char *>known_of(_known, place), place.known)
        return place.number
    if tree.is_named(node, b"Chemical", 8):
        bit = _write_substance(tree, node, json)
    else:
        bit = _write_term(tree, node, json)
    if size <= LONGEST:
        if _known.count >= REMEMBERED:
            _known.forget()
        _known.remember(
            tree.text + start, size, <const unsigned char *>json.text + before, <int>(json.size - before), bit
        )
    return bit


cdef int _write_term(Tree tree, int node, Json json) except -1:
    """Its name, its id and whether it is a major topic; gives its bit."""
    cdef Py_ssize_t before = json.size
    if not tree.write_text(node, json):
        json.add(b'""', 2)
    cdef int bit = _bits.get(json.since(before), 0)
    json.sign(b",")
    tree.write_attribute(node, b"UI", json)
    if tree.has_attribute(node, b"MajorTopicYN", b"Y"):
        json.add(b",true", 5)
    else:
        json.add(b",false", 6)
    return bit


cdef int write_substances(Tree tree, int citation, Json json) except -1:
    """The list as a member, unless it is empty."""
    cdef int node = tree.first_inside(citation, b"ChemicalList", b"Chemical")
    if not node:
        return 0
    json.name(b"substances")
    json.sign(b"[")
    while node:
        _write_known(tree, node, json)
        json.sign(b",")
        node = tree.next_inside(node, b"ChemicalList", b"Chemical")
    json.size -= 1
    return json.sign(b"]")


cdef int _write_substance(Tree tree, int node, Json json) except -1:
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
    return 0


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
