"""No name of a user's matters: whatever a thing is called, the generated code is the same but for that name.

The names that are tried are all those that generated code has and that the compiler's text has for things: a new one is
tried from the day on which it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
from support.any_name import ORIENTED, SKELETON, alike, kinds, named, texts, words_of_compiler, words_of_texts
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram
from support.running import outcome
from support.simt_batch import all_compared
from support.verifying import arcs, edges

from irgl.analysis.check import check
from irgl.analysis.names.members import WORDS
from irgl.frontends.text.load import load_text
from irgl.interpret import run as interpret
from irgl.source import IrglError

ARCS = [(0, 1, 1), (1, 2, 5), (0, 3, 2), (3, 4, 1), (4, 4, 3), (2, 0, 1)]
GRAPH = from_arcs(6, ARCS)
READ, UNDIRECTED = (make(6, [arc[:2] for arc in ARCS], [arc[2] for arc in ARCS]) for make in (arcs, edges))
#: How a user is told that a word is one of the language's, or that two things have one name.
REFUSALS = ("has a meaning of its own", "expected the name of", "is not part of the language", "names the machine's",
            "does not begin a declaration", "is no type", "every node has", "every edge has", "already", "twice",
            "found '('", "found ':'", "found '{'", "unknown type")


@cache
def plain(skeleton: str) -> list[str]:
    return texts(skeleton)


def misread(skeleton: str, given: dict[int, str]) -> Iterator[str]:
    """The names, by their numbers in the skeleton, under which other code comes out."""
    try:
        same = all(map(alike, plain(skeleton), texts(named(skeleton, given))))
    except IrglError as e:
        told = (*REFUSALS, *(f"'{word}'" for word in given.values()))
        same = len(given) == 1 and any(words in e.message for words in told)
    if not same and len(given) == 1:
        yield from (f"{number} called {word}" for number, word in given.items())
    elif not same:
        names = list(given.items())
        yield from misread(skeleton, dict(names[: len(names) // 2]))
        yield from misread(skeleton, dict(names[len(names) // 2 :]))


def tried(step: int, skeleton: str) -> list[str]:
    generated = words_of_texts(SKELETON) | words_of_texts(ORIENTED)
    words = sorted((generated | words_of_compiler()) - set(WORDS))
    assert {"again_1", "other", "saved", "add", "wl", "_graph", "again_block"} <= set(words)
    found: list[str] = []
    for first in range(0, len(words), step):
        given = {kind: words[(first + 17 * at) % len(words)] for at, kind in enumerate(kinds(skeleton))}
        found += misread(skeleton, given)
    return found


@pytest.mark.parametrize("skeleton", [SKELETON, ORIENTED], ids=["for all targets", "for the CPU"])
def test_names_of_the_compilers_own_are_as_good_as_any(skeleton: str) -> None:
    assert tried(36, skeleton) == []


@pytest.mark.matrix
@pytest.mark.parametrize("skeleton", [SKELETON, ORIENTED], ids=["for all targets", "for the CPU"])
def test_each_name_of_the_compilers_own_is_as_good_as_any_for_each_thing(skeleton: str) -> None:
    assert tried(1, skeleton) == []


@pytest.mark.parametrize(("other", "same"), [
    ("void f(int b, int c) { d(b.x, b.e); }", True), ("void f(int a, int a) { d(a.x, a.e); }", False),
    ("void f(int b, int c) { d(c.x, c.e); }", False), ("void f(int b, int e) { d(b.x, b.x); }", False),
    ("void f(int x, int d) { x(x.x, x.e); }", False), ("void f(int b, int c) { d(b.e, b.e); }", True)])
def test_two_names_that_are_read_as_one_are_seen(other: str, same: bool) -> None:
    assert alike("void f(int zq1q, int zq2q) { d(zq1q.zq3q, zq1q.e); }", other) == same


OF_LISTS = """graph Graph {{ node int a = 0; }} long total = 0;
Kernel fill(Graph its, list<node> {0}) {{ ForAll (one In its.nodes) {{ {0}.push(one); total += 1; }} }}
Kernel work(Graph its, list<node> {0}) WL list<node> {{
  ForAll (one In WL.items) {{ {0}.push(one); if ((one.a += 1) && one.a < 3) {{ Respawn one; }} }}
}}
Program main(Graph its) {{
  list<node> {0}; Invoke fill(its, {0}); Pipe Once Initial (its.nodes) {{ Invoke work(its, {0}); }}
  total = total * 100 + {0}.size;
}}
"""
OF_TYPES = """struct {0} {{ int other; node last; }}; struct {1} {{ int first_one; int other; }};
graph Graph {{ node {0} pair = ({0}){{7, NONE}}; node {1} least = ({1}){{1, 2}}; edge int w; }}
long total = 0;
Kernel lower(Graph its, int most) {{ ForAll (one In its.nodes) {{
  ForAll (out In one.edges) {{ out.dst.least min= ({1}){{most, out.w}}; }}
  {0} mine = one.pair; total += mine.other;
}} }}
Kernel add_up(Graph its) {{ ForAll (one In its.nodes) {{ total += one.least.other * 100 + one.least.first_one; }} }}
Program main(Graph its) {{
  int turn = 0;
  Pipe Once {{
    for (turn = 0; turn < 3; turn++) {{
      {0} here; here.other = turn; {1} there; there.first_one = 1; Invoke lower(its, here.other - there.first_one);
    }}
  }}
  Invoke add_up(its);
}}
"""


def wanted(text: str) -> int:
    found = interpret(check(load_text(text, "p.irgl")), {"its": GRAPH}, {}).scalars["total"]
    assert isinstance(found, int)
    return found


PROGRAMS = [*(OF_LISTS.format(word) for word in ("again", "out", "other", "x", "worklist")),
            *(OF_TYPES.format(*words) for words in (("g", "a"), ("b", "s"), ("saved", "loop"), ("x", "k"), ("add", "i"),
                                                    ("view", "irgl_mesh"), ("linux", "EOF"), ("irgl_host", "Storage"),
                                                    ("row", "m")))]
#: A graph type of a name that graphs have for something else.
PROGRAMS += [PROGRAMS[0].replace("Graph", word) for word in ("exclusive", "n", "degree")]


def test_lists_and_types_of_any_name_do_the_same_on_a_gpu() -> None:
    programs = [RandomProgram(re.sub(r"\bits\b", "g", text), GRAPH, {}) for text in PROGRAMS if "struct g " not in text]
    assert len(programs) == len(PROGRAMS) - 1
    assert all_compared(programs, ["np=fg cc=block outline=all block=32", "outline=graph block=32"]) == {}


def test_a_type_called_as_a_variable_of_the_generated_text_does_the_same_on_a_gpu() -> None:
    (text,) = (text for text in PROGRAMS if "struct g " in text)
    assert outcome(text, "block=32", "simt", READ).result.scalars["total"] == wanted(text)


@pytest.mark.parametrize("first", [0, 5, 9])
def test_lists_and_types_of_any_name_do_the_same_on_the_cpu(first: int) -> None:
    for text in PROGRAMS[first : first + 4]:
        assert outcome(text, "default", "cpu", READ).result.scalars["total"] == wanted(text), text


def test_a_graph_called_as_the_item_of_a_first_list() -> None:
    text = """graph Graph { node int a = 0; edge int w; } long s = 0;
