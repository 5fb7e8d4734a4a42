"""The five domains. Each has the same furniture: contract, tools, rules, store, dialect."""
