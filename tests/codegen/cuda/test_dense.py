"""Dense lists of a Pipe in CUDA code."""

from __future__ import annotations

from pathlib import Path

import pytest

from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.program import open_program

OWN = """\
graph Graph { node int seen = 0; }
Kernel mark(Graph g) WL bitmap<node> {
  ForAll (n In g.nodes) { For (e In n.edges) { if (e.dst.id % 3 != 0) { WL.push(n); } } }
}
Kernel note(Graph g) WL bitmap<node> { ForAll (n In WL.items) { n.seen = 1; } }
Program p(Graph g) { Pipe Once { Invoke mark(g); Invoke note(g); } }
"""


@pytest.mark.parametrize("outline", ["off", "all", "graph"])
def test_the_node_of_an_outermost_loop_is_put_into_a_bitmap_without_a_claim(outline: str, tmp_path: Path) -> None:
    (tmp_path / "p.irgl").write_text(OWN, encoding="utf-8")
    plan = Plan.parse(f"outline={outline} block=64", "simt")
    manifest = open_program(tmp_path / "p.irgl", plan)
    assert "wl.push_own(" in manifest.text
    graphs = {"g": load("grid:9x9", manifest.graphs[0], Loading())}
    seen = device.run(manifest, graphs, bind(manifest, graphs, {}), plan, Options()).result.array("seen")
    g = graphs["g"]
    right = [int(any(v % 3 for v in g.dst[g.row[n]:g.row[n + 1]])) for n in range(g.num_nodes)]
    assert seen.tolist() == right
