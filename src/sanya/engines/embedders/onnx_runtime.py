"""Loads onnxruntime, at the right moment or not at all."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from sanya.kernel.faults import Unavailable


def onnx_runtime() -> Any:
    """The module. Loaded after usearch it ends the process (seen with usearch 2.26 and onnxruntime 1.23 to 1.31, whose
    C++ libraries clash), so models are opened before the index. Where that went wrong, a fault is better."""
    if "usearch" in sys.modules and "onnxruntime" not in sys.modules:
        raise Unavailable("the embedding model cannot be loaded after the embedded index was; start Sanya anew")
    return import_module("onnxruntime")
