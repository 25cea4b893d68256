"""A .gt file as a program of irgl's: its consts, then main."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePath

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.free_names import Names
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.applied.chains import edges_of
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.calls import loaded_from
from irgl.frontends.gt.bodies.unit import Place, Thing, Unit, name
from irgl.frontends.gt.bodies.values import fail
from irgl.frontends.gt.lowering.host import Host
from irgl.frontends.gt.lowering.unreached import check_unreached
from irgl.frontends.gt.lowering.vectors import constant, declare_vector
from irgl.frontends.gt.lowering.verified import clauses
from irgl.frontends.imports import LIBRARY
from irgl.frontends.literals import floating
from irgl.frontends.text.load import load_text
from irgl.source import IrglError, Source, Span


@dataclass(frozen=True, slots=True)
class Lowered:
    """A program, and what stands beside it. labels: what became of labelled statements. arguments: the numbers k of
    argv[k] that are parameters, with their names. graph: the argument, or the path, that the graph comes from. notes:
    what a strict check tells."""

    program: A.Program
    labels: tuple[Place, ...]
    arguments: dict[int, str]
    graph: str | int | None
    notes: tuple[tuple[Span, str], ...]


def opened(file: G.File) -> Unit:
    """What is known of a file before anything is lowered. Raises IrglError for what is declared twice, and for a
    function that calls itself."""
    unit = Unit(file, "")
    unit.elements = frozenset(e.name for e in file.elements)
    _declared_once(file)
    unit.funcs = {f.name: f for f in file.funcs}
    _refuse_recursion(unit)
    if file.clauses and "main" not in unit.funcs:
        fail("this is said of main, and the file has none", file.clauses[0].span, "leave it out")
    if any(isinstance(n, G.Method) and n.name == "updatePriorityMin" for f in file.funcs for n in G.walk(f)):
        unit.delta = Names((*unit.funcs, *(c.name for c in file.consts))).fresh("delta")
    return unit


def lower(file: G.File, source: Source) -> Lowered:
    """The program of a file. Raises IrglError at the first mistake."""
    unit = opened(file)
    main = unit.funcs.get("main")
    stem = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in PurePath(source.path).stem)
    unit.name = unit.names.fresh(stem if stem[:1].isalpha() else f"p_{stem}")
    if main is not None and (main.params or main.bound):
        fail("main takes nothing", main.span, "arguments are atoi(argv[2]), ...")
    host = Host(unit)
    host.names.taken |= {unit.delta, *(f"argv{k}" for k in range(1, 100))}
    for const in sorted(file.consts, key=lambda c: not isinstance(c.type, G.EdgesType) or not isinstance(c.init,
                                                                                                         G.Load)):
        declare_const(host, const)
    entry = None
    if main is not None:
        host.inline(main, {})
        said = clauses(host, main)
        entry = _entry(unit, said, (*host.top, *host.out), main.span)
    at = unit.graph[0] if unit.graph is not None else None
    made = Lowered(joined(unit, entry, Span(source, 1, 1, 1, 1)), tuple(unit.places),
                   dict(sorted(unit.arguments.items())), at, tuple(unit.notes))
    if entry is not None:
        check_unreached(host)
    return made


def joined(unit: Unit, entry: A.Entry | None, start: Span) -> A.Program:
    """All that a program declares."""
    graph = A.GraphType("Graph", tuple(unit.properties), span=_place(unit.file, start))
    decls: list[A.Decl] = [*(_arrays() if unit.arrays else ()), graph, *unit.globals, *unit.helpers, *unit.kernels]
    return A.Program(tuple(decls if entry is None else [*decls, entry]), span=start)


def _arrays() -> tuple[A.Decl, ...]:
    """irgl's own declaration of arrays."""
    path = LIBRARY / "array.irgl"
    return load_text(path.read_text(encoding="utf-8"), str(path)).decls


def _place(file: G.File, start: Span) -> Span:
    return next((c.span for c in file.consts if isinstance(c.type, G.EdgesType)), start)


def _entry(unit: Unit, said: tuple[A.Clause, ...], body: tuple[A.Stmt, ...], span: Span) -> A.Entry:
    if unit.graph is None:
        fail("the program loads no graph", span, "const edges : edgeset{Edge}(Vertex, Vertex) = load(argv[1]);")
    where = unit.graph[1]
    needs = ("simple", "sorted", *(("weighted",) if unit.weight else ()))
    params = [A.Param(T.Named("Graph"), "g", None, needs, span=where)]
    params += [A.Param(T.INT, word, None, (), span=where) for _, word in sorted(unit.arguments.items())]
    return entry_of(unit, params, body, span, said)


def entry_of(unit: Unit, params: list[A.Param], body: tuple[A.Stmt, ...], span: Span,
             said: tuple[A.Clause, ...] = ()) -> A.Entry:
    """The Program of these statements. params: its own; how wide buckets are comes behind them where there are any.
    said: the clauses that the file has."""
    if unit.delta and any(isinstance(k.worklist, T.Worklist) and k.worklist.by is not None and k.worklist.by.delta
                          for k in unit.kernels):
        params = [*params, A.Param(T.INT, unit.delta, _width(unit, span), (), span=span)]
    mine = list(said)
    types = [*(p.type for p in unit.properties), *(g.type for g in unit.globals)]
    floats = {t.bits for t in map(T.of_each, types) if isinstance(t, T.Float)}
    if floats and not any(isinstance(c, A.Tolerance) for c in said):
        mine.append(A.Tolerance(floating("1e-4" if 32 in floats else "1e-9", span), span=span))
    if unit.any_valid is not None:
        mine.append(A.AnyValid(span=unit.any_valid))
    return A.Entry(unit.name, tuple(params), tuple(mine), body, span=span)


