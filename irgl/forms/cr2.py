"""cr2: CR^2, community-aware compressed regular rows. Ids inside a cluster are short, and pieces need no offsets.

Nodes stand in clusters of 2^N. An edge inside a cluster is N bits, the others are ids of nodes. A node's edges of
either kind are cut into pieces of 32, 16, 8, 4, 2 and 1; all pieces of a kind and length stand together, those inside
clusters cluster by cluster, so that a piece's edges are found from its number. Each has its node (its base) beside it.
`expand=on` adds the list from each node to its pieces: kind, length, and number among those of the kind, length and,
inside, cluster, in 32 bits. Without it the form serves loops over all nodes, part by part. `order=community` brings
edges into clusters.
Source: GRAssembler, chapter 3 (CR^2).
"""

from __future__ import annotations

import numpy as np

from irgl.forms.form import Array, Built, Form, Native, Options, Rows, address, offsets
from irgl.source import IrglError

#: Lengths of pieces are 2^0 to 2^5; a pointer has so many bits for a piece's number.
_LENGTHS, _NUMBER = 6, 28
#: Nodes of a part, where edges are taken part by part.
_PART = 4096


def _inside(rows: Rows, bits: int) -> Array:
    """How many edges of each node stay in its cluster."""
    near = np.repeat(np.arange(rows.n, dtype=rows.cols.dtype), np.diff(rows.row))
    found: Array = np.bincount(near[near >> bits == rows.cols >> bits], minlength=rows.n)
    return found


def _pieces(counts: Array) -> Array:
    """How many pieces of each length 2^d a node has, (6, n)."""
    longest = _LENGTHS - 1
    return np.stack([*(counts >> d & 1 for d in range(longest)), counts >> longest])


def _both(rows: Rows, options: Options) -> tuple[Array, Array, Array]:
    inside = _inside(rows, int(options["cluster"]))
    return inside, _pieces(inside), _pieces(np.diff(rows.row).astype(np.int64) - inside)


def build(rows: Rows, options: Options, native: Native) -> Built:
    """numbers: N, clusters, nodes of a part, edges inside. arrays: bases and edges inside, bases and edges across, a
    table (of each length where each cluster's pieces begin; of each length where its pieces and edges begin, inside and
    across; where each node's pointers begin, or, of each part of as many nodes as a block of threads, its first piece
    of each kind and length), pointers."""
    bits, expanded = int(options["cluster"]), options["expand"] == "on"
    inside, *pieces = _both(rows, options)
    first = np.zeros((2, _LENGTHS, rows.n + 1), np.int64)  # of each node, among pieces of the length
    for kind in (0, 1):
        np.cumsum(pieces[kind], axis=1, out=first[kind, :, 1:])
    begins = np.zeros((2, 2, _LENGTHS + 1), np.int64)  # of each kind: where a length's pieces begin, and its edges
    np.cumsum(first[:, :, -1], axis=1, out=begins[:, 0, 1:])
    np.cumsum(first[:, :, -1] << np.arange(_LENGTHS), axis=1, out=begins[:, 1, 1:])
    clusters = (rows.n + (1 << bits) - 1 >> bits)
    starts = np.take(first[0], np.minimum(np.arange(clusters + 1) << bits, rows.n), axis=1)
    if expanded:
        _refuse_beyond(max(int(np.diff(starts).max(initial=0)), int(first[1, :, -1].max())))
    pointed = offsets((pieces[0] + pieces[1]).sum(axis=0), np.int64) if expanded else np.zeros(0, np.int64)
    local = np.uint8 if bits == 8 else np.uint16
    arrays = (np.empty(begins[0, 0, -1], local), np.empty(begins[0, 1, -1], local),
              np.empty(begins[1, 0, -1], rows.cols.dtype), np.empty(begins[1, 1, -1], rows.cols.dtype),
              np.concatenate([starts.ravel(), begins.ravel(), pointed, *_of_parts(rows, options, first)]).astype(
                  rows.row.dtype),
              np.empty(int(pointed[-1]) if expanded else 0, np.uint32))
    edge = np.empty(rows.m, rows.row.dtype)
    native("cr2", "irgl_make_cr2")(rows.n, bits, clusters, *map(address, (
        rows.row, rows.cols, first, begins, starts, pointed if expanded else None, *arrays[:4], arrays[5], edge)))
    return Built((bits, clusters, rows.part or _PART, int(inside.sum())), arrays, edge)


def _of_parts(rows: Rows, options: Options, first: Array) -> list[Array]:
    """Where parts are of so many nodes, the first piece of each and of none behind the last, (parts + 1, 2, 6)."""
    if not _has_parts(rows, options):
        return []
    return [np.moveaxis(first[:, :, np.append(np.arange(0, rows.n, rows.part), rows.n)], 2, 0).ravel()]


def _has_parts(rows: Rows, options: Options) -> bool:
    return rows.part != 0 and options["expand"] == "off"


def _refuse_beyond(most: int) -> None:
    if most > 1 << _NUMBER:
        raise IrglError(f"format=cr2 has numbers of {_NUMBER} bits for pieces of one length, and there are {most} here",
                        hint="take expand=off, or another form")


def size(rows: Rows, options: Options) -> int:
    """Bases and edges, N bits inside and an id across; the table; with expand=on a number a node, 4 bytes a piece, else
    twelve numbers for as many nodes as a block has threads."""
    bits, expanded = int(options["cluster"]), options["expand"] == "on"
    inside, *pieces = _both(rows, options)
    here, across = (int(p.sum()) for p in pieces)
    edges = int(inside.sum())
    table = _LENGTHS * ((rows.n + (1 << bits) - 1 >> bits) + 1) + 4 * (_LENGTHS + 1) + expanded * (rows.n + 1)
    if _has_parts(rows, options):
        table += 2 * _LENGTHS * (-(-rows.n // rows.part) + 1)
    return ((edges + here) * bits // 8 + (rows.m - edges + across) * rows.cols.itemsize
            + table * rows.row.itemsize + expanded * 4 * (here + across))


FORM = Form("cr2", "rows", build, size, ("cluster", "expand"), swept=("expand", "off"))
