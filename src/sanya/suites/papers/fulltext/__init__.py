"""Full texts of open-access articles: read from JATS, stored with their licence, searched by paragraph."""