def _width(unit: Unit, span: Span) -> A.Expr:
    """How wide the buckets of distances are unless somebody says otherwise: wider for heavy edges, and where vertices
    have few of them. 1 where there are no weights."""
    def g(word: str) -> A.Expr:
        return A.Member(name("g", span), word, span=span)

    def call(word: str, *args: A.Expr) -> A.Expr:
        return A.Call(word, args, span=span)

    one = A.IntLit(1, T.INT, span=span)
    if not unit.weight:
        return call("auto", one)
    wide: A.Expr = A.Binary("*", floating("18.0", span), call("average_weight", name("g", span)), span=span)
    for _ in range(2):
        wide = A.Binary("/", A.Binary("*", wide, g("num_nodes"), span=span), call(
            "max", A.IntLit(1, T.INT, span=span), g("num_edges")), span=span)
    wide = call("min", floating("1e9", span), call("max", floating("1.0", span), wide))
    return call("auto", A.Cast(T.INT, wide, span=span))


def declare_const(host: Host, const: G.Const) -> None:
    """A const and its first value."""
    unit, span = host.unit, const.span
    kind = unit.resolve(const.type)
    match kind:
        case K.Edges():
            thing = _edges(host, const, kind)
        case K.Vertices() if isinstance(const.init, G.Method) and const.init.name == "getVertices":
            host.value(const.init)
            thing = Thing("all", kind, "", span=span)
        case K.Vertices():
            thing = host.new_set(const.name, span, kind)
            if const.init is not None:
                host.store_set(thing, const.init, fresh=True)
        case K.Vector():
            thing = declare_vector(host, const.name, kind, const.init, span, again=False)
        case K.Array():
            thing = host.new_array(const.name, kind, const.type, const.init, span)
        case K.Queue():
            thing = Thing("queue", kind, const.name, span=span)
            if const.init is not None:
                host.make_queue(thing, const.init)
        case K.List():
            thing = host.declare_list(const.name, kind, const.init, span)
        case _:
            thing = _number(host, const, kind)
    unit.things[const.name] = thing


def _number(host: Host, const: G.Const, kind: K.Scalar | K.Vertex) -> Thing:
    """A scalar of the program, which main stores where it is no plain number."""
    if kind == K.STRING:
        fail("a const can't be a text yet", const.span, "print the text itself")
    unit = host.unit
    mine = unit.names.fresh(const.name)
    first = constant(host, const.init, kind) if const.init is not None else None
    if const.init is not None and first is None:
        value = host.number(const.init, kind)
        host.out.append(A.Assign(name(mine, const.span), value, "plain", span=const.span))
    unit.globals.append(A.Global(K.irgl(kind), mine, first, False, span=const.span))
    return Thing("number", kind, mine, lambda s: A.Name(mine, span=s), span=const.span)


def _edges(host: Host, const: G.Const, kind: K.Edges) -> Thing:
    unit, span = host.unit, const.span
    match const.init:
        case G.Load(file=file):
            at = loaded_from(file)
            if at is None:
                fail("load wants one of argv, or a path", file.span, "write load(argv[1])")
            if unit.graph is not None:
                again = "the same file with other weights" if unit.graph[0] == at else "a second graph"
                fail(f"{again} is not supported yet", span, "a program has one edgeset that is loaded")
            unit.graph = (at, file.span)
            return Thing("edges", kind, const.name, span=span)
        case G.Name() | G.Method() if (of := edges_of(host, const.init)) is not None:
            return replace(of, span=span)
        case None if "main" not in unit.funcs:  # the caller of its exported functions gives it
            return Thing("edges", kind, const.name, span=span)
        case None:
            raise IrglError("an edgeset that nobody loads", span, "write = load(argv[1]);")
        case _:
            raise IrglError("an edgeset is loaded, or made of another one", const.init.span,
                            "write load(argv[1]), or edges.transpose()")


def _declared_once(file: G.File) -> None:
    seen: dict[str, Span] = {}
    declared: list[G.Element | G.Const | G.Func] = [*file.elements, *file.consts, *file.funcs]
    for d in declared:
        if d.name in seen:
            fail(f"'{d.name}' is declared twice", d.span, f"the first is in line {seen[d.name].line}")
        seen[d.name] = d.span


def _refuse_recursion(unit: Unit) -> None:
    """Raises IrglError for a function that calls or applies itself, also by way of others."""
    done: set[str] = set()

    def visit(word: str, around: tuple[str, ...], span: Span) -> None:
        if word in around:
            way = " -> ".join((*around[around.index(word) :], word))
            raise IrglError(f"'{word}' calls itself", span, f"functions can't: {way}")
        if word in done:
            return
        func = unit.funcs[word]
        own = {n.name for n in G.walk(func) if isinstance(n, G.Param | G.Var)}
        for n in G.walk(func):
            called = n.function if isinstance(n, G.Call | G.Bound) else n.id if isinstance(n, G.Name) else ""
            if called in unit.funcs and called not in own:
                visit(called, (*around, word), n.span)
        done.add(word)

    for word, func in unit.funcs.items():
        visit(word, (), func.span)
