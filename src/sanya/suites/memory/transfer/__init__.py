"""Transfer: export and import of a namespace, and import from files of other tools."""
