"""Loops of the Program that go on as long as a kernel sets a flag: what they do, told from what they are made of.

    while (flag) {             while (true) {                        do {
        flag = 0;                  flag = 0;                             flag = 0;
        BEFORE                     BEFORE                                BEFORE
        Invoke k(g);               Invoke k(g);                          Invoke k(g);
        AFTER                      AFTER                                 AFTER
    }                              if (flag == 0) { break; }         } while (flag);
                                   NEXT
                               }

The flag is a scalar of the program that k alone sets, to numbers other than 0: so it says that there is more to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from irgl.analysis.effects.effects import by_kind, effects_of, kernel_effects
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk


@dataclass(frozen=True, slots=True)
class Flagged:
    """The parts of such a loop. asks: does it look at the flag before the first round? sets: the stores in the kernel
    that say that there is more to do."""

    flag: str
    invoke: A.Invoke
    reset: A.Stmt
    before: tuple[A.Stmt, ...]
    after: tuple[A.Stmt, ...]
    next: tuple[A.Stmt, ...]
    asks: bool
    sets: tuple[A.Assign, ...]


def flagged(checked: Checked, loop: A.Stmt) -> Flagged | str:
    """The parts of a loop that goes on as long as a kernel sets a flag, or why it is none."""
    match loop:
        case A.While() if _is_true(loop.test):
            return _endless(checked, loop)
        case A.While() | A.DoWhile():
            flag = _asked(checked, loop.test)
            if flag is None:
                return "its condition is no flag that a kernel sets"
            return _parts(checked, flag, loop.body, (), isinstance(loop, A.While))
        case _:
            return "it is no loop that goes on while a flag is set"


def _endless(checked: Checked, loop: A.While) -> Flagged | str:
    """The same of a loop that is left where the flag isn't set."""
    for i, s in enumerate(loop.body):
        if isinstance(s, A.If) and not s.orelse and len(s.body) == 1 and isinstance(s.body[0], A.Break):
            flag = _asked_not(checked, s.test)
            if flag is not None:
                return _parts(checked, flag, loop.body[:i], loop.body[i + 1 :], asks=False)
    return "nothing ends it where a flag isn't set"


def _parts(checked: Checked, flag: str, body: tuple[A.Stmt, ...], behind: tuple[A.Stmt, ...],
           asks: bool) -> Flagged | str:
    """The parts of a body; behind: what stands behind the question whether the flag is set."""
    if not body or not _is_reset(body[0], flag):
        return f"it doesn't begin by setting '{flag}' back"
    reset, *rest = body
    runs = [i for i, s in enumerate(rest) if isinstance(s, A.Invoke)
            and ("scalar", flag) in by_kind(kernel_effects(checked, checked.kernels[s.kernel]).writes)]
    if len(runs) != 1:
        return f"no one Invoke of it sets '{flag}'"
    invoke = rest[runs[0]]
    assert isinstance(invoke, A.Invoke)
    before, after = tuple(rest[: runs[0]]), tuple(rest[runs[0] + 1 :])
    if _touches(checked, (*before, *after, *behind), flag) or _touches_in(checked, invoke.args, flag):
        return f"it uses '{flag}' for more than to tell whether to go on"
    if any(isinstance(s, A.VarDecl) for s in (*before, *behind)):
        return "a variable of a round stands in it, before its kernel runs"
    if any(isinstance(n, A.Continue) for s in (*before, *after, *behind) for n in walk(s)):
        return "it goes on to the next round from within"
    if invoke.queue is not None:
        return "its kernel runs on a priority queue"
    sets = _sets(checked, checked.kernels[invoke.kernel], flag)
    return sets if isinstance(sets, str) else Flagged(flag, invoke, reset, before, after, behind, asks, sets)


