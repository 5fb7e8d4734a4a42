-- additive
-- Work that outlives the call that asked for it. Moments are ISO 8601 UTC, so that they sort as text. `claim` names the
-- worker that has the job, until `claimed_until`; `input` and `result` are JSON.
CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    owner TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'error')),
    ending TEXT CHECK (ending IN ('cancelled', 'rolled_back')),
    input TEXT NOT NULL,
    result TEXT,
    error TEXT,
    done REAL NOT NULL,
    total REAL,
    message TEXT,
    attempts INTEGER NOT NULL,
    cancel_asked INTEGER NOT NULL CHECK (cancel_asked IN (0, 1)),
    claim TEXT,
    claimed_until TEXT,
    log_lines INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    started_at TEXT,
    finished_at TEXT
) STRICT;

CREATE INDEX jobs_open ON jobs (id) WHERE state IN ('queued', 'running');

CREATE INDEX jobs_by_owner ON jobs (owner, id);

-- What of a job is finished, such as one document; written in the transaction that holds its effect.
CREATE TABLE job_parts (
    job_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('done', 'error')),
    result TEXT NOT NULL,
    finished_at TEXT NOT NULL,
    PRIMARY KEY (job_id, number)
) STRICT;

CREATE TABLE job_log (
    job_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    at TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (job_id, number)
) STRICT;

-- Documents that are in the graph, by SHA-256 of their bytes, and the batch (the job) that brought each.
CREATE TABLE herb_documents (
    digest TEXT PRIMARY KEY,
    batch TEXT NOT NULL,
    uri TEXT NOT NULL,
    brought_at TEXT NOT NULL
) STRICT;

CREATE INDEX herb_documents_by_batch ON herb_documents (batch);
