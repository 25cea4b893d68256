"""Every program on random graphs: right by NetworkX or SciPy and by its verifier, on one thread and on two."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.awkward_graphs import directed
from support.oracles import ORACLES
from support.programs import ON_GRAPHS, run_program

from irgl.rt.graphs.graph import Graph

EXAMPLES = 2000 if os.environ.get("IRGL_MATRIX") == "1" else 20


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Up to 24 nodes; self-loops and parallel edges included; small weights, so that ties are common."""
    n = draw(st.integers(1, 24))
    node = st.integers(0, n - 1)
    ends = draw(st.lists(st.tuples(node, node), max_size=3 * n))
    weights = draw(st.lists(st.integers(1, 9), min_size=len(ends), max_size=len(ends)))
    return directed(n, ends, weights)


@pytest.mark.parametrize("name", ON_GRAPHS)
def test_program_is_right_on_random_graphs(name: str) -> None:
    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None,
              suppress_health_check=[HealthCheck.too_slow])
    @given(graph=graphs(), threads=st.sampled_from([1, 2]), plan=st.sampled_from(["default", "grain=1 serial=off"]))
    def holds(graph: Graph, threads: int, plan: str) -> None:
        ran = run_program(name, graph, threads=threads, plan=plan)
        assert ran.wrong() is None
        ORACLES[name](ran)

    holds()
