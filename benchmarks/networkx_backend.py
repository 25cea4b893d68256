"""Plain NetworkX against the backend: python benchmarks/networkx_backend.py [GRAPH] [--runs 3] [--only pagerank,...].

For each function the seconds of plain NetworkX, of the backend with the graph converted (the median of some runs; what
it keeps of earlier answers is forgotten), of the first call, conversion included, and of the building of the result
from arrays, which no backend can do without. Before any clock starts everything is compiled, on a small graph.
`betweenness_centrality` is measured from fewer sources with plain NetworkX (--sources), and their time is scaled to 64:
each costs the same.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx

from irgl.nx_backend.backend import Backend
from irgl.nx_backend.graph import Rows
from irgl.rt.graphs.load import load

ROOT = Path(__file__).resolve().parents[1]
DEFAULT = ROOT.parent / "shared" / "graphs" / "social" / "web-NotreDame.txt.xz"
K = 64


def read(path: Path, file_format: str | None = None) -> nx.Graph:
    """A file as an undirected NetworkX graph; loops stay, parallel edges become one."""
    rows = load(str(path), format=file_format)
    graph = nx.Graph()
    graph.add_nodes_from(range(rows.num_nodes))
    graph.add_edges_from(zip(rows.sources().tolist(), rows.dst.tolist(), strict=True))
    return graph


def calls(source: Any) -> dict[str, tuple[dict[str, Any], Callable[[Any], Any]]]:
    """By function: its arguments, and how its result is used up."""
    return {
        "pagerank": ({}, len),
        "triangles": ({}, len),
        "betweenness_centrality": ({"k": K, "seed": 1}, len),
        "connected_components": ({}, lambda found: sum(map(len, found))),
        "single_source_dijkstra_path_length": ({"source": source}, len),
    }


def forget(graph: nx.Graph) -> None:
    """Drops what backends keep in their forms of the graph besides the graph."""
    for forms in graph.__networkx_cache__.get("backends", {}).values():
        for form in forms.values():
            for kept in ("_cache", "_made"):
                getattr(form, kept, {}).clear()


def seconds(work: Callable[[], Any]) -> float:
    gc.collect()
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def rebuilt(name: str, graph: Rows, found: Any) -> float:
    """How long it takes to build the result once more from arrays."""
    if name == "connected_components":
        parts = [list(part) for part in found]
        return seconds(lambda: [set(part) for part in parts])
    numbers, values = list(found), list(found.values())
    return seconds(lambda: dict(zip(graph.labels if len(numbers) == len(graph) else numbers, values, strict=True)))


def measure(graph: nx.Graph, name: str, runs: int, sources: int) -> dict[str, float]:
    kwargs, use = calls(next(iter(graph)))[name]
    function = getattr(nx, name)
    tiny = nx.gnp_random_graph(40, 0.2, seed=1)
    use(function(tiny, backend="irgl", **{**kwargs, **({"k": 3} if "k" in kwargs else {})}))
    plain_kwargs = {**kwargs, "k": sources} if "k" in kwargs else kwargs
    plain = seconds(lambda: use(function(graph, backend="networkx", **plain_kwargs))) * kwargs.get("k", 1)
    graph.__networkx_cache__.clear()
    cold = seconds(lambda: use(function(graph, backend="irgl", **kwargs)))
    again = []
    for _ in range(runs):
        forget(graph)
        again.append(seconds(lambda: use(function(graph, backend="irgl", **kwargs))))
    cached = statistics.median(again)
    rows = Backend.convert_from_nx(graph, edge_attrs={"weight": 1})
    found = function(graph, backend="irgl", **kwargs)
    if name == "connected_components":
        found = list(found)
    building = rebuilt(name, rows, found)
    return {"plain": plain / plain_kwargs.get("k", 1), "cold": cold, "cached": cached, "result": building}


def main() -> None:
    parser = argparse.ArgumentParser(description="Plain NetworkX against the backend")
    parser.add_argument("graph", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--sources", type=int, default=4, help="of plain NetworkX's betweenness")
    parser.add_argument("--only", default=",".join(calls(0)))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--format", help="of the file, where its content doesn't tell: cliques, ...")
    given = parser.parse_args()
    nx.config.warnings_to_ignore.add("cache")
    graph = read(given.graph, given.format)
    print(f"{given.graph.name}: {graph.number_of_nodes()} nodes, {graph.number_of_edges()} edges")
    print("| function | plain s | cold s | cached s | of which result | cold x | cached x |")
    print("|---|---|---|---|---|---|---|")
    kept = {}
    for name in given.only.split(","):
        found = kept[name] = measure(graph, name, given.runs, given.sources)
        plain, cold, cached = found["plain"], found["cold"], found["cached"]
        print(f"| {name} | {plain:.2f} | {cold:.3f} | {cached:.3f} | {found['result']:.3f} | {plain / cold:.1f} "
              f"| {plain / cached:.1f} |", flush=True)
    if given.json:
        given.json.write_text(json.dumps(kept, indent=1))


if __name__ == "__main__":
    main()
