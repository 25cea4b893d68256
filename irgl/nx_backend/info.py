"""What NetworkX asks when it is imported: this module loads nothing."""

from __future__ import annotations

from typing import Any

_HEAP = "Weights are an edge attribute of ints or of floats, at least 0."
_QUEUE = "Weights are an edge attribute of ints or of floats."
_HOPS = "Distances are numbers of edges: weight is None."
_ORDER = "Neighbours in the graph's own order: sort_neighbors is None."
_TREE = "Kruskal's algorithm; graphs without parallel edges."
_CORES = "The core numbers are computed: core_number is None."
_MEASURES = "Distances are numbers of edges: weight, e and sp are None, usebounds is False."

#: Function: what is covered, where that is not everything.
FUNCTIONS: dict[str, str] = {
    **dict.fromkeys((
        "ancestors", "bfs_layers", "bidirectional_shortest_path", "connected_components", "core_number", "descendants",
        "descendants_at_distance", "has_cycle", "has_path", "is_bipartite", "is_connected", "is_directed_acyclic_graph",
        "is_dominating_set", "is_strongly_connected", "is_weakly_connected", "node_connected_component",
        "number_connected_components", "number_strongly_connected_components", "number_weakly_connected_components",
        "predecessor", "strongly_connected_components", "topological_generations", "topological_sort",
        "weakly_connected_components", "all_pairs_shortest_path", "all_pairs_shortest_path_length",
        "single_source_shortest_path", "single_source_shortest_path_length", "single_target_shortest_path",
        "single_target_shortest_path_length", "triangles",
    ), ""),
    **dict.fromkeys((
        "all_pairs_dijkstra", "all_pairs_dijkstra_path", "all_pairs_dijkstra_path_length", "dijkstra_path",
        "dijkstra_path_length", "dijkstra_predecessor_and_distance", "multi_source_dijkstra",
        "multi_source_dijkstra_path", "multi_source_dijkstra_path_length", "single_source_dijkstra",
        "single_source_dijkstra_path", "single_source_dijkstra_path_length",
    ), _HEAP),
    **dict.fromkeys((
        "all_pairs_bellman_ford_path", "all_pairs_bellman_ford_path_length", "bellman_ford_path",
        "bellman_ford_path_length", "single_source_bellman_ford", "single_source_bellman_ford_path",
        "single_source_bellman_ford_path_length",
    ), _QUEUE),
    **dict.fromkeys((
        "bfs_edges", "bfs_predecessors", "bfs_successors", "bfs_tree", "dfs_edges", "dfs_postorder_nodes",
        "dfs_predecessors", "dfs_preorder_nodes", "dfs_successors", "dfs_tree",
    ), _ORDER),
    **dict.fromkeys(("center", "diameter", "eccentricity", "periphery", "radius"), _MEASURES),
    **dict.fromkeys(("k_core", "k_corona", "k_crust", "k_shell"), _CORES),
    **dict.fromkeys(("maximum_spanning_edges", "maximum_spanning_tree", "minimum_spanning_edges",
                     "minimum_spanning_tree"), _TREE),
    "astar_path_length": "Without a heuristic and a cutoff. " + _HEAP,
    "average_clustering": "Undirected graphs; weight is None.",
    "average_shortest_path_length": _HOPS,
    "betweenness_centrality": _HOPS,
    "closeness_centrality": "A distance in undirected graphs alone. " + _HEAP,
    "clustering": "Undirected graphs; weight is None.",
    "edge_betweenness_centrality": "Graphs without parallel edges. " + _HOPS,
    "eigenvector_centrality": "A start has a value for each node.",
    "harmonic_centrality": "All nodes: nbunch, sources and distance are None.",
    "katz_centrality": "A start has a value for each node.",
    "maximal_independent_set": "Which of the sets a seed gives is our own.",
    "pagerank": "The weight is an edge attribute.",
    "shortest_path": "A weighted path between two nodes by Bellman and Ford's method alone. " + _HEAP,
    "shortest_path_length": _HEAP,
    "transitivity": "Undirected graphs.",
}  # fmt: skip


def get_info() -> dict[str, Any]:
    """The entry point `networkx.backend_info`."""
    return {
        "backend_name": "irgl",
        "project": "irgl",
        "package": "irgl",
        "short_summary": "Graph algorithms compiled to parallel code.",
        "functions": {name: {"additional_docs": docs} if docs else {} for name, docs in sorted(FUNCTIONS.items())},
    }
