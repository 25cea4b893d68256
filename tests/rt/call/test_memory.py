"""A program that asks for more memory than there is ends with one message and exit code 2, from irglc and by itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

#: irglc with only so many MB more than it takes to begin with.
LIMITED = """import resource, sys
import irgl.cli.run, irgl.rt.call.reference, irgl.rt.graphs.load, scipy.sparse
from irgl.cli.main import exit_code
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + (int(sys.argv[1]) << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
sys.exit(exit_code(sys.argv[2:]))
"""
FRAME = """import "array.irgl";
import "append_only_list.irgl";
graph Graph {{ node int x = 0; {properties} }}
{kernels}
Program hungry(Graph g, node src = first, long doublings = 40) {{ {body} }}
"""
PROGRAMS = {
    "list": ("Kernel grow(Graph g) { ForAll (n In WL.items) { WL.push(n); WL.push(n); } }",
             "long k = 0; Iterate grow(g) Initial [src] { k++; if (k >= doublings) { break; } }"),
    "respawned": ("Kernel grow(Graph g, long top) { ForAll (n In WL.items) {"
                  " if ((n.x += 1).old < (int)((long)1 << top)) { Respawn n; Respawn n; } } }",
                  "Pipe Once Initial [src] { Invoke grow(g, min(doublings, 30)); }"),
    "buckets": ("Kernel grow(Graph g, long k) WL buckets<node> {"
                " ForAll (n In WL.items) { WL.push(n, k); WL.push(n, k); } }",
                "long k = 1; Iterate grow(g, k) Initial [src] { k++; if (k >= doublings) { break; } }"),
    "append": ("Kernel grow(Graph g, array<long> a, long n) { ForAll (i In range(n)) { a.append(i); } }",
               "array<long> a; Invoke grow(g, a, (long)1 << doublings);"),
    "resize": ("", "array<long> a; a.resize((long)1 << doublings);"),
    "host list": ("", "list<node> l; for (long i = 0; i < (long)1 << doublings; i++) { l.push(src); }"),
}
MESSAGE = "error: out of memory\n  hint: take a smaller graph, or a machine with more memory\n"


def written(folder: Path, kernels: str, body: str, properties: str = "") -> str:
    path = folder / "hungry.irgl"
    path.write_text(FRAME.format(kernels=kernels, body=body, properties=properties))
    return str(path)


def limited(megabytes: int, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", LIMITED, str(megabytes), *command], capture_output=True, text=True,
                          check=False, timeout=120)


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("kind", PROGRAMS)
def test_what_grows_beyond_memory_ends_the_run_with_one_message(kind: str, threads: str, tmp_path: Path) -> None:
    command = ["run", written(tmp_path, *PROGRAMS[kind]), "--graph", "path:3", "--threads", threads]
    assert limited(4000, *command, "--doublings", "4").returncode == 0
    done = limited(300, *command)
    assert (done.returncode, done.stderr) == (2, MESSAGE)


def test_properties_that_dont_fit_are_said(tmp_path: Path) -> None:
    path = written(tmp_path, "", "", " ".join(f"node long p{i} = 0;" for i in range(40)))
    limited(4000, "run", path, "--graph", "path:3")
    done = limited(100, "run", path, "--graph", "path:1000000")
    assert (done.returncode, done.stderr) == (2, "error: there is not enough memory for the program's properties\n")


@pytest.mark.parametrize("kind", ["list", "resize"])
def test_a_stand_alone_program_says_it_too(kind: str, tmp_path: Path) -> None:
    path = written(tmp_path, *PROGRAMS[kind])
    irglc = [sys.executable, "-m", "irgl"]
    cpp = str(tmp_path / "hungry.cpp")
    subprocess.run([*irglc, "compile", path, "-o", cpp], check=True, capture_output=True)
    flags = subprocess.run([*irglc, "compile", "--print-flags"], check=True, capture_output=True, text=True).stdout
    subprocess.run(["g++", *flags.split(), "-O0", cpp, "-o", str(tmp_path / "hungry")], check=True)
    subprocess.run([*irglc, "graph", "convert", "path:3", str(tmp_path / "g.irglg")], check=True, capture_output=True)
    done = subprocess.run(["bash", "-c", "ulimit -v 400000; exec ./hungry g.irglg --threads 2"], cwd=tmp_path,
                          capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "error: out of memory\n")
