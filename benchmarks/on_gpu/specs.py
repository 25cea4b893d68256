"""The graphs of the suite by name: generated ones, those that are carried along, and small ones for the emulator."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACK = ROOT / "gpu-pack"
SHARED = ROOT.parent / "shared" / "graphs"
#: Real graphs, by name: gpu-pack/graphs holds them as NAME.irglg, or they are these files below ../shared/graphs.
CARRIED = {"NY": "road/USA-road-d.NY.gr.gz", "FLA": "road/USA-road-FLA.tw.gr.xz", "cnr": "social/cnr-2000.txt.xz",
           "notredame": "social/web-NotreDame.txt.xz", "wave": "mesh-graph/wave.graph.xz"}
_WEIGHTS = "weights=int,min=1,max=255"
#: By name, the kinds and sizes of the paper's table 6.
SPECS = {
    "rmat:16": "rmat:16",
    "rmat16": f"rmat:scale=16,degree=8,{_WEIGHTS}",
    "rmat20": f"rmat:scale=20,degree=8,{_WEIGHTS}",
    "rmat22": f"rmat:scale=22,degree=8,{_WEIGHTS}",
    "r4": f"r4:scale=23,{_WEIGHTS}",
    "grid": f"grid2d:scale=20,{_WEIGHTS}",
    "uniform": f"uniform:scale=20,{_WEIGHTS}",
    "small": f"rmat:scale=10,degree=8,{_WEIGHTS}",
    "lattice": f"grid:size=40x25,{_WEIGHTS}",
    "grid64": f"grid:size=64x64,{_WEIGHTS}",
    "grid300": f"grid:size=300x300,{_WEIGHTS}",
    "points": "points:131072",
    "points14": "points:16384",
    "few points": "points:200",
}
QUICK = {
    **dict.fromkeys(("rmat:16", "rmat16", "rmat20", "rmat22", "small"), f"rmat:scale=6,degree=4,{_WEIGHTS}"),
    "r4": f"r4:scale=5,{_WEIGHTS}", "uniform": f"uniform:scale=5,degree=3,{_WEIGHTS}",
    **dict.fromkeys(("grid", "grid300", "grid64", "lattice", *CARRIED), f"grid:size=6x5,{_WEIGHTS}"),
    **dict.fromkeys(("points", "points14", "few points"), "points:12"),
}
#: A program's graph in place of another: what counts shortest paths in doubles can count no more of them on the grid.
INSTEAD = {("bc", "grid"): "grid300"}
