"""The port to the relational store, its migrations, and SQL that every store needs."""
