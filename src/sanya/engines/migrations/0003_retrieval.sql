-- additive
-- What is searched. A row is one version of a document, valid from one change to the next that concerns it; rows are
-- numbered without gaps within a partition, in the order in which they were committed.
CREATE TABLE retrieval_documents (
    namespace TEXT NOT NULL,
    partition_name TEXT NOT NULL,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    from_seq INTEGER NOT NULL,
    to_seq INTEGER,
    texts TEXT NOT NULL,
    fields TEXT NOT NULL,
    content_hash BLOB NOT NULL,
    PRIMARY KEY (namespace, partition_name, position)
) STRICT;

CREATE INDEX retrieval_documents_by_id ON retrieval_documents (namespace, id, to_seq);

CREATE INDEX retrieval_documents_by_end ON retrieval_documents (namespace, partition_name, to_seq);

-- How far each partition reached with each change: its state at any earlier moment.
CREATE TABLE retrieval_commits (
    namespace TEXT NOT NULL,
    partition_name TEXT NOT NULL,
    seq INTEGER NOT NULL,
    last_position INTEGER NOT NULL,
    PRIMARY KEY (namespace, partition_name, seq)
) STRICT;

CREATE TABLE retrieval_counters (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT;

-- Vectors by what made them and from what: a text is embedded once, however often it is stored.
CREATE TABLE retrieval_vectors (
    model_digest TEXT NOT NULL,
    content_hash BLOB NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (model_digest, content_hash)
) STRICT;

-- The model of each vector space of a namespace; it never changes while the namespace holds vectors.
CREATE TABLE retrieval_spaces (
    namespace TEXT NOT NULL,
    space TEXT NOT NULL,
    model TEXT NOT NULL,
    dim INTEGER NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (namespace, space)
) STRICT;
