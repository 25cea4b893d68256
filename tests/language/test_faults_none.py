"""What uses something of NONE ends the program at that use, at the same place on every target; what can't be NONE is
not looked at."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.verifying import arcs

from irgl.driver import compile
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.reference import run_reference
from irgl.rt.call.run import Options, run
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError

_HEAD = """import "append_only_list.irgl";
struct Way { int cost; node to; };
graph Graph {
  node int x = 0; node node up = NONE; node node up2; node edge via = NONE; node Way way; node lock guard;
}
int out = 0;
int value_of(Graph g, node p) { return p.x; }
node above(Graph g, node p) { return p.up; }
"""
#: Statements of an iteration over the nodes `n`, and the access in them that faults.
IN_A_KERNEL = {
    "property": ("out += n.up.x;", "n.up.x"),
    "property without a first value": ("out += n.up2.x;", "n.up2.x"),
    "property of a property": ("out += (int)n.up.up.id;", "n.up.up"),
    "racy store": ("racy n.up.x = 1;", "n.up.x"),
    "relaxed store": ("relaxed n.up.x = 1;", "n.up.x"),
    "update": ("n.up.x max= 3;", "n.up.x"),
    "update with a value": ("if ((n.up.x += 3).old > 0) { n.x += 1; }", "n.up.x"),
    "compare and swap": ("if (cas(n.up.x, 0, 1)) { n.x += 1; }", "n.up.x"),
    "relaxed load": ("int y = relaxed n.up.x; out += y;", "n.up.x"),
    "degree": ("out += (int)n.up.degree;", "n.up.degree"),
    "in-degree": ("out += (int)n.up.in_degree;", "n.up.in_degree"),
    "edges": ("ForAll (e In n.up.edges) { out += 1; }", "n.up.edges"),
    "edges in order": ("For (e In n.up.edges.skip(1)) { out += 1; }", "n.up.edges"),
    "edges that are wanted": ("ForAll (e In n.up.edges.when(n.x == 0)) { out += 1; }", "n.up.edges"),
    "in-edges": ("ForAll (e In n.up.in_edges) { out += 1; }", "n.up.in_edges"),
    "nth edge": ("out += (int)n.up.edges[0].id;", "n.up.edges"),
    "end of an edge": ("out += n.via.dst.x;", "n.via.dst"),
    "start of an edge": ("out += n.via.src.x;", "n.via.src"),
    "field": ("out += n.way.to.x;", "n.way.to.x"),
    "field of a variable": ("Way w; out += w.to.x;", "w.to.x"),
    "variable": ("node k; out += k.x;", "k.x"),
    "variable after a loop": ("node k = n; while (k != NONE) { k = k.up; } out += k.x;", "k.x"),
    "variable after a loop that is left": ("node k = n; while (true) { k = n.up; break; } out += k.x;", "k.x"),
    "variable in the other branch": ("node k = n.up; if (k != NONE) { out += 1; } else { out += k.x; }", "k.x"),
    "variable set in a loop": ("node k = n; for (int i = 0; i < 2; i++) { out += k.x; k = k.up; }", "k.x"),
    "variable that one test leaves open": ("node k = n.up; if (k != NONE || n.x == 0) { out += k.x; }", "k.x"),
    "variable set behind its test": ("node k = n; if (k != NONE) { k = n.up; out += k.x; }", "k.x"),
    "conditional": ("out += (n.x == 0 ? n.up : n).x;", "(n.x == 0 ? n.up : n).x"),
    "parameter": ("out += value_of(g, n.up);", "p.x"),
    "what a helper returns": ("out += above(g, n).x;", "above(g, n).x"),
    "element": ("out += l[0].x;", "l[0].x"),
    "minimum": ("out += min(n, n.up).x;", "min(n, n.up).x"),
    "push into a set": ("s.push(n.up);", "s.push(n.up)"),
    "push into a bitmap": ("b.push(n.up);", "b.push(n.up)"),
    "push into a bytemap": ("m.push(n.up);", "m.push(n.up)"),
    "question to a set": ("if (s.contains(n.up)) { out += 1; }", "s.contains(n.up)"),
    "question to a bitmap": ("if (b.contains(n.up)) { out += 1; }", "b.contains(n.up)"),
    "push into a scratch set": ("scratch<node> k; k.push(n.up);", "k.push(n.up)"),
    "question to a scratch set": ("scratch<node> k; if (k.contains(n.up)) { out += 1; }", "k.contains(n.up)"),
    "lock": ("Atomic (n.up.guard) { out += 1; }", "n.up.guard"),
    "several locks": ("Exclusive (g, [n, n.up]) { out += 1; }", "Exclusive (g, [n, n.up])"),
    "loop that never finds its end": ("node k = n; while (k.x == 0) { k = k.up; }", "k.x"),
    "endless helper": ("node k = n; while (k != g.node(2)) { k = above(g, k); }", "p.up"),
}
ON_THE_HOST = {
    "loaded property": ("out = g.node(0).up.x;", "g.node(0).up.x"),
    "stored property": ("g.node(0).up.x = 1;", "g.node(0).up.x"),
    "degree on the host": ("out = (int)g.node(0).up.degree;", "g.node(0).up.degree"),
    "item of a list": ("For (v In nowhere.items) { out += v.x; }", "v.x"),
    "push into a set on the host": ("s.push(g.node(0).up);", "s.push(g.node(0).up)"),
    "update of a set": ("s.update(nowhere);", "s.update(nowhere)"),
    "update of a bitmap": ("b.update(nowhere);", "b.update(nowhere)"),
    "items of an Iterate": ("Invoke degrees(g, nowhere);", "i.edges"),
    "first item of a set": ("Iterate settle(g) Initial [g.node(0).up] { }", "Iterate settle(g) Initial [g.node(0).up]"),
    "first items of a set": ("Iterate settle(g) Initial (nowhere.items) { }",
                             "Iterate settle(g) Initial (nowhere.items)"),
}
NAMES = [*IN_A_KERNEL, *ON_THE_HOST]


def _text() -> str:
    lists = "AppendOnlyList<node> l, set<node> s, bitmap<node> b, bytemap<node> m"
    kernels = [f"Kernel k{i}(Graph g, {lists}) {{\n  ForAll (n In g.nodes) {{\n    {statement}\n  }}\n}}"
               for i, (statement, _) in enumerate(IN_A_KERNEL.values())]
    kernels.append("Kernel degrees(Graph g, list<node> now) {\n  ForAll (i In now.items) {\n"
                   "    ForAll (e In i.edges) { out += 1; }\n  }\n}")
    kernels.append("Kernel settle(Graph g) WL set<node> {\n  ForAll (i In WL.items) { out += 1; }\n}")
    chosen = [f"  if (which == {i}) {{ Invoke k{i}(g, l, s, b, m); }}" for i in range(len(IN_A_KERNEL))]
    chosen += [f"  if (which == {i}) {{\n    {statement}\n  }}"
               for i, (statement, _) in enumerate(ON_THE_HOST.values(), len(IN_A_KERNEL))]
    return "\n".join([_HEAD, *kernels, "Program p(transpose Graph g, int which) {",
                      "  AppendOnlyList<node> l; set<node> s; bitmap<node> b; bytemap<node> m; list<node> nowhere;",
                      "  l.append(NONE);\n  nowhere.push(NONE);", *chosen, "}", ""])


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Manifest, str]]:
    """One program for all: each run takes one of the uses."""
    path = tmp_path_factory.mktemp("none") / "wrong.irgl"
    path.write_text(_text())
    yield open_program(path), str(path)


def _told(manifest: Manifest, graph: Graph, which: int) -> tuple[list[str], list[str]]:
    """The lines of the error on the CPU target, and of the interpreter's."""
    graphs = {"g": graph}
    values = bind(manifest, graphs, {"which": str(which)})
    with pytest.raises(IrglError) as compiled:
        run(manifest, graphs, values, Plan(), Options(threads=2))
    with pytest.raises(IrglError) as interpreted:
        run_reference(manifest, graphs, values, Options())
    return str(compiled.value).splitlines(), str(interpreted.value).splitlines()


