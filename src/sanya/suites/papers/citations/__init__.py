"""Citations of papers: Vancouver, APA, BibTeX, RIS and CSL-JSON."""
