"""Each text reader against the plain parser of the same format on thousands of damaged files: both refuse, or agree."""

from __future__ import annotations

import gzip
import lzma
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.damaged_texts import SEEDS, mutate
from support.line_parsers import Bad, Plain

from irgl.rt.graphs import build_csr
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.rt.graphs.writers import write
from irgl.source import IrglError


def repetitions(few: int) -> list[Any]:
    return [few, pytest.param(10_000, marks=pytest.mark.matrix)]


@pytest.fixture(autouse=True)
def little_memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Headers that promise millions of nodes are refused, here as on a machine with 8 MB."""
    monkeypatch.setattr(build_csr, "memory_limit", lambda: 1 << 23)
    return


def arcs_of(graph: Graph) -> list[tuple[int, int, Any]]:
    ids = graph.file_ids()
    weights = graph.weight.tolist() if graph.weight is not None else [None] * graph.num_edges
    return list(zip(ids[graph.sources()].tolist(), ids[graph.dst].tolist(), weights, strict=True))


def agree(path: Path, name: str, data: bytes, parse: Callable[[bytes], Plain]) -> None:
    path.write_bytes(data)
    try:
        plain = parse(data)
    except Bad:
        with pytest.raises(IrglError):
            load(str(path), format=name, use_cache=False)
        return
    try:
        graph = load(str(path), format=name, use_cache=False)
    except IrglError as error:
        assert "memory" in error.message, f"refused: {error}\n{data!r}"
        return
    order = sorted(range(len(plain.arcs)), key=lambda k: plain.arcs[k][0])
    expected = [plain.arcs[k] for k in order]
    found = arcs_of(graph)
    if not plain.directed:
        expected, found = sorted(expected, key=repr), sorted(found, key=repr)
    assert (graph.file_ids().tolist(), found, graph.directed) == (plain.ids, expected, plain.directed), data


@pytest.mark.parametrize("times", repetitions(500))
@pytest.mark.parametrize("name", list(SEEDS))
def test_a_damaged_text_is_refused_or_read_as_the_plain_parser_reads_it(name: str, times: int, tmp_path: Path) -> None:
    parse, seeds = SEEDS[name]
    for seed in seeds:
        agree(tmp_path / "graph", name, seed, parse)
        parse(seed)
    rng = random.Random(f"{name} {times}")
    for _ in range(times):
        agree(tmp_path / "graph", name, mutate(rng, rng.choice(seeds)), parse)


@pytest.mark.parametrize("times", repetitions(500))
def test_a_damaged_text_of_untold_format_is_refused_or_read(times: int, tmp_path: Path) -> None:
    rng = random.Random(times)
    seeds = [seed for _, group in SEEDS.values() for seed in group]
    seeds += [
        b"3 2 0 1\n1 0 0 1\n2 1 0 1\n3 0 1 0\n",
        b"2 3 0\n1 1 2 3\n2 2 4 3\n# done\n",
        b"0 2 0 1\n1 0\n1 1 2\n0\n",
    ]
    for _ in range(times):
        held(tmp_path / "graph", mutate(rng, rng.choice(seeds)), None)


def held(path: Path, data: bytes, name: str | None) -> None:
    """The file is refused, or gives a graph whose arrays can be walked."""
    path.write_bytes(data)
    try:
        graph = load(str(path), format=name, use_cache=False)
    except IrglError:
        return
    assert walkable(graph), data


def walkable(graph: Graph) -> bool:
    row, dst = graph.row.astype(np.int64), graph.dst.astype(np.int64)
    good = row[0] == 0 and row[-1] == len(dst) and (np.diff(row) >= 0).all()
    good &= bool(((dst >= 0) & (dst < graph.num_nodes)).all())
    good &= graph.weight is None or (len(graph.weight) == len(dst) and bool(np.isfinite(graph.weight).all()))
    in_row, in_src, in_edge = graph.transpose()
    ins = sorted(zip(in_src.tolist(), np.repeat(np.arange(graph.num_nodes), np.diff(in_row)).tolist(), strict=True))
    good &= ins == sorted(zip(graph.sources().tolist(), dst.tolist(), strict=True))
    return bool(good) and sorted(in_edge.tolist()) == list(range(graph.num_edges))


def binary_seeds(folder: Path) -> dict[str, list[bytes]]:
    """Small files of each binary and compressed form."""
    (folder / "u.mtx").write_bytes(SEEDS["mtx"][1][3])
    (folder / "d.el").write_bytes(SEEDS["el"][1][1])
    seeds: dict[str, list[bytes]] = {"irglg": [], "npz": []}
    for name in ("u.mtx", "d.el"):
        graph = load(str(folder / name), use_cache=False)
        graph.transpose()
        for suffix in seeds:
            write(graph, str(folder / f"x.{suffix}"))
            seeds[suffix].append((folder / f"x.{suffix}").read_bytes())
    words = np.array([1, 4, 3, 3, 2, 2, 3], "<u8").tobytes() + np.array([1, 2, 0, 0, 5, 6, 7], "<u4").tobytes()
    wide = np.array([2, 0, 2, 2, 1, 2, 1, 0], "<u8").tobytes()
    return {
        **seeds,
        "galois": [words, wide],
        "gz": [gzip.compress(SEEDS["el"][1][0])],
        "xz": [lzma.compress(SEEDS["gr"][1][1])],
    }


@pytest.mark.parametrize("times", repetitions(500))
@pytest.mark.parametrize("name", ["irglg", "npz", "galois", "gz", "xz"])
def test_a_damaged_binary_is_refused_or_read(name: str, times: int, tmp_path: Path) -> None:
    rng = random.Random(f"{name} {times}")
    seeds = binary_seeds(tmp_path)[name]
    told = None if name in ("gz", "xz") else name
    for seed in seeds:
        (tmp_path / "graph").write_bytes(seed)
        load(str(tmp_path / "graph"), format=told, use_cache=False)
    for _ in range(times):
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.choice((1, 1, 2, 5))):
            data[rng.randrange(len(data))] = rng.choice((0, 1, 2, 127, 128, 255, rng.randrange(256)))
        if rng.random() < 0.2:
            del data[rng.randrange(len(data)) :]
        held(tmp_path / "graph", bytes(data), told)