def _place(name: str) -> tuple[int, int, str]:
    """The line, the column and the text of the use that faults."""
    statement, expression = (IN_A_KERNEL | ON_THE_HOST)[name]
    within = statement if expression in statement else expression
    number, line = next((n, text) for n, text in enumerate(_text().splitlines(), 1) if within in text)
    return number, line.index(within) + within.index(expression) + 1, expression


@pytest.mark.parametrize("name", NAMES)
def test_use_of_none_ends_the_program(name: str, program: tuple[Manifest, str]) -> None:
    manifest, path = program
    compiled, interpreted = _told(manifest, arcs(3, [(0, 1), (1, 2)]), NAMES.index(name))
    line, column, expression = _place(name)
    assert compiled == [f"{path}:{line}:{column}: error: access through NONE or outside of its bounds",
                        f"    {_text().splitlines()[line - 1]}", f"    {' ' * (column - 1)}{'^' * len(expression)}",
                        "  hint: compare with NONE, or test the index, first"]
    assert interpreted[0].split(" error: ")[0] == compiled[0].split(" error: ")[0]
    assert interpreted[1:3] == compiled[1:3]


def test_use_of_none_in_a_graph_without_nodes_ends_the_program(program: tuple[Manifest, str]) -> None:
    compiled, interpreted = _told(program[0], arcs(0, []), NAMES.index("items of an Iterate"))
    line, column, _ = _place("items of an Iterate")
    assert compiled[0].startswith(f"{program[1]}:{line}:{column}: error: access through NONE")
    assert interpreted[1:3] == compiled[1:3]


