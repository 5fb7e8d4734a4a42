"""Builds the index documents of papers whose chunks are whole sections, as those of nearly all papers are.

`indexing.documents` defines the documents of a paper, and builds those that this module declines. Where both build
them, they are the same.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint32_t
from libc.string cimport memcpy, memset

from sanya.suites.papers.pubmed.record_json cimport Json

import orjson

from sanya.suite.search import Document, DocumentText
from sanya.suite.search import JsonFields
from sanya.suites.papers.indexing.fields import build_date_fields, build_journal_fields, rate_recency_at_entry
from sanya.suites.papers.indexing.quality import rate_types_and_headings
from sanya.suites.papers.pubmed.record import RETRACTED_TYPE
from sanya.suites.papers.indexing.sections import classify_section
from sanya.suite.text import TOKEN_PARTS, has_more_parts
from sanya.suite.text import DEFAULT_WINDOW_SIZES

IS_COMPILED = True

cdef extern from "Python.h":
    object PyUnicode_New(Py_ssize_t size, Py_UCS4 most)
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    unsigned char *PyUnicode_1BYTE_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef enum:
    TITLE_WEIGHT = 2
    MAX_PMID_DIGITS = 9  # the PMIDs of samples have ten
    MAX_SECTIONS = 20
    MAX_CACHED = 16_384

cdef Py_ssize_t _MAX_TOKENS = DEFAULT_WINDOW_SIZES.most
cdef Py_ssize_t _MAX_PARTS = DEFAULT_WINDOW_SIZES.most * TOKEN_PARTS
cdef list _SECTION_IDS = [f"s{place}" for place in range(MAX_SECTIONS)]
cdef str _WHOLE_ID = "w0"
cdef _NO_TEXT = DocumentText("")
cdef bytes _HEX = b"0123456789abcdef"


cdef class _Declined(Exception):
    pass


def build_usual_documents(record, bytes namespace not None):
    """Return the documents, or None to decline the paper."""
    try:
        return _build_documents(record, record.__dict__, namespace)
    except (_Declined, ValueError):  # ValueError: text that the JSON writer declines
        return None


cdef list _build_documents(record, dict values, bytes namespace):
    cdef str pmid = values["pmid"]
    cdef list sections = [section for section in <tuple>values["sections"] if section.text.strip()]
    cdef Py_ssize_t count = len(sections), place
    if not _is_plain_number(pmid) or len(namespace) != 16 or count > MAX_SECTIONS:
        raise _Declined
    title = tuple.__new__(DocumentText, (values["title"] or values["vernacular_title"] or f"PMID {pmid}", TITLE_WEIGHT))
    cdef bytes shared = _write_shared_fields(record, values, pmid, count)
    if not count:
        return [_build_document(namespace, pmid, _WHOLE_ID, "title", (title, _NO_TEXT), shared)]
    if count == 1 and sections[0].label is None:
        text = _to_text(sections[0].text)
        return [_build_document(namespace, pmid, _WHOLE_ID, "abstract", (title, text), shared)]
    cdef list documents = []
    for place in range(count):
        label, category, text = sections[place]
        text = _to_text(f"{label}: {text}" if label else text)
        name = classify_section(label, category)
        documents.append(_build_document(namespace, pmid, _SECTION_IDS[place], name, (title, text), shared))
    return documents


cdef bint _is_plain_number(str text):
    """Return whether the text is a short number in ASCII digits."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text), at
    if not PyUnicode_IS_COMPACT_ASCII(text) or not 0 < size <= MAX_PMID_DIGITS:
        return False
    for at in range(size):
        if not b"0" <= PyUnicode_1BYTE_DATA(text)[at] <= b"9":
            return False
    return True


cdef _to_text(str text):
    """Return the weighted text; decline a text that is longer than a window. A character is at most a token, so short
    texts need no count."""
    if PyUnicode_GET_LENGTH(text) > _MAX_TOKENS and has_more_parts(text, _MAX_PARTS):
        raise _Declined
    return tuple.__new__(DocumentText, (text, 1))


cdef _build_document(bytes namespace, str pmid, str chunk_id, str section, tuple texts, bytes shared):
    cdef Json json = Json()
    json.add(b'{"chunk_id":', 12)
    json.add_string(chunk_id)
    json.add(b',"section":', 11)
    json.add_string(section)
    json.add_bytes(shared)
    return tuple.__new__(Document, (_make_uuid(namespace, pmid, chunk_id), texts, JsonFields(json.to_text())))


