"""Edges cut by segments, stretches of nodes in which their far ends lie: what is read of one stays in a cache."""

from __future__ import annotations

import numpy as np

from irgl.forms.form import Array, Native, Options, Rows, address
from irgl.source import IrglError

#: The option, its value where edges are not cut, and the one that leaves it to the machine (rt/forms/fitting.py).
OPTION, OFF, AUTO = "segments", "off", "auto"


def nodes_of(rows: Rows, options: Options) -> int:
    """How many nodes a segment has, the last one apart. Refuses more segments than there are nodes.

    Where nobody has said yet what is left to the machine, there is one.
    """
    said = options[OPTION]
    if said in (OFF, AUTO):
        return max(1, rows.n)
    if said.endswith("n"):
        return int(said[:-1])
    if int(said) > max(1, rows.n):
        raise IrglError(f"`{OPTION}={said}`: there are no more segments than nodes, of which the graph has {rows.n:,}",
                        hint=f"take {OPTION}={max(1, rows.n)}, or fewer")
    return max(1, -(-rows.n // int(said)))


def count_of(rows: Rows, options: Options) -> int:
    """How many segments there are."""
    return max(1, -(-rows.n // nodes_of(rows, options)))


def cut(rows: Rows, first: Array, options: Options, native: Native) -> tuple[Array, Array, Array, Array | None]:
    """The edges of each part by segment, those of one segment as they stand in rows: where each segment of each part
    begins, (parts * segments + 1,), and of each place the near end, the far end and, if asked for, the edge.
    O(m + parts * segments).

    first: of each part its first node, and n behind the last.
    """
    count, nodes = count_of(rows, options), nodes_of(rows, options)
    parts = len(first) - 1
    begin = np.zeros(parts * count + 1, rows.row.dtype)
    given = (parts, count, nodes, *map(address, (rows.row, rows.cols, first, begin)))
    native("segments", "irgl_count_segments")(*given)
    np.cumsum(begin, out=begin)
    near, far, edge = np.empty_like(rows.cols), np.empty_like(rows.cols), rows.places()
    native("segments", "irgl_make_segments")(*given, *map(address, (near, far, edge)))
    return begin, near, far, edge