def test_uses_of_none_end_the_program_in_the_emulator(tmp_path: Path) -> None:
    plan = Plan.parse("np=wp+fg cc=block", "simt")
    path = tmp_path / "wrong.irgl"
    # The Program can't run over the items of a device's list.
    path.write_text(_text().replace(ON_THE_HOST["item of a list"][0], ""))
    manifest = open_program(path, plan)
    executable = device.build(manifest, (32, 32), True)
    inputs = {"g": prepare(arcs(3, [(0, 1), (1, 2)]), requirements(manifest.graphs[0]))}

    def found(name: str) -> tuple[str, str]:
        values = bind(manifest, inputs, {"which": str(NAMES.index(name))})
        try:
            device.run_built(executable, 0.0, manifest, inputs, values, plan, Options())
        except IrglError as e:
            return name, str(e).split(" through ")[0]
        return name, "no fault"

    names = [name for name in NAMES if name != "item of a list"]
    with ThreadPoolExecutor() as pool:
        told = dict(pool.map(found, names))
    assert told == {name: f"{path}:{_place(name)[0]}:{_place(name)[1]}: error: access" for name in names}


_PROVED = """import "append_only_list.irgl";
struct Way {{ int cost; node to; }};
graph Graph {{ node int x = 0; node node up = NONE; node node root; node Way way; node lock guard; }}
int out = 0;
int value_of(Graph g, node p) {{ return p.x; }}
Kernel own(Graph g) {{ ForAll (n In g.nodes) {{ {store} }} }}
Kernel use(Graph g, node a, list<node> l, set<node> s) {{
  ForAll (n In g.nodes) {{
    {statement}
  }}
}}
Program p(transpose Graph g, node src = first) {{
  list<node> l; set<node> s;
  l.push(src);
  {before}
  Invoke own(g);
  Invoke use(g, src, l, s);
}}
"""
#: Statements that never meet NONE.
PROVED = {
    "item of a loop": "out += n.x + (int)n.degree;",
    "end of an edge": "ForAll (e In n.edges) { out += e.dst.x; }",
    "source of an edge": "ForAll (e In n.in_edges) { out += e.src.x; }",
    "node by number": "out += g.node(0).x;",
    "parameter": "out += value_of(g, n) + a.x;",
    "push of an item": "s.push(n);",
    "property that is stored first": "out += n.root.root.x;",
    "higher of two": "out += max(n, n.up).x;",
    "tested variable": "node k = n.up; if (k != NONE) { out += k.x; }",
    "variable tested for the opposite": "node k = n.up; if (k == NONE) { continue; } out += k.x;",
    "variable tested in a loop": "node k = n; while (k != NONE) { out += k.x; k = k.up; }",
    "variable tested before a conjunction's end": "node k = n.up; if (k != NONE && k.x == 0) { out += 1; }",
    "variable tested before a disjunction's end": "node k = n.up; if (k == NONE || k.x == 0) { out += 1; }",
    "variable tested by a conditional": "node k = n.up; out += k != NONE ? k.x : 0;",
    "variable tested by a kept condition": "node k = n.up; bool is = k != NONE; if (is) { out += k.x; }",
    "variable equal to an item": "node k = n.up; if (k == n) { out += k.x; }",
    "variable behind an item": "node k = n.up; if (n < k) { out += k.x; }",
    "edges that a test wants": "node k = n.up; ForAll (e In k.edges.when(k != NONE)) { out += 1; }",
    "field that holds items": "Way w = (Way){1, n}; n.x = (int)w.to.id;",
}


def _checks(statement: str, store: str = "n.root = n;", before: str = "") -> bool:
    text = _PROVED.format(statement=statement, store=store, before=before)
    return "irgl::some(" in compile("proved.irgl", text=text).text


@pytest.mark.parametrize("name", PROVED)
def test_what_is_never_none_is_not_looked_at(name: str) -> None:
    assert not _checks(PROVED[name])


KEPT = {
    "stored NONE": ("n.root = n.up;", ""),
    "not stored under a condition": ("if (n.x == 0) { n.root = n; }", ""),
    "not stored behind a continue": ("if (n.x == 0) { continue; } n.root = n;", ""),
    "used before by a kernel": ("n.root = n;", "Invoke use(g, src, l, s);"),
    "used before by the Program": ("n.root = n;", "src.root = src;"),
    "of another graph": ("n.root = n;", "Graph h = oriented(g);"),
}


@pytest.mark.parametrize("name", KEPT)
def test_property_that_may_keep_its_first_value_is_looked_at(name: str) -> None:
    assert _checks("out += n.root.x;", *KEPT[name])


def test_list_that_may_hold_none_is_looked_at() -> None:
    assert not _checks("ForAll (e In n.edges) { l.push(e.dst); }", before="For (v In l.items) { out += v.x; }")
    assert _checks("l.push(n.up);", before="For (v In l.items) { out += v.x; }")
