"""Access control of the HTTP surface: host and origin checks, bearer keys, OAuth access tokens."""
