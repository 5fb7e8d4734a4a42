"""Writes src/sanya/suites/herbs/starter.jsonl from the fact tables in the folder that is named."""

from __future__ import annotations

import sys
from pathlib import Path

from scripts.herbs_starter.build import build

TARGET = Path(__file__).parents[2] / "src" / "sanya" / "suites" / "herbs" / "starter.jsonl"

if __name__ == "__main__":
    TARGET.write_bytes(build(Path(sys.argv[1])))