def _sets(checked: Checked, kernel: A.Kernel, flag: str) -> tuple[A.Assign, ...] | str:
    """The stores by which a kernel says that there is more to do."""
    assert checked.entry is not None
    runs = sum(isinstance(n, A.Invoke | A.InvokeResult | A.Iterate) and n.kernel == kernel.name
               for n in walk(checked.entry))
    if runs != 1:
        return f"'{kernel.name}' is invoked elsewhere, too"
    facts = checked.facts[kernel.name]
    if facts.returns or facts.uses_worklist:
        return f"'{kernel.name}' has a value or a worklist of its own"
    inside = {n for loop in walk(kernel) if isinstance(loop, A.ForAll) for n in walk(loop)}
    sets = tuple(n for n in walk(kernel) if isinstance(n, A.Assign) and _is(n.target, flag))
    if not all(_is_set(s) and s in inside for s in sets):
        return f"'{kernel.name}' stores what may be 0 into '{flag}'"
    called = [checked.functions[n.function] for n in walk(kernel) if isinstance(n, A.Call)
              and n.function in checked.functions]
    if sets and any(_touches(checked, f.body, flag) for f in called):
        return f"'{kernel.name}' asks a helper about '{flag}', or has it set there"
    named = [n for n in walk(kernel) if isinstance(n, A.Name) and n.id == flag]
    touched = effects_of(checked, [*kernel.body]).first
    ways = {way for place, way in touched if (place.kind, place.name) == ("scalar", flag)}
    if len(named) != len(sets) or ways != {"store"}:
        return f"'{kernel.name}' does more with '{flag}' than to set it"
    if not sets:
        return f"'{kernel.name}' has no statement of its own that sets '{flag}'"
    return sets


def _asked(checked: Checked, e: A.Expr) -> str | None:
    """The scalar that a condition asks to be other than 0."""
    match e:
        case A.Name(id=word) if (s := checked.symbols.get(e)) is not None and s.kind == "global":
            return word if T.is_number(s.type) or isinstance(s.type, T.Bool) else None
        case A.Binary(op="!=", left=A.Name() as name, right=A.IntLit(value=0) | A.BoolLit(value=False)):
            return _asked(checked, name)
        case A.Binary(op="==", left=A.Name() as name, right=A.BoolLit(value=True)) if isinstance(
                T.bare(checked.types[name]), T.Bool):
            return _asked(checked, name)
        case _:
            return None


def _asked_not(checked: Checked, e: A.Expr) -> str | None:
    """The scalar that a condition asks to be 0."""
    match e:
        case A.Unary(op="!"):
            return _asked(checked, e.operand)
        case A.Binary(op="==", left=A.Name() as name, right=A.IntLit(value=0) | A.BoolLit(value=False)):
            return _asked(checked, name)
        case _:
            return None


def _is_true(e: A.Expr) -> bool:
    return (isinstance(e, A.BoolLit) and e.value) or (isinstance(e, A.IntLit) and e.value != 0)


def _is_reset(s: A.Stmt, flag: str) -> bool:
    return isinstance(s, A.Assign) and _is(s.target, flag) and (
        isinstance(s.value, A.IntLit | A.BoolLit) and not s.value.value)


def _is_set(s: A.Assign) -> bool:
    """Is a number stored that is not 0, as any type of flags holds it?"""
    return (isinstance(s.value, A.BoolLit) and s.value.value) or (
        isinstance(s.value, A.IntLit) and 0 < s.value.value < 128)


def _is(e: A.Expr, flag: str) -> bool:
    return isinstance(e, A.Name) and e.id == flag


def _touches(checked: Checked, stmts: Iterable[A.Stmt], flag: str) -> bool:
    """Do statements, or the kernels and helpers that they call, read or write a scalar?"""
    found = effects_of(checked, stmts)
    return ("scalar", flag) in by_kind(place for place, _ in found.first)


def _touches_in(checked: Checked, exprs: Iterable[A.Expr], flag: str) -> bool:
    return _touches(checked, (A.ExprStmt(e) for e in exprs), flag)
