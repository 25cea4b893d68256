"""The mesh of a call into a compiled unit: its record, and memory for what the unit leaves, as much as it asks for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from irgl.rt.call import abi
from irgl.rt.meshes.meshes import Mesh, joined

Array = np.ndarray[Any, Any]


class MeshCall:
    """`record` and `allocate` are the unit's; this object keeps all that they point to."""

    def __init__(self, mesh: Mesh) -> None:
        self.mesh = joined(mesh)
        self.record = abi.Mesh()
        self.given = {name: np.ascontiguousarray(getattr(self.mesh, name), dtype) for name, dtype in _ARRAYS.items()}
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

    def take(self, path: Path) -> None:
        """What a run in another process left, from the file that it wrote (cuda_rt/process.cuh)."""
        r = self.record
        with path.open("rb") as f:
            r.points, r.triangles, r.segments = (int(n) for n in np.frombuffer(f.read(24), np.int64))
            for name, size in (("xy", 16 * r.points), ("corners", 12 * r.triangles), ("sides", 12 * r.triangles),
                               ("ends", 8 * r.segments)):
                memory = np.zeros(size // 8 + 1, np.int64)
                memory.view(np.uint8)[:size] = np.frombuffer(f.read(size), np.uint8)
                self.made[memory.ctypes.data] = memory
                setattr(r, name, memory.ctypes.data)

    def _allocate(self, size: int) -> int | None:
        try:
            memory = np.empty(size // 8 + 1, np.int64)
        except (MemoryError, ValueError):
            return None
        self.made[memory.ctypes.data] = memory
        return int(memory.ctypes.data)


_ARRAYS: dict[str, Any] = {"xy": np.float64} | dict.fromkeys(("corners", "across", "sides", "ends"), np.int32)
