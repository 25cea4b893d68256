"""Do two runs of a program come to the same result?"""

from __future__ import annotations

from typing import Any

import numpy as np

from irgl.rt.results.result import Result, on_host


def difference(result: Result, expected: Result, tolerance: float, who: str = "the interpreter") -> str | None:
    """None where two results are the same: integers equal, floats within a relative tolerance; else the first
    difference from what `who` says."""
    for name, right in expected.scalars.items():
        if not _same(np.asarray(result.scalars[name]), np.asarray(right), tolerance).all():
            return f"`{name}` is {result.scalars[name]}, but {who} says {right}"
    for name, values in expected.properties.items():
        found = on_host(result.properties[name].array)
        same = _same(found, values.array, tolerance)
        if not same.all():
            at, *value = (int(i) for i in np.unravel_index(int(np.argmin(same)), same.shape))
            graph = result.graphs[result.home[name]]
            where = f"node {graph.file_id(at)}" if values.owner == "node" else f"edge {at}"
            what = f"`{name}`" + "".join(f"[{k}]" for k in value)
            return f"{what} of {where} is {found[at, *value]}, but {who} says {values.array[at, *value]}"
    return None


def _same(a: Any, b: Any, tolerance: float) -> Any:
    if a.dtype.names is not None:
        return np.logical_and.reduce([_same(a[n], b[n], tolerance) for n in a.dtype.names])
    if a.dtype.kind == "f":
        return np.isclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)
    return a == b
