"""A program that uses an edge in every way, as GPU code over a form of edges, and what it must leave."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np

from irgl import driver
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options
from irgl.rt.compile import nvcc
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.describe import manifest_of
from support.places import ROOT

#: Every kind of use of an edge: its weight, its number, a property by number, both ends, what its far end has, sums
#: into both, an append.
USES = """graph Graph {
  node long p = 0; node long q = 0; node int of = 0; node bool odd = false; edge int w; edge int met = 0;
}
long edges = 0;
Kernel begin(Graph g) { ForAll (n In g.nodes) { n.of = 7 * (int)n.id; n.odd = n.id % 2 == 1; } }
Kernel all(Graph g, list<node> out) {
  ForAll (n In g.nodes) {
    long sum = 0;
    long here = n.id;
    if (n.id % 3 != 1) {
      ForAll (e In n.edges) {
        sum += e.w * (e.id + 1) + here + e.dst.of;
        if (e.dst.odd) { sum += 1; }
        e.dst.q += e.src.id + e.w;
        e.met += 1;
        edges += 1;
        if (e.dst.id > here) { out.push(e.dst); }
      }
    }
    n.p = sum;
  }
}
Program main(Graph g) { list<node> out; Invoke begin(g); Invoke all(g, out); }
"""


def uses_of(graph: Graph) -> dict[str, list[int]]:
    """What USES leaves."""
    p, q, met = np.zeros(graph.num_nodes, int), np.zeros(graph.num_nodes, int), np.zeros(graph.num_edges, int)
    for n in range(graph.num_nodes):
        for e in range(int(graph.row[n]), int(graph.row[n + 1])) if n % 3 != 1 else ():
            weight = 1 if graph.weight is None else int(graph.weight[e])
            p[n] += weight * (e + 1) + n + 7 * graph.dst[e] + graph.dst[e] % 2
            q[graph.dst[e]] += n + weight
            met[e] += 1
    nodes = np.arange(graph.num_nodes)
    return {"p": p.tolist(), "q": q.tolist(), "of": (7 * nodes).tolist(), "odd": (nodes % 2 == 1).tolist(),
            "met": met.tolist()}


def left_by(text: str, plan: Plan, graph: Graph, asks: str = "irgl::swept<") -> dict[str, list[int]]:
    """What a program leaves in its properties but for the weights; `asks` stands in its code."""
    unit = driver.emit(driver.ready("p.irgl", text), plan, "simt")
    assert asks in unit.text
    manifest = manifest_of(unit, str(plan))
    inputs = {"g": prepare(graph, requirements(manifest.graphs[0]))}
    result = device.run(manifest, inputs, bind(manifest, inputs, {}), plan, Options()).result
    return {p: v.array.tolist() for p, v in result.properties.items() if p != "w"}


def spilled(path: Path, plan: Plan, folder: Path) -> set[str]:
    """The bytes that nvcc spills in the kernels of a program."""
    (folder / "unit.cu").write_text(driver.compile(path, target="cuda", plan=plan).text)
    words = ["nvcc", *nvcc.FLAGS, f"-I{ROOT}", "-gencode=arch=compute_90,code=sm_90", "-Xptxas", "-v", "-cubin"]
    done = subprocess.run([*words, str(folder / "unit.cu"), "-o", str(folder / "unit.cubin")], capture_output=True,
                          text=True, check=True)
    return set(re.findall(r"(\d+) bytes spill", done.stderr))
