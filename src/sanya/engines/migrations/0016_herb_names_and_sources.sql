-- additive
-- A name that matches only as a whole entry, never inside a text and never as a suggestion: INH, ASA, เด็ก.
ALTER TABLE herb_names ADD COLUMN exact_only INTEGER NOT NULL DEFAULT 0;

-- How a source was read: whole, excerpt, abstract, copy, title or not-read. Null where nobody said.
ALTER TABLE herb_sources ADD COLUMN how_read TEXT;
