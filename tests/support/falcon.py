"""Algorithms 1 to 3 of Gogoi, Cheramangalath and Nasre, Custom Code Generation for a Graph DSL, as they are printed."""

from __future__ import annotations

_MAIN = """main(int argc, char *argv[]) {
    Graph graph;
    graph.addPointProperty(dist, int);
    graph.read(argv[1]);
    foreach (t In graph.points)t.dist=MAX_INT;
    graph.points[0].dist = 0;
    while( (1) ){
        changed = 0;
        ROUND
        if (changed == 0) break;
    }
}
"""

SSSP_POINTS = """int changed = 0;
relaxgraph(Point p, Graph graph) {
    foreach (t In p.outnbrs)
        MIN(t.dist, p.dist + graph.getweight(p, t), changed);
}
""" + _MAIN.replace("ROUND", "foreach (t In graph.points) relaxgraph(t,graph);")

SSSP_EDGES = """int changed = 0;
relaxgraph(Edges e, Graph graph) {
    Point (graph)p,(graph)t;
    p=e.src;
    t=e.dst;
    MIN(t.dist, p.dist + e.weight, changed);
}
""" + _MAIN.replace("ROUND", "foreach (e In graph.edges) relaxgraph(e,graph);")

BFS = """int changed = 0, lev = 0;
void BFS(Point p, Graph graph, int lev) {
    foreach( t In p.outnbrs ){
        if( t.dist > lev + 1 ){
            t.dist = lev + 1;
            changed = 1;
        }
    }
}
int main(int argc, char *argv[]) {
    Graph graph;
    graph.addPointProperty(dist, int);
    graph.read(argv[3]);
    foreach(t In graph.points) t.dist=1234567890;
    graph.points[0].dist = 0;
    while( 1 ){
        changed = 0;
        foreach(t In graph.points)(t.dist == lev) BFS(t, graph, lev);
        if (changed == 0) break;
        lev++;
    }
}
"""

PRINTED = {"sssp_points": SSSP_POINTS, "sssp_edges": SSSP_EDGES, "bfs": BFS}
#: What algorithm 3 stores where no path leads.
FAR = 1234567890
