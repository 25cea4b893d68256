"""shards: blocks, by column; what the edges want of their far ends is copied to their places before they are taken.

Tile by tile of far ends the values of a few nodes are spread over all blocks of the tile, each in one go. Then a part's
edges find them in a row, and look up nothing but what is kept for their near ends. Values travel through memory twice,
and no access misses the caches. `tile` is as with blocks.
Sources: F. Khorasani, K. Vora, R. Gupta and L. Bhuyan, CuSha: vertex-centric graph processing on GPUs, HPDC 2014
(G-Shards); S. Beamer, K. Asanovic and D. Patterson, Reducing PageRank communication via propagation blocking, IPDPS
2017.
"""

from __future__ import annotations

import numpy as np

from irgl.forms import blocks
from irgl.forms.form import Built, Form, Native, Options, Rows, offsets


def _as_blocks(options: Options) -> Options:
    return {**options, "inside": "column"}


def build(rows: Rows, options: Options, native: Native) -> Built:
    """numbers: those of blocks, and the tiles. arrays: those of blocks but the last; where each tile's blocks begin
    among all by their tile, and these blocks."""
    found = blocks.build(rows, _as_blocks(options), native)
    tile_of = found.arrays[2]
    tiles = blocks.tiles_of(rows, int(options["tile"]))
    starts = offsets(np.bincount(tile_of, minlength=tiles), rows.row.dtype)
    by_tile = np.argsort(tile_of, kind="stable").astype(rows.row.dtype)
    return Built((*found.numbers, tiles), (*found.arrays[:-1], np.concatenate([starts, by_tile])), found.edge)


def size(rows: Rows, options: Options) -> int:
    """At most that of blocks, with a number a tile and a block."""
    laid = _as_blocks(options)
    more = blocks.tiles_of(rows, int(options["tile"])) + 1 + blocks.most_blocks(rows, laid)
    return blocks.size(rows, laid) + more * rows.row.itemsize


FORM = Form("shards", "sweep", build, size, ("tile",), copies=True, is_bound=True)
