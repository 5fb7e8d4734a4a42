"""Edit distance between two names, for typing mistakes."""

from __future__ import annotations


def measure_edit_distance(left: str, right: str) -> int:
    """Return the optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours."""
    previous_row: list[int] = []
    row = list(range(len(right) + 1))
    for i, left_letter in enumerate(left, start=1):
        two_above, above, row = previous_row, row, [i]
        for j, right_letter in enumerate(right, start=1):
            cost = min(row[-1] + 1, above[j] + 1, above[j - 1] + (left_letter != right_letter))
            if two_above and j > 1 and left_letter == right[j - 2] and left[i - 2] == right_letter:
                cost = min(cost, two_above[j - 2] + 1)
            row.append(cost)
        previous_row = above
    return row[-1]


def limit_edit_distance(length: int) -> int:
    """Return how many mistakes a name of this length may hold. Short names lie too close together for any."""
    return 0 if length < 4 else 1 if length < 10 else 2
