"""Reads PubMed records as they are usually written, compiled: a file has tens of thousands of them.

`pubmed_xml` says what a record's XML means, and reads what this declines. Where both read a record, they give the same.
"""

from sanya.suites.papers.pubmed_tree cimport Tree, Unusual

from sanya.suites.papers.pubmed_dates import medline_date, moment, partial_date
from sanya.suites.papers.pubmed_xml import link_kind
from sanya.suites.papers.record import (
    CONTENT,
    Author,
    Link,
    MeshHeading,
    OtherAbstract,
    Qualifier,
    Record,
    Section,
    Substance,
)
from sanya.suites.papers.record_json import canonical_json, json_of

IS_COMPILED = True

cdef enum:
    REMEMBERED = 50_000


def record_of_usual(bytes xml not None):
    """The record, or None where it is not written as usual."""
    cdef Tree tree
    try:
        tree = Tree(xml)
        tree.build()
        if not tree.is_named(0, b"PubmedArticle", 13):
            return None
        written = {}
        values = _values(tree, written)
    except (Unusual, ValueError):  # a bad record is the XML parser's to word
        return None
    # Written here, where its parts were just made: later each of them would have to be fetched from memory again.
    try:
        values["content_json"] = canonical_json(values, CONTENT, written)
    except ValueError:  # it is written when it is asked for
        pass
    # As `Record(**values)`, in a tenth of the time: what is missing has its default on the class.
    record = object.__new__(Record)
    object.__setattr__(record, "__dict__", values)
    return record


cdef dict _values(Tree tree, dict written):
    cdef int citation = tree.only(0, b"MedlineCitation"), data = tree.only(0, b"PubmedData")
    cdef int article = tree.only(citation, b"Article") if citation else 0
    if not article:
        raise Unusual
    cdef dict values = {"pmid": _pmid(tree, citation)}
    _read_article(tree, article, values)
    _read_journal(tree, article, citation, values)
    _read_citation(tree, citation, values, written)
    if data:
        _read_data(tree, data, values)
    if not values.get("doi"):
        _read_location(tree, article, values)
    return values


cdef str _pmid(Tree tree, int citation):
    cdef str pmid = tree.text_in(citation, b"PMID")
    if pmid is None or not pmid.isascii() or not pmid.isdecimal():
        raise Unusual
    return pmid


cdef int _read_article(Tree tree, int article, dict values) except -1:
    values["title"] = tree.text_in(article, b"ArticleTitle")
    values["vernacular_title"] = tree.text_in(article, b"VernacularTitle")
    values["sections"] = _sections(tree, tree.inside_all(article, b"Abstract", b"AbstractText"))
    cdef int pagination = tree.only(article, b"Pagination")
    if pagination:
        values["pages"] = tree.text_in(pagination, b"MedlinePgn")
    values["authors"] = _authors(tree, tree.inside_all(article, b"AuthorList", b"Author"))
    values["pub_types"] = tuple(tree.texts(article, b"PublicationTypeList", b"PublicationType"))
    languages = [tree.text_of(node) for node in tree.all_of(article, b"Language")]
    values["languages"] = tuple([one for one in languages if one is not None])
    return 0


cdef tuple _sections(Tree tree, list nodes):
    cdef list found = []
    for node in nodes:
        text = tree.text_of(node)
        if text is not None:
            parts = (tree.attribute(node, b"Label"), tree.attribute(node, b"NlmCategory"), text)
            found.append(tuple.__new__(Section, parts))
    return tuple(found)


cdef tuple _authors(Tree tree, list nodes):
    cdef list found = []
    for node in nodes:
        last, fore = tree.text_in(node, b"LastName"), tree.text_in(node, b"ForeName")
        initials, group = tree.text_in(node, b"Initials"), tree.text_in(node, b"CollectiveName")
        if last is not None or fore is not None or initials is not None or group is not None:
            found.append(tuple.__new__(Author, (last, fore, initials, group)))
    return tuple(found)


cdef int _read_journal(Tree tree, int article, int citation, dict values) except -1:
    cdef int journal = tree.only(article, b"Journal"), issue = 0, day = tree.first(article, b"ArticleDate")
    cdef int info = tree.only(citation, b"MedlineJournalInfo")
    short = tree.text_in(info, b"MedlineTA") if info else None
    title = abbreviation = issn = pdat = None
    if journal:
        title = tree.text_in(journal, b"Title")
        abbreviation = tree.text_in(journal, b"ISOAbbreviation")
        issn = tree.text_in(journal, b"ISSN")
        issue = tree.only(journal, b"JournalIssue")
    if issue:
        values["volume"] = tree.text_in(issue, b"Volume")
        values["issue"] = tree.text_in(issue, b"Issue")
    if day:
        pdat = _publication_date(tree, day)
    if issue and pdat is None:
        day = tree.only(issue, b"PubDate")
        pdat = _publication_date(tree, day) if day else None
    values["journal"] = short if title is None else title
    values["journal_abbreviation"] = short if abbreviation is None else abbreviation
    values["issn"] = tree.text_in(info, b"ISSNLinking") if issn is None and info else issn
    values["pdat"] = pdat
    return 0


