"""The graph cache: what is found again, what makes an entry stale, what happens to damaged ones."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from irgl.rt.graphs import load
from irgl.rt.graphs import store as graph_store
from irgl.rt.graphs.cache import load_prepared
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.prepare import Requirements
from irgl.rt.system import arrays_file
from irgl.source import IrglError

NEED = Requirements(directed=False, simple=True, weighted="int32", transpose=True)
BIG = "grid:80x80"
Reads = Callable[[], int]


@pytest.fixture
def reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reads:
    """A cache of its own; how often a graph was read or generated since."""
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path / "cache"))
    count = 0
    real = load.read_or_generate

    def counted(*args: object) -> Graph:
        nonlocal count
        count += 1
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(load, "read_or_generate", counted)
    return lambda: count


def contents(graph: Graph) -> dict[str, object]:
    """All arrays of a graph, which are looked at for that."""
    own = {name: getattr(graph, name) for name in ("row", "dst", "sampled", "weight", "coordinates", "node_ids")}
    backward = dict(zip(("in_row", "in_src", "in_edge"), graph.transpose(), strict=True))
    return {name: None if array is None else array.tolist() for name, array in (own | backward).items()}


def entries(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache" / "graphs").glob("*"))


@pytest.fixture
def edges(tmp_path: Path) -> Path:
    path = tmp_path / "g.el"
    path.write_text("".join(f"{k} {(k * 7 + 1) % 20_000}\n" for k in range(20_000)))
    return path


def test_a_prepared_graph_is_found_again(reads: Reads) -> None:
    first, second = (load_prepared(BIG, NEED) for _ in range(2))
    assert reads() == 1
    for name in ("row", "dst", "weight"):
        assert getattr(first, name).tolist() == getattr(second, name).tolist()
    assert (first.changed, first.source, first.directed) == (second.changed, second.source, second.directed)


def test_another_requirement_starts_from_the_parsed_graph(reads: Reads) -> None:
    load_prepared(BIG, NEED)
    load_prepared(BIG, Requirements(sorted=True))
    assert reads() == 1


def test_coordinates_of_a_generated_graph_are_kept(reads: Reads) -> None:
    first, second = (load_prepared(BIG, NEED) for _ in range(2))
    assert reads() == 1 and (first.coordinates == second.coordinates).all()


def test_a_changed_file_is_read_anew(reads: Reads, edges: Path) -> None:
    load_prepared(str(edges), NEED)
    edges.write_text(edges.read_text() + "0 5\n")
    assert load_prepared(str(edges), Requirements()).num_edges == 20_001 and reads() == 2


def test_a_touched_file_is_read_anew(reads: Reads, edges: Path) -> None:
    load_prepared(str(edges), NEED)
    os.utime(edges, ns=(1, 1))
    load_prepared(str(edges), NEED)
    assert reads() == 2


@pytest.mark.parametrize("option", [{"undirected": True}, {"index_bits": 64}, {"compact": False}, {"format": "el"}])
def test_other_options_are_another_entry(option: dict[str, object], reads: Reads, edges: Path) -> None:
    load_prepared(str(edges), NEED)
    load_prepared(str(edges), NEED, **option)  # type: ignore[arg-type]
    assert reads() == 2


def test_without_the_cache_nothing_is_kept(reads: Reads, tmp_path: Path) -> None:
    for _ in range(2):
        load_prepared(BIG, NEED, use_cache=False)
    assert reads() == 2 and entries(tmp_path) == []


def test_tiny_graphs_are_not_kept(reads: Reads, tmp_path: Path) -> None:
    load_prepared("path:10", NEED)
    assert reads() == 1 and entries(tmp_path) == []


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 16
    path.write_bytes(bytes(data))


def zeroed(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:8192] = bytes(4096)
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("damage", [cut, emptied, flipped, zeroed])
def test_a_damaged_entry_is_made_anew(damage: Callable[[Path], None], reads: Reads, tmp_path: Path) -> None:
    kept = contents(load_prepared(BIG, NEED))
    for path in entries(tmp_path):
        path.write_bytes(path.read_bytes())  # a copy: the first graph may be mapped
        damage(path)
    assert contents(load_prepared(BIG, NEED)) == kept
    assert reads() == 2


def spoil(path: Path, array: object) -> None:
    """Changes the last byte of an array in an entry."""
    data = bytearray(path.read_bytes())
    bytes_of = np.asarray(array).tobytes()
    assert data.count(bytes_of) == 1
    data[data.index(bytes_of) + len(bytes_of) - 1] ^= 1
    path.write_bytes(bytes(data))


def entry_of(graph: Graph, tmp_path: Path) -> Path:
    return tmp_path / "cache" / "graphs" / f"{graph.entry}.irglg"


@pytest.mark.parametrize("name", ["row", "dst", "sampled", "weight", "coordinates", "node_ids", "in_row", "in_src",
                                  "in_edge"])
def test_a_damaged_array_is_found_before_it_is_used(name: str, reads: Reads, tmp_path: Path) -> None:
    path = tmp_path / "g.wel"
    path.write_text("".join(f"{3 * (k * k % 9973)} {3 * (k * 7 % 5_000)} {k % 50}\n" for k in range(20_000)))
    spec = BIG if name == "coordinates" else str(path)
    need = Requirements(weighted="int32", transpose=True, in_edge=True)
    first = load_prepared(spec, need)
    kept = contents(first)
    owner = first.transpose() if name.startswith("in_") else first
    spoil(entry_of(first, tmp_path), getattr(owner, name))
    assert contents(load_prepared(spec, need)) == kept
    assert contents(load_prepared(spec, need)) == kept  # of the entry that was made anew
    assert reads() == 1  # what was parsed is as it was


def test_an_array_for_which_there_is_no_memory_is_told_and_stays_in_the_cache(
        reads: Reads, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    load_prepared(BIG, NEED)
    graph = load_prepared(BIG, NEED)
    monkeypatch.setattr(arrays_file.mmap, "mmap", full)
    with pytest.raises(IrglError) as e:
        _ = graph.dst
    assert str(e.value) == (
        f"error: there is not enough memory for the graph: {4 * graph.num_edges:,} bytes of it (dst) can't be had\n"
        "  hint: take a form with fewer bytes, such as format=delta, or a machine with more memory")
    assert entry_of(graph, tmp_path).exists() and reads() == 1


def test_an_array_that_nobody_asks_for_is_not_looked_at(reads: Reads, tmp_path: Path) -> None:
    first = load_prepared(BIG, NEED)
    spoil(entry_of(first, tmp_path), first.dst)
    spoiled = entry_of(first, tmp_path).read_bytes()
    second = load_prepared(BIG, NEED)
    assert second.weight is not None and first.weight is not None
    assert (second.num_nodes, second.num_edges, second.node_type) == (6400, first.num_edges, first.node_type)
    assert second.weight.tolist() == first.weight.tolist()
    assert entry_of(first, tmp_path).read_bytes() == spoiled and reads() == 1


def test_arrays_come_from_the_entry_that_was_opened_whatever_becomes_of_it(reads: Reads, tmp_path: Path) -> None:
    kept = contents(load_prepared(BIG, NEED))
    graph = load_prepared(BIG, NEED)
    entry_of(graph, tmp_path).unlink()
    assert contents(graph) == kept and reads() == 1


def test_a_copy_of_a_kept_graph_has_its_own_edges(reads: Reads) -> None:
    load_prepared(BIG, NEED)
    found = load_prepared(BIG, NEED)
    copied = replace(found, row=found.row[:1], dst=found.dst[:0], weight=None)
    assert (copied.num_nodes, copied.num_edges, reads()) == (0, 0, 1)


def test_a_file_that_changes_while_its_damaged_entry_is_in_use_is_told(reads: Reads, edges: Path,
                                                                       tmp_path: Path) -> None:
    load_prepared(str(edges), Requirements())
    graph = load_prepared(str(edges), Requirements())
    spoil(entry_of(graph, tmp_path), load_prepared(str(edges), Requirements()).dst)
    for path in entries(tmp_path):
        if path != entry_of(graph, tmp_path):
            path.unlink()
    edges.write_text("0 1\n")
    with pytest.raises(IrglError) as e:
        _ = graph.dst
    assert str(e.value) == (f"{edges}: error: the graph has changed since its run began\n"
                            "  hint: run the program again")
    assert reads() == 2


def test_a_cache_that_cannot_be_made_is_done_without(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path / "file"))
    assert load_prepared(BIG, NEED).num_nodes == 6400


def test_the_least_recently_used_go_first(reads: Reads, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for size in ("80x80", "80x81", "80x82"):
        load.load(f"grid:{size}")
    load.load("grid:80x80")
    total = sum(path.stat().st_size for path in entries(tmp_path))
    monkeypatch.setenv("IRGL_CACHE_LIMIT", str(total - 1))
    graph_store.trim(tmp_path / "cache" / "graphs")
    before = reads()
    load.load("grid:80x80")
    assert reads() == before
    load.load("grid:80x81")
    assert reads() == before + 1


def test_a_graph_beyond_the_limit_is_not_kept(reads: Reads, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRGL_CACHE_LIMIT", "1000")
    load_prepared(BIG, NEED)
    assert reads() == 1 and entries(tmp_path) == []


def test_a_limit_that_is_no_number_is_refused(reads: Reads, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRGL_CACHE_LIMIT", "lots")
    with pytest.raises(IrglError, match="IRGL_CACHE_LIMIT is 'lots': a number of bytes is wanted"):
        load_prepared(BIG, NEED)
    assert reads() == 1


def test_a_hit_loads_neither_scipy_nor_the_readers(reads: Reads) -> None:
    load_prepared(BIG, NEED)
    code = f"""
import sys
from irgl.rt.graphs.cache import load_prepared
from irgl.rt.graphs.prepare import Requirements
load_prepared({BIG!r}, {NEED!r})
unwanted = ("scipy", "pyarrow", "irgl.rt.graphs.readers.metis", "irgl.rt.graphs.generators")
print(sorted(m for m in sys.modules if m in unwanted))
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert out.stdout == "[]\n" and reads() == 1
