"""Libraries of functions that .gt files export, for tests of calling them from Python."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse as sp

import irgl

HEAD = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex);
const vertices : vertexset{Vertex};
"""
#: Each vertex has a row of three values.
ROWS = HEAD + """const row : vector{Vertex}(vector[3](float));
const sums : vector{Vertex}(vector[3](float));

func add(src : Vertex, dst : Vertex)
    for k in 0:3
        sums[dst][k] += row[src][k];
    end
end

func keep(v : Vertex)
    for k in 0:3
        row[v][k] = sums[v][k];
    end
end

export func begin(given : edgeset{Edge}(Vertex, Vertex), rows : vector{Vertex}(vector[3](float)))
    edges = given;
    vertices = edges.getVertices();
    row = rows;
end

export func step() -> output : vector{Vertex}(vector[3](float))
    sums = new vector{Vertex}(vector[3](float))();
    edges.apply(add);
    vertices.apply(keep);
    output = sums;
end
"""
#: The ranks go on from one call to the next.
RANKS = HEAD + """const rank : vector{Vertex}(double);
const next : vector{Vertex}(double);
const degree : vector{Vertex}(int);
const damp : double = 0.85;
const calls : int = 0;

func reset(v : Vertex)
    rank[v] = 1.0 / edges.getVertices();
end

func spread(src : Vertex, dst : Vertex)
    next[dst] += rank[src] / degree[src];
end

func settle(v : Vertex)
    rank[v] = (1.0 - damp) / edges.getVertices() + damp * next[v];
    next[v] = 0;
end

export func set_graph(given : edgeset{Edge}(Vertex, Vertex))
    edges = given;
    vertices = edges.getVertices();
    rank = new vector{Vertex}(double)();
    next = new vector{Vertex}(double)();
    degree = edges.getOutDegrees();
    vertices.apply(reset);
end

export func go_on(rounds : int) -> ranks : vector{Vertex}(double)
    #s0# for i in 0:rounds
        #s1# edges.apply(spread);
        vertices.apply(settle);
    end
    calls += 1;
    ranks = rank;
end

export func begin_with(given : edgeset{Edge}(Vertex, Vertex), start : vector{Vertex}(double), rounds : int)
    -> ranks : vector{Vertex}(double)
    edges = given;
    vertices = edges.getVertices();
    degree = edges.getOutDegrees();
    next = new vector{Vertex}(double)();
    rank = start;
    for i in 0:rounds
        edges.apply(spread);
        vertices.apply(settle);
    end
    ranks = rank;
end

export func set_damp(by : double)
    damp = by;
end

export func how_often() -> count : int
    count = calls;
end
"""
HOPS = HEAD + """const hops : vector{Vertex}(int);

func far(v : Vertex)
    hops[v] = -1;
end

func unseen(v : Vertex) -> output : bool
    output = hops[v] == -1;
end

func step(src : Vertex, dst : Vertex)
    hops[dst] = hops[src] + 1;
end

export func from_vertex(graph : edgeset{Edge}(Vertex, Vertex), source : Vertex) -> levels : vector{Vertex}(int)
    edges = graph;
    vertices = edges.getVertices();
    hops = new vector{Vertex}(int)();
    vertices.apply(far);
    var frontier : vertexset{Vertex} = new vertexset{Vertex}(0);
    frontier.addVertex(source);
    hops[source] = 0;
    while (frontier.getVertexSetSize() != 0)
        #s1# var found : vertexset{Vertex} = edges.from(frontier).to(unseen).applyModified(step, hops);
        delete frontier;
        frontier = found;
    end
    levels = hops;
end
"""
ROADS = """element Vertex end
element Edge end
const roads : edgeset{Edge}(Vertex, Vertex, int);
const cost : vector{Vertex}(int);

func far(v : Vertex)
    cost[v] = 2147483647;
end

func relax(src : Vertex, dst : Vertex, weight : int)
    cost[dst] min= cost[src] + weight;
end

export func cheapest(graph : edgeset{Edge}(Vertex, Vertex, int), source : int) -> costs : vector{Vertex}(int)
    roads = graph;
    var all : vertexset{Vertex} = roads.getVertices();
    cost = new vector{Vertex}(int)();
    all.apply(far);
    cost[source] = 0;
    var frontier : vertexset{Vertex} = new vertexset{Vertex}(0);
    frontier.addVertex(source);
    while (frontier.getVertexSetSize() != 0)
        #s1# var found : vertexset{Vertex} = roads.from(frontier).applyModified(relax, cost);
        delete frontier;
        frontier = found;
    end
    costs = cost;
end
"""
#: Consts that begin with what is computed, and vectors of a number of values.
COMPUTED = HEAD + """const share : vector{Vertex}(double) = 1.0 / edges.getVertices();
const size : int = edges.getVertices();
const weights : vector[3](double);

func twice(v : Vertex)
    share[v] = 2 * share[v];
end

func scale(v : Vertex)
    share[v] = weights[2] * share[v];
end

export func set_graph(given : edgeset{Edge}(Vertex, Vertex))
    edges = given;
    vertices = edges.getVertices();
end

export func double_them() -> shares : vector{Vertex}(double)
    vertices.apply(twice);
    shares = share;
end

export func larger() -> result : int
    size += 1;
    result = size;
end

export func double_of(given : edgeset{Edge}(Vertex, Vertex)) -> shares : vector{Vertex}(double)
    edges = given;
    vertices.apply(twice);
    shares = share;
end

export func scaled(by : vector[3](double)) -> shares : vector{Vertex}(double)
    weights = by;
    vertices.apply(scale);
    shares = share;
end

export func total(values : vector[3](double), times : int) -> sum : double
    var own : vector[2](double) = 0;
    own[1] = values.sum() * times;
    sum = own.sum();
end
"""
#: A search whose rounds the caller runs.
ROUNDS = HEAD + """const seen : vector{Vertex}(bool);
const frontier : vertexset{Vertex};

func reach(v : Vertex)
    seen[v] = true;
end

func unseen(v : Vertex) -> output : bool
    output = seen[v] == false;
end

func visit(src : Vertex, dst : Vertex)
    seen[dst] = true;
end

export func begin(given : edgeset{Edge}(Vertex, Vertex), sources : vertexset{Vertex})
    edges = given;
    seen = new vector{Vertex}(bool)();
    sources.apply(reach);
    frontier = sources;
end

export func further() -> found : vertexset{Vertex}
    found = edges.from(frontier).to(unseen).applyModified(visit, seen);
    frontier = found;
end

export func how_many() -> count : int
    count = frontier.size();
end
"""


def matrix(seed: int, nodes: int = 40, edges: int = 160) -> sp.csr_array:
    made = nx.gnm_random_graph(nodes, edges, seed=seed, directed=True)
    made.add_edges_from((v, (v + 1) % nodes) for v in range(nodes))  # nobody is without edges out
    found = sp.csr_array(nx.to_scipy_sparse_array(made, dtype=np.int32))
    found.data = np.random.default_rng(seed).integers(1, 50, found.nnz).astype(np.int32)
    return found


def ranked(graph: sp.csr_array, rounds: int, rank: np.ndarray | None = None, damp: float = 0.85) -> np.ndarray:
    """PageRank by SciPy; an entry of the matrix is an edge, whatever its value."""
    links = sp.csr_array((np.ones(graph.nnz), graph.indices, graph.indptr), graph.shape)
    n = graph.shape[0]
    rank = np.full(n, 1 / n) if rank is None else rank
    for _ in range(rounds):
        rank = (1 - damp) / n + damp * (links.T @ (rank / links.sum(axis=1)))
    return rank


def compiled(text: str, name: str = "x.gt", **how: Any) -> Any:
    return irgl.compile(name, text=text, target=how.pop("target", "ref"), **how)
