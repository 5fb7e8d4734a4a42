"""How many slips of the finger lie between two short texts: a letter too many, too few, another, or two swapped."""

from __future__ import annotations


def slips(one: str, other: str) -> int:
    """The optimal string alignment distance."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        above, row_above, row = before, row, [i]
        for j, wanted in enumerate(other, start=1):
            cost = min(row[-1] + 1, row_above[j] + 1, row_above[j - 1] + (letter != wanted))
            if above and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
        before = row_above
    return row[-1]


def allowed_slips(length: int) -> int:
    """Short names lie too close together for any."""
    return 0 if length < 4 else 1 if length < 10 else 2
