"""Which loops of a program gather values of all edges' far ends, round after round, and keep them to their own node.

    ForAll (n In g.nodes) {                    invoked in a loop of the Program
        double sum = 0;
        ForAll (e In n.in_edges) { sum += e.src.p; }
        n.q = sum;
    }

So PageRank does. All edges are read in each round, and at each a value that may lie anywhere: a form of the edges that
keeps those together whose values lie together is built once, and pays in every round.
"""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.loops.lanes import PLAIN
from irgl.analysis.loops.sweeps import Sweep, sweep_of
from irgl.analysis.names.paths import nested_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.visit import walk

_RUNS = (A.Invoke, A.InvokeResult, A.Iterate)
_LOOPS = (A.While, A.DoWhile, A.CFor, A.For, A.Iterate, A.Pipe)


def gathers(checked: Checked) -> Iterator[tuple[str, A.Kernel, A.ForAll]]:
    """Those loops over edges, with their places and kernels. O(size of the program)."""
    again = {n.kernel for loop in walk(checked.entry) if isinstance(loop, _LOOPS) for n in walk(loop)
             if isinstance(n, _RUNS)} if checked.entry is not None else set()
    for kernel in checked.kernels.values():
        if kernel.name in again:
            for inner, path in nested_loops(kernel).items():
                found = sweep_of(checked, kernel, inner)
                if isinstance(found, Sweep) and found.members is None and _keeps(checked, found):
                    yield path, kernel, inner


def _keeps(checked: Checked, sweep: Sweep) -> bool:
    """Does an edge change variables of its node's iteration alone, by properties of the far end?"""
    nodes = [n for s in sweep.inner.body for n in walk(s)]
    own = {checked.symbols[n] for n in walk(sweep.loop) if isinstance(n, A.VarDecl)}
    changed = [n.target for n in nodes if isinstance(n, A.Assign | A.Reduce)]
    far = "src" if sweep.incoming else "dst"
    reads = any(isinstance(n, A.Member) and isinstance(n.object, A.Member) and n.object.name == far for n in nodes)
    return reads and bool(changed) and all(isinstance(n, PLAIN) for n in nodes) and all(
        isinstance(t, A.Name) and checked.symbols.get(t) in own for t in changed)
