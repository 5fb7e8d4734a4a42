"""Loads onnxruntime, before usearch or not at all."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from sanya.kernel.faults import Unavailable


def load_onnxruntime() -> Any:
    """Return the module onnxruntime.

    Loaded after usearch it crashes the process (seen with usearch 2.26 and onnxruntime 1.23 to 1.31, whose C++
    libraries clash). So models are opened before the index; if the order is wrong, raise a fault instead.
    """
    if "usearch" in sys.modules and "onnxruntime" not in sys.modules:
        raise Unavailable("the embedding model cannot be loaded after the embedded index; restart Sanya")
    return import_module("onnxruntime")
