"""Sets and arrays that a kernel makes for all its threads become the Program's, which hands them to the kernel.

What it does: a GPU allocates nothing inside a kernel, so that what one invocation makes is made once, before the first,
and begins each invocation empty.

    Kernel relax(Graph g, int step) {             Kernel relax(Graph g, int step, bitmap<node> front) {
        bitmap<node> front;                           front.clear();
        ...                                           ...
    }                                       =>    }
    Program p(Graph g) {                          Program p(Graph g) {
        Iterate relax(g, 1) Initial [...];            bitmap<node> relax_front;
    }                                                 Iterate relax(g, 1, relax_front) Initial [...];
                                                  }

When it applies: to what stands in a kernel outside its ForAlls, as turn_direction and bin_by_degree write it: bitmaps
of a graph's nodes, arrays as long as these are many, whose elements are stored before they are read, and lists that the
kernel empties itself in the end.
What it needs and keeps: a program checked as `lowered`; the meaning, with which the interpreter runs it, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from irgl.analysis.names.members import DENSE
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import rebuild, transform, walk
from irgl.passes.parts.calls import Call, called_with


@dataclass(frozen=True, slots=True)
class _Lifted:
    """An object of a kernel; graph: the parameter whose nodes it has room for."""

    decl: A.VarDecl
    graph: str


def run(checked: Checked) -> A.Program:
    """The program without objects that kernels make; the same program where there are none."""
    lifted = {k.name: found for k in checked.kernels.values() if (found := _objects(k))}
    if not lifted:
        return checked.program
    decls: list[A.Decl] = []
    for decl in checked.program.decls:
        match decl:
            case A.Kernel(name=name) if name in lifted:
                decls.append(_given(decl, lifted[name]))
            case A.Entry():
                decls.append(_giving(checked, decl, lifted))
            case _:
                decls.append(decl)
    return A.Program(tuple(decls), span=checked.program.span)


def _objects(kernel: A.Kernel) -> list[_Lifted]:
    """What the kernel makes outside its ForAlls."""
    inside = {n for loop in walk(kernel) if isinstance(loop, A.ForAll) for n in walk(loop)}
    found: list[_Lifted] = []
    sizes = dict(size for s in walk(kernel) if s not in inside and (size := _resized(s)) is not None)
    for n in walk(kernel):
        if not isinstance(n, A.VarDecl) or n in inside:
            continue
        match n.type:
            case T.Worklist(kind="bitmap" | "bytemap" | "list", item=T.NodeT(graph=graph)):
                found.append(_Lifted(n, graph))
            case T.Named(name="array") if n.name in sizes:
                found.append(_Lifted(n, sizes[n.name]))
            case _:
                pass
    return found


def _resized(s: A.Node) -> tuple[str, str] | None:
    """The array to which a statement gives a place for each node, and the parameter whose nodes these are."""
    match s:
        case A.ExprStmt(value=A.MethodCall(object=A.Name(id=word), name="resize",
                                           args=(A.Member(object=A.Name(id=graph), name="num_nodes"),))):
            return word, graph
        case _:
            return None


def emptied(s: A.Stmt) -> str | None:
    """The list or set of a kernel that a statement empties; None: it does something else."""
    match s:
        case A.ExprStmt(value=A.MethodCall(object=A.Name(id=word), name="clear")):
            return word
        case _:
            return None


def _given(kernel: A.Kernel, objects: list[_Lifted]) -> A.Kernel:
    """The kernel with its objects as parameters."""
    mine = {o.decl: o for o in objects}
    names = {o.decl.name for o in objects}

    def visit(node: A.Node) -> A.Node | tuple[A.Stmt, ...]:
        if isinstance(node, A.VarDecl) and node in mine:
            if not (isinstance(node.type, T.Worklist) and node.type.kind in DENSE):
                return ()
            return A.ExprStmt(A.MethodCall(A.Name(node.name, span=node.span), "clear", (), span=node.span),
                              span=node.span)
        if (size := _resized(node)) is not None and size[0] in names:
            return ()
        return rebuild(node, visit)

    new = rebuild(kernel, visit)
    assert isinstance(new, A.Kernel)
    params = tuple(A.Param(o.decl.type, o.decl.name, None, (), span=o.decl.span) for o in objects)
    return replace(new, params=(*kernel.params, *params))


def _giving(checked: Checked, entry: A.Entry, lifted: Mapping[str, list[_Lifted]]) -> A.Entry:
    """The Program with the objects of its kernels, one for each graph that a kernel is invoked with."""
    fresh = Fresh(checked.program, entry)
    made: dict[tuple[str, str, str], str] = {}
    new_of: dict[str, list[A.Stmt]] = {}

    def arguments(call: Call) -> tuple[A.Expr, ...]:
        kernel = checked.kernels[call.kernel]
        given = {p.name: a for p, a in zip(kernel.params, call.args, strict=True)}
        added: list[A.Expr] = []
        for o in lifted.get(call.kernel, ()):
            graph = given[o.graph]
            assert isinstance(graph, A.Name)
            key = call.kernel, o.decl.name, graph.id
            if key not in made:
                made[key] = fresh.bare(f"{call.kernel}_{o.decl.name}")
                new_of.setdefault(graph.id, []).extend(_made(o.decl, made[key], graph.id, entry))
            added.append(A.Name(made[key], span=call.span))
        return tuple(added)

    def behind_its_graph(node: A.Node) -> A.Node | tuple[A.Node, ...]:
        objects = new_of.pop(node.name, []) if isinstance(node, A.VarDecl) else []
        return (node, *objects) if objects else node

    new = transform(called_with(entry, arguments), behind_its_graph)
    return replace(new, body=(*(s for objects in new_of.values() for s in objects), *new.body))


def _made(decl: A.VarDecl, name: str, graph: str, entry: A.Entry) -> list[A.Stmt]:
    """The object of a Program, as long as a graph has nodes."""
    at = entry.span
    if isinstance(decl.type, T.Worklist):
        return [A.VarDecl(replace(decl.type, item=T.NodeT(graph)), name, None, span=at)]
    size = A.Member(A.Name(graph, span=at), "num_nodes", span=at)
    resize = A.MethodCall(A.Name(name, span=at), "resize", (size,), span=at)
    return [A.VarDecl(decl.type, name, None, span=at), A.ExprStmt(resize, span=at)]
