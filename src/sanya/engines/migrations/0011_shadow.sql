-- additive
-- What a shadow found: calls that two engines answered side by side. A trial is a pair of engines; tallies and latencies
-- are sums, and of differences the latest alone are kept. Values that the ledger would not keep are not in here either.
CREATE TABLE shadow_trials (
    trial TEXT PRIMARY KEY,
    began_at TEXT NOT NULL,
    last_at TEXT NOT NULL,
    problem TEXT
) STRICT;

CREATE TABLE shadow_tallies (
    trial TEXT NOT NULL,
    tool TEXT NOT NULL,
    kind TEXT NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (trial, tool, kind)
) STRICT;

-- How many calls took as long as the bucket says: see shadow/latencies.py.
CREATE TABLE shadow_latencies (
    trial TEXT NOT NULL,
    tool TEXT NOT NULL,
    side TEXT NOT NULL CHECK (side IN ('primary', 'shadow')),
    bucket INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (trial, tool, side, bucket)
) STRICT;

CREATE TABLE shadow_differences (
    call_id TEXT NOT NULL,
    place INTEGER NOT NULL,
    trial TEXT NOT NULL,
    tool TEXT NOT NULL,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    path TEXT NOT NULL,
    here TEXT NOT NULL,
    there TEXT NOT NULL,
    PRIMARY KEY (call_id, place)
) STRICT;
