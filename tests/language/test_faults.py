"""What a running program does wrong ends it with one message at the expression, at the same place on every target."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.verifying import arcs

from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.reference import run_reference
from irgl.rt.call.run import Options, run
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError

_PROGRAM = """import "array.irgl"; import "append_only_list.irgl"; import "mesh.irgl";
struct Way {{ int cost; node to; }};
graph Graph {{ node int x = 0; node int three[3]; node node up = NONE; node edge via = NONE; node Way way; }}
int out = 0;
int quotient(int a, int b) {{ return a / b; }}
int value_of(Graph g, node n) {{ return n.x; }}
node above(Graph g, node n) {{ return n.up; }}
Kernel work(Graph g, array<int> a, AppendOnlyList<node> l, Mesh m, int zero) {{
  ForAll (n In g.nodes) {{
    {kernel}
  }}
}}
Program p(Graph g, int zero = 0) {{
  array<int> a;
  AppendOnlyList<node> l;
  Mesh m;
  a.resize(3);
  l.append(NONE);
  {host}
  while (true) {{ Invoke work(g, a, l, m, zero); }}
}}
"""
DIVISION = "division by zero", "test the divisor first"
ACCESS = "access through NONE or outside of its bounds", "compare with NONE, or test the index, first"
IN_A_KERNEL = {
    "quotient": ("out += 1 + 1 / zero;", "1 / zero", DIVISION),
    "remainder": ("out += 2 * (1 % zero);", "(1 % zero)", DIVISION),
    "division in place": ("int y = 1; y /= zero;", "y /= zero", DIVISION),
    "node": ("out += g.node(n.id + 1).x;", "g.node(n.id + 1)", ACCESS),
    "edge": ("out += g.edge(zero - 1).dst.x;", "g.edge(zero - 1)", ACCESS),
    "node by an id": ("out += g.node(g.node(0).up.id).x;", "g.node(g.node(0).up.id)", ACCESS),
    "nth edge": ("out += n.edges[1].dst.x;", "n.edges[1]", ACCESS),
    "element": ("out += 1 + a[n.id + 3] * 2;", "a[n.id + 3]", ACCESS),
    "element before the first": ("out += a[zero - 1];", "a[zero - 1]", ACCESS),
    "updated element": ("a[n.id + 3] += 1;", "a[n.id + 3]", ACCESS),
    "one of several values": ("out += 1 + n.three[n.id + 3];", "n.three[n.id + 3]", ACCESS),
    "updated one of several values": ("n.three[zero - 1] += 1;", "n.three[zero - 1]", ACCESS),
    "element of a list": ("out += (int)l[7].id;", "l[7]", ACCESS),
    "point": ("out += (int)m.x(n.id);", "m.x(n.id)", ACCESS),
    "triangle": ("out += (int)(m.point(0, 2) + 1);", "m.point(0, 2)", ACCESS),
}
ON_THE_HOST = {
    "quotient": ("out = 3 / zero;", "3 / zero", DIVISION),
    "element": ("out = a[3];", "a[3]", ACCESS),
    "one of several values": ("out = g.node(0).three[3 + zero];", "g.node(0).three[3 + zero]", ACCESS),
    "stored element": ("a[3] = 1;", "a[3]", ACCESS),
    "size": ("a.resize(zero - 1);", "a.resize(zero - 1)", ACCESS),
    "node": ("out = g.node(3).x;", "g.node(3)", ACCESS),
}


def _messages(path: Path, text: str) -> tuple[list[str], list[str]]:
    """The lines of the error on the CPU target, and of the interpreter's."""
    path.write_text(text)
    manifest = open_program(path)
    graphs = {"g": arcs(3, [(0, 1), (1, 2)])}
    values = bind(manifest, graphs, {})
    with pytest.raises(IrglError) as compiled:
        run(manifest, graphs, values, Plan(), Options(threads=2))
    with pytest.raises(IrglError) as interpreted:
        run_reference(manifest, graphs, values, Options())
    return str(compiled.value).splitlines(), str(interpreted.value).splitlines()


def _expected(path: Path, text: str, expression: str, told: tuple[str, str]) -> list[str]:
    line = next(n for n, line in enumerate(text.splitlines(), 1) if expression in line)
    shown = text.splitlines()[line - 1]
    at = shown.index(expression)
    return [f"{path}:{line}:{at + 1}: error: {told[0]}", f"    {shown}", f"    {' ' * at}{'^' * len(expression)}",
            f"  hint: {told[1]}"]


@pytest.mark.parametrize("name", IN_A_KERNEL)
def test_a_fault_in_a_kernel_ends_even_an_endless_program(name: str, tmp_path: Path) -> None:
    statement, expression, told = IN_A_KERNEL[name]
    text = _PROGRAM.format(kernel=statement, host="")
    compiled, interpreted = _messages(tmp_path / "wrong.irgl", text)
    assert compiled == _expected(tmp_path / "wrong.irgl", text, expression, told)
    assert interpreted[0].split(" error: ")[0] == compiled[0].split(" error: ")[0]
    assert interpreted[1:3] == compiled[1:3]


@pytest.mark.parametrize("name", ON_THE_HOST)
def test_a_fault_of_the_host_ends_the_program(name: str, tmp_path: Path) -> None:
    statement, expression, told = ON_THE_HOST[name]
    text = _PROGRAM.format(kernel="", host=statement)
    compiled, interpreted = _messages(tmp_path / "wrong.irgl", text)
    assert compiled == _expected(tmp_path / "wrong.irgl", text, expression, told)
    assert interpreted[1:3] == compiled[1:3]


def test_a_fault_in_an_imported_file_names_that_file(tmp_path: Path) -> None:
    (tmp_path / "part.irgl").write_text("int half(int a, int b) {\n  return 1 + a / b;\n}\n")
    text = 'import "part.irgl";\n' + _PROGRAM.format(kernel="out += half(1, zero);", host="")
    compiled, interpreted = _messages(tmp_path / "wrong.irgl", text)
    assert compiled[0] == f"{tmp_path}/part.irgl:2:14: error: division by zero"
    assert compiled[:3] == interpreted[:3]


def test_a_fault_beyond_what_a_place_can_hold_shows_the_line(tmp_path: Path) -> None:
    text = _PROGRAM.format(kernel=" " * 20000 + "out += 1 / zero;", host="")
    compiled, _ = _messages(tmp_path / "wrong.irgl", text)
    assert compiled[0] == f"{tmp_path}/wrong.irgl:10:20005: error: division by zero"
