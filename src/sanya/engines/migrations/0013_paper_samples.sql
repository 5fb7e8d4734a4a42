-- additive
-- The samples again, by a column that a query names: an index without one is passed over where another holds as many rows,
-- and then all papers are read to find that none is a sample.
DROP INDEX paper_versions_samples;

CREATE INDEX paper_versions_samples ON paper_versions (is_sample, pmid) WHERE is_sample = 1 AND to_seq IS NULL;
