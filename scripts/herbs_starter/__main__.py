"""Writes the starter graph and the tables beside it from the fact tables in the folder that is named."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

from scripts.herbs_starter.build import build_all

SUITE = Path(__file__).parents[2] / "src" / "sanya" / "suites" / "herbs"


def main(folder: Path) -> None:
    built = build_all(folder)
    starter = built.starter()
    (SUITE / "starter.jsonl").write_bytes(starter)
    # A home compares this with what it holds at every start, without reading the graph.
    (SUITE / "starter.digest").write_text(f"{sha256(starter).hexdigest()}\n", "utf-8")
    data = SUITE / "data"
    data.mkdir(exist_ok=True)
    for name, content in built.files().items():
        (data / name).write_bytes(content)
    counts = built.count()
    width = max(map(len, counts))
    for name, count in counts.items():
        sys.stdout.write(f"{name:<{width}}  {count:>6}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
