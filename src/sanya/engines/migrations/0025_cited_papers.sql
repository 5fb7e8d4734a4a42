-- additive
-- Papers that answers named, by the id of the call. The ledger keeps no answers, so this is how the calls are found that
-- relied on a paper which is retracted later. It stands beside the chain: no hash covers it, and the owner may prune it.
CREATE TABLE cited_papers (
    pmid TEXT NOT NULL,
    call_id TEXT NOT NULL,
    PRIMARY KEY (pmid, call_id)
) STRICT;

CREATE INDEX cited_papers_by_call ON cited_papers (call_id);

-- The last call of which it is not known what it cited: it is from before this table, or its rows were pruned.
CREATE TABLE cited_papers_start (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    call_id TEXT NOT NULL
) STRICT;

INSERT INTO cited_papers_start (id, call_id) SELECT 1, id FROM ledger ORDER BY id DESC LIMIT 1;
