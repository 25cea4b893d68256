"""May a set hold a node twice without anybody noticing? Where what its loops do for a node twice is as good as once.

    ForAll (n In now.items) { ForAll (e In n.edges) { if (e.dst.p == INF) { racy e.dst.p = x; later.push(e.dst); } } }

Beside such loops (analysis/loops/repeats.py) the Program may ask whether there are any nodes, and not how many.
"""

from __future__ import annotations

from irgl.analysis.loops.direction import why_not_again
from irgl.analysis.loops.edge_bodies import conjuncts
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.analysis.sets.claims import Claim, constant
from irgl.analysis.sets.counters import Differing
from irgl.analysis.sets.groups import Group, key_of
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk


def why_not_repeated(checked: Checked, group: Group, claims: list[Claim]) -> str | None:
    """Why it matters that a group's sets hold each node once; None: it doesn't. claims: what is known of pushes."""
    harmless: set[A.Node] = set()
    for k in checked.kernels.values():
        for path, loop in outer_loops(k):
            over = loop.iterator
            if not (isinstance(over, A.Member) and over.name == "items" and key_of(k, over.object) in group.keys):
                continue
            reason, test = why_not_again(checked, loop)
            if reason is None and test is not None and not _holds(Differing(checked, group, claims), k, test):
                reason = "what it stores may be what it looks for"
            if reason is not None:
                return f"{path} would run twice for a node that is in one twice, and {reason}"
            harmless.add(over)
    return why_counted(checked, group, harmless)


def why_counted(checked: Checked, group: Group, harmless: set[A.Node]) -> str | None:
    """Why somebody may notice that a node is in one of a group's sets twice; None: nobody does. harmless: what asks for
    nodes and does nothing for them a second time."""
    harmless = set(harmless)
    if checked.entry is not None:
        harmless |= {n.left for n in walk(checked.entry) if isinstance(n, A.Binary) and n.op in (">", "!=", "==")
                     and isinstance(n.right, A.IntLit) and n.right.value == 0}
    for d in checked.program.decls:
        for n in walk(d):
            if isinstance(n, A.Member) and key_of(d, n.object) in group.keys and n not in harmless:
                return f"'{n.name}' of one is asked for elsewhere than in a ForAll, where each node counts once"
            if isinstance(n, A.MethodCall) and any(key_of(d, a) in group.keys for a in n.args) and n.name != "swap":
                return f"'{n.name}' takes over what is in one"
    return None


def _holds(differing: Differing, kernel: A.Kernel, test: A.Expr) -> bool:
    """Do the conditions hold that an analysis leaves to be asked: that what is stored isn't what was there?"""
    return all(_differ(differing, kernel, c) for c in conjuncts(test))


def _differ(differing: Differing, kernel: A.Kernel, c: A.Expr) -> bool:
    match c:
        case A.Unary(op="!", operand=A.Binary(op="==", left=new, right=wanted)):
            pass
        case A.Binary(op="!=", left=wanted, right=new):
            pass
        case _:
            return False
    # The conditions are no part of the program: its own claims tell the type.
    for claim in differing.claims:
        t = claim.type
        if claim.kernel is kernel and claim.new is not None and isinstance(t, T.Int) and (
                constant(wanted, t) == claim.wanted and _is(new, claim.new)):
            return differing.differs(kernel, claim.new, claim.wanted, t)
    return False


def _is(e: A.Expr, other: A.Expr) -> bool:
    """Are they one variable of a kernel, or one constant?"""
    while isinstance(e, A.Cast):
        e = e.operand
    match e, other:
        case A.Name(id=a), A.Name(id=b):
            return a == b
        case A.IntLit(value=x), A.IntLit(value=y):
            return x == y
        case _:
            return False