cdef _publication_date(Tree tree, int day):
    found = partial_date(tree.text_in(day, b"Year"), tree.text_in(day, b"Month"), tree.text_in(day, b"Day"))
    return found or medline_date(tree.text_in(day, b"MedlineDate") or "")


cdef int _read_citation(Tree tree, int citation, dict values, dict written) except -1:
    cdef int revised = tree.only(citation, b"DateRevised")
    if revised:
        values["lr"] = _moment(tree, revised)
    cdef list headings = [], headings_written = []
    cdef set names = set()
    for node in tree.inside_all(citation, b"MeshHeadingList", b"MeshHeading"):
        heading = _heading(tree, node)
        headings.append(heading[0])
        headings_written.append(heading[1])
        names.add(heading[2])
    values["mesh"] = tuple(headings)
    values["descriptors"] = frozenset(names)
    written["mesh"] = headings_written
    values["keywords"] = tuple(tree.texts(citation, b"KeywordList", b"Keyword"))
    substances = [_substance(tree, node) for node in tree.inside_all(citation, b"ChemicalList", b"Chemical")]
    values["substances"] = tuple(substances)
    values["links"] = _links(tree, tree.inside_all(citation, b"CommentsCorrectionsList", b"CommentsCorrections"))
    values["other_abstracts"] = tuple([_other(tree, node) for node in tree.all_of(citation, b"OtherAbstract")])
    return 0


# As they are written: most days, headings and substances of a file were read before.
cdef dict _known = {}


cdef _moment(Tree tree, int node):
    cdef bytes written = tree.outer(node)
    if written in _known:
        return _known[written]
    return _remember(written, _fresh_moment(tree, node))


cdef _fresh_moment(Tree tree, int node):
    return moment(
        tree.text_in(node, b"Year"),
        tree.text_in(node, b"Month"),
        tree.text_in(node, b"Day"),
        tree.text_in(node, b"Hour"),
        tree.text_in(node, b"Minute"),
    )




cdef tuple _heading(Tree tree, int node):
    """The heading, its JSON and its name."""
    cdef bytes written = tree.outer(node)
    known = _known.get(written)
    if known is not None:
        return known
    cdef int descriptor = tree.first(node, b"DescriptorName")
    if not descriptor:
        raise Unusual
    qualifiers = [Qualifier(*_term(tree, one)) for one in tree.all_of(node, b"QualifierName")]
    heading = MeshHeading(*_term(tree, descriptor), tuple(qualifiers))
    return _remember(written, (heading, json_of(heading), heading.descriptor))


cdef tuple _term(Tree tree, int node):
    return tree.text_of(node) or "", tree.attribute(node, b"UI"), tree.attribute(node, b"MajorTopicYN") == "Y"


cdef _substance(Tree tree, int node):
    cdef bytes written = tree.outer(node)
    known = _known.get(written)
    if known is not None:
        return known
    cdef int name = tree.first(node, b"NameOfSubstance")
    ui = tree.attribute(name, b"UI") if name else None
    return _remember(written, Substance(tree.text_of(name) or "", ui, tree.text_in(node, b"RegistryNumber")))


cdef _remember(bytes written, read):
    if len(_known) >= REMEMBERED:
        _known.clear()
    _known[written] = read
    return read


cdef tuple _links(Tree tree, list nodes):
    cdef list found = []
    for node in nodes:
        kind = tree.attribute(node, b"RefType") or ""
        if kind != "Cites":
            found.append(Link(link_kind(kind), tree.text_in(node, b"PMID"), tree.text_in(node, b"RefSource") or ""))
    return tuple(found)


cdef _other(Tree tree, int node):
    sections = _sections(tree, tree.all_of(node, b"AbstractText"))
    return OtherAbstract(tree.attribute(node, b"Type"), tree.attribute(node, b"Language"), sections)


cdef int _read_data(Tree tree, int data, dict values) except -1:
    cdef int entered = 0, noticed = 0
    for node in tree.inside_all(data, b"History", b"PubMedPubDate"):
        status = tree.attribute(node, b"PubStatus")
        if status == "entrez":
            entered = node
        elif status == "pubmed":
            noticed = node
    if entered or noticed:
        values["edat"] = _moment(tree, entered or noticed)
    for node in tree.inside_all(data, b"ArticleIdList", b"ArticleId"):
        kind, text = tree.attribute(node, b"IdType"), tree.text_of(node)
        if text is not None and kind == "doi":
            values["doi"] = text
        elif text is not None and kind == "pmc":
            values["pmcid"] = text
    return 0


cdef int _read_location(Tree tree, int article, dict values) except -1:
    for node in tree.all_of(article, b"ELocationID"):
        text = tree.text_of(node)
        if text is not None and tree.attribute(node, b"EIdType") == "doi":
            values["doi"] = text
            return 0
    return 0
