"""The command line. Each command has its own module, imported only when a person uses that command."""
