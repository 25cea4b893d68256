"""Checks a whole program: names, types, places, ownership. Everything after this may rely on its tables."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from irgl.analysis.effects.effects import kernel_effects
from irgl.analysis.effects.inputs import check_given
from irgl.analysis.effects.reverse_edges import check_reverses
from irgl.analysis.effects.sections import check_sections
from irgl.analysis.flow.combines import combines
from irgl.analysis.names import members as M
from irgl.analysis.names.methods import is_object
from irgl.analysis.names.symbols import Checked, KernelFacts, Symbol, collect, fail
from irgl.analysis.ownership.appended import check_appended
from irgl.analysis.ownership.lists import check_lists
from irgl.analysis.ownership.ownership import check_ownership
from irgl.analysis.ownership.respawns import check_respawns, runs_over_wl
from irgl.analysis.types.compound import Spelled, spell_out
from irgl.analysis.types.declarations import check_names, check_types
from irgl.analysis.types.entry import check_entry, declare_params
from irgl.analysis.types.expressions import Expressions
from irgl.analysis.types.statements import Statements
from irgl.analysis.values.none import none_accesses
from irgl.analysis.vectors.constants import with_values
from irgl.analysis.vectors.spell import spell_vectors
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.source import IrglError

DEFAULT_WORKLIST = T.Worklist("list", T.NODE)


def check(program: A.Program, *, lowered: bool = False) -> Checked:
    """Names, types, places and races of a program without imports. Raises IrglError at the first mistake.

    lowered: the program comes from a pass that writes aggregated forms of methods, which users can't.
    """
    known = _known(program, lowered)
    if known is not None:
        return known
    spelled = spell_out(spell_vectors(with_values(program)))
    checked = _tables(spelled, lowered)
    checked.found = {}
    _kept(checked.program).append(replace(checked, compound={}))
    return checked


@lru_cache(maxsize=32)
def _kept(_: A.Program) -> list[Checked]:
    """What has been found of a program in which nothing is left to spell out: passes that change nothing give the very
    same one."""
    return []


def _known(program: A.Program, lowered: bool) -> Checked | None:
    """A program that has been checked already, by the rules for users or for what a pass may write, too."""
    known = next((c for c in _kept(program) if lowered or not c.lowered), None)
    return None if known is None else replace(known, lowered=lowered)


def _tables(spelled: Spelled, lowered: bool) -> Checked:
    checked = collect(spelled.program)
    checked.lowered = lowered
    checked.compound = spelled.stores
    check_names(checked)
    check_types(checked)
    for name, g in checked.globals.items():
        checked.symbols[g] = Symbol(name, g.type, "global", 0, g.span)
    for f in checked.functions.values():
        _function(checked, f)
    _no_recursion(checked)
    for k in checked.kernels.values():
        _kernel(checked, k)
    if checked.entry is not None:
        check_entry(checked, checked.entry)
        check_given(checked, checked.entry)
    _given_once(checked)
    check_reverses(checked)
    checked.combined = combines(checked)
    check_lists(checked)
    check_ownership(checked)
    if not lowered:
        check_appended(checked)
    checked.none = none_accesses(checked)
    if not lowered:
        check_sections(checked)
    return checked


def require_entry(checked: Checked, path: str) -> A.Entry:
    """The program's entry; IrglError for a library of kernels, which can be checked but not run."""
    if checked.entry is None:
        raise IrglError("there is no Program to run", file=path, hint="write Program name(Graph g) { ... }")
    return checked.entry


def _function(checked: Checked, f: A.Function) -> None:
    ex = Expressions(checked, "function", None)
    st = Statements(checked, ex, f.returns)
    declare_params(checked, f.params, ex, st)
    returns = st.resolve(f.returns, f)
    if not (T.is_scalar(returns) or returns == T.VOID or checked.fields(returns) is not None):
        fail(
            f"'{f.name}' can't return {M.a(T.bare(returns))}",
            f,
            "functions return numbers, bools, nodes, edges and structs",
        )
    st.returns = returns
    st.body(f.body, own_scope=False)
    if f.returns != T.VOID and not _always_returns(f.body):
        fail(f"'{f.name}' may end without returning its {T.bare(f.returns)}", f, "end it with a return")


def _always_returns(stmts: tuple[A.Stmt, ...]) -> bool:
    if not stmts:
        return False
    match stmts[-1]:
        case A.Return():
            return True
        case A.Block() as b:
            return _always_returns(b.body)
        case A.If() as i:
            return _always_returns(i.body) and _always_returns(i.orelse)
        case A.While(test=A.BoolLit(value=True) | A.IntLit(value=1)):
            return True
        case A.CFor(test=None):
            return True
        case _:
            return False


def _kernel(checked: Checked, k: A.Kernel) -> None:
    worklist = k.worklist if k.worklist is not None else DEFAULT_WORKLIST
    if not isinstance(worklist, T.Worklist):
        fail(f"the WL of '{k.name}' can't be {M.a(T.bare(worklist))}", k, "write WL list<node>")
    facts = KernelFacts(worklist)
    ex = Expressions(checked, "kernel", facts)
    st = Statements(checked, ex, T.VOID)
    declare_params(checked, k.params, ex, st)
    resolved = st.resolve(worklist, k)
    assert isinstance(resolved, T.Worklist)
    facts.worklist = resolved
    checked.facts[k.name] = facts
    st.body(k.body, own_scope=False)
    if resolved.kind == T.QUEUE and facts.reads and not runs_over_wl(k):
        fail(f"'{k.name}' looks at its queue's items outside of a ForAll at its top, which would run them", k,
             "write ForAll (n In WL.items) { ... } at the top of the kernel")
    facts.drains = (resolved.by is not None or (resolved.kind == "buckets" and facts.pushes)) and runs_over_wl(k)
    if facts.comes_back:
        check_respawns(checked, k, facts)


def _given_once(checked: Checked) -> None:
    """What a helper changes or appends to, it knows by one name."""
    for call in (n for n in walk(checked.program) if isinstance(n, A.Call) and n.function in checked.functions):
        f = checked.functions[call.function]
        changed = [p.name for p in kernel_effects(checked, f).writes if p.kind in ("list", "object")]
        given = [a.id if isinstance(a, A.Name) and is_object(checked, checked.types[a]) else "" for a in call.args]
        for p, name in zip(f.params, given, strict=True):
            if name and given.count(name) > 1 and p.name in changed:
                fail(f"'{name}' is given twice to '{f.name}', which changes '{p.name}'", call,
                     "what is read and what is written must differ")


def _no_recursion(checked: Checked) -> None:
    done: set[str] = set()
    open_: list[str] = []

    def visit(f: A.Function) -> None:
        if f.name in done:
            return
        open_.append(f.name)
        for call in (n for n in walk(f) if isinstance(n, A.Call) and n.function in checked.functions):
            if call.function in open_:
                through = "".join(f" through '{name}'" for name in open_[open_.index(call.function) + 1 :])
                fail(f"'{call.function}' calls itself{through}", call, "write it as a loop: GPUs have no deep stacks")
            visit(checked.functions[call.function])
        open_.pop()
        done.add(f.name)

    for f in checked.functions.values():
        visit(f)
