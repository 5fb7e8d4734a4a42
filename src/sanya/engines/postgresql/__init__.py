"""The PostgreSQL engine: a pool of connections that repairs itself, and the job queue on the same server."""
