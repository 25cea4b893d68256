"""Whether peers found the same: no time is believed before that."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from graphs import arrays_of
from peers.peer import Answer, Array

_RANK_TOLERANCE = 1e-3  # 20 iterations in float, with or without the rank of nodes without arcs, differ by less
_SCORE_TOLERANCE = 1e-3


def disagreement(algorithm: str, source: int | None, ours: Answer, theirs: Answer, folder: Path) -> str:
    """'' where the answers agree in all that both tell; else what differs."""
    if algorithm == "mis":
        return _independent(np.load(theirs["vector"]), folder)
    for key in ours.keys() & theirs.keys() - {"vector", "top"}:
        if ours[key] != theirs[key]:
            return f"{key} is {theirs[key]}, ours {ours[key]}"
    if "vector" not in ours:
        return ""
    mine = np.load(ours["vector"])
    if "top" in theirs:
        # The suite's betweenness counts the source itself.
        return _top(mine, [pair for pair in theirs["top"] if algorithm != "bc" or pair[0] != source])
    if "vector" not in theirs:
        return ""
    return _vector(algorithm, mine, np.load(theirs["vector"]))


def _vector(algorithm: str, mine: Array, other: Array) -> str:
    if algorithm == "pr":
        apart = float(np.abs(mine / mine.sum() - other / other.sum()).sum())
        return f"ranks differ by {apart:.2g} in all" if apart > _RANK_TOLERANCE else ""
    scale = round(float(mine.sum() / other.sum()), 3) if other.sum() > 0 else 1.0  # 2: counts each pair once
    apart = float(np.abs(mine - scale * other).max() / mine.max())
    return f"scores differ by {apart:.2g} of the highest" if apart > _SCORE_TOLERANCE or scale not in (1.0, 2.0) else ""


def _top(mine: Array, top: list[list[float]]) -> str:
    # Scores to a scale of its own: compare with the first.
    if not top or top[0][1] <= 0:
        return "no scores"
    first, highest = int(top[0][0]), top[0][1]
    if not mine[first] > 0:
        return f"node {first} has the highest score, and none in ours"
    for node, score in top:
        apart = abs(mine[int(node)] / mine[first] - score / highest)
        if apart > _SCORE_TOLERANCE:
            return f"the score of node {int(node)} is off by {apart:.2g}"
    return ""


def _independent(inside: Array, folder: Path) -> str:
    row, dst, _ = arrays_of(folder)
    inside = inside.astype(np.bool_)
    beside = np.zeros(len(dst) + 1, np.int64)
    np.cumsum(inside[dst], out=beside[1:])
    neighbours = beside[np.asarray(row[1:])] - beside[np.asarray(row[:-1])]
    if bool((inside & (neighbours > 0)).any()):
        return "two neighbours are in the set"
    return "" if bool((inside | (neighbours > 0)).all()) else "the set is not maximal"
