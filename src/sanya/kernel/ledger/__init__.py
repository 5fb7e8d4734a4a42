"""The ledger: the record of every call and of what the owner does, and its verification."""
