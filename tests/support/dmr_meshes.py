"""Meshes that refinement is tried on, and mistakes that a refining program may have."""

from __future__ import annotations

import numpy as np

from irgl.rt.meshes.meshes import Mesh
from support.meshes import delaunay, mesh_of


def random_mesh(count: int, seed: int) -> Mesh:
    return delaunay(np.random.default_rng(seed).random((count, 2)))


def _ring() -> Mesh:
    """Points on two circles: many lie on one circle, and the triangles between are thin."""
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    circle = np.stack([np.cos(turn), np.sin(turn)], 1)
    return delaunay(np.concatenate([circle, 0.97 * circle]))


MESHES = {
    "random": lambda: random_mesh(300, 1),
    "another": lambda: random_mesh(60, 2),
    "lattice": lambda: delaunay([(x, 5.0 * y) for x in range(8) for y in range(8)]),
    "ring": _ring,
    "needle": lambda: mesh_of([(0, 0), (100, 0), (100, 1)], [(0, 1, 2)]),
    "one good triangle": lambda: mesh_of([(0, 0), (1, 0), (0.5, 0.9)], [(0, 1, 2)]),
    "no triangle": lambda: mesh_of([], []),
    "far from the origin": lambda: delaunay(np.random.default_rng(3).random((50, 2)) + 1e6),
    "not Delaunay": lambda: mesh_of([(0, 0), (3, -1), (6, 0), (3, 1)], [(0, 1, 2), (0, 2, 3)]),
    "divided": lambda: mesh_of([(0, -1), (6, -1), (6, 0), (6, 1), (0, 1), (0, 0)],
                               [(0, 1, 2), (0, 2, 5), (5, 2, 3), (5, 3, 4)], [(5, 2)]),
    "tied": lambda: mesh_of([(0, 0), (3, -1), (6, 0), (3, 1)], [(0, 1, 2), (0, 2, 3)], [(0, 2)]),
}
#: Of a program's text: what is replaced, by what, on which mesh, with which angle it shows, and what is said.
MISTAKES = {
    "nothing is bad": ("return !is_cut_off", "return false && !is_cut_off", "divided", 20.0, "and nothing forces it"),
    "nothing is flipped": ("m.x(q), m.y(q)) > 0", "m.x(q), m.y(q)) > 1", "not Delaunay", 5.0, "holds the far corner"),
    "a hole is left": ("triangles += 1;", "if (t == m.num_triangles - 1) {\n      m.remove(t);\n    }", "random", 20.0,
                       "part of no segment"),
    "segments are cut beside them": ("y = m.y(a) + at", "y = 1e-5 + m.y(a) + at", "divided", 20.0,
                                     "is not on segment"),
}
