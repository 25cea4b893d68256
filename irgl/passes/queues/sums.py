"""update_sum: up to the limit, and no further, whoever else changes the property at the same time."""

from __future__ import annotations

from dataclasses import dataclass

from irgl.analysis.names.conversions import literal_value
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import copied

Stmts = tuple[A.Stmt, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """What a loop of `summed` does. then: what comes behind a move; bucket: where that files its node."""

    place: A.Member
    seen: str
    step: A.Expr
    limit: A.Expr
    to: str
    then: Stmts


def summed(place: A.Member, of: T.Type, step: A.Expr, limit: A.Expr, fresh: Fresh,
           number: int | None = None) -> tuple[tuple[A.VarDecl], A.While, str]:
    """What comes before the loop that tries; the loop, whose `if` is true once it has moved the node; and what holds
    the value then. of: the property's type. number: of the step's sign, where the text doesn't tell it."""
    at, number = step.span, literal_value(step) if number is None else number
    assert number is not None
    seen, to = fresh.bare("seen"), fresh.bare("to")

    def name(word: str) -> A.Expr:
        return A.Name(word, span=at)

    beyond = A.Binary(">" if number < 0 else "<", name(seen), copied(limit), span=at)
    moved = A.Binary("+", A.Cast(T.LONG, name(seen), span=at), copied(step), span=at)
    variable = isinstance(limit, A.Name) and limit.id != "INF"  # which is that of its type
    end = A.Cast(T.LONG, copied(limit) if variable else A.Cast(of, copied(limit), span=at), span=at)
    clipped: A.Expr = A.Cast(of, A.Call("max" if number < 0 else "min", (moved, end), span=at), span=at)
    if of == T.LONG:  # no number is large enough for all sums of two: who is as near to the limit comes to it
        ends = (name(seen), copied(end)) if number < 0 else (copied(end), name(seen))
        apart = A.Binary("-", *(A.Cast(T.ULONG, e, span=at) for e in ends), span=at)
        near = A.Binary("<=", apart, A.Cast(T.ULONG, A.IntLit(abs(number), T.LONG, span=at), span=at), span=at)
        clipped = A.Conditional(near, end, moved, span=at)
    done = A.If(A.Call("cas", (copied(place), name(seen), name(to)), span=at), (A.Break(span=at),), (), span=at)
    again = A.Assign(name(seen), copied(place), "plain", span=at)
    loop = A.While(beyond, (A.VarDecl(of, to, clipped, span=at), done, again), span=at)
    return (A.VarDecl(of, seen, copied(place), span=at),), loop, to


def found(loop: A.Node) -> Sum | None:
    """What a loop sums; None: it is none of `summed`."""
    match loop:
        case A.While(
            test=A.Binary(op=">" | "<", left=A.Name(id=seen), right=limit),
            body=(
                A.VarDecl(name=to, init=A.Cast(operand=A.Call(function="max" | "min", args=(
                    A.Binary(op="+", left=A.Cast(operand=A.Name(id=same)), right=step), _)))),
                A.If(test=A.Call(function="cas", args=(A.Member() as place, _, A.Name(id=told))),
                     body=(*then, A.Break())),
                A.Assign(target=A.Name(id=again)),
            ),
        ) if seen == same == again and to == told and literal_value(step) is not None:
            return Sum(place, seen, step, limit, to, tuple(then))
        case _:
            return None
