"""The one way of a call. Knows no domain, no wire and no disk."""
