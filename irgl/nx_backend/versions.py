"""What versions of NetworkX have differently: older ones are left alone, newer ones are given what they give."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import networkx as nx

#: The oldest version all of whose answers the backend gives.
FOLLOWED = (3, 6)


def number(version: str) -> tuple[int, ...]:
    """The first two numbers of a version, which may be one to come: 3.8rc0.dev0."""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2])


HAVE = number(nx.__version__)


def newer(version: tuple[int, ...]) -> bool:
    """Is NetworkX of that version, or later?"""
    return version <= HAVE


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
