"""Leaves the tools of guests out of a typed surface that cannot name them: two members that become the same name, or a
name without a letter. The other tools stay, on every surface; one guest never takes a whole surface down."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.suite import Suite
from sanya.kernel.contracts.tool import Tool
from sanya.suites.registry import BUILT_IN

log = logging.getLogger(__name__)

Built = TypeVar("Built")


def build_with_guests(catalogue: Catalogue, build: Callable[[Catalogue], Built], surface: str) -> Built:
    """Build a surface from all tools that it can express. `build` raises for one that it cannot."""
    kept = [suite for suite in catalogue.suites if suite.name in BUILT_IN]
    guests = [suite for suite in catalogue.suites if suite.name not in BUILT_IN]
    if not guests or _find_problem(catalogue, build) is None:
        return build(catalogue)
    for suite in guests:
        if _find_problem(Catalogue([*kept, suite]), build) is None:
            kept.append(suite)
        else:
            kept.append(_keep_expressible(kept, suite, build, surface))
    return build(Catalogue(kept))


def _keep_expressible(kept: list[Suite], suite: Suite, build: Callable[[Catalogue], object], surface: str) -> Suite:
    tools: tuple[Tool, ...] = ()
    for tool in suite.tools:
        problem = _find_problem(Catalogue([*kept, replace(suite, tools=(*tools, tool))]), build)
        if problem is None:
            tools = (*tools, tool)
        else:
            log.error("%s is not served over %s, only on the other surfaces: %s", tool.name, surface, problem)
    return replace(suite, tools=tools)


def _find_problem(catalogue: Catalogue, build: Callable[[Catalogue], object]) -> Exception | None:
    try:
        build(catalogue)
    except Exception as problem:  # whatever a library of that surface raises for a name that it does not take
        return problem
    return None
