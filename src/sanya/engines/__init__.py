"""Where data rests. The only room that touches disk or a database driver."""