Kernel k(Graph g) WL list<edge> { ForAll (e In WL.items) { s += e.w; } }
Program main(Graph x, node src = first) { Pipe Once Initial (src.in_edges) { Invoke k(x); } }
"""
    assert outcome(text, "default", "cpu", READ).result.scalars["s"] == 1


@pytest.mark.parametrize("words", [
    ("graph", "made", "from", "e", "Graph", "Pair"), ("a", "csr", "old_edge", "c", "made", "from"),
    ("storage", "exclusive", "x", "data", "graph", "g"), ("b", "d", "f", "h", "G", "e")])
def test_what_an_oriented_graph_has_may_be_called_anything(words: tuple[str, ...]) -> None:
    text = """struct {5} {{ int x; node y; }};
graph {4} {{ node int {0} = 0; node int {1} = 3; node {5} {2} = ({5}){{1, NONE}}; edge int {3}; node lock t; }}
long s = 0;
Kernel k({4} its) {{
  ForAll (n In its.nodes) {{ ForAll (q In n.edges) {{ n.{0} += n.{1} + q.{3}; }} s += n.{0} + n.{2}.x; }}
}}
Program main(undirected {4} its) {{ {4} other = oriented(its); Invoke k(other); }}
""".format(*words)
    assert outcome(text, "default", "cpu", UNDIRECTED).result.scalars["s"] == 6 + 3 * 5 + 10
