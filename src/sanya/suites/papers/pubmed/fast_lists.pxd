"""Declares the writers of a record's lists for `fast_reader`."""

from sanya.suites.papers.pubmed.fast_tree cimport Tree
from sanya.suites.papers.pubmed.record_json cimport Json

cdef int write_authors(Tree tree, int article, Json json) except -1
cdef object write_headings(Tree tree, int citation, Json json)
cdef int write_substances(Tree tree, int citation, Json json) except -1
cdef int write_texts(Tree tree, int parent, tuple path, Json json) except -1
