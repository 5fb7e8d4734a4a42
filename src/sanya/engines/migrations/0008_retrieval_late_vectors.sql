-- additive
-- Rows whose vectors did not come with them. `seq` is the change that brought the vectors, or nothing while they are
-- awaited: so an earlier state is searched with the vectors of its own time.
CREATE TABLE retrieval_late_vectors (
    namespace TEXT NOT NULL,
    partition_name TEXT NOT NULL,
    position INTEGER NOT NULL,
    seq INTEGER,
    PRIMARY KEY (namespace, partition_name, position)
) STRICT;

CREATE INDEX retrieval_late_vectors_by_seq ON retrieval_late_vectors (namespace, partition_name, seq);
