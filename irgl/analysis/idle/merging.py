"""Which kernels have rounds with nothing between them, that need not wait for each other (fixpoint.py)."""

from __future__ import annotations

from dataclasses import dataclass

from irgl.analysis.effects.effects import home_graph, kernel_effects
from irgl.analysis.flow.kernels import only_loop, unlabelled
from irgl.analysis.idle.fixpoint import fixpoint_of
from irgl.analysis.idle.notes import Note
from irgl.analysis.idle.rounds import varying_in, why_not_alone
from irgl.analysis.idle.told import Told
from irgl.analysis.names.members import SETS
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.respawns import over_wl
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import line_of, walk

_RUNS = (A.Invoke, A.InvokeResult, A.Iterate)


@dataclass(frozen=True, slots=True)
class Mergeable:
    """A kernel's `loop`, whose rounds need not wait for each other.

    runs: what runs it round after round, an Iterate, or an Invoke that is all of a Pipe. all: over all nodes. again:
    the statements that say that a node runs again, with that node. notes: those that note what they offer.
    """

    loop: A.ForAll
    runs: A.Iterate | A.Invoke
    all: bool
    again: dict[A.Stmt, A.Expr]
    notes: dict[A.Stmt, Note]


def mergeable(checked: Checked, kernel: A.Kernel) -> Mergeable | str:
    """What a kernel's rounds are made of that need not wait for each other, or why they do."""
    rounds = _rounds_of(checked, kernel)
    if isinstance(rounds, str):
        return rounds
    runs, every = rounds
    loop = only_loop(kernel)
    if loop is None:
        return f"'{kernel.name}' is more than one ForAll"
    reason = _why_not(checked, kernel, loop, every)
    if reason is not None:
        return reason
    changed = {(p.kind, p.name) for p in kernel_effects(checked, kernel).writes}
    found = fixpoint_of(checked, loop, Told(every), varying_in(checked, kernel, runs.args, (), changed))
    return found if isinstance(found, str) else Mergeable(loop, runs, every, found.again, found.notes)


def _rounds_of(checked: Checked, kernel: A.Kernel) -> tuple[A.Iterate | A.Invoke, bool] | str:
    """What runs a kernel round after round, and whether over all nodes; or why nothing does."""
    inside = [*walk(checked.entry)] if checked.entry is not None else []
    runs = [n for n in inside if isinstance(n, _RUNS) and n.kernel == kernel.name]
    if len(runs) != 1:
        return f"'{kernel.name}' is invoked elsewhere, too" if runs else f"the Program doesn't run '{kernel.name}'"
    one = runs[0]
    if isinstance(one, A.Iterate):
        if one.body:
            return (f"something is done between its rounds (line {line_of(one.body[0])}): leave it out, or do it "
                    "behind them")
        if one.mode == "worklist":
            return one, False
        if (one.mode, one.reduction) != ("while", "any"):
            return "its rounds end by a value of the kernel's: it is no Iterate While Any"
        return why_not_alone(checked, one) or (one, True)
    pipes = [p for p in inside if isinstance(p, A.Pipe) and not p.once and len(p.body) == 1
             and unlabelled(p.body[0]) is one]
    if isinstance(one, A.Invoke) and one.queue is None and pipes:
        return one, False
    return "it has no rounds: its kernel is not all of an Iterate or a Pipe"


def _why_not(checked: Checked, kernel: A.Kernel, loop: A.ForAll, every: bool) -> str | None:
    """Why its loop is none over nodes whose rounds are like each other."""
    facts, graph = checked.facts[kernel.name], home_graph(checked, kernel.params)
    t = facts.worklist
    if t.by is not None or t.kind not in ("list", *SETS):
        return "its worklist has an order, by which its rounds go: see priority"
    if facts.retries:
        return "it says itself who comes back within a round"
    if facts.returns and not every:
        return f"'{kernel.name}' has a value of its own"
    if facts.uses_worklist and every:
        return "its rounds end by a value, and it uses a worklist"
    if sum(isinstance(p.type, T.Named) and p.type.name in checked.graph_types for p in kernel.params) != 1:
        return f"'{kernel.name}' has several graphs"
    if every:
        match loop.iterator:
            case A.Member(name="nodes", object=A.Name(id=word)) if word == graph:
                return None
            case _:
                return "it doesn't run over all nodes of its graph"
    if not isinstance(t.item, T.NodeT) or (t.item.graph or graph) != graph:
        return "its worklist holds no nodes of its kernel's graph"
    return None if over_wl(loop) and isinstance(loop.iterator, A.Member) else (
        "it doesn't run over the items of its worklist")
