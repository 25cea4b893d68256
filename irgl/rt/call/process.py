"""A call into a unit that runs in a process of its own: its argument block as a file that both map into memory.

The layout is that of cuda_rt/process.cuh.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from irgl.rt.call.call import Call

Array = np.ndarray[Any, Any]
_MAGIC = 0x4C4C41436C677269
_ALIGN = 64


class CallFile:
    """`call`'s arrays in the file at `path`; `results` brings back what the process wrote."""

    def __init__(self, call: Call, path: Path, repeat: int) -> None:
        self.call, self.path = call, path
        self.left = path.with_name(f"{path.name}.mesh")  # where the process puts what became of a mesh
        self.times = np.zeros(repeat, np.float64)
        outputs = [a for arrays in call.arrays.values() for a in arrays if a is not None]
        self.written: list[Array] = [*outputs, *call.globals, call.stats, call.fault, self.times]
        inputs = [*call.kept, *call.params, *(call.mesh.given.values() if call.mesh is not None else ())]
        self.places: dict[int, int] = {}
        header = self._header(repeat, lambda _: 0)
        end = _up(8 * len(header))
        arrays = {a.ctypes.data: a for a in (*inputs, *self.written) if a.nbytes}
        for address, a in arrays.items():
            self.places[address] = end
            end = _up(end + a.nbytes)
        header = self._header(repeat, self._place)
        with path.open("wb") as f:
            f.write(np.array(header, np.int64).tobytes())
            known = {id(a) for a in outputs}
            for address, a in arrays.items():
                f.seek(self.places[address])
                if id(a) in known:
                    f.seek(a.nbytes, 1)  # the process fills it
                else:
                    f.write(np.ascontiguousarray(a).tobytes())
            f.truncate(end)

    def results(self) -> None:
        """Copies what the process wrote into the call's arrays."""
        with self.path.open("rb") as f:
            for a in self.written:
                if a.nbytes:
                    f.seek(self.places[a.ctypes.data])
                    a[...] = np.frombuffer(f.read(a.nbytes), a.dtype).reshape(a.shape)
        if self.call.mesh is not None and self.left.exists():
            self.call.mesh.take(self.left)

    def _place(self, address: int | None) -> int:
        return 0 if not address else self.places.get(address, 0)

    def _header(self, repeat: int, place: Any) -> list[int]:
        args = self.call.args
        data = [_MAGIC, repeat, place(self.times.ctypes.data), args.num_graphs]
        data += self._list([a.ctypes.data for a in self.call.params], place)
        data += self._list([a.ctypes.data for a in self.call.globals], place)
        data += [args.threads, args.worklist_capacity, args.serial, args.grain, args.giant, args.seed]
        data += [place(a.ctypes.data) for a in (self.call.stats, self.call.fault)]
        for k in range(args.num_graphs):
            g = self.call.records[k]
            data += [g.nodes, g.edges, *(place(p) for p in (g.row, g.cols, g.in_row, g.in_cols, g.in_eid)), g.flags]
            count = self.call.property_counts[k]
            data += self._list([g.properties[i] for i in range(count)], place)
            data += [g.num_forms, *(word for i in range(g.num_forms) for word in self._form(g.forms[i], place))]
        return [*data, *self._mesh(place), args.devices]

    def _form(self, form: Any, place: Any) -> list[int]:
        arrays = zip(form.bytes, form.arrays, strict=True)
        return [*form.numbers, *(word for size, address in arrays for word in (size, place(address)))]

    def _mesh(self, place: Any) -> list[int]:
        if self.call.mesh is None:
            return [0]
        m = self.call.mesh.record
        return [1, m.points, m.triangles, m.segments,
                *(place(array) for array in (m.xy, m.corners, m.across, m.sides, m.ends))]

    def _list(self, addresses: Sequence[int | None], place: Any) -> list[int]:
        return [len(addresses), *(place(a) for a in addresses)]


def _up(n: int) -> int:
    return (n + _ALIGN - 1) // _ALIGN * _ALIGN

