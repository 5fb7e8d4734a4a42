"""Checks of a home for `sanya doctor`: each reports what is wrong and what to do, and changes nothing."""
