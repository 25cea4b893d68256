"""Large texts, which C++ reads in parts: the graphs and the messages are those of the readers in Python."""

from __future__ import annotations

import gzip
import lzma
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.damaged_texts import SEEDS, mutate

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.rt.graphs.native import functions, source, table
from irgl.rt.graphs.native.source import Source
from irgl.rt.graphs.readers import by_content, text
from irgl.source import IrglError

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")


class Small:
    """Reads small files, in parts as if they were large, and as they are read otherwise."""

    def __init__(self, patch: pytest.MonkeyPatch, head: int = 90, block: int = 17) -> None:
        self._patch, self.in_parts = patch, 0
        patch.setattr(text, "HEAD", head)
        patch.setattr(table, "BLOCK", block)
        patch.setattr(source, "PART", 40)
        patch.setattr(source, "SCAN", 100)
        once = by_content._in_parts

        def counted(*given: Any) -> Graph | None:
            found = once(*given)
            self.in_parts += found is not None
            return found

        patch.setattr(by_content, "_in_parts", counted)

    def read(self, path: Path, least: int, **options: Any) -> Any:
        self._patch.setattr(functions, "LEAST_ARCS", least)
        try:
            graph = load(str(path), use_cache=False, **options)
        except IrglError as error:
            return str(error)
        arrays = (graph.row, graph.dst, graph.weight, graph.node_ids)
        told = [None if a is None else (a.dtype.str, a.tobytes()) for a in arrays]
        return [*told, graph.directed, graph.id_base, graph.changed, graph.sorted]

    def agree(self, path: Path, **options: Any) -> bool:
        """Both are the same; whether it was read in parts."""
        before = self.in_parts
        found = self.read(path, 0, **options)
        assert found == self.read(path, 2**60, **options), path.read_bytes()
        return self.in_parts > before


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Small:
    return Small(monkeypatch)


def lines(count: int, shape: str, seed: int = 0) -> bytes:
    rng = np.random.default_rng(seed)
    return b"".join(shape.format(*rng.integers(1, 99, 3)).encode() for _ in range(count))


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize(
    ("head", "shape"),
    [(b"", "{} {}\n"), (b"# x\n\n", "{}\t{}  \r\n"), (b"", "{} {} {}\n"), (b"", "{},{},-{}\n"), (b"", "{} {} {}.5\n"),
     (b"", "7{}000000000 {}\n"), (b"", "{} {} {}0000000000\n"), (b"", "00{} {} +{}e-3\n"),
     (b"source,target\n", "{},{}\n"),
     (b"", " {} {}\n# {}\n"), (b"", "{} {}\n\n \t\n,\n"), (b"", "{}000 {}000\n"),
     (b"c x\np sp 99 40\n", "a {} {} {}\nc {}\n"), (b"p sp 99 40\n", "a {} {} -{}.25\n"),
     (b"p tw 99 40\nc\n", "{} {}\n"),
     (b"%%MatrixMarket matrix coordinate pattern symmetric\n% x\n99 99 40\n", "{} {}\n"),
     (b"%%MatrixMarket matrix coordinate real general\n99 99 40\n", "{} {} -0.{}\n"),
     (b"%%MatrixMarket matrix coordinate integer general\n99 99 40\n", "{} {} -0\n"),
     (b"\xef\xbb\xbf# x\n", "{} {}\n")],
)  # fmt: skip
def test_a_plain_text_is_read_in_parts(head: bytes, shape: str, undirected: bool, small: Small, tmp_path: Path) -> None:
    path = tmp_path / "g"
    shape = shape.replace("c {}", "c x").replace("# {}", "# x")
    for body in (lines(40, shape), lines(40, shape)[:-1]):
        path.write_bytes(head + body)
        assert small.agree(path, undirected=undirected, compact=undirected or "00 " in shape, format=format_of(head))


@pytest.mark.parametrize("odd", [b"1 2 -0\n", b"1 2 48999999999999999999\n", b"1 2 9007199254740993\n", b"1 2 1e999\n"])
@pytest.mark.parametrize("others", ["{} {} {}\n", "{} {} {}.5\n"])
def test_a_weight_that_depends_on_the_others(odd: bytes, others: str, small: Small, tmp_path: Path) -> None:
    path = tmp_path / "g"
    path.write_bytes(lines(20, others) + odd + lines(20, others))
    small.agree(path, format="el")


def format_of(head: bytes) -> str:
    return "mtx" if b"Matrix" in head else "gr" if b"p " in head else "el"


@pytest.mark.parametrize("name", ["el", "gr", "mtx"])
def test_a_damaged_text_is_read_or_refused_as_ever(name: str, small: Small, tmp_path: Path) -> None:
    rng = random.Random(name)
    path = tmp_path / "g"
    small._patch.setattr(text, "HEAD", 75 if name == "mtx" else 24)
    read = 0
    for _ in range(400):
        path.write_bytes(mutate(rng, rng.choice(SEEDS[name][1])))
        read += small.agree(path, format=name, undirected=rng.random() < 0.5)
    assert read > 10


METIS_LIKE = [b"0 1\n", b"5 3\n", b"300 2\n", b"7 7 7\n", b"# x\n3 3\n", b"2999 1\n", b"3000 2\n", b"5000 1\n"]


@pytest.mark.parametrize("first", METIS_LIKE)
def test_a_list_that_begins_like_metis_is_told_from_it(first: bytes, small: Small, tmp_path: Path) -> None:
    path = tmp_path / "g"
    small._patch.setattr(text, "HEAD", 4000)
    path.write_bytes(first + lines(2999, "{} {} {}\n" if first[-6:-5] == b"7" else "{} {}\n"))
    small.agree(path)
    assert small.in_parts == (first[:4] not in (b"2999", b"3000"))


def test_a_large_metis_file_is_no_list(small: Small, tmp_path: Path) -> None:
    path = tmp_path / "g"
    small._patch.setattr(text, "HEAD", 4000)
    rows = (b"%d %d\n" % ((k - 1) % 3000 + 1, (k + 1) % 3000 + 1) for k in range(3000))
    path.write_bytes(b"3000 3000\n" + b"".join(rows))
    assert not small.agree(path)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_compressed_text_is_read_in_parts(pack: Callable[[bytes], bytes], small: Small, tmp_path: Path) -> None:
    path = tmp_path / "g"
    data = pack(lines(90, "{} {}\n"))
    path.write_bytes(data)
    assert small.agree(path, format="el")
    for cut in (data[:-9], data[:-30] + b"abc" + data[-27:], data + b"x"):
        path.write_bytes(cut)
        small.agree(path, format="el")


def shorten(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:300])


def write_anew(path: Path) -> None:
    path.write_bytes(b"1 2\n" * 400)


@pytest.mark.parametrize("change", [shorten, write_anew])
def test_a_file_that_changes_while_it_is_read_is_read_anew(
    change: Callable[[Path], None], small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "g"
    path.write_bytes(lines(400, "{} {}\n"))
    pieces, done = Source.pieces, []

    def changing(self: Source, first: int) -> Any:
        for piece in pieces(self, first):
            if not done:
                done.append(change(path))
            yield piece

    monkeypatch.setattr(Source, "pieces", changing)
    found = small.read(path, 0, format="el")
    assert small.in_parts == 0
    assert found == small.read(path, 2**60, format="el")


def test_a_line_too_long_for_a_buffer_is_read(small: Small, tmp_path: Path) -> None:
    path = tmp_path / "g"
    path.write_bytes(lines(90, "{} {}\n") + b"1" + b" " * 100_000 + b"2\n" + lines(90, "{} {}\n"))
    assert not small.agree(path, format="el")
