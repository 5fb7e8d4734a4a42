"""The gRPC surface: every read tool and every resource, with a proto file generated from the contracts."""
