"""Claims that decide only who puts a node into a list become stores, where it may as well be there twice.

    ForAll (e In n.edges) {                             ForAll (e In n.edges) {
        if (e.dst.p == W) {                                 if (e.dst.p == W) {
            if (cas(e.dst.p, W, x)) {          =>               relaxed e.dst.p = x;
                later.push(e.dst);                              later.push(e.dst);

Two threads may see W then, and both put the node into `later`; whichever stores last wins, where the first one did. On
a CPU that is rare, and an exchange that is compared takes as long as a dozen edges, since no load overtakes it.

When it applies: with `dedup=auto` to sets that became lists (relax_sets.py), where all that is done with their nodes is
to follow their edges to nodes that have W, and the Program asks only whether there are any. The first of two runs of a
node leaves no such edges, for nothing stores a W.
What it needs and keeps: a checked program behind relax_sets; the answer, but for which of several right ones it is.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from irgl.analysis.check import check
from irgl.analysis.loops.edge_bodies import EdgeBody
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.analysis.sets.claims import claims_of
from irgl.analysis.sets.groups import Group, Key, groups, key_of
from irgl.analysis.sets.repeated import why_counted
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import equal, transform
from irgl.passes.sets.relax_sets import AUTO, kinds_of
from irgl.plan import Plan


def stored(written: Checked, listed: Checked, plan: Plan) -> Checked:
    """`listed`, which relax_sets made of `written`, with stores for such claims; the same where there is none."""
    if plan.text_of("dedup") != AUTO:
        return listed
    keys = {key for group in groups(written) if _may_repeat(written, group) for key in group.keys}
    decls = tuple(_rewritten(listed, d, keys) for d in listed.program.decls) if keys else listed.program.decls
    if all(a is b for a, b in zip(decls, listed.program.decls, strict=True)):
        return listed
    made = check(A.Program(decls, span=listed.program.span), lowered=listed.lowered)
    return replace(made, dedup=listed.dedup, buffer=listed.buffer)


def _may_repeat(checked: Checked, group: Group) -> bool:
    """May nodes be in the group's sets twice, if claims are stores?"""
    kinds, claims = kinds_of(checked, AUTO), claims_of(checked, group)
    if isinstance(kinds, str) or isinstance(claims, str) or not group.keys <= kinds.keys():
        return False
    if not claims or any(c.way != "cas" or not isinstance(c.type, T.Int) for c in claims):
        return False
    followed = set[A.Node]()
    for k in checked.kernels.values():
        for _, loop in outer_loops(k):
            over = loop.iterator
            if isinstance(over, A.Member) and over.name == "items" and key_of(k, over.object) in group.keys:
                if _claim_in(checked, loop, k, group) is None:
                    return False
                followed.add(over)
    return why_counted(checked, group, followed) is None


def _claim_in(checked: Checked, loop: A.ForAll, kernel: A.Kernel, group: Group) -> A.Call | None:
    """The claim that is all a loop over nodes does along their edges, beside pushing the node that it wins."""
    inner = _bare(loop.body[0]) if len(loop.body) == 1 else None
    if not isinstance(inner, A.ForAll):
        return None
    body = EdgeBody(checked, loop, inner)
    stmts = inner.body
    match stmts:
        case (A.If(test=A.Binary(op="==", left=A.Member() as seen, right=asked), body=(A.If() as taken,), orelse=()),):
            pass
        case _:
            return None
    match taken:
        case A.If(test=A.Call(function="cas", args=(A.Member(object=far) as target, wanted, new)) as claim, orelse=(),
                  body=(A.ExprStmt(value=A.MethodCall(name="push", args=(item,)) as push),)):
            read = {(a.key[1], a.key[2]) for a in body.accesses_of(new)}
            guarded = equal(seen, target) and equal(asked, wanted) and body.is_target(far) and body.is_target(item)
            alone = ("node", target.name) not in read and body.is_quiet(new)
            return claim if guarded and alone and key_of(kernel, push.object) in group.keys else None
        case _:
            return None


def _rewritten(checked: Checked, d: A.Decl, keys: set[Key]) -> A.Decl:
    """A part of the program with lists that may hold nodes twice, and stores that put them there."""
    if not isinstance(d, A.Kernel | A.Entry):
        return d
    return transform(d, partial(_instead, checked, d, keys))


def _instead(checked: Checked, d: A.Kernel | A.Entry, keys: set[Key], n: A.Node) -> A.Node:
    match n:
        case A.Param(name=word, type=T.Worklist(kind="list") as t) | A.VarDecl(
                name=word, type=T.Worklist(kind="list") as t) if (d.name, word) in keys:
            return replace(n, type=replace(t, unique=False, proven=False))
        case A.If(test=A.Call(function="cas", args=(A.Member(object=A.Member(name="dst")) as target, _, new)),
                  body=(A.ExprStmt(value=A.MethodCall(name="push") as push),)) if key_of(d, push.object) in keys:
            pushed = checked.types.get(push.object)
            if isinstance(pushed, T.Worklist) and pushed.kind == "list":
                store = A.Assign(target, new, "relaxed", span=n.test.span)
                return A.Block((store, *n.body), span=n.span)
            return n
        case A.If(body=(A.Block(body=(A.Assign(access="relaxed"), A.ExprStmt(value=A.MethodCall() as push)) as both),),
                  orelse=()) if key_of(d, push.object) in keys:
            return replace(n, body=both)
        case _:
            return n


def _bare(s: A.Stmt) -> A.Stmt:
    return s.body if isinstance(s, A.Labeled) else s


