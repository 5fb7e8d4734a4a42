-- additive
-- The herbs suite: a graph of statements. `sources` and `data` are JSON; `basis` says what a judgement rests on (source,
-- rule: …, assigned); `batch` is what brought the row in (`starter`, or an ingest), so that a batch can leave whole.
CREATE TABLE herb_batches (
    id TEXT PRIMARY KEY,
    digest TEXT NOT NULL
) STRICT;

CREATE TABLE herb_sources (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    title TEXT,
    year INTEGER,
    url TEXT,
    publisher TEXT,
    pmid TEXT,
    review TEXT NOT NULL CHECK (review IN ('reviewed', 'needs_review', 'unreviewed')),
    note TEXT,
    batch TEXT NOT NULL
) STRICT;

CREATE TABLE herb_nodes (
    id TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    label_th TEXT,
    label_en TEXT,
    basis TEXT NOT NULL,
    review TEXT NOT NULL CHECK (review IN ('reviewed', 'needs_review', 'unreviewed')),
    note TEXT,
    sources TEXT NOT NULL,
    data TEXT NOT NULL,
    batch TEXT NOT NULL
) STRICT;

CREATE INDEX herb_nodes_by_type ON herb_nodes (type, id);

CREATE INDEX herb_nodes_by_batch ON herb_nodes (batch);

-- `name_key` is the name without case, blanks and signs, `backwards` the same from its end, `sound` what the spellings
-- of one name share.
CREATE TABLE herb_names (
    node_id TEXT NOT NULL,
    node_type TEXT NOT NULL,
    name TEXT NOT NULL,
    lang TEXT NOT NULL,
    kind TEXT NOT NULL,
    name_key TEXT NOT NULL,
    backwards TEXT NOT NULL,
    sound TEXT NOT NULL,
    batch TEXT NOT NULL,
    PRIMARY KEY (node_id, name_key)
) STRICT;

CREATE INDEX herb_names_by_key ON herb_names (name_key, node_type, node_id);

CREATE INDEX herb_names_backwards ON herb_names (backwards, node_type, node_id);

CREATE INDEX herb_names_by_sound ON herb_names (sound, node_type, node_id);

CREATE INDEX herb_names_by_batch ON herb_names (batch);

-- One row is one statement: two sources that differ are two rows between the same nodes. `strength` is 0 where a
-- statement has none, then low, moderate, high. `fact` is shared by the rows that one warning makes.
CREATE TABLE herb_edges (
    id TEXT PRIMARY KEY,
    fact TEXT NOT NULL,
    from_id TEXT NOT NULL,
    from_type TEXT NOT NULL,
    type TEXT NOT NULL,
    to_id TEXT NOT NULL,
    to_type TEXT NOT NULL,
    strength INTEGER NOT NULL CHECK (strength BETWEEN 0 AND 3),
    basis TEXT NOT NULL,
    review TEXT NOT NULL CHECK (review IN ('reviewed', 'needs_review', 'unreviewed')),
    note TEXT,
    sources TEXT NOT NULL,
    data TEXT NOT NULL,
    batch TEXT NOT NULL
) STRICT;

-- Both ways along edges of one type are read from an index alone, in the order of the paths.
CREATE INDEX herb_edges_out ON herb_edges (from_id, type, to_id, to_type, strength, review);

CREATE INDEX herb_edges_in ON herb_edges (to_id, type, from_id, from_type, strength, review);

CREATE INDEX herb_edges_by_batch ON herb_edges (batch);

-- What of the graph the shared search holds, by document; the row without an id is the digest of all of them.
CREATE TABLE herb_passages (
    id TEXT PRIMARY KEY,
    digest TEXT NOT NULL
) STRICT;
