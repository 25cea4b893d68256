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
from support import line_parsers
from support.line_parsers import Bad, Plain

from irgl.rt.graphs import build_csr
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.rt.graphs.writers import write
from irgl.source import IrglError

SEEDS: dict[str, tuple[Callable[[bytes], Plain], list[bytes]]] = {
    "el": (
        line_parsers.parse_el,
        [
            b"# a list\n0 1\n1 2\n2 0\n\n5 5\n7\t0\n",
            b"3,4,1.5\n4,3,-2e1\n% x\n3 3 .25\n",
            b"10 20 3\r\n20 10 4\r\n9223372036854775807 1 5\r\n",
            b'id,"to me",x y\n0,1,4\n1,2,5\n',
        ],
    ),
    "gr": (
        line_parsers.parse_gr,
        [
            b"c roads\np sp 4 5\na 1 2 10\na 2 3 20\nc more\na 3 1 -5\na 4 4 0\na 1 2 10\n",
            b"p tw 5 4\n1 2\n2 3\n3 2\n5 5\n",
            b"p sp 2 2\na 1 2 1.5\na 2 1 2\n",
        ],
    ),
    "mtx": (
        line_parsers.parse_mtx,
        [
            b"%%MatrixMarket matrix coordinate pattern symmetric\n% c\n4 4 4\n2 1\n3 2\n4 4\n4 1\n",
            b"%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 1.5\n2 3 -1e-3\n3 3 0\n",
            b"%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n2 1 5\n3 1 -7\n",
            b"%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n2 1 5\n1 2 5\n3 1 7\n",
        ],
    ),
    "metis": (
        line_parsers.parse_metis,
        [
            b"% mesh\n4 4\n2 3\n1 4\n1 4\n2 3\n",
            b"5 3 001\n2 7 3 4\n1 7\n1 4\n\n5 1 5 1\n",
            b"3 2 11 2\n9 9 2 5\n8 8 1 5 3 6\n7 7 2 6\n",
            b"4 3 100\n2 3\n\n4\n\n",
            b"3 2 100\n4 2\n4 1 3\n4 2\n",
        ],
    ),
    "adj": (
        line_parsers.parse_adj,
        [
            b"AdjacencyGraph\n4\n5\n0\n2\n2\n3\n1\n2\n3\n0\n3\n",
            b"WeightedAdjacencyGraph\n3 3\n0 1 1\n2 0 1\n5 -6 7\n",
            b"WeightedAdjacencyGraph\n2\n2\n0\n2\n1\n1\n1.5\n2e3\n",
        ],
    ),
    "cliques": (line_parsers.parse_cliques, [b" 0 1 2\n\n3\n2 7 7\n# c\n 1 0\n900 901 902 903\n"]),
}
SPICE = [
    b"\n",
    b" ",
    b"-",
    b"+",
    b".",
    b"e",
    b"#",
    b"%",
    b"c",
    b"p",
    b"a",
    b"0",
    b"1",
    b"9",
    b",",
    b"\r",
    b"\x0b",
    b"\0",
]
SPICE += [b"\xff", b"nan", b"inf", b"_", b"99999999999999999999", b"1e999", b"0x1", b"2147483648", b"\x1c"]


def mutate(rng: random.Random, data: bytes) -> bytes:
    """One to four small damages."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(7):
            case 0:
                data = data[:at] + rng.choice(SPICE) + data[at:]
            case 1:
                data = data[:at] + data[at + rng.choice((1, 1, 2, 9)) :]
            case 2:
                data = data[:at] + rng.choice(SPICE) + data[at + 1 :]
            case 3:
                lines = data.split(b"\n")
                lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
                data = b"\n".join(lines)
            case 4:
                lines = data.split(b"\n")
                del lines[rng.randrange(len(lines))]
                data = b"\n".join(lines)
            case 5:
                words = data.split(b" ")
                words[rng.randrange(len(words))] = rng.choice([*words, b"1", b"2", b"3"])
                data = b" ".join(words)
            case _:
                data = data[:at]
    return data


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
