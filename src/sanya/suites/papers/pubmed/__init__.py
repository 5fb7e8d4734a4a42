"""Reads PubMed records: files, XML, and the compiled fast path. See docs/pubmed-readers.md."""
