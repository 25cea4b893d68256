"""The programs and graphs of the tuner's table: five classes of graphs, sizes at which a run takes 1 to 20 ms."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.manifest import Manifest
from irgl.source import IrglError

ROOT = Path(__file__).resolve().parent.parent
GRAPHS = ROOT.parent / "shared" / "graphs"
#: By the name in the table, the program.
PROGRAMS = {"bfs": "bfs", "sssp": "sssp_delta", "pr": "pr", "cc": "cc", "tri": "tri", "mst": "mst"}
#: Further ones, in tables of their own, on NY and kron18 alone.
MORE = {"sssp_queue": "more/sssp"}
CLASSES = ("road", "web", "mesh", "uniform", "rmat")
_LUXEMBOURG, _ROME, _NY = "road/luxembourg_osm.mtx.xz", "road/rome99.gr.gz", "road/USA-road-d.NY.gr.gz"
_WEB, _AS = "social/web-NotreDame.txt.xz", "social/as-caida20071105.und.txt.gz"
_DELAUNAY, _AIRFOIL = "mesh-graph/delaunay_n16.mtx.xz", "mesh-graph/4elt.graph.gz"
#: The graph of each class for each program; of generated ones the scale.
_SPECS: dict[str, dict[str, str | int]] = {
    "bfs": {"road": _LUXEMBOURG, "web": _WEB, "mesh": _DELAUNAY, "uniform": 16, "rmat": 16},
    "sssp": {"road": _NY, "web": _WEB, "mesh": _DELAUNAY, "uniform": 14, "rmat": 15},
    "pr": {"road": _ROME, "web": _AS, "mesh": _AIRFOIL, "uniform": 12, "rmat": 12},
    "cc": {"road": _NY, "web": _WEB, "mesh": _DELAUNAY, "uniform": 16, "rmat": 15},
    "tri": {"road": _NY, "web": _WEB, "mesh": _DELAUNAY, "uniform": 14, "rmat": 14},
    "mst": {"road": _LUXEMBOURG, "web": _WEB, "mesh": _DELAUNAY, "uniform": 14, "rmat": 14},
    "sssp_queue": {"road": _NY, "rmat": "kron:scale=18,weights=int,min=1,max=255"},
}


@dataclass(frozen=True, slots=True)
class Given:
    """One graph of the table. spec: a generator, or a file; shown: the same without this machine's folders."""

    name: str
    spec: str
    shown: str

    @property
    def there(self) -> bool:
        return ":" in self.shown or Path(self.spec).exists()


def given(program: str, kind: str, folder: Path) -> Given:
    """The graph of class `kind` for a program of the table, with files looked for in `folder`."""
    chosen = _SPECS[program][kind]
    if isinstance(chosen, int):
        spec = f"{kind}:scale={chosen},weights=int,min=1,max=255"
        return Given(f"{kind}:{chosen}", spec, spec)
    if ":" in chosen:
        return Given(chosen.partition(",")[0].replace("scale=", ""), chosen, chosen)
    return Given(Path(chosen).name.split(".")[0], str(folder / chosen), chosen)


def loaded(manifest: Manifest, spec: str) -> tuple[dict[str, Graph], dict[str, str]]:
    """The graph as a program wants it, its edges both ways, and what is given: a source, the node of most edges."""
    if len(manifest.graphs) != 1:
        raise IrglError(f"{manifest.program} takes {len(manifest.graphs)} graphs")
    param = manifest.graphs[0]
    graph = load(spec, param, Loading(undirected=True))
    return {param.name: graph}, sources(manifest, graph)


def sources(manifest: Manifest, graph: Graph) -> dict[str, str]:
    """The node of most edges for each parameter that is a node, by its id in the graph's file."""
    busiest = str(graph.file_id(int(np.argmax(graph.out_degrees()))))
    return {p.name: busiest for p in manifest.params if p.type == "node"}
