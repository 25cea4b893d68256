"""blocks: parts of nodes times tiles of far ends; an edge is one word of 32 bits, a few of which say each end.

A part's sums and a tile's values fit into the caches while the part's edges of the tile are taken. `tile` bits of a
word are for the far end, the others for the near one. `inside` a block edges lie by column (the far end ascends), by
row, or as runs: the edges of one row as ids of 16 bits behind the row's number and their count.
Source: Block-COO, and propagation through blocks of caches: U. Catalyurek and others; S. Beamer, K. Asanovic and
D. Patterson, Reducing PageRank communication via propagation blocking, IPDPS 2017.
"""

from __future__ import annotations

import numpy as np

from irgl.forms.cut import parts
from irgl.forms.form import Array, Built, Form, Native, Options, Rows, address
from irgl.source import IrglError

WORD = 32
#: How edges lie inside a block, as make_blocks.hpp and blocks.hpp know it.
INSIDE = ("column", "row", "runs")
#: With fewer edges of a row in a block than that they need not be spread apart: sums of a row don't wait long.
_SHORT = 1.5
#: A run's row and length are 16 bits each, and so are its ids.
_RUN = 16


def _cut(rows: Rows, options: Options) -> tuple[Array, int]:
    tile = int(options["tile"])
    near = min(WORD - tile, _RUN) if options["inside"] == "runs" else WORD - tile
    if options["inside"] == "runs" and tile > _RUN:
        raise IrglError(f"`inside=runs` with `tile={tile}`: ids of a run have 16 bits", hint="take tile=16, or less")
    return parts(rows, 1 << near), tile


def tiles_of(rows: Rows, tile: int) -> int:
    """How many tiles of 2^tile nodes there are."""
    return -(-rows.n // (1 << tile))


def most_blocks(rows: Rows, options: Options) -> int:
    """How many blocks there may be."""
    first, tile = _cut(rows, options)
    return min((len(first) - 1) * tiles_of(rows, tile), rows.m)


def build(rows: Rows, options: Options, native: Native) -> Built:
    """numbers: parts, tile, inside. arrays: first node of each part, its first block, each block's tile, where it
    begins among the edges, the words (of runs, their halves), and where a block of runs begins among the halves."""
    first, tile = _cut(rows, options)
    count, tiles = len(first) - 1, tiles_of(rows, tile)
    held = np.zeros((count, tiles), rows.row.dtype)
    native("blocks", "irgl_count_blocks")(count, tiles, tile, *map(address, (rows.row, rows.cols, first, held)))
    block = np.flatnonzero(held)
    inside = options["inside"]
    if inside == "auto":
        inside = _fitting(rows, first, held)
    blocks = np.zeros(count + 1, rows.row.dtype)
    np.cumsum(np.count_nonzero(held, axis=1), out=blocks[1:])
    begin = np.zeros(len(block) + 1, rows.row.dtype)
    np.cumsum(held.ravel()[block], out=begin[1:])
    words = np.empty(rows.m, np.uint32)
    edge = rows.places()
    tile_of = (block % max(1, tiles)).astype(rows.cols.dtype)
    native("blocks", "irgl_make_blocks")(count, tiles, tile, int(inside == "column"), *map(address, (
        rows.row, rows.cols, first, blocks, tile_of, begin, words, edge)))
    halves = np.zeros(0, rows.row.dtype)
    if inside == "runs":
        halves, words = _runs(begin, words, tile, native)
    return Built((count, tile, INSIDE.index(inside)), (first, blocks, tile_of, begin, words, halves), edge)


def _fitting(rows: Rows, first: Array, held: Array) -> str:
    """Where rows are short inside of blocks they may lie one after the other; long ones would wait for their own
    sums."""
    size = np.minimum(held, np.diff(first)[:, None])  # of rows that a block may hold
    return "row" if rows.m <= _SHORT * int(size.sum()) else "column"


def _runs(begin: Array, words: Array, tile: int, native: Native) -> tuple[Array, Array]:
    """Words by row as runs: where each block then begins, and the halves."""
    places = np.zeros_like(begin)
    native("blocks", "irgl_count_runs")(len(begin) - 1, tile, *map(address, (begin, words, places)))
    np.cumsum(places, out=places)
    halves = np.empty(int(places[-1]), np.uint16)
    native("blocks", "irgl_make_runs")(len(begin) - 1, tile, *map(address, (begin, words, places, halves)))
    return places, halves


def size(rows: Rows, options: Options) -> int:
    """A word an edge, and at most what all blocks would take, of which those without edges are left out; of runs it is
    known when they are built: at most 6 bytes an edge."""
    first, _ = _cut(rows, options)
    little = (2 * len(first) + 1) * rows.row.itemsize
    little += most_blocks(rows, options) * (rows.cols.itemsize + rows.row.itemsize)
    return (6 if options["inside"] == "runs" else 4) * rows.m + little


FORM = Form("blocks", "sweep", build, size, ("tile", "inside"), is_bound=True, cpu_alone={
    ("inside", "runs"): "edges of a run are found one after the other, and threads take them side by side"})
