"""State that the worker processes of one server share: request ids, rate limits, outside requests and counts."""
