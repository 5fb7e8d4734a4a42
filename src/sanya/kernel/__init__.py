"""The path that every call takes. The kernel knows no domain, no wire format and no disk."""
