"""The ways in: wire to call and back, nothing else."""
