"""Of two operators C++ takes first what the program does: parentheses stand wherever it needs them."""

from __future__ import annotations

from itertools import product

from support.awkward_graphs import directed
from support.tables import found_and_wanted, scalars

NUMBERS = ("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^")
TRUTHS = ("<", "<=", ">", ">=", "==", "!=")
BODIES = [
    *(f"x {a} (y {b} z)" for a, b in product(NUMBERS, NUMBERS)),
    *(f"(x {a} y) {b} z" for a, b in product(NUMBERS, NUMBERS)),
    *(f"x {a} y {b} z" for a, b in product(NUMBERS, NUMBERS)),
    *(f"x {b} (y {a} z) ? 1 : 2" for a, b in product(NUMBERS, TRUTHS)),
    *(f"(x {b} y) == (y {a} z > 1) ? 1 : 2" for a, b in product(NUMBERS, TRUTHS)),
    *(f"x > {k} {a} (y > 40 {b} !(z > 3)) ? 1 : 2" for k in (10, 200) for a, b in product(("&&", "||"), repeat=2)),
    *(f"(x > {k} {a} y > 40) {b} z > 2 ? 1 : 2" for k in (10, 200) for a, b in product(("&&", "||"), repeat=2)),
    "-(x - y)", "-(-x)", "x - -y", "-(x + y) * z", "(x > y ? x : y) - z", "x - (x > y ? y : z)",
]


def test_every_operator_beside_and_inside_of_every_other() -> None:
    stores = "\n".join(f"  s{i} = {body};" for i, body in enumerate(BODIES))
    text = (f"graph Graph {{ node int p = 0; }}\n{scalars(len(BODIES))}\n"
            f"Program main(Graph g, long x = 100, long y = 29, long z = 3) {{\n{stores}\n}}\n")
    found, wanted = found_and_wanted(text, "default", "cpu", directed(1, []), BODIES)
    assert found.scalars == wanted.scalars
