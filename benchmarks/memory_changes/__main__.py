"""`python -m benchmarks.memory_changes [--failures]`: prints the figures, or the seen pairs that are judged wrongly."""

import sys

from benchmarks.memory_changes import run, show_failures

if __name__ == "__main__":
    show_failures() if "--failures" in sys.argv else print(run())
