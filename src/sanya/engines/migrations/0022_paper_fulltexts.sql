-- additive
-- Full texts of open-access articles, one row each, as JSON with paragraphs and licence. `content_hash` tells whether an
-- article that comes again has changed.
CREATE TABLE paper_fulltexts (
    pmcid TEXT PRIMARY KEY,
    pmid TEXT,
    licence TEXT NOT NULL,
    stored_at TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    content TEXT NOT NULL
) STRICT;

CREATE INDEX paper_fulltexts_pmid ON paper_fulltexts (pmid);
