"""What nodes do behind their edges, taken by several nodes at once: where it may be, and that the sums are right."""

from __future__ import annotations

import pytest
from support.awkward_graphs import grid
from support.running import outcome

from irgl import driver
from irgl.plan import Plan

TEXT = """
graph Graph {{ node double rank = 1; node double next = 0; node int seen = 0; }}
double change = 0; double product = 1; long count = 0; long odd = 0; int most = 0;
bool late(Graph g, node n) {{ return relaxed n.next > 1; }}
double older(Graph g, node n) {{ return n.rank; }}
Kernel step(Graph g, list<node> far) {{
  ForAll (n In g.nodes) {{
    double sum = 0;
    ForAll (e In n.in_edges) {{ sum += e.src.rank; }}
    {behind}
  }}
}}
Program main(Graph g, node s = first) {{ list<node> far; Invoke step(g, far); }}
"""


def swept(text: str) -> str:
    return driver.compile("text.irgl", plan=Plan.parse("format=blocks"), text=text).text


@pytest.mark.parametrize("behind", [
    "n.next = sum;",
    "n.next = older(g, n) + sum; change += abs(sum - n.rank);",
    "n.next = sum; if (n.degree > 2) { change += sum; } else { count += 1; }",
    "double half = sum / 2; half += 1; n.next = half;",
])
def test_arithmetic_on_a_nodes_own_values_is_taken_by_several_at_once(behind: str) -> None:
    assert "irgl::rows_in_lanes(" in swept(TEXT.format(behind=behind))


@pytest.mark.parametrize("behind", [
    "far.push(n);",
    "most max= (int)sum;",
    "n.seen += 1;",
    "n.next = sum; if (late(g, n)) { count += 1; }",
    "node m = n.edges[0].dst; n.next = sum + relaxed m.next;",
    "node m = n.edges[0].dst; racy m.next = sum;",
    "if (cas(n.seen, 0, 1)) { count += 1; }",
    "For (e In n.edges) { sum += 1; } n.next = sum;",
    "while (sum > 1) { sum /= 2; } n.next = sum;",
])
def test_what_nodes_share_is_taken_by_one_after_the_other(behind: str) -> None:
    assert "irgl::rows_in_lanes(" not in swept(TEXT.format(behind=behind))


@pytest.mark.parametrize("plan", ["format=blocks", "format=coo", "format=dia", "format=sell", "format=shards",
                                  "format=cr2 expand=off", "format=csr"])
@pytest.mark.parametrize("sums", [0, 1, 2, 3])
def test_every_node_counts_once_in_every_sum(plan: str, sums: int) -> None:
    behind = "n.next = sum;" + "".join((
        "change += sum;", "if (n.degree == 3) { count += 1; }", "odd += (long)sum & 1;")[:sums])
    found = outcome(TEXT.format(behind=behind), plan, "cpu", grid(29), threads=2)
    assert found.result.properties["next"].array.sum() == 4 * 29 * 28
    wanted = {"change": 4 * 29 * 28, "count": 4 * 27, "odd": 4 * 27}
    shown = {k: found.result.scalars[k] for k in list(wanted)[:sums]}
    assert shown == {k: wanted[k] for k in shown}


HELPED = """
graph Graph {{ node double rank = 1; node double next = 0; }}
void put(list<node> next, node n) {{ next.push(n); }}
Kernel step(Graph g, list<node> next) {{
  ForAll (n In g.nodes) {{
    double sum = 0;
    ForAll (e In n.in_edges) {{ sum += e.src.rank; }}
    n.next = sum;{call}
  }}
}}
Program main(Graph g) {{ list<node> next; Invoke step(g, next); }}
"""


@pytest.mark.parametrize(("call", "at_once"), [("", True), (" put(next, n);", False)])
def test_a_helper_that_pushes_to_a_list_called_as_a_property_is_no_matter_of_lanes(call: str, *, at_once: bool) -> None:
    assert ("irgl::rows_in_lanes(" in swept(HELPED.format(call=call))) == at_once
