"""What all threads of a grid share for a while on GPUs: as many variables, and as wide values, as a program has."""

from __future__ import annotations

import pytest
from support.awkward_graphs import random_arcs
from support.running import outcome

from irgl.driver import compile as compile_unit

GRAPH = random_arcs(5, 40, 90)
HEAD = "graph Graph { node int p = 0; }\n"


def sums(count: int) -> str:
    """A kernel whose loop adds to `count` variables of its own."""
    def each(text: str) -> str:
        return " ".join(text.replace("#", str(i)) for i in range(count))

    return HEAD + f"""{each("long r# = 0;")} long taken = 0;
int take(int n) {{ taken += 1; return n; }}
Kernel k(Graph g) {{
  {each("long x# = #;")}
  ForAll (i In range(take(7))) {{ {each("x# += i + #;")} }}
  {each("r# = x#;")}
}}
Program main(Graph g) {{ Invoke k(g); }}
"""


WIDE = """struct Pair { long first; node second; };
struct Four { double a; long b; long c; double d; };
long count = 0; long total = 0; double parts = 0.0;
Pair pair(Graph g) { Pair p; count += 1; p.first = count; p.second = NONE; return p; }
Four four(long k) { Four f; count += k; f.a = 0.5; f.b = k; f.c = count; f.d = 0.25; return f; }
"""
KERNEL = WIDE + HEAD + """Kernel k(Graph g) {
  Pair x = pair(g);
  ForAll (n In g.nodes) { n.p += 1; }
  Four y = four(10);
  ForAll (n In g.nodes) { total += x.first + y.b * y.c; parts += y.a + y.d; }
}
Program main(Graph g) { Invoke k(g); }
"""
PIPE = WIDE + HEAD + """Kernel k(Graph g, Pair x, Four y) {
  ForAll (n In g.nodes) { total += x.first + y.b * y.c; parts += y.a + y.d; }
}
Program main(Graph g) { Pipe Once { for (int i = 0; i < 3; i++) { Invoke k(g, pair(g), four(i)); } } }
"""


AGAIN = HEAD + """long r = 0;
Kernel k(Graph g) {
  long x = 3;
  ForAll (i In range(x)) { x += i; }
  ForAll (i In range((x -= 1).old + x)) {
    long y = 2;
    ForAll (j In range((y += 1).old)) { y += j; x += 1; }
    x += y;
  }
  r = x;
}
Program main(Graph g) { Invoke k(g); }
"""


TEXTS = {"8 sums": sums(8), "13 sums": sums(13), "kernel": KERNEL, "Pipe": PIPE, "one sum by several loops": AGAIN}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("outline", ["off", "all", "graph"])
def test_as_many_and_as_wide_values_as_a_program_has_are_shared(text: str, outline: str) -> None:
    wanted = outcome(text, "default", "cpu", GRAPH).result.scalars
    assert outcome(text, f"outline={outline} block=64", "simt", GRAPH).result.scalars == wanted


@pytest.mark.parametrize(("text", "shared"), [
    (sums(7), "Shared"), (sums(13), "SharedOf<13, 1>"), (KERNEL, "SharedOf<7, 4>"), (PIPE, "SharedOf<7, 4>")])
def test_a_program_shares_more_than_others_where_it_has_to(text: str, shared: str) -> None:
    assert f"struct Scalars : irgl::{shared} {{" in compile_unit("p.irgl", target="cuda", text=text).text
