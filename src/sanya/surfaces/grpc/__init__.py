"""gRPC: every tool that reads and every resource, generated from the contracts."""
