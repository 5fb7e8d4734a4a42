"""The documents of papers whose chunks are their sections, as those of nearly all are, compiled.

`documents` says what a paper's documents are, and makes what this declines. Where both make them, they are the same.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint32_t
from libc.string cimport memcpy, memset

from sanya.suites.papers.pubmed.record_json cimport Json

import orjson

from sanya.retrieval.documents import Document, Text
from sanya.retrieval.json_fields import WrittenFields
from sanya.suites.papers.indexing.fields import build_date_fields, build_journal_fields, rate_recency_at_entry
from sanya.suites.papers.indexing.quality import rate_types_and_headings
from sanya.suites.papers.pubmed.record import RETRACTED_TYPE
from sanya.suites.papers.indexing.sections import classify_section
from sanya.text.token_count import PARTS, has_more_parts
from sanya.text.windows import DEFAULT_SIZES

IS_COMPILED = True

cdef extern from "Python.h":
    object PyUnicode_New(Py_ssize_t size, Py_UCS4 most)
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    unsigned char *PyUnicode_1BYTE_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef enum:
    TITLE_WEIGHT = 2
    LONGEST_PMID = 9  # one digit more, and it may be a sample's
    MOST_SECTIONS = 20
    REMEMBERED = 16_384

cdef Py_ssize_t _MOST_TOKENS = DEFAULT_SIZES.most
cdef Py_ssize_t _MOST_PARTS = DEFAULT_SIZES.most * PARTS
cdef list _SECTION_IDS = [f"s{place}" for place in range(MOST_SECTIONS)]
cdef str _WHOLE_ID = "w0"
cdef _NO_TEXT = Text("")
cdef bytes _HEX = b"0123456789abcdef"


cdef class _Unusual(Exception):
    pass


def build_usual_documents(record, bytes namespace not None):
    """The documents, or None where the paper is not as most are."""
    try:
        return _documents(record, record.__dict__, namespace)
    except (_Unusual, ValueError):  # what cannot be written plainly is written by the other way
        return None


cdef list _documents(record, dict values, bytes namespace):
    cdef str pmid = values["pmid"]
    cdef list sections = [one for one in <tuple>values["sections"] if one.text.strip()]
    cdef Py_ssize_t count = len(sections), place
    if not _is_plain_number(pmid) or len(namespace) != 16 or count > MOST_SECTIONS:
        raise _Unusual
    title = tuple.__new__(Text, (values["title"] or values["vernacular_title"] or f"PMID {pmid}", TITLE_WEIGHT))
    cdef bytes shared = _shared(record, values, pmid, count)
    if not count:
        return [_document(namespace, pmid, _WHOLE_ID, "title", (title, _NO_TEXT), shared)]
    if count == 1 and sections[0].label is None:
        text = _fitting(sections[0].text)
        return [_document(namespace, pmid, _WHOLE_ID, "abstract", (title, text), shared)]
    cdef list found = []
    for place in range(count):
        label, category, text = sections[place]
        text = _fitting(f"{label}: {text}" if label else text)
        name = classify_section(label, category)
        found.append(_document(namespace, pmid, _SECTION_IDS[place], name, (title, text), shared))
    return found


cdef bint _is_plain_number(str text):
    """A short one in ASCII."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text), at
    if not PyUnicode_IS_COMPACT_ASCII(text) or not 0 < size <= LONGEST_PMID:
        return False
    for at in range(size):
        if not b"0" <= PyUnicode_1BYTE_DATA(text)[at] <= b"9":
            return False
    return True


cdef _fitting(str text):
    """What is longer than a window is not for here. No character is more than a token, so most short ones are known."""
    if PyUnicode_GET_LENGTH(text) > _MOST_TOKENS and has_more_parts(text, _MOST_PARTS):
        raise _Unusual
    return tuple.__new__(Text, (text, 1))


cdef _document(bytes namespace, str pmid, str chunk_id, str section, tuple texts, bytes shared):
    cdef Json json = Json()
    json.add(b'{"chunk_id":', 12)
    json.string(chunk_id)
    json.add(b',"section":', 11)
    json.string(section)
    json.add_bytes(shared)
    return tuple.__new__(Document, (_uuid(namespace, pmid, chunk_id), texts, WrittenFields(json.taken())))


