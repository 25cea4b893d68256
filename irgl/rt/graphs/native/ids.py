"""Ids of nodes as files have them, looked through and changed by all threads (cpu_rt/graphs/ids.hpp)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.native.functions import native

Array = NDArray[Any]


def mark(ids: Array, seen: Array) -> bool:
    """seen[id] = True of each id, which are indices of `seen`; False: it is for NumPy to do."""
    call = _of("irgl_mark_ids", ids)
    return call is not None and call(len(ids), ids, seen.view(np.uint8)) == 1


def rename(ids: Array, place: Array) -> bool:
    """Each id becomes place[id], an id of the same type; False: it is for NumPy to do."""
    call = _of("irgl_rename_ids", ids)
    return call is not None and ids.dtype == place.dtype and call(len(ids), ids, place) == 1


def _of(name: str, ids: Array) -> Any:
    if ids.dtype not in (np.int32, np.int64) or not ids.flags.c_contiguous:
        return None
    return native("read_table", name, 8 * ids.itemsize, 32, len(ids))
