"""edges.skip(k) leaves out the first k edges, whatever number k is."""

from __future__ import annotations

import pytest
from support.running import outcome
from support.verifying import arcs

NUMBERS = {"-9223372036854775807": 3, "-1": 3, "0": 3, "1": 2, "2": 1, "3": 0, "4": 0, "9223372036854775807": 0}


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_any_number_may_be_left_out(target: str) -> None:
    scalars = "".join(f"long s{i} = 0; " for i in range(len(NUMBERS)))
    loops = "".join(f"ForAll (e In n.edges.skip({k})) {{ s{i} += 1; }} " for i, k in enumerate(NUMBERS))
    text = f"""graph Graph {{ }} {scalars}
Kernel k(Graph g) {{ ForAll (n In g.nodes) {{ {loops} }} }}
Program main(Graph g) {{ Invoke k(g); }}
"""
    found = outcome(text, "default", target, arcs(9, [(6, 0), (6, 1), (6, 2)])).result.scalars
    assert [*found.values()] == [*NUMBERS.values()]
