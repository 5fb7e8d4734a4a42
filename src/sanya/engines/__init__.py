"""Databases, indexes, embedders and other storage. Only this package touches a disk or a database driver."""
