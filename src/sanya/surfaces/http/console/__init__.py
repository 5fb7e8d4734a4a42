"""The pages of the console and the endpoints that only a browser asks: ledger, jobs, evaluations, resources."""
