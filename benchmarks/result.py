"""Result of a benchmark, and its comparison with the goal."""

from __future__ import annotations

from typing import Literal, TypedDict


class Result(TypedDict):
    """Result with `ours` and `peer` in one unit. `ratio` is ours / peer, and `goal` its upper or lower bound."""

    name: str
    ours: float
    peer: float
    ratio: float
    sign: str
    goal: float
    holds: bool


def judge_ratio(name: str, ours: float, peer: float, goal: tuple[Literal[">=", "<="], float]) -> Result:
    sign, bound = goal
    ratio = ours / peer
    holds = ratio >= bound if sign == ">=" else ratio <= bound
    return {
        "name": name,
        "ours": round(ours, 3),
        "peer": round(peer, 3),
        "ratio": round(ratio, 3),
        "sign": sign,
        "goal": bound,
        "holds": holds,
    }
