"""Pipe unrolling: the rounds of a loop stand several times in its body, each behind the test that a round begins with.

What it does: the body of a looping Pipe, or the round of an Iterate, is repeated in nested Pipes that end after one
round; so a kernel that runs the loop has several rounds in a row, for nvcc to compile together (Pai and Pingali, 4.4).

    Pipe {                        Pipe {
        Invoke relax(g, limit);       Invoke relax(g, limit);
        limit += delta;       =>      limit += delta;
    }                                 Pipe {
                                          Invoke relax(g, limit);
                                          limit += delta;
                                          break;
                                      }
                                  }

When it applies: to the loops that `times` names, with how often the round is to stand there.
What it needs and keeps: the meaning, and the number of rounds. A Pipe begins a round only where its list holds
anything, so that a copy is passed over where the loop would have ended. `continue` goes to such a test in every copy,
as it did. A `break` in a copy ends the copy's Pipe, and by a flag the loop. Labels name the first of the copies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import children, copied, rebuild

_LOOPS = (A.For, A.CFor, A.While, A.DoWhile, A.Iterate, A.Pipe)


def why_not(loop: A.Iterate | A.Pipe) -> str | None:
    """Why the loop's round can't be repeated, wherever it runs; None: it can."""
    if isinstance(loop, A.Pipe):
        return "it runs once" if loop.once else None
    if loop.mode != "worklist":
        return "the kernel's value decides on the next round, and only the Iterate itself asks for it"
    return None


def run(program: A.Program, times: Mapping[A.Iterate | A.Pipe, int]) -> A.Program:
    """The program whose loops have their rounds as often as `times` says, those that it doesn't name once."""
    fresh = Fresh(program, program)

    def visit(node: A.Node) -> A.Node:
        new = rebuild(node, visit)
        if isinstance(node, A.Iterate | A.Pipe) and times.get(node, 1) > 1:
            assert isinstance(new, A.Iterate | A.Pipe)
            return _unrolled(new, times[node], fresh)
        return new

    return rebuild(program, lambda decl: visit(decl) if isinstance(decl, A.Entry) else decl)


def _unrolled(loop: A.Iterate | A.Pipe, times: int, fresh: Fresh) -> A.Iterate | A.Pipe:
    at = loop.span
    first: tuple[A.Stmt, ...] = ()
    last: tuple[A.Stmt, ...] = ()
    flag = None
    if any(_ends(s) for s in loop.body):
        flag = fresh.numbered("ended")
        first = (A.VarDecl(T.BOOL, flag, A.BoolLit(False, span=at), span=at),)
        last = (A.If(A.Name(flag, span=at), (A.Break(span=at),), (), span=at),)
    inner: tuple[A.Stmt, ...] = ()
    for _ in range(times - 1):
        inner = (A.Pipe(False, None, (*_round(loop, flag), *inner, A.Break(span=at)), span=at),)
    return replace(loop, body=(*first, *loop.body, *inner, *last))


def _round(loop: A.Iterate | A.Pipe, flag: str | None) -> tuple[A.Stmt, ...]:
    """One more round: nodes of its own, without labels; `flag` notes that it ended the loop."""
    body: tuple[A.Stmt, ...] = tuple(copied(s) for s in loop.body)
    if isinstance(loop, A.Iterate):
        body = (A.Invoke(loop.kernel, tuple(copied(a) for a in loop.args), None, span=loop.span), *body)
    if flag is None:
        return body

    def note(node: A.Node) -> A.Node | tuple[A.Stmt, ...]:
        if isinstance(node, A.Break):
            yes = A.BoolLit(True, span=node.span)
            return (A.Assign(A.Name(flag, span=node.span), yes, "plain", span=node.span), node)
        return node if isinstance(node, _LOOPS) else rebuild(node, note)

    return rebuild(A.Block(body), note).body


def _ends(s: A.Node) -> bool:
    """May `s` end the loop around it?"""
    if isinstance(s, _LOOPS):
        return False
    return isinstance(s, A.Break) or any(_ends(c) for c in children(s))
