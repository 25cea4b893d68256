"""A program of one name for each kind of thing that has one, and C++ compared however its names are chosen."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path

import irgl
from irgl import driver
from irgl.plan import Plan
from irgl.standalone import standalone

#: zq1q, zq2q... are a struct and its field, graph types, properties, a lock, program scalars, helpers and what they are
#: given, kernels and theirs, lists, variables at every depth, those of loops, a label, the Program and its parameters.
SKELETON = """struct zq1q { int zq2q; node y; };
graph zq3q { node int zq4q = 0; node lock zq5q; node zq1q pair = (zq1q){1, NONE}; edge int zq6q; }
long zq7q = 0;
int zq8q(int zq9q, list<node> zq10q, node at_) { int zq11q = zq9q + 1; zq10q.push(at_); return zq11q; }
Kernel zq12q(zq3q zq13q, list<node> zq14q, int zq15q) {
  ForAll (zq16q In zq13q.nodes) {
    int zq17q = 2;
    zq1q own_one = zq16q.pair;
    if (zq16q.zq4q > 100) { continue; }
    ForAll (zq18q In zq16q.edges) {
      int zq19q = zq18q.zq6q;
      if (zq19q > zq17q) { zq14q.push(zq18q.dst); zq7q += zq17q; zq18q.dst.zq4q min= zq19q + zq15q; }
    }
    for (int zq20q = 0; zq20q < zq15q; zq20q++) { zq7q += zq20q; }
    For (zq21q In zq16q.edges) { zq7q += zq21q.zq6q; }
    Atomic (zq16q.zq5q) { zq16q.zq4q += own_one.zq2q; }
    if (zq17q < 5) { zq16q.zq4q += zq8q(zq17q, zq14q, zq16q); zq14q.push(zq16q); }
  }
}
Kernel zq22q(zq3q its_graph) WL list<node> {
  ForAll (zq23q In WL.items) {
    int here = zq23q.zq4q;
    if (here > 3) { relaxed zq23q.zq4q = 1; Respawn zq23q; }
    ForAll (an_edge In zq23q.edges) { if (an_edge.dst.zq4q max= here) { WL.push(an_edge.dst); } }
    ReduceAndReturn(here > 5);
  }
}
Kernel zq24q(zq3q zq25q) {
  ForAll (a_node In zq25q.nodes) {
    int zq26q = 1;
    ForAll (zq27q In a_node.edges) { a_node.zq4q max= zq27q.zq6q + zq26q; }
  }
}
Kernel zq28q(zq3q its_graph) {
  ForAll (a_node In its_graph.nodes) {
    int zq29q = 2;
    if (a_node.id >= 0) {
      Exclusive (its_graph, [a_node]) { a_node.zq4q += zq29q; zq7q += 1; } Else { zq7q += zq29q; }
    }
  }
}
Kernel edge_by_edge(zq3q its_graph) WL list<edge> { ForAll (an_edge In WL.items) { zq7q += an_edge.zq6q; } }
Program zq30q(zq3q zq31q, int zq32q = 2, node start = first) {
  list<node> zq33q;
  int turn = 0;
  Invoke zq12q(zq31q, zq33q, zq32q);
  Invoke zq28q(zq31q);
  zq34q: Pipe Initial (zq33q.items) {
    Invoke zq22q(zq31q); turn++; zq32q += turn; zq1q held_one; held_one.zq2q = turn;
    Invoke zq24q(zq31q); if (held_one.zq2q > zq32q) { break; }
  }
  Iterate While Any zq22q(zq31q) Initial (zq31q.nodes) { turn++; if (turn > 8) { break; } }
  Pipe Once Initial (start.in_edges) { Invoke edge_by_edge(zq31q); }
  zq7q += zq33q.size;
}
"""
#: Of the Program's first graph another one is made, which only the CPU can.
ORIENTED = SKELETON.replace("(zq3q zq31q,", "(undirected zq3q zq31q,").replace(
    "  zq7q += zq33q.size;", "  zq3q zq35q = oriented(zq31q); Invoke zq24q(zq35q);\n  zq7q += zq33q.size;")
PLANS = (("cpu", "frontier=queue prefetch=8"), ("cuda", "np=tb+wp+fg cc=block outline=graph"),
         ("cuda", "np=fg cc=warp outline=all unroll=2"))
_OWN = re.compile(r"zq([0-9]+)q")
_SAID = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|^[ \t]*#[^\n]*|\[\[\w+\]\]', re.MULTILINE)
_TOKEN = re.compile(r"(?:\.|->|::)\s*[A-Za-z_]\w*|[A-Za-z_]\w*|[0-9]\w*|\S")
_NUMBER = re.compile(r"_[0-9]+_*$")
_WORD = re.compile(r"[A-Za-z_]\w*")


def kinds(skeleton: str = SKELETON) -> list[int]:
    """The numbers of its names."""
    return sorted({int(number) for number in _OWN.findall(skeleton)})


def named(skeleton: str, given: Mapping[int, str]) -> str:
    """The skeleton with other names."""
    return _OWN.sub(lambda m: given.get(int(m[1]), m[0]), skeleton)


def texts(program: str) -> list[str]:
    """What is generated of a program, with a main of its own."""
    ready = driver.ready("p.irgl", program)
    plans = [Plan.parse(text, target) for target, text in PLANS if target == "cpu" or "oriented(" not in program]
    return [standalone(driver.emit(ready, plan, plan.target), plan) for plan in plans]


def alike(plain: str, other: str) -> bool:
    """Is `other`, with names for those of the skeleton that `plain` is made of, the same but for names?

    In each definition one name stands where one stood, and two where two did; what one definition calls a thing
    another can't see. Members of objects are told apart by their objects, so that only those that are the text's own
    are compared.
    """
    first, second = (_SAID.sub("", text).replace("unit::", "").split("\n\n") for text in (plain, other))
    return len(first) == len(second) and all(map(_same, first, second))


def _same(plain: str, other: str) -> bool:
    first, second = _TOKEN.findall(plain), _TOKEN.findall(other)
    names: dict[str, str] = {}
    for a, b in zip(first, second, strict=False):
        if _WORD.search(a) is None or a[0].isdigit():
            same = a == b
        elif a.startswith((".", "-", ":")):
            same = _NUMBER.sub("", a) == _NUMBER.sub("", b) or _OWN.search(a) is not None
        else:
            same = names.setdefault(a, b) == b
        if not same:
            return False
    return len(first) == len(second) and len(set(names.values())) == len(names)


def words_of_texts(program: str) -> set[str]:
    """All names and keywords in what is generated of a program, but its own."""
    found = {word for text in texts(program) for word in _WORD.findall(_SAID.sub("", text))}
    return {word for word in found if not _OWN.search(word)} - set(_WORD.findall(program))


def words_of_compiler() -> set[str]:
    """What the compiler's own text calls things by: the strings of its analyses, passes and generators."""
    found: set[str] = set()
    for room in ("analysis", "passes", "codegen"):
        for path in (Path(irgl.__file__).parent / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and _WORD.fullmatch(node.value):
                    found.add(node.value)
    return found
