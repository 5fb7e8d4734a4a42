-- additive
-- Rows that a process is embedding now, so that another one embeds others. A claim that is a minute old belongs to a
-- process that died, and counts no longer.
CREATE TABLE retrieval_embedding_claims (
    namespace TEXT NOT NULL,
    partition_name TEXT NOT NULL,
    position INTEGER NOT NULL,
    claimant TEXT NOT NULL,
    claimed_ms INTEGER NOT NULL,
    PRIMARY KEY (namespace, partition_name, position)
) STRICT;

-- How fast each process embedded its last rows, to tell how long the rest will take.
CREATE TABLE retrieval_embedding_rates (
    namespace TEXT NOT NULL,
    claimant TEXT NOT NULL,
    documents INTEGER NOT NULL,
    took_ms INTEGER NOT NULL,
    seen_ms INTEGER NOT NULL,
    PRIMARY KEY (namespace, claimant)
) STRICT;
