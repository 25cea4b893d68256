"""Made-up graphs by name: `rmat:scale=18,degree=16,seed=1`, `kron:18`, `grid:2048x2048`, `star:100000`, ...

The same text gives the same graph everywhere and for ever: randomness is the raw stream of PCG64, which NumPy keeps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.build_csr import Arcs, check_size
from irgl.rt.graphs.generator_options import Options, Stream, parse
from irgl.rt.graphs.readers.text import Progress
from irgl.rt.graphs.sorting import distinct, index_type
from irgl.source import IrglError

Array = NDArray[Any]
Made = tuple[Arcs, Array | None]
Maker = Callable[[Options, Stream], Made]


def generate(spec: str, progress: Progress | None = None) -> Made:
    """(arcs, coordinates or None) of a generator text. IrglError names what is not understood, and what would be."""
    name, _, rest = spec.partition(":")
    if name not in _MAKERS:
        raise unknown(spec)
    maker, positional, defaults = _MAKERS[name]
    options = parse(spec, name, rest, positional, defaults)
    if progress is not None:
        progress("generate", None)
    stream = Stream(options.integer("seed", 0, 2**63 - 1), progress=progress)
    arcs, places = maker(options, stream)
    arcs.weight = _weights(options, Stream(options.integer("seed", 0, 2**63 - 1), 1), len(arcs.src))
    return arcs, places


def unknown(spec: str) -> IrglError:
    """The error for a text that names neither a file nor a generator."""
    name = spec.partition(":")[0]
    return IrglError(f"'{name}' is neither a file nor a generator", hint=f"generators are {', '.join(sorted(NAMES))}")


def _weights(options: Options, stream: Stream, count: int) -> Array | None:
    kind = options.word("weights", ("none", "int", "float"))
    if kind == "none":
        if options.given("min") or options.given("max"):
            raise options.fail("min and max are the range of weights: say weights=int or weights=float")
        return None
    if kind == "int":
        low, high = options.integer("min", 0, 2**31 - 1, 1), options.integer("max", 0, 2**31 - 1, 255)
        if low > high:
            raise options.fail(f"min={low} is above max={high}")
        return (low + stream.below(high - low + 1, count)).astype(np.int32)
    lowest, highest = options.real("min", 0.0), options.real("max", 1.0)
    if lowest > highest:
        raise options.fail(f"min={lowest:g} is above max={highest:g}")
    return lowest + (highest - lowest) * stream.unit(count)


def _sized(options: Options, nodes: int, edges: int) -> None:
    check_size(nodes, edges, options.spec)


def _recursive(options: Options, stream: Stream, undirected: bool) -> Made:
    """R-MAT (Chakrabarti, Zhan, Faloutsos 2004): each bit of both ends falls into a quadrant by a, b, c, 1-a-b-c."""
    scale, degree = options.integer("scale", 0, 40), options.integer("degree", 0, 10**6)
    a, b, c = options.real("a"), options.real("b"), options.real("c")
    if min(a, b, c) < 0 or a + b + c > 1:
        raise options.fail("a, b and c are chances: none below 0, and their sum at most 1")
    nodes = 1 << scale
    edges = nodes * degree
    _sized(options, nodes, 2 * edges)
    permute = options.word("permute", ("yes", "no")) == "yes"
    src, dst = stream.recursive(scale, edges, (a, a + b, a + b + c), permute)
    return Arcs(nodes, src, dst, mirrored=undirected), None


def _rmat(options: Options, stream: Stream) -> Made:
    return _recursive(options, stream, options.word("undirected", ("no", "yes")) == "yes")


def _kron(options: Options, stream: Stream) -> Made:
    return _recursive(options, stream, True)


def _uniform(options: Options, stream: Stream) -> Made:
    """degree * 2**scale edges between uniformly chosen ends, undirected (as in the GAP benchmark)."""
    nodes = 1 << options.integer("scale", 0, 40)
    edges = nodes * options.integer("degree", 0, 10**6)
    _sized(options, nodes, 2 * edges)
    return Arcs(nodes, stream.below(nodes, edges), stream.below(nodes, edges), mirrored=True), None


def _r4(options: Options, stream: Stream) -> Made:
    """Every node has `degree` out-edges to uniformly chosen nodes; directed."""
    nodes = 1 << options.integer("scale", 0, 40)
    degree = options.integer("degree", 0, 10**6)
    _sized(options, nodes, nodes * degree)
    src = np.repeat(np.arange(nodes, dtype=index_type(nodes)), degree)
    return Arcs(nodes, src, stream.below(nodes, nodes * degree)), None


def _grid(options: Options, _stream: Stream) -> Made:
    width, height = options.pair("size")
    return _lattice(options, width, height)


def _grid2d(options: Options, _stream: Stream) -> Made:
    """A square grid of 2**scale nodes, or twice as wide as high where the scale is odd."""
    scale = options.integer("scale", 0, 40)
    return _lattice(options, 1 << (scale - scale // 2), 1 << (scale // 2))


def _lattice(options: Options, width: int, height: int) -> Made:
    """Each node joined to its right and lower neighbour; coordinates are (column, row)."""
    nodes = width * height
    _sized(options, nodes, 4 * nodes)
    ids = np.arange(nodes, dtype=index_type(nodes)).reshape(height, width)
    src = np.concatenate([ids[:, :-1].ravel(), ids[:-1, :].ravel()])
    dst = np.concatenate([ids[:, 1:].ravel(), ids[1:, :].ravel()])
    places = np.stack(np.meshgrid(np.arange(width), np.arange(height)), -1).reshape(-1, 2).astype(np.float64)
    return Arcs(nodes, src, dst, mirrored=True), places


def _simple_shape(options: Options, ends: Callable[[int], tuple[Array, Array]], edges: Callable[[int], int]) -> Made:
    nodes = options.integer("nodes", 0, 2**40)
    _sized(options, nodes, 2 * edges(nodes))
    src, dst = ends(nodes)
    return Arcs(nodes, src, dst, mirrored=True), None


def _star(options: Options, _stream: Stream) -> Made:
    """Node 0 joined to every other."""
    return _simple_shape(options, lambda n: (np.zeros(max(0, n - 1), np.int64), np.arange(1, max(1, n))), lambda n: n)


def _path(options: Options, _stream: Stream) -> Made:
    return _simple_shape(options, lambda n: (np.arange(max(0, n - 1)), np.arange(1, max(1, n))), lambda n: n)


def _cycle(options: Options, _stream: Stream) -> Made:
    return _simple_shape(options, lambda n: (np.arange(n), np.roll(np.arange(n), -1)), lambda n: n)


def _complete(options: Options, _stream: Stream) -> Made:
    def ends(nodes: int) -> tuple[Array, Array]:
        src, dst = np.triu_indices(nodes, 1)
        return src, dst

    return _simple_shape(options, ends, lambda n: n * n)


def _tree(options: Options, _stream: Stream) -> Made:
    """A binary tree: node k > 0 hangs under (k-1)//2."""
    return _simple_shape(options, lambda n: ((np.arange(1, max(1, n)) - 1) // 2, np.arange(1, max(1, n))), lambda n: n)


def _points(options: Options, stream: Stream) -> Made:
    return _mesh(options, stream, options.integer("nodes", 0, 2**40))


def _delaunay(options: Options, stream: Stream) -> Made:
    return _mesh(options, stream, 1 << options.integer("scale", 0, 40))


def _mesh(options: Options, stream: Stream, nodes: int) -> Made:
    """The Delaunay triangulation of uniform random points in the unit square; coordinates are the points."""
    _sized(options, nodes, 200 * nodes)
    points, triangles = triangulate(nodes, stream)
    return Arcs(nodes, *triangle_edges(triangles, nodes), mirrored=True), points


def triangulate(nodes: int, stream: Stream) -> tuple[Array, Array]:
    """(points (nodes, 2) float64 in the unit square, triangles (t, 3) int64, counter-clockwise), by scipy's qhull."""
    from scipy.spatial import Delaunay

    points = stream.unit(2 * nodes).reshape(nodes, 2)
    if nodes < 3:
        return points, np.empty((0, 3), np.int64)
    corners = np.asarray(Delaunay(points).simplices, dtype=np.int64)
    a, b, c = (points[corners[:, k]] for k in range(3))
    turn = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    corners[turn < 0] = corners[turn < 0][:, [0, 2, 1]]
    return points, corners


def triangle_edges(triangles: Array, nodes: int) -> tuple[Array, Array]:
    """Each edge of the triangles (t, 3) once: (lower ends, upper ends), ascending."""
    ends = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [0, 2]]]), axis=1)
    keys = distinct(ends[:, 0] * nodes + ends[:, 1])
    return keys // max(1, nodes), keys % max(1, nodes)


_RANDOM = {"seed": "1", "weights": "none"}
_GAP = {"degree": "16", "a": "0.57", "b": "0.19", "c": "0.19", "permute": "yes", **_RANDOM}
_MAKERS: dict[str, tuple[Maker, str, dict[str, str]]] = {
    "rmat": (_rmat, "scale", {**_GAP, "undirected": "no"}),
    "kron": (_kron, "scale", _GAP),
    "uniform": (_uniform, "scale", {"degree": "16", **_RANDOM}),
    "r4": (_r4, "scale", {"degree": "4", **_RANDOM}),
    "grid": (_grid, "size", _RANDOM),
    "grid2d": (_grid2d, "scale", _RANDOM),
    "star": (_star, "nodes", _RANDOM),
    "path": (_path, "nodes", _RANDOM),
    "cycle": (_cycle, "nodes", _RANDOM),
    "complete": (_complete, "nodes", _RANDOM),
    "tree": (_tree, "nodes", _RANDOM),
    "points": (_points, "nodes", _RANDOM),
    "delaunay": (_delaunay, "scale", _RANDOM),
}
NAMES = frozenset(_MAKERS)
