"""What dispatch by priority costs or saves: python benchmarks/networkx_dispatch.py [--nodes 100,1000] [--seconds 2].

For each function and size: the microseconds of plain NetworkX, of a call with `backend_priority` on a graph that is not
converted, and on one that was used before. "over" marks a call that is slower than plain NetworkX by more than a tenth
and by more than 20 us. The best of many calls, plain ones and others in turn, so that a busy moment hits both, and both
find in the processor's caches what the other has left there.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx

DEGREE = 8
#: By function: positions of the nodes that it is given, and arguments by name.
CALLS: dict[str, tuple[tuple[int, ...], dict[str, Any]]] = {
    "single_source_shortest_path_length": ((0,), {}),
    "single_source_dijkstra_path_length": ((0,), {}),
    "bfs_edges": ((0,), {}),
    "has_path": ((0, -1), {}),
    "connected_components": ((), {}),
    "is_connected": ((), {}),
    "triangles": ((), {}),
    "clustering": ((), {}),
    "core_number": ((), {}),
    "pagerank": ((), {}),
    "betweenness_centrality": ((), {"k": 2, "seed": 1}),
    "minimum_spanning_edges": ((), {}),
}


def once(work: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    found = work()
    if isinstance(found, Iterator):
        list(found)
    return (time.perf_counter() - begin) * 1e6


def over(plain: float, other: float) -> bool:
    return other > max(plain * 1.1, plain + 20)


def measure(graph: nx.Graph, name: str, limit: float) -> tuple[float, float, float, bool]:
    """Microseconds: plain, not converted, converted; is one of these over what was plain beside it?"""
    places, kwargs = CALLS[name]
    nodes = list(graph)
    args = [nodes[place] for place in places]
    priority = nx.config.backend_priority

    def call() -> Any:
        return getattr(nx, name)(graph, *args, **kwargs)

    def rounds(before: Callable[[], None]) -> tuple[float, float]:
        """Plain calls and others in turn."""
        plain, other = [], []
        end = time.perf_counter() + limit / 2
        while not plain or (time.perf_counter() < end and len(plain) < 3000):
            priority.algos = []
            plain.append(once(call))
            before()
            priority.algos = ["irgl"]
            other.append(once(call))
        priority.algos = []
        return min(plain), min(other)

    first, cold = rounds(graph.__networkx_cache__.clear)
    nx.utils.backends._registered_algorithms["is_connected"](graph, backend="irgl")  # converts it
    second, warm = rounds(lambda: None)
    graph.__networkx_cache__.clear()
    return min(first, second), cold, warm, over(first, cold) or over(second, warm)


def main() -> None:
    parser = argparse.ArgumentParser(description="The cost of dispatch by priority")
    parser.add_argument("--nodes", default="100,1000,10000,100000")
    parser.add_argument("--seconds", type=float, default=2, help="for each function and size")
    given = parser.parse_args()
    nx.config.warnings_to_ignore.add("cache")
    tiny = nx.path_graph(6)
    for name, (places, kwargs) in CALLS.items():  # compiles
        found = getattr(nx, name)(tiny, *[list(tiny)[p] for p in places], **kwargs, backend="irgl")
        list(found) if isinstance(found, Iterator) else None
    print("| function | nodes | plain us | new graph us | used graph us | |\n|---|---|---|---|---|---|")
    for nodes in map(int, given.nodes.split(",")):
        graph = nx.fast_gnp_random_graph(nodes, DEGREE / nodes, seed=1)
        gc.collect()
        for name in CALLS:
            plain, cold, warm, slower = measure(graph, name, given.seconds)
            said = "over" if slower else ""
            print(f"| `{name}` | {nodes} | {plain:.0f} | {cold:.0f} | {warm:.0f} | {said} |", flush=True)


if __name__ == "__main__":
    main()
