-- additive
-- Evaluations of the herbs suite, each with its report. `id` is made from what was measured, so the same measurement is
-- one row; `number` tells their order. `series` are runs of one set with the same parameters, `content` is what a run
-- came to. `metrics` and `input` are JSON; `at` is when it was first measured, ISO 8601 UTC.
CREATE TABLE herb_evaluations (
    id TEXT PRIMARY KEY,
    number INTEGER NOT NULL UNIQUE,
    series TEXT NOT NULL,
    content TEXT NOT NULL,
    set_name TEXT NOT NULL CHECK (set_name IN ('smoke', 'curated', 'custom')),
    questions INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    in_hash TEXT NOT NULL,
    input TEXT NOT NULL,
    metrics TEXT NOT NULL,
    previous_id TEXT,
    report TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

CREATE INDEX herb_evaluations_by_series ON herb_evaluations (series, number);
