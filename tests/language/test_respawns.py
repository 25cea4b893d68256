"""Respawn into each kind of list: how often the items run, on every target and under every plan."""

from __future__ import annotations

import pytest
from support.awkward_graphs import awkward
from support.tables import found_and_wanted

#: Items come back themselves; of the last kind, which may hold a node twice, also others.
ITSELF = "if (n.p < 4) { Respawn n; continue; } if (n.p == 4 && n.id % 3 == 0) { Retry n; } total += 100;"
LISTS = dict.fromkeys(("set", "bitmap", "bytemap", "unique list"), ITSELF)
LISTS["list"] = "if (n.id > 40) { Respawn g.node(n.id / 2); Respawn g.node(n.id / 2); }"
PLANS = {"cpu": ["fuse=1 serial=0", "fuse=100000 serial=0 grain=1"],
         "simt": ["outline=all cc=block", "outline=off cc=off"]}


def text_of() -> str:
    kernels = "\n".join(
        f"Kernel k{i}(Graph g) WL {kind}<node> {{ ForAll (n In WL.items) {{ total += 1; {add} {body} }} }}"
        for i, (kind, body) in enumerate(LISTS.items()) for add in ["n.p = n.p + 1;" if kind != "list" else ""])
    runs = " ".join(f"Pipe Once Initial (g.nodes) {{ Invoke k{i}(g); }} t{i} = total; Invoke clear(g);"
                    for i in range(len(LISTS)))
    scalars = " ".join(f"long t{i} = 0;" for i in range(len(LISTS)))
    return f"""graph Graph {{ node int p = 0; }} long total = 0; {scalars}
{kernels} Kernel clear(Graph g) {{ ForAll (n In g.nodes) {{ n.p = 0; }} }}
Program main(Graph g) {{ {runs} }}
"""


@pytest.mark.parametrize(("target", "plan"), [(target, plan) for target, plans in PLANS.items() for plan in plans])
def test_items_run_as_often_as_they_are_named(target: str, plan: str) -> None:
    found, wanted = found_and_wanted(text_of(), plan, target, awkward()["dense"])
    assert found.scalars == wanted.scalars
