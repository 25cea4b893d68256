"""What an iteration over a queue's items asks before it runs: is its node still in the queue, and here?"""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import copied
from irgl.passes.queues.parts import OnQueue, at_an_end, bucket, narrow, of_node, running


def asks_first(loop: A.ForAll, by: T.Priority) -> bool:
    """Does an iteration begin with a variable that is its node's property?"""
    match loop.body:
        case (A.VarDecl(type=of, init=A.Member(object=A.Name(id=word), name=name)), *_):
            return of == by.of and word == loop.var and name == by.property
        case _:
            return False


def claim(loop: A.ForAll, on: OnQueue, ran: str, fresh: Fresh, asked: A.Stmt | None = None) -> tuple[A.Stmt, ...]:
    """What an iteration asks first: is its node here, and has it not run since it was filed? asked: what holds its
    property."""
    by, falling, at = on.by, on.falls, loop.iterator.span
    word = asked.name if isinstance(asked, A.VarDecl) else fresh.bare("with")
    node = A.Name(loop.var, span=at)
    made = asked or A.VarDecl(T.LONG if ran else by.of or T.LONG, word, A.Member(node, by.property, span=at), span=at)
    leave: tuple[A.Stmt, ...] = (A.Continue(span=at),)
    tests: list[A.Stmt] = [made]
    if by.is_wide():
        tests.append(A.If(at_an_end(A.Name(word, span=at)), leave, (), span=at))
    if falling == by.higher:  # it may have moved on to a later bucket
        here = bucket(by, A.Name(word, span=at), narrow(on.kernel, by))
        later = A.Binary(">", here, running(at), span=at)
        tests.append(A.If(later, leave, (), span=at))
    if not ran:
        here = bucket(by, A.Name(word, span=at), narrow(on.kernel, by))
        early = A.MethodCall(A.Name("WL", span=at), "early", (copied(node),), span=at)
        passed = A.Binary("&&", A.Binary("<", here, running(at), span=at), A.Unary("!", early, span=at), span=at)
        return (*tests, A.If(passed, leave, (), span=at))
    claim = A.Reduce("min" if falling else "max", of_node(ran, node, at), A.Name(word, span=at), span=at)
    return (*tests, A.If(A.Unary("!", claim, span=at), leave, (), span=at))
