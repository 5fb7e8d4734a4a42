"""The report of an evaluation: one self-contained HTML page, the same for MCP, HTTP and the command line."""
