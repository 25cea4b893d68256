"""What the updates of a program are under a plan: what is known of them, and what targets make of it."""

from __future__ import annotations

from irgl.analysis.explain.updates import ATOMIC, EITHER, PLAIN, STORE, Setting, Update, Way, updates
from irgl.analysis.names.paths import nested_loops, outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.driver import turned
from irgl.forms.find import shares_parts
from irgl.options import OFF
from irgl.passes import sweep_edges, turn_direction
from irgl.passes.lowering.lower_cuda import Lowered, lower
from irgl.plan import Plan

_THREADS_OWN = Way(PLAIN, "each thread has a list of its own")
_FIRST = "each thread combines it for itself first"
_CPU = {
    "list": _THREADS_OWN, "buckets": _THREADS_OWN, "again": _THREADS_OWN,
    "count": Way(PLAIN, "each thread counts for itself"),
    "set": Way(ATOMIC, "the first of several that push an item claims it"),
    "bitmap": Way(ATOMIC, "items of other iterations have bits in the same word"),
    "bytemap": Way(STORE, "several iterations may store the same byte"),
    "own": Way(PLAIN, "its thread has all nodes of the word"),
}
_TAKES_PLACE = Way(ATOMIC, "it takes a place in the list that all threads fill")
_GPU = {**_CPU, "list": _TAKES_PLACE, "buckets": _TAKES_PLACE, "again": _TAKES_PLACE,
        "count": Way(ATOMIC, "all threads count together"),
        "own": Way(ATOMIC, "items of a warp's threads have bits in one word")}


def updates_under(checked: Checked, plan: Plan) -> list[Update]:
    """The updates of a checked program as a plan's target runs it."""
    if plan.target in ("cuda", "simt"):
        lowered = lower(checked, plan)
        return updates(lowered.checked, _on_gpus(lowered))
    after, plan = turned(checked, plan)
    return updates(after, _on_cpus(checked, after, plan))


def _on_cpus(written: Checked, checked: Checked, plan: Plan) -> Setting:
    sweeps = sweep_edges.uses(checked, plan)
    swept = {use.sweep.inner: use.form for use in sweeps.values()}
    giant = plan.text_of("giant")
    row = Way(EITHER, f"all threads share the edges of a node that has more than giant={giant}; else {{owner}} belongs "
              "to its thread") if giant != OFF else Way(
              PLAIN, "{owner} belongs to its thread: giant=off leaves it all edges of a node")
    nested = {loop: row if loop not in swept else Way(PLAIN, f"one thread has its whole part of {swept[loop]}")
              for k in checked.kernels.values() for loop in nested_loops(k)}
    combined = {loop: {symbol: f"it is kept for each node of the part of {swept[loop]}, which one thread has"
                       if loop in swept and symbol.kind != "global" else _FIRST for symbol, _ in found}
                for loop, found in checked.combined.items()}
    shared = Way(ATOMIC, f"one operation for the {checked.buffer} items of a thread's buffer")
    claims = {n.span for n in walk(written.program) if isinstance(n, A.Call) and n.function == "cas" and n.span}
    return Setting(nested, combined, {**_CPU, "shared": shared}, _pulled(written, checked, plan), sweeps, claims=claims)


def _pulled(written: Checked, checked: Checked, plan: Plan) -> set[str]:
    """The paths of the loops that pull because the plan has them do so; a loop that has both ways has two."""
    paths = {path for k in checked.kernels.values() for path, _ in outer_loops(k)}
    found = set[str]()
    for k in written.kernels.values():
        for path, loop in outer_loops(k):
            if (plan.text_of("direction", path) != turn_direction.AS_WRITTEN
                    and turn_direction.why_not(written, k, loop) is None):
                found |= {p for p in paths if p.startswith(f"{path}_pull")} or {path}
    return found


def _on_gpus(low: Lowered) -> Setting:
    swept = {use.sweep.inner: use.form for use in low.sweeps.values()}
    nested = {loop: Way(ATOMIC, f"np={units} has several threads share the edges of {{owner}}")
              for loop, units in low.schedulers.items() if units != "serial"}
    for loop, name in swept.items():
        nested[loop] = (Way(ATOMIC, f"threads of a block share the edges of a part of {name}")
                        if shares_parts(name) else Way(PLAIN, f"one thread has all of its edges in {name}"))
    outermost = {loop for k in low.checked.kernels.values() for _, loop in outer_loops(k)}
    together = "threads of a block combine it in the memory that they share"
    combined = {loop: {symbol: together if loop in swept and shares_parts(swept[loop]) else _FIRST
                       for symbol, _ in found if symbol.kind != "global" or (
                           loop in outermost and low.combine[loop] != OFF)}
                for loop, found in low.checked.combined.items()}
    return Setting(nested, combined, _GPU, fenced=True)
