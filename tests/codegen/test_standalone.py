"""A program that irglc compiled into a main of its own says what irglc run says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.places import PROGRAMS

IRGLC = [sys.executable, "-m", "irgl"]
TYPES = ("bool", "char", "short", "int", "long", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "float", "double")
EVERY_TYPE = """struct Pair {{ float cost; node to; }};
struct Mixed {{ bool yes; int8_t small; uint64_t big; }};
graph Graph {{
  node node up = NONE; node edge via = NONE; node int hops = INF; node int most = 0; node double far = INF;
  node Pair best = (Pair){{INF, NONE}}; node Mixed mixed; edge long twice = 0; edge int weight; node lock guard;
  {properties}
}}
{scalars}
Kernel work(Graph g{params}) {{
  ForAll (n In g.nodes) {{
    if (n.id > 0) {{ n.up = g.node(n.id - 1); n.hops = (int)n.id; n.far = (double)n.id / 3.0; }}
    n.most = n.id == 1 ? (int)INF : 7;
    n.mixed = (Mixed){{n.id == 1, (int8_t)(0 - n.id), (uint64_t)0 - (uint64_t)n.id}};
    if (n.id > 0) {{ n.best = (Pair){{(float)0.1, n}}; }}
    ForAll (e In n.edges) {{ e.twice = (long)e.weight * 2; }} n.via = g.edge(0);
    {stores}
  }}
}}
Program every(Graph g, node src = first{defaults}) {{
  {results}
  Invoke work(g{arguments});
}}
""".format(
    properties=" ".join(f"node {t} p_{t};" for t in TYPES),
    scalars="\n".join(f"{t} s_{t};" for t in TYPES),
    params="".join(f", {t} a_{t}" for t in TYPES),
    stores=" ".join(f"n.p_{t} = a_{t};" for t in TYPES),
    defaults="".join(f", {t} a_{t} = {'true' if t == 'bool' else 5}" for t in TYPES),
    results=" ".join(f"s_{t} = a_{t};" for t in TYPES),
    arguments="".join(f", a_{t}" for t in TYPES),
)
SOME = ["--a_bool", "false", "--a_uint64_t", "18446744073709551615", "--a_char", "-128", "--a_double", "0.1",
        "--a_float", "INF", "--a_int", "INF", "--src", "20"]
GRAPH = "20 30 5\n30 40 7\n20 40 9\n"


def built(folder: Path, program: str | Path) -> None:
    subprocess.run([*IRGLC, "compile", str(program), "-o", "own.cpp"], cwd=folder, check=True, capture_output=True)
    flags = subprocess.run([*IRGLC, "compile", "--print-flags"], check=True, capture_output=True, text=True).stdout
    subprocess.run(["g++", *flags.split(), "-O1", "-Wall", "-Wextra", "-Werror", "own.cpp", "-o", "own"], cwd=folder,
                   check=True)


def own(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["./own", "g.irglg", *options], cwd=folder, capture_output=True, text=True, check=False,
                          timeout=60)


def told(stdout: str) -> dict[str, Any]:
    """Scalars as text, properties as (min, max, sum, count)."""
    found: dict[str, Any] = {}
    for line in stdout.splitlines()[:-2]:
        statistics = re.fullmatch(r"(\S+): min (\S+) max (\S+) sum (\S+) count (\d+)", line)
        name, _, value = line.partition(" ")
        found[statistics[1] if statistics else name] = statistics.groups()[1:] if statistics else value
    return found


def shown(value: Any) -> str:
    return "-" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def compare(folder: Path, program: str | Path, *options: str) -> None:
    command = [*IRGLC, "run", str(program), "--graph", "g.irglg", "--json", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    expected: dict[str, Any] = {}
    for name, value in json.loads(done.stdout)["result"].items():
        fields = value.get("fields") if isinstance(value, dict) else None
        expected |= {name: value} if fields is None else {f"{name}.{f}": fields[f] for f in fields}
    found = told(own(folder, *options).stdout)
    assert list(found) == list(expected)
    for name, value in expected.items():
        if not isinstance(value, dict):
            assert same(found[name], shown(value)), name
            continue
        for text, right in zip(found[name], (value[k] for k in ("min", "max", "sum", "count")), strict=True):
            assert same(text, shown(right)), name


def same(text: str, right: str) -> bool:
    if text == right:
        return True
    exact = re.compile(r"-?\d+")
    if exact.fullmatch(text) and exact.fullmatch(right):
        return False
    return float(text) == pytest.approx(float(right), rel=1e-8)


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("every")
    (folder / "every.irgl").write_text(EVERY_TYPE)
    (folder / "g.el").write_text(GRAPH)
    subprocess.run([*IRGLC, "graph", "convert", "g.el", "g.irglg"], cwd=folder, check=True, capture_output=True)
    built(folder, "every.irgl")
    return folder


@pytest.mark.parametrize("options", [[], SOME], ids=["defaults", "given"])
def test_every_type_is_told_as_irglc_run_tells_it(every: Path, options: list[str]) -> None:
    compare(every, "every.irgl", *options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--a_bool", "maybe"], "error: neither true nor false: --a_bool\n"),
        (["--a_char", "128"], "error: out of the range of its type: --a_char\n"),
        (["--a_uint32_t", "-1"], "error: out of the range of its type: --a_uint32_t\n"),
        (["--a_long", "9223372036854775808"], "error: out of the range of its type: --a_long\n"),
        (["--src", "21"], "error: no such node: --src\n"),
    ],
)
def test_a_value_that_is_none_of_its_type_is_one_line(every: Path, options: list[str], message: str) -> None:
    done = own(every, *options)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


@pytest.mark.parametrize(("program", "options"), [("bfs", ["--src", "3"]), ("mst", []), ("cc", [])])
def test_programs_say_the_same(program: str, options: list[str], tmp_path: Path) -> None:
    convert = [*IRGLC, "graph", "convert", "rmat:8,weights=int", "g.irglg", "--undirected", "--simple"]
    subprocess.run(convert, cwd=tmp_path, check=True, capture_output=True)
    built(tmp_path, PROGRAMS / f"{program}.irgl")
    compare(tmp_path, PROGRAMS / f"{program}.irgl", *options)


def test_a_fault_is_told_with_its_place_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "wrong.irgl").write_text("graph Graph { node int x = 0; }\nint out = 0;\n"
                                         "Program wrong(Graph g, int by) {\n  out = 1 + 7 / by;\n}\n")
    subprocess.run([*IRGLC, "graph", "convert", "path:3", "g.irglg"], cwd=tmp_path, check=True, capture_output=True)
    built(tmp_path, "wrong.irgl")
    done = own(tmp_path, "--by", "0")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "wrong.irgl:4:13: error: division by zero\n")
    assert own(tmp_path).stderr == "error: the program needs a value: --by\n"


IN_EDGES = """
graph Graph { edge int t = 0; edge int w; }
long s = 0;
Kernel gather(Graph g) {
  ForAll (n In g.nodes) {
    ForAll (e In n.in_edges) { e.t += (int) e.src.id + 1; s += e.id * (n.id + 1) + e.w * n.id; }
  }
}
Kernel tell(Graph g) { ForAll (n In g.nodes) { ForAll (e In n.edges) { s += e.t * (e.dst.id + 3); } } }
Program x(undirected Graph g) { Invoke gather(g); Invoke tell(g); }
"""


def test_in_edges_of_an_undirected_graph_are_its_edges_turned_round(tmp_path: Path) -> None:
    (tmp_path / "g.el").write_text("".join(f"{u} {u * k % 9} {u * 7 % 5}\n" for u in range(9) for k in range(1, 5)))
    (tmp_path / "x.irgl").write_text(IN_EDGES)
    built(tmp_path, "x.irgl")
    subprocess.run([*IRGLC, "graph", "convert", "--undirected", "g.el", "g.irglg"], cwd=tmp_path, check=True)
    compare(tmp_path, "x.irgl")


WEIGHTS = """
graph Graph { edge TYPE w; }
double most = 0.0;
Kernel tell(Graph g) { ForAll (n In g.nodes) { ForAll (e In n.edges) { most max= (double) e.w; } } }
Program x(Graph g) { Invoke tell(g); }
"""
GIVEN = ["5", "2.5", "2147483647", "2147483648", "9223372036854775807", "1e300"]


@pytest.mark.parametrize("wanted", ["int", "float"])
def test_weights_that_the_programs_type_cannot_hold_are_refused_as_irglc_run_does(wanted: str, tmp_path: Path) -> None:
    (tmp_path / "x.irgl").write_text(WEIGHTS.replace("TYPE", wanted))
    built(tmp_path, "x.irgl")
    for weight in GIVEN:
        (tmp_path / "g.el").write_text(f"0 1 {weight}\n")
        subprocess.run([*IRGLC, "graph", "convert", "g.el", "g.irglg"], cwd=tmp_path, check=True, capture_output=True)
        command = [*IRGLC, "run", "x.irgl", "--graph", "g.irglg"]
        right = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True)
        done = own(tmp_path)
        assert done.returncode == right.returncode, weight
        assert (" weight " in done.stderr) == (right.returncode == 2), weight
