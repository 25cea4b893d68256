"""Any program, built again by the calls of irgl.builder that a generator of programs would make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irgl import builder as b
from irgl.ast import nodes as A


def rebuilt(program: A.Program) -> A.Program:
    return b.program([build(d) for d in program.decls])


def build(node: A.Node) -> Any:
    """The node that the builder makes for one like `node`."""
    return _CALLS[type(node)](node)


def some(nodes: tuple[A.Node, ...]) -> list[Any]:
    return [build(n) for n in nodes]


def maybe(node: A.Node | None) -> Any:
    return None if node is None else build(node)


def initial(node: A.Initial | None) -> Any:
    match node:
        case None:
            return None
        case A.InitialItems():
            return some(node.items)
        case A.InitialIterator():
            return build(node.iterator)


def literal(n: A.FloatLit) -> A.Expr:
    made = b.literal(float(n.text), n.type)
    assert isinstance(made, A.FloatLit)
    return A.FloatLit(n.text, made.type)  # the builder spells a number its own way


_CALLS: dict[type[A.Node], Callable[[Any], Any]] = {
    A.Import: lambda n: b.import_(n.path),
    A.Struct: lambda n: b.struct(n.name, {f.name: f.type for f in n.fields}),
    A.GraphType: lambda n: b.graph(n.name, some(n.properties)),
    A.Property: lambda n: (b.node_property if n.owner == "node" else b.edge_property)(
        n.name, n.type, maybe(n.init) if n.axis is None else b.call("coordinate", n.axis),
        given=n.given and n.axis is None),
    A.Library: lambda n: b.library(n.name, n.header, some(n.features), n.params),
    A.Attribute: lambda n: b.attribute(n.name, n.type),
    A.Iterator: lambda n: b.iterator(n.name, n.item),
    A.Elements: lambda n: b.elements(n.item, n.exclusive),
    A.Own: lambda _: b.own(),
    A.Stays: lambda _: b.stays(),
    A.Method: lambda n: b.library_method(n.name, some(n.params), n.returns, n.effect,
                                         [(f.level, f.function) for f in n.forms]),
    A.Global: lambda n: b.scalar(n.name, n.type, maybe(n.init)),
    A.Constant: lambda n: b.constant(n.name, n.value),
    A.Param: lambda n: b.param(n.name, n.type, maybe(n.default), n.needs),
    A.Function: lambda n: b.function(n.name, some(n.params), n.returns, some(n.body)),
    A.Kernel: lambda n: b.kernel(n.name, some(n.params), some(n.body), n.worklist),
    A.Entry: lambda n: b.entry(n.name, some(n.params), some(n.body), some(n.clauses)),
    A.Verify: lambda n: b.verify(n.verifier, {r.name: build(r.value) for r in n.roles}),
    A.Tolerance: lambda n: b.tolerance(build(n.value)),
    A.AnyValid: lambda _: b.any_valid(),
    A.VarDecl: lambda n: b.declare(n.name, n.type, maybe(n.init)),
    A.Assign: lambda n: b.assign(build(n.target), build(n.value), n.access),
    A.ExprStmt: lambda n: b.do(build(n.value)),
    A.Block: lambda n: b.block(some(n.body)),
    A.If: lambda n: b.if_(build(n.test), some(n.body), some(n.orelse)),
    A.While: lambda n: b.while_(build(n.test), some(n.body)),
    A.DoWhile: lambda n: b.do_while(some(n.body), build(n.test)),
    A.CFor: lambda n: b.c_for(some(n.init), maybe(n.test), some(n.step), some(n.body)),
    A.For: lambda n: b.for_(n.var, build(n.iterator), some(n.body)),
    A.ForAll: lambda n: b.forall(n.var, build(n.iterator), some(n.body)),
    A.Break: lambda _: b.break_(),
    A.Continue: lambda _: b.continue_(),
    A.Return: lambda n: b.return_(maybe(n.value)),
    A.Labeled: lambda n: b.labeled(n.label, build(n.body)),
    A.Atomic: lambda n: b.atomic(build(n.lock), some(n.body), None if n.blocking else some(n.orelse)),
    A.Exclusive: lambda n: b.exclusive(build(n.object), some(n.elements), some(n.body), some(n.orelse)),
    A.SyncRunningThreads: lambda _: b.sync_running_threads(),
    A.ReduceAndReturn: lambda n: b.reduce_and_return(build(n.value)),
    A.Retry: lambda n: b.retry(build(n.item)),
    A.Respawn: lambda n: b.respawn(build(n.item)),
    A.CBlock: lambda n: b.c_block(n.text, some(n.reads), some(n.writes)),
    A.Invoke: lambda n: b.invoke(n.kernel, *some(n.args), queue=n.queue),
    A.Iterate: lambda n: b.iterate(n.kernel, some(n.args), some(n.body), initial=initial(n.initial), mode=n.mode,
                                   reduction=n.reduction),
    A.Pipe: lambda n: b.pipe(some(n.body), initial=initial(n.initial), once=n.once),
    A.Sections: lambda n: b.sections(*(some(part.body) for part in n.body)),
    A.Name: lambda n: b.name(n.id),
    A.IntLit: lambda n: b.literal(n.value, n.type),
    A.FloatLit: literal,
    A.BoolLit: lambda n: b.literal(n.value),
    A.StringLit: lambda n: b.string(n.value),
    A.Unary: lambda n: b.unary(n.op, build(n.operand)),
    A.Binary: lambda n: b.binary(n.op, build(n.left), build(n.right)),
    A.Conditional: lambda n: b.conditional(build(n.test), build(n.then), build(n.orelse)),
    A.Cast: lambda n: b.cast(n.type, build(n.operand)),
    A.StructLit: lambda n: b.struct_of(n.type, *some(n.values)),
    A.Call: lambda n: b.call(n.function, *some(n.args)),
    A.MethodCall: lambda n: b.method(build(n.object), n.name, *some(n.args)),
    A.Member: lambda n: b.member(build(n.object), n.name),
    A.Index: lambda n: b.index(build(n.object), build(n.index)),
    A.Relaxed: lambda n: b.relaxed(build(n.location)),
    A.Reduce: lambda n: b.reduce(n.op, build(n.target), build(n.value)),
    A.InvokeResult: lambda n: (b.any_of if n.reduction == "any" else b.all_of)(n.kernel, *some(n.args)),
}
