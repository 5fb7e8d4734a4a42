-- additive: the trigger refuses only what no version does
-- The scopes that a call ran with, so that a replay never runs with more. Null in rows from before, which are hashed
-- without this column and the next.
ALTER TABLE ledger ADD COLUMN scopes TEXT;

-- Who asked for a replay. Null in rows of other calls.
ALTER TABLE ledger ADD COLUMN asked_by TEXT;

-- sqlite only
-- INSERT OR REPLACE deletes the row in its way without firing the trigger on DELETE. PostgreSQL has no such statement:
-- ON CONFLICT DO UPDATE fires the trigger on UPDATE.
CREATE TRIGGER ledger_replaces_no_rows BEFORE INSERT ON ledger
WHEN EXISTS (SELECT 1 FROM ledger WHERE chain = NEW.chain AND seq = NEW.seq)
    OR EXISTS (SELECT 1 FROM ledger WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM ledger WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

-- When the owner let callers in without a key again, after this key was revoked. Null while the key, active or revoked,
-- keeps callers without credentials out.
ALTER TABLE keys ADD COLUMN reopened_at TEXT;
