"""Functions whose answer is another one in older versions of NetworkX than the one that the backend follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import networkx as nx

#: The version that the backend follows.
FOLLOWED = (3, 6)
HAVE = tuple(int(part) for part in nx.__version__.split(".")[:2])


def differs(name: str, given: Mapping[str, Any], have: tuple[int, ...] = HAVE) -> str:
    """Why this NetworkX would give something else, or ""."""
    if have >= FOLLOWED:
        return ""
    changed = False
    match name:
        case "betweenness_centrality" | "edge_betweenness_centrality":  # the scale of a sample
            changed = given["k"] is not None
        case "shortest_path":  # of all pairs, a dict
            changed = given["source"] is None and given["target"] is None
        case "single_target_shortest_path_length":  # pairs
            changed = True
    return f"NetworkX before {'.'.join(map(str, FOLLOWED))} gives something else" if changed else ""
