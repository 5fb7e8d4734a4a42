-- additive
-- Papers are found by their DOI and their PubMed Central id. The indexes read them from the stored record, so that an
-- import writes nothing beside it.

-- sqlite only
CREATE INDEX paper_versions_doi ON paper_versions (lower(content ->> 'doi'));

-- sqlite only
CREATE INDEX paper_versions_pmcid ON paper_versions (content ->> 'pmcid');

-- postgresql only
CREATE INDEX paper_versions_doi ON paper_versions (lower((content::jsonb) ->> 'doi'));

-- postgresql only
CREATE INDEX paper_versions_pmcid ON paper_versions (((content::jsonb) ->> 'pmcid'));
