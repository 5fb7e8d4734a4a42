"""The Model Context Protocol, both eras, over stdio and streamable HTTP: wire to call and back, nothing else."""
