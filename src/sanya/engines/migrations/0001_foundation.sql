-- additive
-- The ledger: one row a call, chained by hash, never changed. The contents are those of kernel.ledger.Link.
CREATE TABLE ledger (
    chain TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    tool TEXT NOT NULL,
    suite TEXT NOT NULL,
    effect TEXT NOT NULL,
    surface TEXT NOT NULL,
    caller TEXT NOT NULL,
    request_id TEXT NOT NULL,
    trace_id TEXT,
    in_hash TEXT NOT NULL,
    out_hash TEXT NOT NULL,
    latency_ms INTEGER NOT NULL,
    status TEXT NOT NULL,
    fault TEXT,
    error_id TEXT,
    input TEXT NOT NULL,
    redacted INTEGER NOT NULL CHECK (redacted IN (0, 1)),
    contract_hash TEXT NOT NULL,
    code_hash TEXT NOT NULL,
    data_revision INTEGER NOT NULL,
    prev_hash TEXT NOT NULL,
    row_hash TEXT NOT NULL,
    PRIMARY KEY (chain, seq)
) STRICT;

-- sqlite only
CREATE TRIGGER ledger_keeps_rows BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

-- sqlite only
CREATE TRIGGER ledger_loses_no_rows BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

-- postgresql only
CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only';
END;
$$;

-- postgresql only
CREATE TRIGGER ledger_keeps_rows BEFORE UPDATE OR DELETE ON ledger
FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();

-- postgresql only
CREATE TRIGGER ledger_keeps_all BEFORE TRUNCATE ON ledger
FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

-- Where each chain ends. An appender updates its row first, so that appenders queue here.
CREATE TABLE ledger_heads (
    chain TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    row_hash TEXT NOT NULL
) STRICT;

-- What writes answered, for request ids that come again.
CREATE TABLE answers (
    caller TEXT NOT NULL,
    request_id TEXT NOT NULL,
    entry_id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    outcome TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    PRIMARY KEY (caller, request_id)
) STRICT;

CREATE INDEX answers_by_expiry ON answers (expires_at);

-- Secrets that this home made for itself, such as the one that signs cursors.
CREATE TABLE secrets (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

-- Keys of callers. Only a hash of each key's secret is kept.
CREATE TABLE keys (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    scopes TEXT NOT NULL,
    calls_per_minute INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    last_used_at TEXT,
    revoked_at TEXT
) STRICT;

-- A number for each suite that rises whenever its data changes, so that a replay can tell.
CREATE TABLE revisions (
    suite TEXT PRIMARY KEY,
    revision INTEGER NOT NULL
) STRICT;
