"""What a benchmark reports, and how a goal is judged."""

from __future__ import annotations

from typing import Literal, TypedDict


class Result(TypedDict):
    """`ours` and `peer` in one unit; `ratio` is ours by the peer's, and `goal` the most or the least that it may be."""

    name: str
    ours: float
    peer: float
    ratio: float
    sign: str
    goal: float
    holds: bool


def judged(name: str, ours: float, peer: float, goal: tuple[Literal[">=", "<="], float]) -> Result:
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
