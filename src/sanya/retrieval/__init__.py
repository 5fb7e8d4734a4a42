"""One hybrid search for all suites: words and meaning, Thai and English. Pure logic and the ports it stands on."""
