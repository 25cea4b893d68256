"""Lists of groups, such as film casts: a line holds the ids of a group, every two of which are joined."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.build_csr import Arcs, check_size, compact_ids
from irgl.rt.graphs.readers.text import PAD, Text
from irgl.rt.graphs.readers.tokens import ragged
from irgl.rt.graphs.sorting import distinct

Array = NDArray[Any]


def read(text: Text, compact: bool = True) -> Arcs:
    """The undirected simple graph of all groups; ids that occur are its nodes, also those of groups of one."""
    values, counts, offsets = ragged(text, PAD, b"#%", "node id")
    if len(values) and int(values.min()) < 0:
        line = int(np.searchsorted(np.cumsum(counts), int(np.argmin(values)), side="right"))
        raise text.fail(f"node id {int(values.min())} is not at least 0", int(offsets[line]))
    arcs = compact_ids(values, values, compact, text.path)
    sizes = counts.astype(object) if len(counts) and int(counts.max()) > 2**31 else counts
    check_size(arcs.num_nodes, int((sizes * (sizes - 1)).sum()), text.path)
    keys = _pairs(arcs.src.astype(np.int64), counts, arcs.num_nodes)
    nodes = max(1, arcs.num_nodes)
    arcs.src, arcs.dst = keys // nodes, keys % nodes
    arcs.mirrored = True
    return arcs


def _pairs(ids: Array, counts: Array, nodes: int) -> Array:
    """The distinct pairs low * nodes + high of different ids of one line, ascending."""
    begins = np.cumsum(counts) - counts
    found = [np.empty(0, np.int64)]
    for size in np.unique(counts[counts > 1]).tolist():
        left, right = np.triu_indices(size, 1)
        rows = ids[begins[counts == size][:, None] + np.arange(size)]
        rows.sort(axis=1)
        low, high = rows[:, left].ravel(), rows[:, right].ravel()
        found.append((low * nodes + high)[low != high])
    return distinct(np.concatenate(found))
