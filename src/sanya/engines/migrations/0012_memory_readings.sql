-- additive
-- What a configured model has read of the memories (`memory_extractor = chat`), one row a memory: which model, how it went,
-- how often it was asked, how many things of its answer were kept and how many were not. `next_at` is when the memory may
-- be taken up (again); nothing there means never. What was found is in the graph, marked with the model's name.
CREATE TABLE memory_readings (
    memory_id TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('asked', 'read', 'failed', 'given_up', 'skipped', 'again')),
    tries INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    asked_at TEXT NOT NULL,
    next_at TEXT
) STRICT;

CREATE INDEX memory_readings_due ON memory_readings (next_at) WHERE next_at IS NOT NULL;
