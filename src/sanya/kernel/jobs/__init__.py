"""Work that outlives the call that asked for it."""
