"""Reads PubMed records as they are usually written, compiled: a file has tens of thousands of them.

`pubmed_xml` says what a record's XML means, and reads what this declines. Where both read a record, they give the same.
A record comes as its JSON and what is asked of every record; it reads the rest from its JSON when that is asked for.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.string cimport memchr, memcmp

from sanya.suites.papers.pubmed.fast_lists cimport write_authors, write_headings, write_substances, write_texts
from sanya.suites.papers.pubmed.fast_tree cimport Tree, Unusual
from sanya.suites.papers.pubmed.record_json cimport Json

from hashlib import sha256

from sanya.suites.papers.pubmed.dates import format_partial_date, format_timestamp, parse_medline_date
from sanya.suites.papers.pubmed.xml_reader import to_link_kind
from sanya.suites.papers.pubmed.record import OtherAbstract, PaperRecord, PublicationLink, Section

IS_COMPILED = True

cdef tuple _KEYWORDS = (b"keywords", b"KeywordList", b"Keyword")
cdef tuple _LANGUAGES = (b"languages", b"Article", b"Language")
# As they are written: most days, and lists of types, of a file were read before.
cdef dict _moments = {}
cdef dict _dates = {}
cdef dict _types = {}

cdef enum:
    REMEMBERED = 50_000

cdef struct Places:
    # Where the parts of the record are; 0 for one that is not there.
    int citation
    int article
    int data
    int journal
    int issue
    int info


def cut_usual_articles(bytes text not None, Py_ssize_t at):
    """The XML of the articles that begin here, one behind the other, and where the last one ends that is whole."""
    cdef const char *data = PyBytes_AS_STRING(text)
    cdef Py_ssize_t length = PyBytes_GET_SIZE(text), start = at, end
    cdef list found = []
    while True:
        while start < length and data[start] in b" \t\r\n":
            start += 1
        if length - start < 15 or memcmp(data + start, b"<PubmedArticle>", 15):
            break
        end = _article_end(data, start, length)
        if end < 0:
            break
        found.append(PyBytes_FromStringAndSize(data + start, end - start))
        at = start = end
    return found, at


cdef Py_ssize_t _article_end(const char *data, Py_ssize_t at, Py_ssize_t length) noexcept:
    """Behind the next closing tag of an article; -1 where there is none."""
    cdef const char *slash
    while True:
        slash = <const char *>memchr(data + at, b"/", length - at)
        if slash is NULL or length - (slash - data) < 15:
            return -1
        at = slash - data + 1
        if slash[-1] == b"<" and not memcmp(slash + 1, b"PubmedArticle>", 14):
            return at + 14


def read_usual_record(bytes xml not None):
    """The record, or None where it is not written as usual."""
    cdef Tree tree
    try:
        tree = Tree(xml)
        tree.build()
        if not tree.is_named(0, b"PubmedArticle", 13):
            return None
        values = _values(tree)
    except (Unusual, ValueError):  # a bad record is the XML parser's to word
        return None
    # As `PaperRecord(**values)`, in a tenth of the time.
    record = object.__new__(PaperRecord)
    object.__setattr__(record, "__dict__", values)
    return record


cdef dict _values(Tree tree):
    cdef Places places = _places(tree)
    cdef int revised = tree.only(places.citation, b"DateRevised")
    cdef dict values = {"lr": _moment(tree, revised) if revised else None}
    cdef Json json = Json()
    # In the order of their names, which is that of canonical JSON.
    write_authors(tree, places.article, json)
    _write_doi(tree, &places, json)
    _keep(json, values, "edat", b"edat", _entered(tree, places.data))
    _write_issn(tree, &places, json)
    _write_text(tree, tree.first(places.issue, b"Issue") if places.issue else 0, b"issue", json)
    _keep(json, values, "journal", b"journal", _journal_text(tree, &places, b"Title"))
    name = _journal_text(tree, &places, b"ISOAbbreviation")
    _keep(json, values, "journal_abbreviation", b"journal_abbreviation", name)
    write_texts(tree, places.citation, _KEYWORDS, json)
    write_texts(tree, places.citation, _LANGUAGES, json)
    _keep(json, values, "links", b"links", _links(tree, places.citation))
    values["study_headings"] = write_headings(tree, places.citation, json)
    _write_others(tree, places.citation, json)
    cdef int pages = tree.only(places.article, b"Pagination")
    _write_text(tree, tree.first(pages, b"MedlinePgn") if pages else 0, b"pages", json)
    _keep(json, values, "pdat", b"pdat", _publication_date(tree, places.article, places.issue))
    _write_text(tree, _identifier(tree, places.data, b"pmc"), b"pmcid", json)
    _keep(json, values, "pmid", b"pmid", _pmid(tree, places.citation))
    _keep_types(tree, places.article, json, values)
    sections = _sections(tree, tree.first_inside(places.article, b"Abstract", b"AbstractText"), b"Abstract")
    _keep(json, values, "sections", b"sections", sections)
    write_substances(tree, places.citation, json)
    _keep(json, values, "title", b"title", tree.text_in(places.article, b"ArticleTitle"))
    name = tree.text_in(places.article, b"VernacularTitle")
    _keep(json, values, "vernacular_title", b"vernacular_title", name)
    _write_text(tree, tree.first(places.issue, b"Volume") if places.issue else 0, b"volume", json)
    json.sign(b"}")
    content = json.since(0)
    values["content_json"] = content
    values["content_hash"] = sha256(content).hexdigest()
    return values


cdef Places _places(Tree tree) except *:
    cdef Places found
    found.citation = tree.only(0, b"MedlineCitation")
    found.data = tree.only(0, b"PubmedData")
    found.article = tree.only(found.citation, b"Article") if found.citation else 0
    if not found.article:
        raise Unusual
    found.journal = tree.only(found.article, b"Journal")
    found.issue = tree.only(found.journal, b"JournalIssue") if found.journal else 0
    found.info = tree.only(found.citation, b"MedlineJournalInfo")
    return found


cdef int _keep(Json json, dict values, str name, bytes written, value) except -1:
    """What is asked of every record, and in its JSON unless it is empty."""
    values[name] = value
    if value:
        json.name(written)
        json.value(value)
    return 0


cdef int _write_text(Tree tree, int node, bytes name, Json json) except -1:
    cdef Py_ssize_t before = json.size
    if node:
        json.name(name)
        if not tree.write_text(node, json):
            json.size = before
    return 0


cdef str _pmid(Tree tree, int citation):
    cdef str pmid = tree.text_in(citation, b"PMID")
    if pmid is None or not pmid.isascii() or not pmid.isdecimal():
        raise Unusual
    return pmid


cdef int _write_doi(Tree tree, Places *places, Json json) except -1:
    cdef int node = _identifier(tree, places.data, b"doi")
    if not node:
        node = tree.first(places.article, b"ELocationID")
        while node and not (tree.has_attribute(node, b"EIdType", b"doi") and tree.has_text(node)):
            node = tree.next_of(node, b"ELocationID")
    return _write_text(tree, node, b"doi", json)


cdef int _identifier(Tree tree, int data, bytes kind) except -1:
    """The last one of the kind; 0 for none."""
    cdef int found = 0, node = tree.first_inside(data, b"ArticleIdList", b"ArticleId") if data else 0
    while node:
        if tree.has_attribute(node, b"IdType", kind) and tree.has_text(node):
            found = node
        node = tree.next_inside(node, b"ArticleIdList", b"ArticleId")
    return found


cdef _entered(Tree tree, int data):
    cdef int entered = 0, noticed = 0, node = tree.first_inside(data, b"History", b"PubMedPubDate") if data else 0
    while node:
        if tree.has_attribute(node, b"PubStatus", b"entrez"):
            entered = node
        elif tree.has_attribute(node, b"PubStatus", b"pubmed"):
            noticed = node
        node = tree.next_inside(node, b"History", b"PubMedPubDate")
    return _moment(tree, entered or noticed) if entered or noticed else None


cdef _moment(Tree tree, int node):
    cdef bytes written = tree.outer(node)
    if written in _moments:
        return _moments[written]
    read = format_timestamp(
        tree.text_in(node, b"Year"),
        tree.text_in(node, b"Month"),
        tree.text_in(node, b"Day"),
        tree.text_in(node, b"Hour"),
        tree.text_in(node, b"Minute"),
    )
    return _remember(_moments, written, read)


cdef _remember(dict known, bytes written, read):
    if len(known) >= REMEMBERED:
        known.clear()
    known[written] = read
    return read


cdef _publication_date(Tree tree, int article, int issue):
    """That of the article, or else that of its issue."""
    cdef int day = tree.first(article, b"ArticleDate")
    found = _date(tree, day) if day else None
    if issue and found is None:
        day = tree.only(issue, b"PubDate")
        found = _date(tree, day) if day else None
    return found


cdef _date(Tree tree, int day):
    cdef bytes written = tree.outer(day)
    if written in _dates:
        return _dates[written]
    read = format_partial_date(tree.text_in(day, b"Year"), tree.text_in(day, b"Month"), tree.text_in(day, b"Day"))
    return _remember(_dates, written, read or parse_medline_date(tree.text_in(day, b"MedlineDate") or ""))


cdef int _write_issn(Tree tree, Places *places, Json json) except -1:
    cdef int node = tree.first(places.journal, b"ISSN") if places.journal else 0
    if not (node and tree.has_text(node)):
        node = tree.first(places.info, b"ISSNLinking") if places.info else 0
    return _write_text(tree, node, b"issn", json)


cdef str _journal_text(Tree tree, Places *places, bytes name):
    cdef str found = tree.text_in(places.journal, name) if places.journal else None
    return tree.text_in(places.info, b"MedlineTA") if found is None and places.info else found


cdef int _keep_types(Tree tree, int article, Json json, dict values) except -1:
    cdef int listed = tree.only(article, b"PublicationTypeList"), node
    cdef bytes written = tree.outer(listed) if listed else b""
    known = _types.get(written)
    if known is None:
        texts = []
        node = tree.first(listed, b"PublicationType") if listed else 0
        while node:
            texts.append(tree.text_of(node))
            node = tree.next_of(node, b"PublicationType")
        known = _remember(_types, written, tuple([one for one in texts if one is not None]))
    return _keep(json, values, "pub_types", b"pub_types", known)


cdef tuple _sections(Tree tree, int node, bytes container):
    """The node, and those behind it: in all such containers, or for None in its own."""
    cdef list found = []
    while node:
        text = tree.text_of(node)
        if text is not None:
            parts = (tree.attribute(node, b"Label"), tree.attribute(node, b"NlmCategory"), text)
            found.append(tuple.__new__(Section, parts))
        if container is None:
            node = tree.next_of(node, b"AbstractText")
        else:
            node = tree.next_inside(node, container, b"AbstractText")
    return tuple(found)


cdef tuple _links(Tree tree, int citation):
    cdef int node = tree.first_inside(citation, b"CommentsCorrectionsList", b"CommentsCorrections")
    cdef list found = []
    while node:
        if not tree.has_attribute(node, b"RefType", b"Cites"):
            kind = to_link_kind(tree.attribute(node, b"RefType") or "")
            found.append(PublicationLink(kind, tree.text_in(node, b"PMID"), tree.text_in(node, b"RefSource") or ""))
        node = tree.next_inside(node, b"CommentsCorrectionsList", b"CommentsCorrections")
    return tuple(found)


cdef int _write_others(Tree tree, int citation, Json json) except -1:
    cdef int node = tree.first(citation, b"OtherAbstract")
    cdef list found = []
    while node:
        sections = _sections(tree, tree.first(node, b"AbstractText"), None)
        found.append(OtherAbstract(tree.attribute(node, b"Type"), tree.attribute(node, b"Language"), sections))
        node = tree.next_of(node, b"OtherAbstract")
    if found:
        json.name(b"other_abstracts")
        json.value(tuple(found))
    return 0
