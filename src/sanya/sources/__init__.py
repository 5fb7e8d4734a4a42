"""The outside world. The only room that opens a connection to another host."""
