"""Backends of NetworkX side by side: python benchmarks/networkx_beside.py [GRAPH] [--peer graphblas] [--runs 5].

Every function that both backends have, on the graph converted beforehand to each one's form: the median of some runs,
the backends in turn. A backend may give a result that is not built yet; so the time is that until the result is a
Python dict, list, set or number, which plain NetworkX gives, and beside it the time until the call returns. What a
backend keeps of earlier answers (numbers of triangles, ...) it is made to forget before each run. The answers are
compared. `pip install graphblas-algorithms` installs the peer.
"""

from __future__ import annotations

import argparse
import gc
import math
import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import networkx as nx
from networkx_backend import DEFAULT, forget, read

#: By function: arguments besides the graph; FIRST is its first node.
FIRST = object()
CALLS: dict[str, tuple[Any, ...]] = {
    "pagerank": (),
    "triangles": (),
    "clustering": (),
    "transitivity": (),
    "average_clustering": (),
    "eigenvector_centrality": (1000,),
    "is_connected": (),
    "node_connected_component": (FIRST,),
    "descendants": (FIRST,),
    "single_source_shortest_path_length": (FIRST,),
    "single_target_shortest_path_length": (FIRST,),
    "single_source_bellman_ford_path_length": (FIRST,),
}


def built(found: Any) -> Any:
    """A result in the form of plain NetworkX's."""
    if isinstance(found, int | float | dict):
        return found
    if isinstance(found, Mapping):
        return dict(found)
    if isinstance(found, Iterable):
        items = list(found)
        return [sorted(item) if isinstance(item, list) else item for item in items]
    return found


def same(a: Any, b: Any) -> bool:
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(math.isclose(a[k], b[k], rel_tol=1e-3, abs_tol=1e-5) for k in a)
    if isinstance(a, list) and isinstance(b, list) and not any(isinstance(x, list) for x in a):
        return set(a) == set(b)
    return bool(math.isclose(a, b, rel_tol=1e-6)) if isinstance(a, float) else bool(a == b)


def timed(function: Callable[..., Any], graph: Any, args: tuple[Any, ...], backend: str) -> tuple[float, float, Any]:
    """Seconds until the call returns, until the result is built, and the result."""
    forget(graph)
    gc.collect()
    begin = time.perf_counter()
    found = function(graph, *args, backend=backend)
    returned = time.perf_counter()
    result = built(found)
    return returned - begin, time.perf_counter() - begin, result


def row(graph: nx.Graph, name: str, backends: tuple[str, str], runs: int) -> str:
    function, args = getattr(nx, name), tuple(next(iter(graph)) if a is FIRST else a for a in CALLS[name])
    times: dict[str, list[tuple[float, float]]] = {b: [] for b in backends}
    results = {}
    for k in range(runs + 1):  # the first converts and compiles
        for b in backends:
            try:
                called, whole, results[b] = timed(function, graph, args, b)
            except Exception as e:
                return f"| {name} | {b}: {type(e).__name__} |"
            if k > 0:
                times[b].append((called, whole))
    ours, theirs = ([statistics.median(t[i] for t in times[b]) for i in (0, 1)] for b in backends)
    agree = "yes" if same(*(results[b] for b in backends)) else "no"
    return (f"| {name} | {ours[1] * 1e3:.1f} ({ours[0] * 1e3:.1f}) | {theirs[1] * 1e3:.1f} ({theirs[0] * 1e3:.1f}) "
            f"| {theirs[1] / ours[1]:.1f} ({theirs[0] / ours[0]:.1f}) | {agree} |")


def main() -> None:
    parser = argparse.ArgumentParser(description="Backends of NetworkX side by side")
    parser.add_argument("graph", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--peer", default="graphblas")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default=",".join(CALLS))
    given = parser.parse_args()
    nx.config.warnings_to_ignore.add("cache")
    graph = read(given.graph)
    print(f"{given.graph.name}: {graph.number_of_nodes()} nodes, {graph.number_of_edges()} edges, ms")
    print(f"| function | irgl, until built (until the call returns) | {given.peer} | times as fast | same answer |")
    print("|---|---|---|---|---|")
    for name in given.only.split(","):
        print(row(graph, name, ("irgl", given.peer), given.runs), flush=True)


if __name__ == "__main__":
    main()
