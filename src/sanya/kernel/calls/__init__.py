"""The path of a call, from its arguments to its stamped outcome."""
