-- additive
-- The benchmark's name beside the other names, so that a search reads one table; a fund has it from its next import on.
ALTER TABLE funds ADD COLUMN benchmark_name TEXT;

-- The day of the first snapshot of the market that no longer has this fund. Null while it is there.
ALTER TABLE funds ADD COLUMN gone_since TEXT;
