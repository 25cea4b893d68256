"""Meshes for the suite: `points:COUNT`, random points of a square and its corners, triangulated after Delaunay."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.spatial import Delaunay

from irgl.rt.graphs.readers.triangle import Points, Triangles
from irgl.rt.meshes.meshes import load_mesh, make_mesh, save_mesh

KIND = "points:"
SEED = 7


def is_mesh(spec: str) -> bool:
    return spec.startswith(KIND) or ".ele" in Path(spec).name


def make(spec: str, file: Path) -> Path:
    """The .ele file of a spec: written to `file` where it is `points:COUNT`, else the file that it names."""
    if not spec.startswith(KIND):
        return Path(spec)
    xy = np.random.default_rng(SEED).random((int(spec.removeprefix(KIND)), 2))
    xy = np.vstack([xy, [[0, 0], [1, 0], [1, 1], [0, 1]]])
    corners, none = Delaunay(xy).simplices, np.empty((0, 0))
    mesh = make_mesh(Points(xy, none, None, 1), Triangles(corners, none, 1), None)
    save_mesh(mesh, str(file.with_suffix(".ele")))
    return file.with_suffix(".ele")


def sizes(ele: Path) -> dict[str, int]:
    """{"points", "triangles"} of a mesh."""
    mesh = load_mesh(str(ele))
    return {"points": len(mesh.xy), "triangles": len(mesh.corners)}
