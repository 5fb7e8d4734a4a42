"""The report of an evaluation: one page that needs nothing beside itself."""
