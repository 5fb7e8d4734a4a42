-- additive
-- What the stored records say of their subjects and of the works that they cite, by subject and by work. Derived from
-- `paper_versions`, in the order of its sequence numbers: `paper_facts_position` tells how far. So records that were
-- stored before these tables are read as well.
CREATE TABLE paper_headings (
    heading TEXT NOT NULL,
    qualifier TEXT NOT NULL,
    pmid TEXT NOT NULL,
    is_major INTEGER NOT NULL CHECK (is_major IN (0, 1)),
    PRIMARY KEY (heading, qualifier, pmid)
) STRICT;

CREATE INDEX paper_headings_by_paper ON paper_headings (pmid);

-- Names of headings and qualifiers as the records have them. `ui` is MeSH's id, or the name where a record gives none.
CREATE TABLE mesh_terms (
    ui TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    is_heading INTEGER NOT NULL CHECK (is_heading IN (0, 1))
) STRICT;

CREATE INDEX mesh_terms_by_name ON mesh_terms (folded);

-- `origin` is 'pubmed' for a record, 'fulltext' for an article in full.
CREATE TABLE paper_references (
    reference TEXT NOT NULL,
    pmid TEXT NOT NULL,
    origin TEXT NOT NULL CHECK (origin IN ('pubmed', 'fulltext')),
    PRIMARY KEY (reference, pmid, origin)
) STRICT;

CREATE INDEX paper_references_by_paper ON paper_references (pmid);

CREATE TABLE paper_facts_position (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seq INTEGER NOT NULL
) STRICT;

CREATE INDEX paper_versions_from ON paper_versions (from_seq);

CREATE INDEX paper_versions_to ON paper_versions (to_seq) WHERE to_seq IS NOT NULL;

-- Descriptors of MeSH from a file that the owner imported; empty without one. A descriptor stands at several places of
-- the tree.
CREATE TABLE mesh_descriptors (
    ui TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    scope_note TEXT,
    release TEXT NOT NULL
) STRICT;

CREATE INDEX mesh_descriptors_by_name ON mesh_descriptors (folded);

CREATE TABLE mesh_tree (
    number TEXT PRIMARY KEY,
    ui TEXT NOT NULL
) STRICT;

CREATE INDEX mesh_tree_by_descriptor ON mesh_tree (ui);

CREATE TABLE mesh_entry_terms (
    folded TEXT NOT NULL,
    ui TEXT NOT NULL,
    term TEXT NOT NULL,
    PRIMARY KEY (folded, ui)
) STRICT;

CREATE INDEX mesh_entry_terms_by_descriptor ON mesh_entry_terms (ui);
