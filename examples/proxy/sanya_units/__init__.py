"""The suite units: the tools of another MCP server, as listing.json has them."""

import sys
from importlib.resources import files

from sanya.suite import ProxySuite

_FOLDER = files("sanya_units")

SUITE = ProxySuite(
    "units",
    title="Units",
    command=[sys.executable, "-m", "sanya_units.server"],
    listing=_FOLDER / "listing.json",
    contracts=_FOLDER / "contracts",
    # The server does not say that this one changes nothing.
    read_only=("list-units",),
    examples={"convert": {"value": 2, "fromUnit": "เส้น", "toUnit": "m"}, "list-units": {}},
)
