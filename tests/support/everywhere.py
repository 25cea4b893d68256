"""One program on every target, in several plans: what the interpreter finds, once all have found the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from irgl.interpret import Result
from irgl.plan import Plan
from support.agreement import disagreements, interpreted
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram
from support.simt_batch import all_compared


def found_everywhere(text: str, nodes: int, arcs: list[tuple[int, int, int]], params: Mapping[str, int],
                     cpu: Sequence[str | None], simt: Sequence[str]) -> Result:
    """cpu, simt: the plans of either; None: one that the text's own draw says. arcs: with their weights."""
    one = RandomProgram(text, from_arcs(nodes, arcs), dict(params))
    found = interpreted(one)
    assert found is not None
    for plan in cpu:
        assert disagreements([one], None if plan is None else Plan.parse(plan)) == []
    assert all_compared([one], list(simt)) == {}
    return found