cdef bytes _shared(record, dict values, str pmid, Py_ssize_t count):
    """The fields of all chunks as they stand behind those of each. The names here are written as they are read."""
    cdef str edat = values.get("edat"), lr = values.get("lr"), pdat = values["pdat"]
    cdef tuple journal = _journal(values["journal"], values["journal_abbreviation"]), types = values["pub_types"]
    cdef int rank = journal[0], design, human
    design, human = rate_types_and_headings(types, record.study_headings)
    cdef Json json = Json()
    json.add(b',"pmid":', 8)
    json.string(pmid)
    json.add(b',"pub_types":', 13)
    json.value(types)
    _add_number(json, b',"design":', design)
    _add_number(json, b',"journal_rank":', rank)
    _add_number(json, b',"human":', human)
    _add_number(json, b',"quality_total":', design + rank + human + <int>rate_recency_at_entry(pdat, edat))
    json.add(b',"retracted":', 13)
    json.value(RETRACTED_TYPE in types or (record.is_retracted if values["links"] else False))
    json.add_bytes(journal[1])
    if pdat:
        json.add_bytes(_day(pdat))
    if edat:
        json.add(b',"edat":', 8)
        json.string(edat)
    if lr:
        json.add(b',"lr":', 6)
        json.string(lr)
    json.add(b',"source_url":"https://pubmed.ncbi.nlm.nih.gov/', 47)
    json.add(<const char *>PyUnicode_1BYTE_DATA(pmid), PyUnicode_GET_LENGTH(pmid))
    json.add(b'/"', 2)
    if count > 1:
        json.add(b',"chunks":', 10)
        json.string(" ".join(_SECTION_IDS[:count]))
    json.sign(b"}")
    return json.text[: json.size]


cdef int _add_number(Json json, bytes name, int number) except -1:
    json.add_bytes(name)
    if not 0 <= number <= 9:
        raise _Unusual
    return json.sign(48 + number)


# A file has few journals and days beside its papers.
cdef dict _known_journals = {}
cdef dict _known_days = {}


cdef tuple _journal(journal, abbreviation):
    """Its rank and its fields."""
    cdef tuple names = (journal, abbreviation)
    known = _known_journals.get(names)
    if known is None:
        rank, fields = build_journal_fields(journal, abbreviation)
        known = _remember(_known_journals, names, (rank, _written(fields)))
    return known


cdef bytes _day(str pdat):
    known = _known_days.get(pdat)
    return _remember(_known_days, pdat, _written(build_date_fields(pdat))) if known is None else known


cdef _remember(dict known, name, value):
    if len(known) >= REMEMBERED:
        known.clear()
    known[name] = value
    return value


cdef bytes _written(dict fields):
    """A comma before each."""
    try:
        written = orjson.dumps(fields)
    except TypeError:
        raise _Unusual from None
    if b"\\u0000" in written:
        raise _Unusual
    return b"," + written[1:-1] if fields else b""


cdef str _uuid(bytes namespace, str pmid, str chunk_id):
    """The UUID of version 5 that `chunk_uuid` gives: the name with its padding is one block of SHA-1."""
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
    _sha1(block, state)
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


cdef void _sha1(const unsigned char *block, uint32_t *state) noexcept:
    """SHA-1 (RFC 3174) of a text that fits into one block."""
    cdef uint32_t[80] words
    cdef uint32_t a = 0x67452301, b = 0xEFCDAB89, c = 0x98BADCFE, d = 0x10325476, e = 0xC3D2E1F0, mixed
    cdef int at
    for at in range(16):
        words[at] = (
            <uint32_t>block[4 * at] << 24 | block[4 * at + 1] << 16 | block[4 * at + 2] << 8 | block[4 * at + 3]
        )
    for at in range(16, 80):
        words[at] = _turned(words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16], 1)
    for at in range(80):
        if at < 20:
            mixed = (b & c | ~b & d) + 0x5A827999U
        elif at < 40:
            mixed = (b ^ c ^ d) + 0x6ED9EBA1U
        elif at < 60:
            mixed = (b & c | b & d | c & d) + 0x8F1BBCDCU
        else:
            mixed = (b ^ c ^ d) + 0xCA62C1D6U
        mixed += _turned(a, 5) + e + words[at]
        e, d, c, b, a = d, c, _turned(b, 30), a, mixed
    state[0], state[1], state[2] = a + 0x67452301U, b + 0xEFCDAB89U, c + 0x98BADCFEU
    state[3], state[4] = d + 0x10325476U, e + 0xC3D2E1F0U


cdef uint32_t _turned(uint32_t word, int by) noexcept:
    return word << by | word >> (32 - by)
