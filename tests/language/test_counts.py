"""`Counts` and `sort()` of arrays: what Python's Counter and NumPy find, in iterations and in the Program."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.awkward_graphs import directed
from support.places import ROOT
from support.running import outcome

from irgl.analysis.check import check
from irgl.ast.dump_python import dump_python
from irgl.ast.visit import difference
from irgl.driver import compile, ready
from irgl.frontends.load import load, source_of
from irgl.frontends.text.load import load_text
from irgl.interpret import run
from irgl.rt.graphs.graph import Graph
from irgl.source import IrglError

PLANS = {"cpu": "none", "simt": "np=wp+fg block=64"}
TARGETS = ["ref", *PLANS]


def found(text: str, target: str, graph: Graph) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """The scalars and the properties that a program leaves."""
    if target == "ref":
        done = run(check(load_text(text)), {"g": graph})
        return done.scalars, {name: values.tolist() for name, values in done.properties.items()}
    result = outcome(text, PLANS[target], target, graph).result
    return result.scalars, {name: p.array.tolist() for name, p in result.properties.items()}


# One node of 1500 edges, others of 17, 16, 1 and 0: more keys than lie on a thread's stack, and as many, and none.
ENDS = [(n, v) for n, count in enumerate((1500, 700, 17, 16, 1)) for v in range(count)]
GRAPH = directed(1500, ENDS)
TEXT = """
import "counts.irgl";
graph Graph {
  node long sum = 0; node long kinds = 0; node long top = 0; node long asked = 0; node bool ascending = true;
  node node to = NONE; node bool most = false; node uint64 last = 0; node long cleared = 0; node long rest = 0;
}
long all = 0; long most_in_all = 0; long read = 0; bool none = false; long size = 0;
Kernel vote(Graph g) {
  ForAll (n In g.nodes) {
    Counts<int> votes;
    Counts<node> ends;
    Counts<bool> odd;
    Counts<uint64> wide;
    For (e In n.edges) {
      votes.add((int)(hash(e.id) % 1024) - 512, e.dst.id % 7 - 2);
      ends.add(e.dst, e.dst.id % 16);
      odd.add(e.dst.id % 3 == 1, 1);
      wide.add((uint64)0 - (uint64)e.dst.id, 9223372036854775807);
      wide.add((uint64)0 - (uint64)e.dst.id, 2);
    }
    n.kinds = votes.size;
    n.top = votes.most_frequent();
    n.to = ends.most_frequent();
    n.most = odd.most_frequent();
    long place = 1;
    int before = -600;
    For (k In votes.keys) {
      n.ascending &= before < k;
      before = k;
      n.sum += k * place + votes.get(k) * 3;
      place += 1;
      if (place > 400) { break; }
    }
    For (k In wide.keys) { n.last = k; n.rest += wide.get(k); }
    ForAll (e In n.edges) { n.asked += votes.get((int)e.dst.id); }
    votes.clear();
    n.cleared = votes.size + votes.get(0);
    votes.add(7, 1);
    n.cleared += 10 * votes.size + votes.most_frequent();
  }
}
Kernel look(Graph g, Counts<long> c) {
  ForAll (n In g.nodes) { read += c.get(n.id % 100) + c.size + c.most_frequent(); }
  SyncRunningThreads;
  ForAll (k In c.keys) { read += k * 1000; }
}
Program main(Graph g) {
  Invoke vote(g);
  Counts<long> c;
  For (n In g.nodes) { c.add(n.id * n.id % 83 * 2, 3 - n.id % 5); }
  long place = 1;
  For (k In c.keys) { all += k * place * c.get(k); place += 1; }
  most_in_all = c.most_frequent();
  Invoke look(g, c);
  c.clear();
  size = c.size;
  Counts<node> of_nodes;
  none = of_nodes.most_frequent() == NONE && of_nodes.get(g.node(2)) == 0;
}
"""


def hash32(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) % 2**64
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB % 2**64
    return (x ^ (x >> 31)) % 2**32


def best(counted: Counter[Any], empty: Any) -> Any:
    return min(counted, key=lambda k: (-counted[k], k), default=empty)


def wanted() -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """The same by collections.Counter."""
    rows = [range(int(GRAPH.row[n]), int(GRAPH.row[n + 1])) for n in range(GRAPH.num_nodes)]
    p: dict[str, list[Any]] = {name: [] for name in ("sum", "kinds", "top", "asked", "to", "most", "last", "rest")}
    for row in rows:
        votes: Counter[int] = Counter()
        ends: Counter[int] = Counter()
        odd: Counter[bool] = Counter()
        for e in row:
            v = int(GRAPH.dst[e])
            votes[hash32(e) % 1024 - 512] += v % 7 - 2
            ends[v] += v % 16
            odd[v % 3 == 1] += 1
        p["kinds"].append(len(votes))
        p["top"].append(best(votes, 0))
        p["to"].append(best(ends, -1))
        p["most"].append(best(odd, False))
        p["sum"].append(sum(k * (i + 1) + 3 * votes[k] for i, k in enumerate(sorted(votes)[:400])))
        p["last"].append(max(((-int(GRAPH.dst[e])) % 2**64 for e in row), default=0))
        p["rest"].append(((2**63 + 1) * len(row) + 2**63) % 2**64 - 2**63)
        p["asked"].append(sum(votes[int(GRAPH.dst[e])] for e in row))
    p["ascending"], p["cleared"] = [True] * len(rows), [17] * len(rows)
    c: Counter[int] = Counter()
    for n in range(len(rows)):
        c[n * n % 83 * 2] += 3 - n % 5
    read = sum(c[n % 100] + len(c) + best(c, 0) for n in range(len(rows))) + 1000 * sum(c)
    every = sum(k * (i + 1) * c[k] for i, k in enumerate(sorted(c)))
    return {"all": every, "most_in_all": best(c, 0), "read": read, "none": True, "size": 0}, p


@pytest.mark.parametrize("target", TARGETS)
def test_it_counts_as_pythons_counter_does(target: str) -> None:
    scalars, properties = found(TEXT, target, GRAPH)
    expected, per_node = wanted()
    assert {name: int(v) for name, v in scalars.items()} == expected
    for name, values in per_node.items():
        assert properties[name] == values, name


SORTED = """
import "array.irgl";
graph Graph { node long odd = 0; node double far = 0; node long places = 0; node bool flags = true; edge double x = 0; }
long lowest = 0; long last = 0; long mixed = 0; double least = 0;
Kernel fill(Graph g) {
  ForAll (e In g.edges) {
    e.x = e.id % 11 == 3 ? sqrt(-1.0) : e.id % 11 == 4 ? -0.0 : e.id % 11 == 5 ? 0.0 : e.id % 11 == 6 ? -INF
      : (double)(hash(e.id) % 64) - 30.5;
  }
}
Kernel arrange(Graph g) {
  ForAll (n In g.nodes) {
    array<int> a;
    array<double> b;
    array<node> c;
    array<bool> d;
    c.resize(2);
    For (e In n.edges) {
      a.append((int)(hash(e.id) % 97) - 40); b.append(e.x); c.append(e.dst); d.append(e.id % 2 == 0);
    }
    a.sort(); b.sort(); c.sort(); d.sort();
    for (long i = 0; i < n.degree; i++) {
      n.odd += a[i] * (i + 1);
      double zero = 1 / b[i] < 0 ? 0.25 * i : 0.5 * i;
      n.far += isnan(b[i]) ? 1000.0 * i : b[i] == 0 ? zero : isinf(b[i]) ? 3.0 : b[i] * i;
      n.places += c[i + 2].id * i;
      if (i > 0) { n.flags &= d[i - 1] <= d[i]; }
    }
    n.flags &= c[0] == NONE && c[1] == NONE;
  }
}
Program main(Graph g) {
  Invoke fill(g);
  Invoke arrange(g);
  array<long> a;
  a.sort();
  a.resize(4);
  For (n In g.nodes) { a.append(n.id * 7919 % 1009 - 5); }
  a.sort();
  for (long i = 0; i < a.size; i++) { mixed += i * a[i]; }
  lowest = a[0]; last = a[a.size - 1];
  array<float> b;
  b.append((float)2.5); b.append((float)-1.5);
  b.sort();
  least = b[0];
}
"""


@pytest.mark.parametrize("target", TARGETS)
def test_arrays_are_sorted_as_numpy_does(target: str) -> None:
    graph = directed(300, [(n, (n * 5 + k) % 300) for n, count in enumerate((300, 25, 24, 2, 1)) for k in range(count)])
    scalars, properties = found(SORTED, target, graph)
    for n in range(6):
        row = range(int(graph.row[n]), int(graph.row[n + 1]))
        a = sorted(hash32(e) % 97 - 40 for e in row)
        assert properties["odd"][n] == sum(x * (i + 1) for i, x in enumerate(a))
        assert properties["places"][n] == sum(i * v for i, v in enumerate(np.sort(graph.dst[row.start:row.stop])))
        special = {3: np.nan, 4: -0.0, 5: 0.0, 6: -np.inf}
        values = np.sort([special.get(e % 11, hash32(e) % 64 - 30.5) for e in row])  # NaN last
        zeros = np.flatnonzero(values == 0)
        negative = sum(e % 11 == 4 for e in row)
        far = [3.0 if x == -np.inf else 1000.0 * i if np.isnan(x) else x * i for i, x in enumerate(values)]
        for k, i in enumerate(zeros):
            far[i] = 0.25 * i if k < negative else 0.5 * i
        assert properties["far"][n] == pytest.approx(sum(far), rel=1e-12)
    assert all(properties["flags"])
    a = np.sort([0, 0, 0, 0, *(n * 7919 % 1009 - 5 for n in range(300))]).tolist()
    expected = {"lowest": a[0], "last": a[-1], "mixed": sum(i * x for i, x in enumerate(a)), "least": -1.5}
    assert scalars == expected


PAGE = (ROOT / "docs" / "libraries.md").read_text()
FILES = dict(re.findall(r"^`([\w.]+)`:\n\n```irgl\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
COMMUNITIES = FILES["communities.irgl"]


@pytest.mark.parametrize("target", TARGETS)
def test_the_pages_label_propagation_gives_each_the_label_of_most(target: str) -> None:
    people = nx.karate_club_graph()
    label, rounds, changed = {n: n for n in people}, 0, 1
    while changed and rounds < 20:
        after = {n: best(Counter([label[n], *(label[m] for m in people[n])]), None) for n in people}
        changed, label, rounds = sum(after[n] != label[n] for n in people), after, rounds + 1
    both = directed(len(people), [pair for u, v in people.edges for pair in ((u, v), (v, u))])
    scalars, properties = found(COMMUNITIES, target, both)
    assert properties["label"] == [label[n] for n in people]
    assert (scalars["rounds"], scalars["communities"]) == (rounds, len(set(label.values())))


@pytest.mark.parametrize(("body", "message", "hint"), [
    ("Counts<double> c;", "can't count double", "whole numbers, bools, nodes or edges"),
    ("Counts<Two> c;", "can't count Two", "whole numbers, bools, nodes or edges"),
    ("Counts<int> c; ForAll (e In n.edges) { c.add(1, 1); }", "'add' inside a ForAll", "in a sequential For"),
    ("Counts<int> c; For (k In c.keys) { c.add(k, 1); }", "'c' changes while a loop runs over it", ""),
    ("Counts<int> c; c.add(1);", "'add' takes 2 arguments, not 1", "add("),
    ("Counts<int> c; n.x = c.most();", "has no method 'most'", "most_frequent"),
    ("array<Two> a; a.sort();", "can't be sorted: structs have no order", "in an array of their own"),
    ("map<int> m;", "unknown type 'map'", 'import "counts.irgl"'),
    ("n.x = sort(n.x);", "no function 'sort'", "a.sort();"),
    ("shared.add(1, 1);", "'add' inside a ForAll", "in the Program"),
])
def test_mistakes_are_told_with_a_remedy(body: str, message: str, hint: str) -> None:
    text = f"""import "counts.irgl"; import "array.irgl"; struct Two {{ int a; int b; }};
graph Graph {{ node int x = 0; }}
Kernel look(Graph g, Counts<int> shared) {{ ForAll (n In g.nodes) {{ {body} }} }}
Program main(Graph g) {{ Counts<int> c; Invoke look(g, c); }}"""
    with pytest.raises(IrglError, match=message) as told:
        check(load_text(text))
    assert told.value.span is not None and hint in (told.value.hint or "")


def test_a_kernel_adds_to_the_programs_own_on_the_cpu_alone_and_outside_every_forall() -> None:
    text = """import "counts.irgl"; graph Graph { } long size = 0;
Kernel note(Graph g, Counts<int> c) { c.add((int)g.num_nodes, 1); }
Program main(Graph g) { Counts<int> c; Invoke note(g, c); size = c.get(3) + c.size; }"""
    assert found(text, "cpu", directed(3, []))[0] == {"size": 2}
    with pytest.raises(IrglError, match="'add' inside a kernel does not run on a device"):
        compile("t.irgl", target="cuda", text=text)


def test_python_has_them_too() -> None:
    program = load_text(COMMUNITIES)
    python = dump_python(program)
    assert difference(load(source_of("p.py", python)), program) is None
    assert ready("p.py", python).entry.name == "communities_of"
