"""Ligra's texts: `AdjacencyGraph` or `WeightedAdjacencyGraph`, how many nodes and edges there are, where each node's
edges begin, their far ends, and their weights, with any blanks and line ends between these numbers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.build_csr import Arcs, check_size
from irgl.rt.graphs.readers.table import narrowed
from irgl.rt.graphs.readers.text import PAD, Text, quoted
from irgl.rt.graphs.readers.tokens import chunks, integers, reals
from irgl.rt.graphs.readers.words import amount, count

Array = NDArray[Any]
PLAIN, WEIGHTED = b"AdjacencyGraph", b"WeightedAdjacencyGraph"
_SIZES = re.compile(rb"[ \t\r\v\f\n]*([^ \t\r\v\f\n]+)[ \t\r\v\f\n]+([^ \t\r\v\f\n]+)")


def read(text: Text) -> Arcs:
    """The arcs of the file, ids from 0. IrglError on any fault. O(nodes + edges)."""
    word = text.line(PAD).strip()
    if word not in (PLAIN, WEIGHTED):
        raise text.fail(f"expected '{PLAIN.decode()}' or '{WEIGHTED.decode()}', found {quoted(word)}", PAD)
    found = _SIZES.match(text.data, text.line_end(PAD))
    if found is None:
        raise text.fail("the file ends before the numbers of nodes and edges")
    nodes = count(text, found.start(1), found[1], "nodes")
    edges = count(text, found.start(2), found[2], "edges")
    check_size(nodes, edges, text.path)
    numbers, weight = _numbers(text, found.end(), nodes, edges, word == WEIGHTED)
    begins, dst = numbers[:nodes], numbers[nodes:]
    ends = np.append(begins[1:], edges)[:nodes]
    wrong = (begins < 0) | (begins > ends)
    if nodes:
        wrong[0] |= begins[0] != 0
    elif edges:
        raise text.fail(f"{amount(edges, 'edge')} of no node", found.start(2))
    if wrong.any():
        node = int(np.argmax(wrong))
        raise text.fail(f"the edges of node {node} begin at {begins[node]}: they are not in order from 0 to {edges}",
                        _place(text, found.end(), node))
    bad = (dst < 0) | (dst >= nodes)
    if bad.any():
        edge = int(np.argmax(bad))
        raise text.fail(f"node id {dst[edge]} is not in 0..{nodes - 1}", _place(text, found.end(), nodes + edge))
    return Arcs(nodes, np.repeat(np.arange(nodes), ends - begins), dst, weight)


def _numbers(text: Text, start: int, nodes: int, edges: int, weighted: bool) -> tuple[Array, Array | None]:
    """The whole numbers, int64, (nodes + edges,), and the weights behind them, (edges,)."""
    whole, total = nodes + edges, nodes + (2 if weighted else 1) * edges
    ids, weights, seen = [np.empty(0, np.int64)], [np.empty(0, np.int64)], 0
    for chunk in chunks(text, start):
        here = len(chunk.starts)
        if seen + here > total:
            raise text.fail(f"the file promises {amount(total, 'number')}, here is one more",
                            int(chunk.starts[total - seen]))
        cut = min(max(whole - seen, 0), here)
        ids.append(integers(chunk, slice(0, cut), "number"))
        if cut < here:
            strange = np.frombuffer(text.data, np.uint8)[chunk.strange[chunk.strange >= chunk.starts[cut]]]
            plain = bool(np.isin(strange, [ord("+"), ord("-")]).all())
            weights.append((integers if plain else reals)(chunk, slice(cut, here), "weight"))
        seen += here
    if seen < total:
        raise text.fail(f"the file promises {amount(total, 'number')}, and has {seen:,}")
    if not weighted:
        return np.concatenate(ids), None
    return np.concatenate(ids), narrowed(np.concatenate(weights))


def _place(text: Text, start: int, index: int) -> int:
    """Where a number stands, by its place among all of them."""
    for chunk in chunks(text, start):
        if index < len(chunk.starts):
            return int(chunk.starts[index])
        index -= len(chunk.starts)
    raise AssertionError(index)
