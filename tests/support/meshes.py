"""What tests of meshes share: meshes from points and triangles in memory, and running a program on one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial import Delaunay

from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.reference import run_reference
from irgl.rt.call.run import Options, run
from irgl.rt.graphs.readers.triangle import Outline, Points, Triangles
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.manifests.program import open_program
from irgl.rt.meshes.meshes import Mesh, make_mesh
from irgl.rt.results.result import Result
from irgl.rt.results.verify import verify
from support.programs import PLACE


def mesh_of(xy: Any, corners: Any, segments: Sequence[tuple[int, int]] = (), first: int = 0) -> Mesh:
    """The mesh of points and triangles, both counted from 0, with segments besides its boundary."""
    points = Points(np.array(xy, np.float64).reshape(-1, 2), np.empty((len(xy), 0)), None, first)
    triangles = Triangles(np.array(corners, np.int32).reshape(-1, 3), np.empty((len(corners), 0)), first)
    ends = np.array(segments, np.int32).reshape(-1, 2)
    return make_mesh(points, triangles, Outline(None, ends, None, np.empty((0, 2)), np.empty((0, 3)), first))


def delaunay(xy: Any, segments: Sequence[tuple[int, int]] = ()) -> Mesh:
    """SciPy's triangulation of the convex hull of points, without triangles that rounding made flat."""
    points = np.asarray(xy, np.float64)
    corners = Delaunay(points).simplices
    a, b, c = (points[corners[:, k]] for k in range(3))
    area = np.abs((b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0]))
    return mesh_of(points, corners[area > 1e-12], segments)


@dataclass(frozen=True, slots=True)
class Ran:
    manifest: Manifest
    given: Mesh
    values: dict[str, Any]
    result: Result
    stats: Mapping[str, Any]

    @property
    def mesh(self) -> Mesh:
        assert self.result.mesh is not None
        return self.result.mesh

    def wrong(self) -> str | None:
        """What the program's own verifier says."""
        return verify(self.manifest, {}, self.values, self.result, self.given)


def run_on_mesh(program: str | Path, mesh: Mesh, *, target: str = "cpu", threads: int = 2, plan: str = "default",
                capacity: int = 0, mode: str = "check", seed: int = 0, **given: Any) -> Ran:
    """Runs programs/`program`.irgl, or the file `program`, on a mesh; `mode` and `seed` are the emulator's."""
    chosen = Plan.parse(plan, "simt" if target == "simt" else "cpu")
    manifest = open_program(program if isinstance(program, Path) else PLACE / f"{program}.irgl", chosen)
    values = bind(manifest, {}, given)
    options = Options(threads=threads, worklist_capacity=capacity, seed=seed)
    if target == "ref":
        outcome = run_reference(manifest, {}, values, options, mesh=mesh)
    elif target == "simt":
        outcome = device.run(manifest, {}, values, chosen, options, mode=mode, mesh=mesh)
    else:
        outcome = run(manifest, {}, values, chosen, options, mesh)
    return Ran(manifest, mesh, values, outcome.result, outcome.stats)
