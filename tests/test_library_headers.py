"""Library types whose C++ is not there, and whose C++ is among irgl's headers."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import irgl
from irgl.cli import exit_code
from irgl.rt import library_headers, toolchain

ROOT = Path(__file__).resolve().parent.parent
COUNTER = 'library Counter<T> "counter.hpp" {\n  appends void add(T item);\n  T most();\n  long size;\n}\n'
PROGRAM = """import "counter.irgl";
graph Graph { node int unused = 0; }
long seen = 0;
int top = 0;
Kernel go(Graph g, Counter<int> c) { ForAll (n In g.nodes) { c.add((int)n.id); } }
Program count(Graph g) {
  Counter<int> c;
  Invoke go(g, c);
  seen = c.size;
  top = c.most();
}
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("counter.irgl").write_text(COUNTER)
    Path("count.irgl").write_text(PROGRAM)


@pytest.mark.parametrize(("words", "header"), [
    (["run", "count.irgl", "--graph", "path:3"], "cpu_rt/counter.hpp"),
    (["run", "count.irgl", "--graph", "path:3", "--target", "simt"], "cuda_rt/counter.cuh"),
    (["compile", "count.irgl"], "cpu_rt/counter.hpp"),
    (["compile", "count.irgl", "--target", "cuda"], "cuda_rt/counter.cuh"),
    (["tune", "count.irgl", "--graph", "path:3", "--budget", "5s"], "cpu_rt/counter.hpp"),
], ids=lambda v: " ".join(v) if isinstance(v, list) else "")
def test_a_header_that_is_not_there_is_told_at_its_library(
        words: list[str], header: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(words) == 2
    assert f"counter.irgl:1:1: error: there is no {header}, which is to implement Counter\n" in capsys.readouterr().err
    assert {p.name for p in Path.cwd().iterdir()} == {"counter.irgl", "count.irgl"}


def test_the_header_that_the_language_page_shows_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "language.md").read_text()
    monkeypatch.setenv("IRGL_CACHE_DIR", str(Path.cwd() / "cache"))
    shutil.copytree(ROOT / "cpu_rt", "cpu_rt")
    Path("cpu_rt/counter.hpp").write_text(page.partition("```c++\n")[2].partition("```")[0])
    monkeypatch.setattr(toolchain, "headers", lambda: Path.cwd() / "cpu_rt")
    monkeypatch.setattr(library_headers, "headers", toolchain.headers)
    found = irgl.compile("count.irgl", target="cpu")([(0, 4), (4, 2), (2, 1), (3, 0)], threads=2)
    assert (found.seen, found.top) == (5, 4)
