"""The graphs of benchmarks/weaver.py: generated, real, and power laws of as many edges among ever more nodes."""

from __future__ import annotations

from pathlib import Path

from counting import ROOT

from irgl.source import IrglError

_BESIDE = ROOT.parent / "shared" / "graphs"
_SHIPPED = ROOT / "programs" / "data"
#: By the name that tables give them: what generates them, or a file. Two come with irgl, the others lie beside it.
GRAPHS: dict[str, str | Path] = {
    "rmat16": "rmat:16", "kron14": "kron:14",
    "rome99": _SHIPPED / "rome99.gr.gz", "CA-GrQc": _SHIPPED / "CA-GrQc.txt.gz",
    "facebook": _BESIDE / "social" / "facebook_combined.txt.gz",
    "email-Enron": _BESIDE / "social" / "email-Enron.txt.xz",
    "4elt": _BESIDE / "mesh-graph" / "4elt.graph.gz"}
#: By name: nodes, and the edges that each brings, 240,000 in all, of NetworkX's power law with clusters.
POWER_LAWS = {"G1": (10_000, 24), "G2": (12_000, 20), "G3": (16_000, 15), "G4": (20_000, 12), "G5": (40_000, 6),
              "G6": (80_000, 3)}
#: Where a round is looked at by itself: two networks and a mesh, each with both arcs of an edge.
ROUNDS = ("CA-GrQc", "facebook", "4elt")
_TRIANGLES, _SEED = 0.1, 1


def there() -> list[str]:
    """All that can be made or read here."""
    return [*(name for name, spec in GRAPHS.items() if isinstance(spec, str) or spec.is_file()), *POWER_LAWS]


def spec_of(name: str, folder: Path) -> str:
    """What loads a graph; a power law is written into `folder`. Raises IrglError where its file is absent."""
    if name in POWER_LAWS:
        return str(_power_law(folder / f"{name}.txt", *POWER_LAWS[name]))
    spec = GRAPHS[name]
    if isinstance(spec, Path) and not spec.is_file():
        raise IrglError(f"the graph {name} is absent", file=str(spec), hint=f"there are {', '.join(there())}")
    return str(spec)


def _power_law(path: Path, nodes: int, each: int) -> Path:
    """A file of both arcs of all edges."""
    if not path.is_file():
        from networkx import powerlaw_cluster_graph  # loaded only where it is used: it takes a second

        edges = powerlaw_cluster_graph(nodes, each, _TRIANGLES, seed=_SEED).edges()
        path.write_text("".join(f"{u}\t{v}\n{v}\t{u}\n" for u, v in edges), encoding="ascii")
    return path
