-- additive
-- Notices about papers: retractions, expressions of concern and corrections. `origin` is the record that says so, the
-- paper's own or that of the notice; its rows are replaced with it.
CREATE TABLE paper_notices (
    pmid TEXT NOT NULL,
    origin TEXT NOT NULL,
    standing TEXT NOT NULL CHECK (standing IN ('retracted', 'concern', 'corrected')),
    notice TEXT NOT NULL,
    PRIMARY KEY (pmid, origin, standing, notice)
) STRICT;

CREATE INDEX paper_notices_by_origin ON paper_notices (origin);

-- The gravest of the notices about each paper, NULL where all of them were taken back. `seq` rises with every change,
-- so that a suite that cites papers reads only what is new to it.
CREATE TABLE paper_standings (
    pmid TEXT PRIMARY KEY,
    doi TEXT,
    standing TEXT CHECK (standing IN ('retracted', 'concern', 'corrected')),
    notices TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    seq INTEGER NOT NULL
) STRICT;

CREATE INDEX paper_standings_by_seq ON paper_standings (seq);

CREATE INDEX paper_standings_by_doi ON paper_standings (doi);

-- How far each suite that cites papers has read the standings.
CREATE TABLE citation_followers (
    name TEXT PRIMARY KEY,
    seq INTEGER NOT NULL
) STRICT;
