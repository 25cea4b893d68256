"""Claims that decide only who puts a node into a list become stores, where it may as well be there twice.

    ForAll (e In n.edges) {                             ForAll (e In n.edges) {
        if (e.dst.p == W) {                                 if (e.dst.p == W) {
            if (cas(e.dst.p, W, x)) {          =>               relaxed e.dst.p = x;
                later.push(e.dst);                              later.push(e.dst);

Two threads may see W then, and both put the node into `later`; whichever stores last wins, where the first one did. On
a CPU that is rare, and an exchange that is compared takes as long as a dozen edges, since no load overtakes it.

When it applies: with `dedup=auto` to sets that became lists (relax_sets.py), where every kernel that fills them, or
follows their nodes, is one loop over them that does nothing but follow the nodes' edges to such claims, and the Program
asks only whether there are any; not to lists that the plan has collected (`collect`). Of two runs of a node only the
first finds edges to nodes that have W: no iteration of the loop stores a W (analysis/sets/claims.py).
What it needs and keeps: a checked program behind relax_sets; the answer, but for which of several right ones it is.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from irgl.analysis.check import check
from irgl.analysis.flow.kernels import only_loop
from irgl.analysis.loops.edge_bodies import EdgeBody
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.analysis.sets.claims import claims_of
from irgl.analysis.sets.groups import WL, Group, Key, groups, key_of, places
from irgl.analysis.sets.repeated import why_counted
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import equal, transform
from irgl.passes.sets.relax_sets import AUTO, Kinds, kinds_of
from irgl.plan import Plan


def stored(written: Checked, listed: Checked, plan: Plan) -> Checked:
    """`listed`, which relax_sets made of `written`, with stores for such claims; the same where there is none."""
    if plan.text_of("dedup") != AUTO:
        return listed
    keys, kernels = set[Key](), set[str]()
    claiming = {group: claims for group in groups(written)
                if not isinstance(claims := claims_of(written, group), str)
                and all(c.way == "cas" and isinstance(c.type, T.Int) for c in claims)}
    kinds = kinds_of(written, AUTO) if claiming else {}
    for group in claiming:
        found = _claiming(written, group, kinds)
        if found and all(plan.text_of("collect", place) == "push" for place in places(written, group)):
            keys |= group.keys
            kernels |= found
    decls = tuple(_rewritten(listed, d, keys, kernels) for d in listed.program.decls) if keys else listed.program.decls
    if all(a is b for a, b in zip(decls, listed.program.decls, strict=True)):
        return listed
    made = check(A.Program(decls, span=listed.program.span), lowered=listed.lowered)
    return replace(made, dedup=listed.dedup, buffer=listed.buffer)


def _claiming(checked: Checked, group: Group, kinds: Kinds | str) -> set[str]:
    """The kernels that fill a group's sets, if nodes may be in these twice where claims are stores; else none. kinds:
    what sets become that hold each node once."""
    if isinstance(kinds, str) or not group.keys <= kinds.keys():
        return set()
    followed = set[A.Node]()
    for k in checked.kernels.values():
        loops = [loop for _, loop in outer_loops(k) if isinstance(loop.iterator, A.Member)
                 and loop.iterator.name == "items" and key_of(k, loop.iterator.object) in group.keys]
        if not loops and all(kernel is not k for kernel, _ in group.pushes):
            continue
        if loops != [only_loop(k)] or not _is_claim_alone(checked, loops[0], k, group):
            return set()
        followed.add(loops[0].iterator)
    return {k.name for k, _ in group.pushes} if why_counted(checked, group, followed) is None else set()


def _is_claim_alone(checked: Checked, loop: A.ForAll, kernel: A.Kernel, group: Group) -> bool:
    """Is all that a loop over nodes does along their edges to claim those that have W, and to push what it wins?"""
    inner = only_loop(loop)
    if inner is None:
        return False
    body = EdgeBody(checked, loop, inner)
    match inner.body:
        case (A.If(test=A.Binary(op="==", left=A.Member() as seen, right=asked), orelse=(), body=(A.If(
                test=A.Call(function="cas", args=(A.Member(object=far) as target, wanted, new)), orelse=(),
                body=(A.ExprStmt(value=A.MethodCall(name="push", args=(item,)) as push),)),)),):
            read = {(a.key[1], a.key[2]) for a in body.accesses_of(new)}
            guarded = equal(seen, target) and equal(asked, wanted) and body.is_target(far) and body.is_target(item)
            alone = ("node", target.name) not in read and body.is_quiet(new)
            return guarded and alone and key_of(kernel, push.object) in group.keys
        case _:
            return False


def _rewritten(checked: Checked, d: A.Decl, keys: set[Key], kernels: set[str]) -> A.Decl:
    """A part of the program with lists that may hold nodes twice, and stores that put them there."""
    if not isinstance(d, A.Kernel | A.Entry):
        return d
    return transform(d, partial(_instead, checked, d, keys, d.name in kernels))


def _instead(checked: Checked, d: A.Kernel | A.Entry, keys: set[Key], claims: bool, n: A.Node) -> A.Node:
    match n:
        case A.Param(name=word, type=T.Worklist(kind="list") as t) | A.VarDecl(
                name=word, type=T.Worklist(kind="list") as t) if (d.name, word) in keys:
            return replace(n, type=replace(t, unique=False, proven=False))
        case A.Kernel(worklist=T.Worklist(kind="list") as t) if WL in keys:
            return replace(n, worklist=replace(t, unique=False, proven=False))
        case A.If(test=A.Binary(op="=="), orelse=(), body=(A.If(
                test=A.Call(function="cas", args=(A.Member(object=A.Member(name="dst")) as target, _, new)), orelse=(),
                body=(A.ExprStmt(value=A.MethodCall(name="push") as push) as pushed,)) as taken,)) if (
                claims and _is_list(checked, d, push)):
            return replace(n, body=(A.Assign(target, new, "relaxed", span=taken.test.span), pushed))
        case _:
            return n


def _is_list(checked: Checked, d: A.Kernel | A.Entry, push: A.MethodCall) -> bool:
    """Does a push go to a list, which it may under a plan that says nothing else of the set?"""
    implicit = key_of(d, push.object) == WL
    t = checked.facts[d.name].worklist if implicit and isinstance(d, A.Kernel) else checked.types.get(push.object)
    return isinstance(t, T.Worklist) and t.kind == "list"
