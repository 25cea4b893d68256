"""Sets become lists: of what comes into them once anyway, or may come twice, nobody has to remember that it is there.

What it does: a `set<node>` is declared as a `unique list<node>`, or where nodes may be in it twice as a `list<node>`;
the text stays. So are all sets that are swapped with it or stand for it in kernels, together.

    Kernel step(Graph g, set<node> later)   =>   Kernel step(Graph g, unique list<node> later)

When it applies: `dedup=auto` to sets that are empty when a kernel comes to fill them, whose appends each stand behind a
claim that succeeds once a node and invocation (analysis/sets); `dedup=off` where this holds for all sets of the
program, or what their loops do twice is as good as once. Sets that are asked for a node stay sets.
What it needs and keeps: a checked program after `unique_names`; the meaning, but for the order of items, and for
`dedup=off` how often a node is in a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from irgl.analysis.check import check
from irgl.analysis.flow.kernels import helpers_of
from irgl.analysis.names.symbols import Checked
from irgl.analysis.sets.claims import Claim, claims_of, writes
from irgl.analysis.sets.counters import Differing
from irgl.analysis.sets.fillings import why_not_empty
from irgl.analysis.sets.groups import WL, Group, Key, groups, initial_may_repeat, why_set
from irgl.analysis.sets.repeated import why_not_repeated
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import equal, transform, walk
from irgl.options import OFF
from irgl.plan import Plan
from irgl.source import IrglError

AUTO, FLAGS = "auto", "flags"
Kinds = Mapping[Key, T.Worklist]


def run(program: A.Program, kinds: Kinds) -> A.Program:
    """The program with sets declared as `kinds` says."""
    if not kinds:
        return program
    decls: list[A.Decl] = []
    for d in program.decls:
        of = d.name if isinstance(d, A.Kernel | A.Entry) else ""
        decls.append(transform(d, partial(_declared, of, kinds)) if of else d)
    return A.Program(tuple(decls), span=program.span)


def _declared(of: str, kinds: Kinds, n: A.Node) -> A.Node:
    """A part of a kernel or the Program, declared as another kind."""
    match n:
        case A.Param(name=word, type=T.Worklist(kind="set", item=item)) | A.VarDecl(
                name=word, type=T.Worklist(kind="set", item=item)) if (of, word) in kinds:
            return replace(n, type=replace(kinds[of, word], item=item))
        case A.Kernel(worklist=T.Worklist(kind="set", item=item)) if WL in kinds:
            return replace(n, worklist=replace(kinds[WL], item=item))
        case _:
            return n


def relaxed(written: Checked, checked: Checked, plan: Plan) -> Checked:
    """`checked`, to which `written` was turned, with sets as the plan says; the same where that changes nothing."""
    word = plan.text_of("dedup")
    if not any(_has_set(d) for d in written.program.decls):
        return checked
    kinds = kinds_of(written, word)
    if isinstance(kinds, str):
        return checked
    made = check(run(checked.program, kinds), lowered=checked.lowered) if kinds else checked
    return replace(made, dedup=word, buffer=checked.buffer) if word not in (AUTO, FLAGS, OFF) else made


def why_not(checked: Checked, word: str) -> str | None:
    """Why a word of `dedup` can't be honoured; None: it can."""
    if not any(_has_set(d) for d in checked.program.decls):
        return "the program has no set"
    kinds = kinds_of(checked, word)
    return kinds if isinstance(kinds, str) else None


def kinds_of(checked: Checked, word: str) -> Kinds | str:
    """What sets are declared as under a word of `dedup`, or why it can't be honoured."""
    found: dict[Key, T.Worklist] = {}
    for group in groups(checked) if word in (AUTO, OFF) else ():
        claims, stays = claims_of(checked, group), why_set(checked, group)
        once = stays or _why_not_once(checked, group, claims)
        twice = stays or (claims if isinstance(claims, str) else None)
        if twice is None and once is not None and not isinstance(claims, str):
            twice = why_not_repeated(checked, group, claims)
        if once is None or (word == OFF and twice is None):
            found |= dict.fromkeys(group.keys, T.Worklist("list", T.NODE, once is None, once is None))
        elif word == OFF:
            return f"{once}; and {twice}" if twice != once else twice
    try:
        check(run(checked.program, found), lowered=checked.lowered)
    except IrglError as e:
        return f"the program wants a set: {e.message}" if word == OFF else {}
    return found


def _why_not_once(checked: Checked, group: Group, claims: list[Claim] | str) -> str | None:
    """Why a node may come into a set of the group that it is in already; None: it never does."""
    if isinstance(claims, str):
        return claims
    if WL in group.keys and initial_may_repeat(checked):
        return "WL may begin with a node that is in it twice"
    differing = Differing(checked, group, claims)
    for claim in claims:
        reason = _why_not_won_once(checked, differing, claim)
        if reason is not None:
            return f"{claim.kernel.name} claims nodes by '{claim.name}', and {reason}"
    return why_not_empty(checked, group)


def _why_not_won_once(checked: Checked, differing: Differing, claim: Claim) -> str | None:
    """Why a claim may be won more than once for a node while its kernel runs; None: it can't."""
    kernel, name = claim.kernel, claim.name
    if any(isinstance(n, A.CBlock) for part in (kernel, *helpers_of(checked, [kernel])) for n in walk(part)):
        return "nobody can see what its CBlock does"
    match claim.way:
        case "own":
            return None
        case "seen":
            return "several iterations may see it as it was"
        case "cas":
            ok = differing.keeps(kernel, kernel, name, claim.wanted, claim.type)
            return None if ok else "what is stored there may be what the claim wants"
        case _:
            mine = set(walk(kernel))  # in a helper another variable may have the name
            same = claim.new is not None and all(
                n in mine and isinstance(n, A.Reduce) and n.op == claim.op and equal(n.value, claim.new)
                for n in writes(checked, kernel, name))
            return None if same else "something else is stored there"


def _has_set(d: A.Decl) -> bool:
    return any(isinstance(t, T.Worklist) and t.kind == "set" for n in walk(d) for t in (
        (n.type,) if isinstance(n, A.VarDecl | A.Param) else (n.worklist,) if isinstance(n, A.Kernel) else ()))
