"""Small whole files of irgl's mapped forms."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.call import Call
from irgl.rt.call.process import CallFile
from irgl.rt.call.renumber import Order
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.graphs.readers import binary
from irgl.rt.manifests import program
from irgl.rt.meshes.meshes import load_mesh
from support.places import PROGRAMS


def graphs() -> list[Graph]:
    """Small graphs with all that the form can hold."""
    made = [load(spec, use_cache=False) for spec in (
        "path:6,weights=int", "rmat:3,degree=2,weights=float", "grid:3x3", "star:5", "uniform:3,degree=1")]
    for graph in made[:4]:
        graph.transpose()
    made[1].node_ids = np.arange(5, 5 + 3 * made[1].num_nodes, 3, dtype=np.int64)
    wide = load("rmat:3,degree=2,weights=int", index_bits=64, use_cache=False)
    wide.transpose()
    return [*made, wide]


def irglg_seeds() -> list[bytes]:
    return [b"".join(map(bytes, binary.encode(g))) for g in graphs()]


def call_seeds(folder: Path) -> list[bytes]:
    """Call files as a run makes them."""
    (folder / "m.node").write_text("4 2 0 0\n0 0 0\n1 1 0\n2 1 1\n3 0 1\n")
    (folder / "m.ele").write_text("2 3 0\n0 0 1 2\n1 0 2 3\n")
    made = []
    for name, spec in (("sssp_nf", "path:6,weights=int"), ("bc", "rmat:3,degree=2"), ("dmr", None)):
        plan = Plan(target="simt")
        manifest = program.open_program(PROGRAMS / f"{name}.irgl", plan)
        given = {g.name: prepare(load(str(spec), use_cache=False), requirements(g)) for g in manifest.graphs}
        order = Order(manifest, given, bind(manifest, given, {}), plan)
        mesh = load_mesh(str(folder / "m.ele")) if manifest.mesh else None
        call = Call(manifest, order.graphs, order.values, (32, 32), mesh)
        call.set_knobs(plan, 1, 0, 0)
        CallFile(call, folder / f"call-{name}", 2)
        made.append((folder / f"call-{name}").read_bytes())
    return made
