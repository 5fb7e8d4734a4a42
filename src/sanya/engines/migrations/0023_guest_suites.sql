-- additive
-- The migrations of guest suites, with their text: a home can be copied whole while a guest is not installed.
CREATE TABLE guest_migrations (
    suite TEXT NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL,
    applied_at TEXT NOT NULL,
    PRIMARY KEY (suite, number)
) STRICT;
