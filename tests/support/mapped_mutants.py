"""Damage to files and to JSON, and what must hold of a graph that was read from a damaged one."""

from __future__ import annotations

import json
import mmap
import random
from itertools import pairwise
from typing import Any

import numpy as np

from irgl.rt.graphs.graph import Graph

WORDS = (0, 1, 2, 7, 63, 64, 2**31 - 1, 2**31, 2**32, 2**61 - 1, 2**61, 2**62, 2**63 - 1, 2**63, 2**64 - 64, 2**64 - 1)


def mutant(rng: random.Random, data: bytes, head: int) -> bytes:
    """One to four damages; half of them in the first `head` bytes, where lengths and places stand."""
    made = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        if len(made) < 16:
            break
        reach = min(head, len(made)) if rng.random() < 0.5 else len(made)
        match rng.randrange(8):
            case 0:
                made[rng.randrange(reach)] ^= 1 << rng.randrange(8)
            case 1:
                made[rng.randrange(reach)] = rng.randrange(256)
            case 2:  # a field becomes extreme
                size = rng.choice((4, 8))
                at = rng.randrange(reach // size) * size
                near = len(made) + rng.choice((-64, -8, -1, 0, 1, 8, 64))
                word = rng.choice((*WORDS, near, near // 4, near // 8))
                made[at:at + size] = (word % 2 ** (8 * size)).to_bytes(size, "little")
            case 3:  # two fields, or two sections, change places
                size = rng.choice((8, 16, 64))
                a, b = (rng.randrange(max(1, reach // size)) * size for _ in "ab")
                made[a:a + size], made[b:b + size] = made[b:b + size], made[a:a + size]
            case 4:
                del made[rng.randrange(len(made)):]
            case 5:
                made += rng.choice((bytes(rng.randrange(1, 200)), made[:rng.randrange(1, 200)]))
            case 6:  # a field takes the value of another, moved a little
                a, b = (rng.randrange(reach // 8) * 8 for _ in "ab")
                word = int.from_bytes(made[b:b + 8], "little") + rng.choice((-64, -1, 0, 1, 64))
                made[a:a + 8] = (word % 2**64).to_bytes(8, "little")
            case _:
                at = rng.randrange(len(made))
                del made[at:at + rng.choice((1, 4, 8, 64))]
    return bytes(made)


def walk(graph: Graph, data: Any, whole: bool) -> None:
    """All arrays of a graph lie in the bytes that it was made from (None: in a mapping each), and lead nowhere else."""
    n, m = graph.num_nodes, graph.num_edges
    arrays = [graph.row, graph.dst, graph.weight, graph.node_ids, graph.coordinates, *(graph._transpose or ())]
    for array in arrays:
        if array is not None and array.nbytes:
            around = data if data is not None else mapping_of(array)
            begin = around.ctypes.data
            assert begin <= array.ctypes.data <= array.ctypes.data + array.nbytes <= begin + len(around)
            array.tobytes()
    rows = [(graph.row, graph.dst)]
    if graph._transpose is not None:
        in_row, in_src, in_edge = graph._transpose
        rows.append((in_row, in_src))
        assert len(in_edge) == m and all(0 <= e < m for e in in_edge.tolist())
    for row, ends in rows:
        offsets = row.tolist()
        assert len(offsets) == n + 1 and offsets[0] == 0 and offsets[-1] == m == len(ends)
        assert all(a <= b for a, b in pairwise(offsets))
        assert all(0 <= v < n for v in ends.tolist())
    assert graph.coordinates is None or graph.coordinates.shape == (n, 2)
    if whole and graph._transpose is not None:
        assert sorted(graph._transpose.in_edge.tolist()) == list(range(m))


def mapping_of(array: Any) -> Any:
    """The bytes of the mapping in which an array lies."""
    while isinstance(array, np.ndarray):
        array = array.base
    if isinstance(array, memoryview):
        array = array.obj
    assert isinstance(array, mmap.mmap)
    return np.frombuffer(array, np.uint8)


ODD = (None, True, False, 0, -1, 1.5, 2**70, "", "x", [], {}, [[]], ["name", "x"], ["const"], ["call", "f", [], "int"],
       ["not", ["not"]], {"x": 1}, [["x", "y"]], "\ud800")


def twisted(rng: random.Random, data: Any) -> Any:
    """JSON with one of its parts replaced, taken away, doubled or put elsewhere."""
    copy = json.loads(json.dumps(data))
    at, key = None, None
    here = copy
    while isinstance(here, dict | list) and here and (at is None or rng.random() < 0.8):
        at, key = here, rng.choice(list(here) if isinstance(here, dict) else range(len(here)))
        here = at[key]
    assert at is not None
    match rng.randrange(4):
        case 0:
            del at[key]
        case 1 if isinstance(at, list):
            at.append(rng.choice((here, *ODD)))
        case _:
            at[key] = rng.choice(ODD)
    return copy