cdef bytes _write_shared_fields(record, dict values, str pmid, Py_ssize_t count):
    """Return the JSON of the fields that all chunks share, to follow each chunk's own fields."""
    cdef str edat = values.get("edat"), lr = values.get("lr"), pdat = values["pdat"]
    cdef tuple journal = _write_journal(values["journal"], values["journal_abbreviation"]), types = values["pub_types"]
    cdef int rank = journal[0], design, human
    design, human = rate_types_and_headings(types, record.study_headings)
    cdef Json json = Json()
    json.add(b',"pmid":', 8)
    json.add_string(pmid)
    json.add(b',"pub_types":', 13)
    json.add_value(types)
    _add_number(json, b',"design":', design)
    _add_number(json, b',"journal_rank":', rank)
    _add_number(json, b',"human":', human)
    _add_number(json, b',"quality_total":', design + rank + human + <int>rate_recency_at_entry(pdat, edat))
    json.add(b',"retracted":', 13)
    json.add_value(RETRACTED_TYPE in types or (record.is_retracted if values["links"] else False))
    json.add_bytes(journal[1])
    if pdat:
        json.add_bytes(_write_date(pdat))
    if edat:
        json.add(b',"edat":', 8)
        json.add_string(edat)
    if lr:
        json.add(b',"lr":', 6)
        json.add_string(lr)
    json.add(b',"source_url":"https://pubmed.ncbi.nlm.nih.gov/', 47)
    json.add(<const char *>PyUnicode_1BYTE_DATA(pmid), PyUnicode_GET_LENGTH(pmid))
    json.add(b'/"', 2)
    if count > 1:
        json.add(b',"chunks":', 10)
        json.add_string(" ".join(_SECTION_IDS[:count]))
    json.add_byte(b"}")
    return json.text[: json.size]


cdef int _add_number(Json json, bytes name, int number) except -1:
    json.add_bytes(name)
    if not 0 <= number <= 9:
        raise _Declined
    return json.add_byte(48 + number)


# A file has far fewer journals and days than papers.
cdef dict _journals = {}
cdef dict _dates = {}


cdef tuple _write_journal(journal, abbreviation):
    """Return the rank of the journal and the JSON of its fields."""
    cdef tuple names = (journal, abbreviation)
    known = _journals.get(names)
    if known is None:
        rank, fields = build_journal_fields(journal, abbreviation)
        known = _remember(_journals, names, (rank, _write_fields(fields)))
    return known


cdef bytes _write_date(str pdat):
    known = _dates.get(pdat)
    return _remember(_dates, pdat, _write_fields(build_date_fields(pdat))) if known is None else known


cdef _remember(dict known, name, value):
    if len(known) >= MAX_CACHED:
        known.clear()
    known[name] = value
    return value


cdef bytes _write_fields(dict fields):
    """Return the JSON of the fields, with a comma before each."""
    try:
        written = orjson.dumps(fields)
    except TypeError:
        raise _Declined from None
    if b"\\u0000" in written:
        raise _Declined
    return b"," + written[1:-1] if fields else b""


cdef str _make_uuid(bytes namespace, str pmid, str chunk_id):
    """Return the UUID (version 5) of `make_chunk_uuid`. The name with its padding fits one block of SHA-1."""
    cdef unsigned char[64] block
    cdef Py_ssize_t size = 16, at, written = 0
    cdef uint32_t[5] state
    memset(block, 0, 64)
    memcpy(block, PyBytes_AS_STRING(namespace), 16)
    memcpy(block + size, PyUnicode_1BYTE_DATA(pmid), PyUnicode_GET_LENGTH(pmid))
    size += PyUnicode_GET_LENGTH(pmid)
    block[size] = b":"
    size += 1
    memcpy(block + size, PyUnicode_1BYTE_DATA(chunk_id), PyUnicode_GET_LENGTH(chunk_id))
    size += PyUnicode_GET_LENGTH(chunk_id)
    block[size] = 0x80
    block[62], block[63] = 8 * size >> 8, 8 * size & 255
    _compute_sha1(block, state)
    state[1] = (state[1] & 0xFFFF0FFF) | 0x5000
    state[2] = (state[2] & 0x3FFFFFFF) | 0x80000000
    found = PyUnicode_New(36, 127)
    cdef unsigned char *text = PyUnicode_1BYTE_DATA(found)
    cdef const unsigned char *digits = <const unsigned char *>PyBytes_AS_STRING(_HEX)
    for at in range(32):
        if at == 8 or at == 12 or at == 16 or at == 20:
            text[written] = b"-"
            written += 1
        text[written] = digits[state[at >> 3] >> (28 - 4 * (at & 7)) & 15]
        written += 1
    return found


cdef void _compute_sha1(const unsigned char *block, uint32_t *state) noexcept:
    """Compute SHA-1 (RFC 3174) of a text that fits one block."""
    cdef uint32_t[80] words
    cdef uint32_t a = 0x67452301, b = 0xEFCDAB89, c = 0x98BADCFE, d = 0x10325476, e = 0xC3D2E1F0, mixed
    cdef int at
    for at in range(16):
        words[at] = (
            <uint32_t>block[4 * at] << 24 | block[4 * at + 1] << 16 | block[4 * at + 2] << 8 | block[4 * at + 3]
        )
    for at in range(16, 80):
        words[at] = _rotate(words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16], 1)
    for at in range(80):
        if at < 20:
            mixed = (b & c | ~b & d) + 0x5A827999U
        elif at < 40:
            mixed = (b ^ c ^ d) + 0x6ED9EBA1U
        elif at < 60:
            mixed = (b & c | b & d | c & d) + 0x8F1BBCDCU
        else:
            mixed = (b ^ c ^ d) + 0xCA62C1D6U
        mixed += _rotate(a, 5) + e + words[at]
        e, d, c, b, a = d, c, _rotate(b, 30), a, mixed
    state[0], state[1], state[2] = a + 0x67452301U, b + 0xEFCDAB89U, c + 0x98BADCFEU
    state[3], state[4] = d + 0x10325476U, e + 0xC3D2E1F0U


cdef uint32_t _rotate(uint32_t word, int by) noexcept:
    return word << by | word >> (32 - by)
