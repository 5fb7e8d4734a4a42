"""Weighs what an install takes: megabytes of each package, largest first.

python -m scripts.weigh .venv/bin/python     # of any environment; this one where none is named
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter

_LEAST_MB = 1.0
_MEASURE = """
import json
from importlib.metadata import distributions
print(json.dumps({
    found.metadata["Name"]: sum(path.stat().st_size for file in found.files or () if (path := file.locate()).is_file())
    for found in distributions()
}))
"""


def weigh(python: str) -> Counter[str]:
    """Return the bytes of each package in an environment."""
    ran = subprocess.run([python, "-c", _MEASURE], capture_output=True, text=True, check=True)  # noqa: S603
    return Counter(json.loads(ran.stdout))


def format_weights(weights: Counter[str]) -> str:
    """Format the packages above one megabyte as a table of Markdown, with the rest and the sum."""
    large = [(name, size / 1e6) for name, size in weights.most_common() if size >= _LEAST_MB * 1e6]
    rest = weights.total() / 1e6 - sum(size for _, size in large)
    rows = [*large, (f"{len(weights) - len(large)} others", rest), (f"all {len(weights)}", weights.total() / 1e6)]
    return "| package | MB |\n| --- | --- |\n" + "".join(f"| {name} | {size:.1f} |\n" for name, size in rows)


if __name__ == "__main__":
    sys.stdout.write(format_weights(weigh(sys.argv[1] if len(sys.argv) > 1 else sys.executable)))
