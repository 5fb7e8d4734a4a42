-- additive
-- The papers suite. Moments are ISO 8601 UTC, so that they sort as text.
-- A row is one version of a record, valid from one change of the search index to the next that concerns it, so that
-- records and search answer for the same moment. `content` is the record as JSON, without its `lr`. Only the current
-- version of a record has no `to_seq`; a record whose versions have all ended was deleted.
CREATE TABLE paper_versions (
    pmid TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    from_seq INTEGER NOT NULL,
    to_seq INTEGER,
    content_hash TEXT NOT NULL,
    edat TEXT,
    lr TEXT,
    is_sample INTEGER NOT NULL CHECK (is_sample IN (0, 1)),
    content TEXT NOT NULL,
    PRIMARY KEY (pmid, version)
) STRICT;

-- Each PMID is there once.
CREATE UNIQUE INDEX paper_versions_current ON paper_versions (pmid) WHERE to_seq IS NULL;

CREATE INDEX paper_versions_samples ON paper_versions (pmid) WHERE is_sample = 1 AND to_seq IS NULL;

-- The newest record is the clock of the corpus.
CREATE INDEX paper_versions_newest ON paper_versions (edat) WHERE to_seq IS NULL;

-- How far each query was synced: everything that entered PubMed up to this moment is stored. It holds for the term that
-- was asked.
CREATE TABLE paper_watermarks (
    query_key TEXT PRIMARY KEY,
    term TEXT NOT NULL,
    last_edat TEXT NOT NULL
) STRICT;

CREATE TABLE paper_watermark_changes (
    query_key TEXT NOT NULL,
    number INTEGER NOT NULL,
    term TEXT NOT NULL,
    old_edat TEXT,
    new_edat TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    PRIMARY KEY (query_key, number)
) STRICT;

-- How far each file was imported, by its digest: so many of its items are stored. `finished_at` is set with the last.
CREATE TABLE paper_imports (
    digest TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    items INTEGER NOT NULL,
    finished_at TEXT
) STRICT;

-- Queries that a running server keeps fresh. Whoever runs one claims it for a while first.
CREATE TABLE paper_watches (
    query TEXT PRIMARY KEY,
    every_s INTEGER NOT NULL CHECK (every_s > 0),
    created_at TEXT NOT NULL,
    next_at TEXT NOT NULL,
    claimed_until TEXT,
    last_at TEXT,
    last_status TEXT
) STRICT;

-- States of the corpus that have a name: what was searchable after change `seq`. `as_of` is the day of the newest record
-- then, by which ages are counted.
CREATE TABLE paper_checkpoints (
    checkpoint_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT,
    created_at TEXT NOT NULL,
    primary_queries TEXT NOT NULL,
    seq INTEGER NOT NULL,
    as_of TEXT,
    papers INTEGER NOT NULL
) STRICT;
