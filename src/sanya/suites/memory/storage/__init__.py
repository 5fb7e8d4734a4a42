"""Storage: the records of the suite, how they are read, and how they are written."""
