"""A program's own names meet none of those that the frame of a stand-alone program has for itself."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from support.programs import EVERY, PLACE
from support.simt import side_by_side

from irgl import driver
from irgl.plan import Plan
from irgl.rt.compile.toolchain import include_dir
from irgl.source import IrglError
from irgl.standalone import several, standalone, standalone_of_several

IRGLC = [sys.executable, "-m", "irgl"]
CPU = ["g++", "-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Werror", f"-I{include_dir()}"]
CUDA = ["nvcc", "-std=c++17", "-arch=sm_90", "-fdevice-syntax-only", "-c", f"-I{include_dir()}"]
PROGRAM = """struct Pair {{ float cost; node to; }};
graph Graph {{ node Pair best; node int level = 0; edge int weight; node lock guard; }}
int sum = 0;
Kernel add(Graph g, int x) {{ ForAll (n In g.nodes) {{ n.level = x; sum += x; }} }}
Program every(Graph g, Graph other, node src = first{parameters}) {{
  int all_of_them = 0;
  {statements}
  Invoke add(g, all_of_them);
}}
"""
#: What the frame's locals were once called, or might be called again.
WORDS = ("sources", "stats", "fault", "params", "globals", "graphs", "m", "variants", "ran", "mesh", "mesh_file",
         "mesh_out", "argc", "argv", "c", "args", "properties_of_g", "file_g", "g_file", "level_of_g", "sum_result",
         "_m", "_args", "_g_file", "_stats_", "_level_of_0", "_sum_result", "irgl_host", "std")


def complaints(name: str, target: str, command: Sequence[str], folder: Path) -> list[str]:
    source = folder / f"{name}.{'cu' if target == 'cuda' else 'cpp'}"
    plan = Plan(target=target)
    source.write_text(standalone(driver.compile(PLACE / f"{name}.irgl", target=target, plan=plan), plan))
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False, cwd=folder)
    return [] if done.returncode == 0 else [f"{name}: {done.stderr[:1000]}"]


def test_every_program_stands_alone_on_the_cpu(tmp_path: Path) -> None:
    assert side_by_side([partial(complaints, name, "cpu", [*CPU, "-fsyntax-only"], tmp_path) for name in EVERY]) == []


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")
@pytest.mark.parametrize("names", [["bc", "dmr"], pytest.param(EVERY, marks=pytest.mark.matrix)], ids=["some", "every"])
def test_every_program_stands_alone_for_a_gpu(names: list[str], tmp_path: Path) -> None:
    assert side_by_side([partial(complaints, name, "cuda", CUDA, tmp_path) for name in names]) == []


def with_parameters(words: Sequence[str]) -> str:
    return PROGRAM.format(parameters="".join(f", int {w} = 1" for w in words),
                          statements=" ".join(f"all_of_them += {w};" for w in words))


def is_a_name(word: str, folder: Path) -> bool:
    (folder / "one.irgl").write_text(with_parameters([word]))
    try:
        driver.compile(folder / "one.irgl")
    except IrglError:
        return False
    return True


def words_of_the_frame(folder: Path) -> list[str]:
    """All words of a frame, strings and comments included, that a parameter may be called."""
    (folder / "none.irgl").write_text(with_parameters([]))
    ready = driver.ready(folder / "none.irgl")
    chosen = [("nodes > 5", Plan.parse("serial=16")), ("always", Plan.parse("serial=0"))]
    text = standalone(several(ready, chosen, "cpu"), chosen[0][1], ["one", "other"])
    frame = text[text.index("\nint main("):]
    words = dict.fromkeys([*re.findall(r"[A-Za-z_]\w*", frame), *WORDS])
    return [w for w in words if is_a_name(w, folder)]


def test_parameters_may_be_called_like_any_word_of_the_frame(tmp_path: Path) -> None:
    words = words_of_the_frame(tmp_path)
    assert set(words) >= {"_m", "_stats", "_sources", "_variants", "_level_of_0", "irgl_run_args", "fprintf", *WORDS}
    (tmp_path / "every.irgl").write_text(with_parameters(words))
    chosen = [("nodes > 5", Plan.parse("serial=16")), ("always", Plan.parse("serial=0"))]
    (tmp_path / "every.cpp").write_text(standalone_of_several(driver.ready(tmp_path / "every.irgl"), chosen, "cpu"))
    subprocess.run([*CPU, "every.cpp", "-o", "every"], cwd=tmp_path, check=True)
    subprocess.run([*IRGLC, "graph", "convert", "path:1,weights=int", "g.irglg"], cwd=tmp_path, check=True,
                   capture_output=True)
    done = subprocess.run(["./every", "g.irglg", "--other", "g.irglg", "--_m", "5"], cwd=tmp_path, capture_output=True,
                          text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, f"sum {len(words) + 4}"), done.stderr
