"""The builder's statements (irgl/builder.py). A body is any number of statements in a list, tuple or generator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.calls.expressions import Value, checked, expression, expressions, here, reduce
from irgl.frontends.neighbors import over_edges
from irgl.source import IrglError

__all__ = [
    "Body", "Initial", "assign", "atomic", "block", "break_", "c_block", "c_for", "continue_", "declare",
    "do", "do_while", "exclusive", "for_", "forall", "if_", "invoke", "iterate", "labeled", "pipe",
    "reduce_and_return", "respawn", "retry", "return_", "statements", "sync_running_threads", "update",
    "while_",
]  # fmt: skip

Body = Iterable[A.Stmt]
#: First items of a worklist: several, listed, or one expression, the iterator that yields them.
Initial = Sequence[Value] | A.Expr | None


def statements(body: Body) -> tuple[A.Stmt, ...]:
    """A body as a tuple. IrglError for what is no statement."""
    if not isinstance(body, Iterable):
        raise IrglError(f"a {type(body).__name__} is no body", here(), "give a list of statements")
    found = tuple(body)
    for s in found:
        if not isinstance(s, A.Stmt):
            what = "an expression: do(...) makes a statement of it" if isinstance(s, A.Expr) else "no statement"
            raise IrglError(f"a body holds {type(s).__name__}, which is {what}", here())
    return found


def declare(variable: str, kind: T.Type, init: Value | None = None) -> A.VarDecl:
    """`kind variable = init;`"""
    return checked(A.VarDecl(kind, variable, None if init is None else expression(init), span=here()))


def assign(target: Value, value: Value, access: str = "plain") -> A.Assign:
    """`target = value;` access: plain, racy or relaxed"""
    return checked(A.Assign(expression(target), expression(value), access, span=here()))


def update(op: str, target: Value, value: Value) -> A.ExprStmt:
    """`target op= value;`"""
    return do(reduce(op, target, value))


def do(value: Value) -> A.ExprStmt:
    """A call or an update as a statement."""
    return A.ExprStmt(expression(value), span=here())


def block(body: Body) -> A.Block:
    """`{ body }`"""
    return A.Block(statements(body), span=here())


def if_(test: Value, body: Body, orelse: Body = ()) -> A.If:
    """`if (test) { body } else { orelse }`"""
    return A.If(expression(test), statements(body), statements(orelse), span=here())


def while_(test: Value, body: Body) -> A.While:
    """`while (test) { body }`"""
    return A.While(expression(test), statements(body), span=here())


def do_while(body: Body, test: Value) -> A.DoWhile:
    """`do { body } while (test);`"""
    return A.DoWhile(statements(body), expression(test), span=here())


def c_for(init: Body, test: Value | None, step: Body, body: Body) -> A.CFor:
    """`for (init; test; step) { body }`"""
    condition = None if test is None else expression(test)
    return checked(A.CFor(statements(init), condition, statements(step), statements(body), span=here()))


def for_(variable: str, iterator: Value, body: Body) -> A.For:
    """`For (variable In iterator) { body }`, one by one"""
    return checked(over_edges(A.For(variable, expression(iterator), statements(body), span=here())))


def forall(variable: str, iterator: Value, body: Body) -> A.ForAll:
    """`ForAll (variable In iterator) { body }`, in parallel"""
    return checked(over_edges(A.ForAll(variable, expression(iterator), statements(body), span=here())))


def break_() -> A.Break:
    """`break;`"""
    return A.Break(span=here())


def continue_() -> A.Continue:
    """`continue;`"""
    return A.Continue(span=here())


def return_(value: Value | None = None) -> A.Return:
    """`return value;`"""
    return A.Return(None if value is None else expression(value), span=here())


def labeled(label: str, body: A.Stmt) -> A.Labeled:
    """`label: body`"""
    return checked(A.Labeled(label, body, span=here()))


def atomic(lock: Value, body: Body, orelse: Body | None = None) -> A.Atomic:
    """`Atomic (lock) { body }`, which waits; with `orelse` (perhaps empty) it does not."""
    other = () if orelse is None else statements(orelse)
    return A.Atomic(expression(lock), statements(body), other, orelse is None, span=here())


def exclusive(of: Value, elements: Sequence[Value], body: Body, orelse: Body = ()) -> A.Exclusive:
    """`Exclusive (of, [elements]) { body } Else { orelse }`"""
    found = A.Exclusive(expression(of), expressions(elements), statements(body), statements(orelse), span=here())
    return checked(found)


def sync_running_threads() -> A.SyncRunningThreads:
    """`SyncRunningThreads;`: the iterations of the loop go on when all have come here."""
    return A.SyncRunningThreads(span=here())


def reduce_and_return(value: Value) -> A.ReduceAndReturn:
    """`ReduceAndReturn(value);`"""
    return A.ReduceAndReturn(expression(value), span=here())


def retry(item: Value) -> A.Retry:
    """`Retry item;`"""
    return A.Retry(expression(item), span=here())


def respawn(item: Value) -> A.Respawn:
    """`Respawn item;`"""
    return A.Respawn(expression(item), span=here())


def c_block(text: str, reads: Sequence[Value] = (), writes: Sequence[Value] = ()) -> A.CBlock:
    """`CBlock reads(...) writes(...) { text }`"""
    return checked(A.CBlock(expressions(reads), expressions(writes), text, span=here()))


def invoke(kernel: str, *args: Value, queue: str | None = None) -> A.Invoke:
    """`Invoke kernel(args);` or, on a queue that a variable holds, `Invoke kernel(args) WL queue;`"""
    return checked(A.Invoke(kernel, expressions(args), queue, span=here()))


def iterate(kernel: str, args: Sequence[Value], body: Body = (), *, initial: Initial = None, mode: str = "worklist",
            reduction: str = "") -> A.Iterate:  # fmt: skip
    """`Iterate kernel(args) Initial initial { body }`; mode: worklist, or while and until with reduction any or all."""
    first = _initial(initial)
    return checked(A.Iterate(mode, reduction, kernel, expressions(args), first, statements(body), span=here()))


def pipe(body: Body, *, initial: Initial = None, once: bool = False) -> A.Pipe:
    """`Pipe Once Initial initial { body }`"""
    return A.Pipe(once, _initial(initial), statements(body), span=here())


def sections(*parts: Body) -> A.Sections:
    """`Sections { { part } { part } }`: parts that have nothing to do with each other, and may run at once."""
    return checked(A.Sections(tuple(A.Block(statements(part), span=here()) for part in parts), span=here()))


def _initial(given: Initial) -> A.Initial | None:
    if given is None:
        return None
    if isinstance(given, A.Expr):
        return A.InitialIterator(given, span=here())
    return checked(A.InitialItems(expressions(given), span=here()))
