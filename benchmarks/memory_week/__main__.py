"""`python -m benchmarks.memory_week`: prints the questions whose answer does not come first, and the figure."""

from benchmarks.memory_week import run

if __name__ == "__main__":
    print(run())
