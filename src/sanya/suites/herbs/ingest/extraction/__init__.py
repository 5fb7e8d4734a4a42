"""Extraction: from the text of a page to the names it holds and the statements it makes.

A page goes through five steps. `page_text` repairs and redacts its text. `entity_linker` finds the names of the graph,
`binomials` and `icd_codes` names that the graph may not know. `document_mentions` puts these together and applies what
the document itself says about its names. `cues` finds the words that state something. `page_statements` splits the page
into sentences, and `statements` reads from each who is said to do what, how certainly, or that it is denied.
"""
