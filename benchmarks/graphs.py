"""The graphs of the benchmarks: made or read once, kept as plain arrays and in the formats that the peers read.

A prepared graph is a folder: row.npy, dst.npy, weight.npy (compressed sparse rows, both arcs of every edge, no
self-loop, no parallel edge, rows ascending, the two arcs of an edge of one weight), graph.npz (the same as SciPy keeps
a sparse matrix, for `irglc`), graph.sg and graph.wsg (the same in the binary form of the GAP Benchmark Suite) and
facts.json. Every measurement reads one of these, so that all of them see the same arcs in the same order.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from irgl.rt.graphs.load import load
from irgl.rt.graphs.prepare import Requirements, prepare

Array = NDArray[Any]
SOURCES = 4
SEED = 27
_FORM = 2  # changes when what is kept in a folder changes
_WEIGHTS = "seed=1,weights=int,min=1,max=255"
_ROOT = Path(__file__).resolve().parents[1]
_ROADS = _ROOT.parent / "shared" / "graphs" / "road"
#: By name: a generator, or a file. kron is R-MAT with the parameters of Graph500 and GAP, undirected. NE's file has no
#: weights: they are drawn as generators draw them.
SPECS = {
    "kron18": f"kron:scale=18,{_WEIGHTS}",
    "kron20": f"kron:scale=20,{_WEIGHTS}",
    "uniform20": f"uniform:scale=20,{_WEIGHTS}",
    "grid2048": f"grid:size=2048x2048,{_WEIGHTS}",
    "NY": str(_ROADS / "USA-road-d.NY.gr.gz"),
    "NE": str(_ROADS / "USA-road-NE.tw.gr.xz"),
    "cnr-2000": str(_ROADS.parent / "social" / "cnr-2000.txt.xz"),
    "kron14": f"kron:scale=14,{_WEIGHTS}",
    "kron16": f"kron:scale=16,{_WEIGHTS}",
    "grid256": f"grid:size=256x256,{_WEIGHTS}",
}
#: By name: the file of the nodes' coordinates, where there is one.
_PLACES = {"NY": _ROADS / "USA-road-d.NY.co.gz"}
DEFAULT = ("kron18", "kron20", "uniform20", "grid2048", "NY")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a table says of a graph. edges counts each undirected edge once; sources are in the largest component."""

    name: str
    spec: str
    nodes: int
    edges: int
    arcs: int
    largest_degree: int
    isolated: int
    sources: tuple[int, ...]


def facts_of(folder: Path) -> Facts:
    """The facts of a prepared graph."""
    found = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    found.pop("form")
    found["sources"] = tuple(found["sources"])
    return Facts(**found)


def arrays_of(folder: Path) -> tuple[Array, Array, Array]:
    """(row (n+1,) int32, dst (arcs,) int32, weight (arcs,) int32), mapped from the files."""
    row, dst, weight = (np.load(folder / f"{part}.npy", mmap_mode="r") for part in ("row", "dst", "weight"))
    return row, dst, weight


def needs(names: Sequence[str], store: Path) -> list[str]:
    """What the graphs `names` need, a line each: those that a generator makes, and each file that is looked for."""
    made = [n for n in names if ":" in SPECS[n]]
    lines = [f"generated, and kept in {store}: {', '.join(made)}"] if made else []
    for name in names:
        if name not in made:
            state = "prepared in the store" if _is_done(store / name) else "there" if _file(name).exists() else "absent"
            where = os.path.relpath(_file(name), _ROOT)
            lines.append(f"read from {where}, from the repository's root: {name} ({state})")
    return lines


def places_of(name: str) -> Path | None:
    """The file of the coordinates of graph `name`'s nodes; None: it has none, or the file is absent."""
    path = _PLACES.get(name)
    return path if path is not None and path.exists() else None


def _file(name: str) -> Path:
    return Path(SPECS[name])


def _is_done(folder: Path) -> bool:
    facts = folder / "facts.json"
    return facts.exists() and json.loads(facts.read_text(encoding="utf-8")).get("form") == _FORM


def prepare_graph(name: str, store: Path) -> Path:
    """The folder of graph `name` (one of SPECS) under `store`, filled now if it isn't there.

    Raises KeyError for an unknown name, FileNotFoundError where the graph's file is absent.
    """
    spec, folder = SPECS[name], store / name
    if _is_done(folder):
        return folder
    if ":" not in spec and not _file(name).exists():
        raise FileNotFoundError(f"{name}: there is no file {spec}")
    need = Requirements(directed=False, simple=True, weighted="int32", sorted=True)
    graph = prepare(load(spec), need)
    folder.mkdir(parents=True, exist_ok=True)
    row, dst = graph.row.astype(np.int32), graph.dst.astype(np.int32)
    weight = graph.weight if graph.weight is not None else _drawn(row, dst)
    matrix = csr_array((weight, dst, row), shape=(graph.num_nodes, graph.num_nodes))
    if (matrix - matrix.T.tocsr()).count_nonzero() != 0:
        raise AssertionError(f"{name}: the prepared graph is not symmetric")
    for part, array in (("row", row), ("dst", dst), ("weight", weight)):
        np.save(folder / f"{part}.npy", array)
    np.savez(folder / "graph.npz", format=b"csr", shape=matrix.shape, data=weight, indices=dst, indptr=row)
    _write_gap(folder / "graph.sg", row, dst)
    _write_gap(folder / "graph.wsg", row, np.stack([dst, weight], axis=1))
    _write_facts(folder / "facts.json", name, spec, matrix)
    return folder


def _drawn(row: Array, dst: Array) -> Array:
    """Weights from 1 to 255, the same for the two arcs of an edge."""
    src = np.repeat(np.arange(len(row) - 1), np.diff(row))
    once = src < dst
    half = csr_array((np.random.default_rng(1).integers(1, 256, once.sum(), np.int32), (src[once], dst[once])),
                     shape=(len(row) - 1, len(row) - 1))
    whole = (half + half.T).tocsr()
    whole.sort_indices()
    return np.asarray(whole.data)


def _write_gap(path: Path, row: Array, neighbours: Array) -> None:
    # bool directed, int64 arcs, int64 nodes, int64 offsets (n+1), then int32 ids, or pairs (int32 id, int32 weight).
    with path.open("wb") as file:
        file.write(b"\0")
        np.array([len(neighbours), len(row) - 1], np.int64).tofile(file)
        row.astype(np.int64).tofile(file)
        neighbours.astype(np.int32).tofile(file)


def _write_facts(path: Path, name: str, spec: str, matrix: csr_array) -> None:
    degree = np.diff(matrix.indptr)
    _, labels = connected_components(matrix, directed=False)
    inside = np.flatnonzero(labels == np.argmax(np.bincount(labels)))
    sources = np.random.default_rng(SEED).choice(inside, SOURCES, replace=False)
    shown = spec if ":" in spec else Path(spec).name
    facts = Facts(name, shown, matrix.shape[0], matrix.nnz // 2, matrix.nnz, int(degree.max()),
                  int((degree == 0).sum()), tuple(int(s) for s in sources))
    path.write_text(json.dumps({"form": _FORM, **asdict(facts)}, indent=1), encoding="utf-8")
