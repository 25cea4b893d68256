"""The mesh of a call into a compiled unit: its record, and memory for what the unit leaves, as much as it asks for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from irgl.rt import abi
from irgl.rt.meshes import Mesh

Array = np.ndarray[Any, Any]


class MeshCall:
    """`record` and `allocate` are the unit's; this object keeps all that they point to."""

    def __init__(self, mesh: Mesh) -> None:
        self.mesh = mesh
        self.record = abi.Mesh()
        self.given = {name: np.ascontiguousarray(getattr(mesh, name), dtype) for name, dtype in _ARRAYS.items()}
        self.made: dict[int, Array] = {}
        self.allocate = abi.ALLOCATE(self._allocate)
        self.begin()

    def begin(self) -> None:
        """The mesh as it was given: before each run."""
        self.made.clear()
        self.record.points, self.record.triangles = len(self.mesh.xy), len(self.mesh.corners)
        self.record.segments = len(self.mesh.ends)
        for name, array in self.given.items():
            setattr(self.record, name, array.ctypes.data)

    def left(self) -> Mesh:
        """What the run left."""
        r = self.record
        counts = {"xy": (r.points, 2), "corners": (r.triangles, 3), "sides": (r.triangles, 3), "ends": (r.segments, 2)}
        found = {name: self.made[getattr(r, name)].view(_ARRAYS[name])[: n * k].reshape(n, k)
                 for name, (n, k) in counts.items()}
        return replace(self.mesh, **found, across=np.empty((0, 3), np.int32))

    def _allocate(self, size: int) -> int | None:
        try:
            memory = np.empty(size // 8 + 1, np.int64)
        except (MemoryError, ValueError):
            return None
        self.made[memory.ctypes.data] = memory
        return int(memory.ctypes.data)


_ARRAYS: dict[str, Any] = {"xy": np.float64} | dict.fromkeys(("corners", "across", "sides", "ends"), np.int32)
