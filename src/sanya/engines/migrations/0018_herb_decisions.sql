-- additive
-- Decisions of the owner's reviewers about statements of the graph, a layer above its rows, which they never change.
-- `statement` is the `fact` of the statement when it was decided, `subject` what it is about, `content` JSON. A decision
-- that was undone stays, with who undid it and when in `undone` (JSON). Of several that stand, the latest counts.
CREATE TABLE herb_decisions (
    id TEXT PRIMARY KEY,
    number INTEGER NOT NULL UNIQUE,
    statement TEXT NOT NULL,
    subject TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('accept', 'correct', 'reject')),
    content TEXT NOT NULL,
    decided_at TEXT NOT NULL,
    undone TEXT
) STRICT;

CREATE INDEX herb_decisions_by_statement ON herb_decisions (statement, number);

-- What the decisions come to for the graph as it is now: derived from both, and made again when either changes. `fact`
-- is the statement, `strength` and `review` what is shown instead of its own, `overlay` the rest of it (JSON).
CREATE TABLE herb_decided_statements (
    fact TEXT PRIMARY KEY,
    decision_id TEXT NOT NULL,
    strength INTEGER NOT NULL CHECK (strength BETWEEN 0 AND 3),
    review TEXT NOT NULL CHECK (review IN ('reviewed', 'needs_review', 'unreviewed')),
    is_hidden INTEGER NOT NULL,
    overlay TEXT NOT NULL
) STRICT;

CREATE INDEX herb_edges_by_fact ON herb_edges (fact);
