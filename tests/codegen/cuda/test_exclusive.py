"""Exclusive on GPUs: all of its elements or none, conflicts retried, whatever the plan; and where it is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.awkward_graphs import awkward

from irgl.analysis.check import check
from irgl.driver import front
from irgl.passes.lowering.lower_cuda import lower
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError, Source

PAINT = """
graph Graph { node int colour = -1; node int touched = 0; }
long painted = 0;

Kernel paint(Graph g) {
  ForAll (i In WL) {
    node n = WL.pop(i);
    if (relaxed n.colour < 0) {
      node m = n;
      if (n.degree > 0) { m = n.edges[0].dst; }
      Exclusive (g, [n, m]) {
        n.colour = (int)n.id;
        n.touched += 1;
        m.touched += 1;
        painted += 1;
      } Else {
        Retry n;
      }
    }
  }
}

Program paint_all(undirected Graph g) { Iterate paint(g) Initial (g.nodes) { } }
"""


@pytest.mark.parametrize("plan", ["none block=32", "np=wp+fg cc=block outline=all block=64"])
def test_every_item_gets_its_elements_once(plan: str, tmp_path: Path) -> None:
    path = tmp_path / "paint.irgl"
    path.write_text(PAINT, encoding="utf-8")
    chosen = Plan.parse(plan, "simt")
    manifest = open_program(path, chosen)
    executable = device.build(manifest, (32, 32), True)
    for name, given in awkward().items():
        if given.num_nodes > 100:
            continue
        graphs = {"g": prepare(given, requirements(manifest.graphs[0]))}
        ran = device.run_built(executable, 0.0, manifest, graphs, bind(manifest, graphs, {}), chosen, Options(),
                               mode="check")
        assert ran.result.scalars["painted"] == given.num_nodes, name
        assert int(ran.result.array("touched").sum()) == 2 * given.num_nodes, name


@pytest.mark.parametrize("body", [
    "while (n.colour < 0) { Exclusive (g, [n]) { n.colour = 1; } }",
    "ForAll (e In n.edges) { Exclusive (g, [e.dst]) { e.dst.colour = 1; } }",
])
def test_where_threads_cant_meet_it_is_refused(body: str) -> None:
    text = f"""graph Graph {{ node int colour = -1; }}
    Kernel k(Graph g) {{ ForAll (n In g.nodes) {{ {body.replace('n.colour <', 'relaxed n.colour <')} }} }}
    Program main(Graph g) {{ Invoke k(g); }}"""
    with pytest.raises(IrglError) as e:
        lower(check(front(Source("refused.irgl", text)).program), Plan.parse("default", "cuda"))
    assert "all threads meet for an Exclusive, which they can't here" in str(e.value)
