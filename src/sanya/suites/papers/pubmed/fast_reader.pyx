"""Reads PubMed records in the form in which nearly all of them are written, compiled for speed.

`xml_reader` defines what a record's XML means, and reads every record that this module declines. Where both read a
record, they return the same. The record comes with its canonical JSON and the fields that an import needs; the deferred
fields (see `record`) are read from the JSON when somebody asks for them.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.string cimport memchr, memcmp

from sanya.suites.papers.pubmed.fast_lists cimport write_authors, write_headings, write_substances, write_texts
from sanya.suites.papers.pubmed.fast_tree cimport Tree, Declined
from sanya.suites.papers.pubmed.record_json cimport Json

from hashlib import sha256

from sanya.suites.papers.pubmed.cited_works import name_cited_work
from sanya.suites.papers.pubmed.dates import format_partial_date, format_utc_time, parse_medline_date
from sanya.suites.papers.pubmed.xml_reader import to_link_kind
from sanya.suites.papers.pubmed.record import OtherAbstract, PaperRecord, PublicationLink, Section

IS_COMPILED = True

cdef tuple _KEYWORDS = (b"keywords", b"KeywordList", b"Keyword")
cdef tuple _LANGUAGES = (b"languages", b"Article", b"Language")
# Results by XML: most days and lists of publication types recur within a file.
cdef dict _timestamps = {}
cdef dict _dates = {}
cdef dict _types = {}

cdef enum:
    MAX_CACHED = 50_000

cdef struct Places:
    # Nodes of the record's parts; 0 for a part that is missing.
    int citation
    int article
    int data
    int journal
    int issue
    int info


def cut_usual_articles(bytes text not None, Py_ssize_t at):
    """Return the XML of the complete articles that begin here in sequence, and the offset where the last one ends."""
    cdef const char *data = PyBytes_AS_STRING(text)
    cdef Py_ssize_t length = PyBytes_GET_SIZE(text), start = at, end
    cdef list articles = []
    while True:
        while start < length and data[start] in b" \t\r\n":
            start += 1
        if length - start < 15 or memcmp(data + start, b"<PubmedArticle>", 15):
            break
        end = _find_article_end(data, start, length)
        if end < 0:
            break
        articles.append(PyBytes_FromStringAndSize(data + start, end - start))
        at = start = end
    return articles, at


cdef Py_ssize_t _find_article_end(const char *data, Py_ssize_t at, Py_ssize_t length) noexcept:
    """Return the offset behind the next closing tag of an article, or -1."""
    cdef const char *slash
    while True:
        slash = <const char *>memchr(data + at, b"/", length - at)
        if slash is NULL or length - (slash - data) < 15:
            return -1
        at = slash - data + 1
        if slash[-1] == b"<" and not memcmp(slash + 1, b"PubmedArticle>", 14):
            return at + 14


def read_usual_record(bytes xml not None):
    """Return the record, or None to decline it."""
    cdef Tree tree
    try:
        tree = Tree(xml)
        tree.build()
        if not tree.is_named(0, b"PubmedArticle", 13):
            return None
        values = _read_values(tree)
    except (Declined, ValueError):  # the XML parser reports what is wrong with a bad record
        return None
    # The same as `PaperRecord(**values)`, in a tenth of the time.
    record = object.__new__(PaperRecord)
    object.__setattr__(record, "__dict__", values)
    return record


cdef dict _read_values(Tree tree):
    cdef Places places = _find_places(tree)
    cdef int revised = tree.find_only(places.citation, b"DateRevised")
    cdef dict values = {"lr": _read_timestamp(tree, revised) if revised else None}
    cdef Json json = Json()
    # Canonical JSON sorts members by name, so the fields are read in that order.
    write_authors(tree, places.article, json)
    _write_doi(tree, &places, json)
    _keep_field(json, values, "edat", b"edat", _read_entry_time(tree, places.data))
    _write_issn(tree, &places, json)
    _write_text(tree, tree.find_first(places.issue, b"Issue") if places.issue else 0, b"issue", json)
    _keep_field(json, values, "journal", b"journal", _read_journal_text(tree, &places, b"Title"))
    name = _read_journal_text(tree, &places, b"ISOAbbreviation")
    _keep_field(json, values, "journal_abbreviation", b"journal_abbreviation", name)
    write_texts(tree, places.citation, _KEYWORDS, json)
    write_texts(tree, places.citation, _LANGUAGES, json)
    _keep_field(json, values, "links", b"links", _read_links(tree, places.citation))
    values["study_headings"] = write_headings(tree, places.citation, json)
    _write_other_abstracts(tree, places.citation, json)
    cdef int pages = tree.find_only(places.article, b"Pagination")
    _write_text(tree, tree.find_first(pages, b"MedlinePgn") if pages else 0, b"pages", json)
    _keep_field(json, values, "pdat", b"pdat", _read_publication_date(tree, places.article, places.issue))
    _write_text(tree, _find_identifier(tree, places.data, b"pmc"), b"pmcid", json)
    _keep_field(json, values, "pmid", b"pmid", _read_pmid(tree, places.citation))
    _keep_types(tree, places.article, json, values)
    _write_references(tree, &places, json)
    sections = _read_sections(tree, tree.find_first_in_list(places.article, b"Abstract", b"AbstractText"), b"Abstract")
    _keep_field(json, values, "sections", b"sections", sections)
    write_substances(tree, places.citation, json)
    _keep_field(json, values, "title", b"title", tree.read_child_text(places.article, b"ArticleTitle"))
    name = tree.read_child_text(places.article, b"VernacularTitle")
    _keep_field(json, values, "vernacular_title", b"vernacular_title", name)
    _write_text(tree, tree.find_first(places.issue, b"Volume") if places.issue else 0, b"volume", json)
    json.add_byte(b"}")
    content = json.copy_from(0)
    values["content_json"] = content
    values["content_hash"] = sha256(content).hexdigest()
    return values


cdef Places _find_places(Tree tree) except *:
    cdef Places found
    found.citation = tree.find_only(0, b"MedlineCitation")
    found.data = tree.find_only(0, b"PubmedData")
    found.article = tree.find_only(found.citation, b"Article") if found.citation else 0
    if not found.article:
        raise Declined
    found.journal = tree.find_only(found.article, b"Journal")
    found.issue = tree.find_only(found.journal, b"JournalIssue") if found.journal else 0
    found.info = tree.find_only(found.citation, b"MedlineJournalInfo")
    return found


cdef int _keep_field(Json json, dict values, str name, bytes written, value) except -1:
    """Set a field of the record, and write it as a member of the JSON unless it is empty."""
    values[name] = value
    if value:
        json.add_name(written)
        json.add_value(value)
    return 0


cdef int _write_text(Tree tree, int node, bytes name, Json json) except -1:
    cdef Py_ssize_t before = json.size
    if node:
        json.add_name(name)
        if not tree.write_text(node, json):
            json.size = before
    return 0


cdef str _read_pmid(Tree tree, int citation):
    cdef str pmid = tree.read_child_text(citation, b"PMID")
    if pmid is None or not pmid.isascii() or not pmid.isdecimal():
        raise Declined
    return pmid


cdef int _write_doi(Tree tree, Places *places, Json json) except -1:
    cdef int node = _find_identifier(tree, places.data, b"doi")
    if not node:
        node = tree.find_first(places.article, b"ELocationID")
        while node and not (tree.has_attribute(node, b"EIdType", b"doi") and tree.has_text(node)):
            node = tree.find_next(node, b"ELocationID")
    return _write_text(tree, node, b"doi", json)


cdef int _find_identifier(Tree tree, int data, bytes kind) except -1:
    """Return the last id of this kind, or 0."""
    cdef int last = 0, node = tree.find_first_in_list(data, b"ArticleIdList", b"ArticleId") if data else 0
    while node:
        if tree.has_attribute(node, b"IdType", kind) and tree.has_text(node):
            last = node
        node = tree.find_next_in_list(node, b"ArticleIdList", b"ArticleId")
    return last


cdef _read_entry_time(Tree tree, int data):
    cdef int entered = 0, noticed = 0, node = tree.find_first_in_list(data, b"History", b"PubMedPubDate") if data else 0
    while node:
        if tree.has_attribute(node, b"PubStatus", b"entrez"):
            entered = node
        elif tree.has_attribute(node, b"PubStatus", b"pubmed"):
            noticed = node
        node = tree.find_next_in_list(node, b"History", b"PubMedPubDate")
    return _read_timestamp(tree, entered or noticed) if entered or noticed else None


cdef _read_timestamp(Tree tree, int node):
    cdef bytes written = tree.copy_element(node)
    if written in _timestamps:
        return _timestamps[written]
    read = format_utc_time(
        tree.read_child_text(node, b"Year"),
        tree.read_child_text(node, b"Month"),
        tree.read_child_text(node, b"Day"),
        tree.read_child_text(node, b"Hour"),
        tree.read_child_text(node, b"Minute"),
    )
    return _remember(_timestamps, written, read)


cdef _remember(dict known, bytes written, read):
    if len(known) >= MAX_CACHED:
        known.clear()
    known[written] = read
    return read


cdef _read_publication_date(Tree tree, int article, int issue):
    """Return the date of the article, or else that of its issue."""
    cdef int day = tree.find_first(article, b"ArticleDate")
    found = _read_date(tree, day) if day else None
    if issue and found is None:
        day = tree.find_only(issue, b"PubDate")
        found = _read_date(tree, day) if day else None
    return found


cdef _read_date(Tree tree, int day):
    cdef bytes written = tree.copy_element(day)
    if written in _dates:
        return _dates[written]
    read = format_partial_date(tree.read_child_text(day, b"Year"), tree.read_child_text(day, b"Month"), tree.read_child_text(day, b"Day"))
    return _remember(_dates, written, read or parse_medline_date(tree.read_child_text(day, b"MedlineDate") or ""))


cdef int _write_issn(Tree tree, Places *places, Json json) except -1:
    cdef int node = tree.find_first(places.journal, b"ISSN") if places.journal else 0
    if not (node and tree.has_text(node)):
        node = tree.find_first(places.info, b"ISSNLinking") if places.info else 0
    return _write_text(tree, node, b"issn", json)


cdef str _read_journal_text(Tree tree, Places *places, bytes name):
    cdef str found = tree.read_child_text(places.journal, name) if places.journal else None
    return tree.read_child_text(places.info, b"MedlineTA") if found is None and places.info else found


cdef int _keep_types(Tree tree, int article, Json json, dict values) except -1:
    cdef int listed = tree.find_only(article, b"PublicationTypeList"), node
    cdef bytes written = tree.copy_element(listed) if listed else b""
    known = _types.get(written)
    if known is None:
        texts = []
        node = tree.find_first(listed, b"PublicationType") if listed else 0
        while node:
            texts.append(tree.read_text(node))
            node = tree.find_next(node, b"PublicationType")
        known = _remember(_types, written, tuple([text for text in texts if text is not None]))
    return _keep_field(json, values, "pub_types", b"pub_types", known)


cdef tuple _read_sections(Tree tree, int node, bytes container):
    """Return the sections from this node on: in all such containers, or for None in its own."""
    cdef list found = []
    while node:
        text = tree.read_text(node)
        if text is not None:
            parts = (tree.read_attribute(node, b"Label"), tree.read_attribute(node, b"NlmCategory"), text)
            found.append(tuple.__new__(Section, parts))
        if container is None:
            node = tree.find_next(node, b"AbstractText")
        else:
            node = tree.find_next_in_list(node, container, b"AbstractText")
    return tuple(found)


cdef tuple _read_links(Tree tree, int citation):
    cdef int node = tree.find_first_in_list(citation, b"CommentsCorrectionsList", b"CommentsCorrections")
    cdef list found = []
    while node:
        if not tree.has_attribute(node, b"RefType", b"Cites"):
            kind = to_link_kind(tree.read_attribute(node, b"RefType") or "")
            found.append(PublicationLink(kind, tree.read_child_text(node, b"PMID"), tree.read_child_text(node, b"RefSource") or ""))
        node = tree.find_next_in_list(node, b"CommentsCorrectionsList", b"CommentsCorrections")
    return tuple(found)


cdef int _write_references(Tree tree, Places *places, Json json) except -1:
    """Write the reference list as a member, each work once, unless it is empty."""
    cdef int listed = tree.find_first(places.data, b"ReferenceList") if places.data else 0, node
    cdef list works = []
    while listed:
        if tree.find_first(listed, b"ReferenceList"):
            raise Declined
        node = tree.find_first(listed, b"Reference")
        while node:
            works.append(_read_reference(tree, node))
            node = tree.find_next(node, b"Reference")
        listed = tree.find_next(listed, b"ReferenceList")
    node = tree.find_first_in_list(places.citation, b"CommentsCorrectionsList", b"CommentsCorrections")
    while node:
        if tree.has_attribute(node, b"RefType", b"Cites"):
            works.append(name_cited_work(tree.read_child_text(node, b"PMID"), None, None))
        node = tree.find_next_in_list(node, b"CommentsCorrectionsList", b"CommentsCorrections")
    if works:
        named = tuple(dict.fromkeys([work for work in works if work is not None]))
        if named:
            json.add_name(b"references")
            json.add_value(named)
    return 0


cdef _read_reference(Tree tree, int reference):
    cdef int node = tree.find_first_in_list(reference, b"ArticleIdList", b"ArticleId")
    cdef str pmid = None, doi = None, pmcid = None, text
    while node:
        if tree.has_attribute(node, b"IdType", b"pubmed"):
            text = tree.read_text(node)
            pmid = text if text is not None else pmid
        elif tree.has_attribute(node, b"IdType", b"doi"):
            text = tree.read_text(node)
            doi = text if text is not None else doi
        elif tree.has_attribute(node, b"IdType", b"pmc"):
            text = tree.read_text(node)
            pmcid = text if text is not None else pmcid
        node = tree.find_next_in_list(node, b"ArticleIdList", b"ArticleId")
    return name_cited_work(pmid, doi, pmcid)


cdef int _write_other_abstracts(Tree tree, int citation, Json json) except -1:
    cdef int node = tree.find_first(citation, b"OtherAbstract")
    cdef list found = []
    while node:
        sections = _read_sections(tree, tree.find_first(node, b"AbstractText"), None)
        found.append(OtherAbstract(tree.read_attribute(node, b"Type"), tree.read_attribute(node, b"Language"), sections))
        node = tree.find_next(node, b"OtherAbstract")
    if found:
        json.add_name(b"other_abstracts")
        json.add_value(tuple(found))
    return 0
