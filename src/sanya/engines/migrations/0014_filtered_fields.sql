-- additive
-- The fields of a namespace that filters may name, parted by blanks: only these enter the files of the embedded index. A
-- namespace without a row was never asked, and every field may be named.
CREATE TABLE retrieval_filtered (
    namespace TEXT PRIMARY KEY,
    fields TEXT NOT NULL
) STRICT;
