"""An exported function as a program of irgl's: what earlier calls left comes in, what it leaves goes out."""

from __future__ import annotations

from dataclasses import dataclass

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.unit import Thing, Unit, integer, name
from irgl.frontends.gt.bodies.values import fail
from irgl.frontends.gt.exports import interface as I
from irgl.frontends.gt.exports.host import Export, is_all
from irgl.frontends.gt.exports.sets import leave, take
from irgl.frontends.gt.exports.uses import changed, stores, uses
from irgl.frontends.gt.lowering.host import Host
from irgl.frontends.gt.lowering.program import Lowered, declare_const, entry_of, joined, opened
from irgl.frontends.gt.lowering.unreached import check_unreached
from irgl.frontends.gt.lowering.vectors import constant, fill
from irgl.frontends.literals import floating
from irgl.source import IrglError, Source, Span


@dataclass(frozen=True, slots=True)
class Exported:
    """A program of one exported function, and how it is called."""

    lowered: Lowered
    export: I.Export


def exports(file: G.File) -> tuple[str, ...]:
    """The names of the functions that a file exports."""
    return tuple(f.name for f in file.funcs if f.is_export)


def lower_export(file: G.File, source: Source, chosen: str) -> Exported:
    """The program of an exported function. Raises IrglError at the first mistake, and for a name that is none."""
    func = next((f for f in file.funcs if f.is_export and f.name == chosen), None)
    if func is None:
        known = ", ".join(exports(file))
        raise IrglError(f"no function '{chosen}' is exported", file=source.path,
                        hint=f"it exports {known}" if known else f"write export func {chosen}(...)")
    unit = opened(file)
    unit.name = unit.names.fresh(func.name)
    consts = {c.name: c for c in file.consts}
    used = uses(func, unit.funcs, consts)
    host = Export(unit, func, used)
    state = _State(host)
    graphs = [c for c in file.consts if isinstance(c.type, G.EdgesType) and not isinstance(c.init, G.Method)]
    for const in (*graphs, *(c for c in file.consts if c not in graphs)):
        if const.name in used.used:
            state.declare(const)
    result = host.run()
    start = Span(source, 1, 1, 1, 1)
    kept = state.kept()
    params = [A.Param(T.Named("Graph"), "g", None, ("weighted",) if unit.weight else (), span=func.span),
              *host.params, *state.params]
    entry = entry_of(unit, params, (*host.top, *host.out), func.span)
    if "main" not in unit.funcs and chosen == exports(file)[0]:
        _check_the_rest(file)
    file_named, graph = _graph(host, consts)
    forgets = tuple(c.name for c in file.consts if _is_computed(c) and host.stores)
    is_set = func.result is not None and isinstance(func.result.type, G.SetType)
    export = I.Export(func.name, tuple(host.arguments), result, is_set, kept, graph, tuple(host.stores), forgets,
                      file_named)
    return Exported(Lowered(joined(unit, entry, start), tuple(unit.places), {}, file_named or None,
                            tuple(unit.notes)), export)


def _check_the_rest(file: G.File) -> None:
    """Raises IrglError for a mistake in a function that no exported function reaches, as far as the consts can be
    declared without one."""
    host = Host(opened(file))
    try:
        for const in file.consts:
            declare_const(host, const)
    except IrglError:
        return
    check_unreached(host)


def _is_computed(const: G.Const) -> bool:
    """Is a number's or a vector's first value more than a number?"""
    first = const.init.operand if isinstance(const.init, G.Unary) else const.init
    return isinstance(const.type, G.NamedType | G.VectorType) and first is not None and not isinstance(
        first, G.Number | G.Truth | G.New)


def _is_everybody(const: G.Const, unit: Unit) -> bool:
    """Is a vertexset never anything but all vertices?"""
    values = [*([const.init] if const.init is not None else []), *(s.value for s in stores(const.name, unit.funcs))]
    return bool(values) and all(map(is_all, values))


class _State:
    """The consts that a function uses: given as earlier calls left them, but for those that it stores first, and those
    that begin with what is computed, where it stores the graph.

    params: of the Program, for them.
    """

    def __init__(self, host: Export) -> None:
        self.host = host
        self.params: list[A.Param] = []
        self._given: dict[str, str] = {}
        self._anew: dict[str, str] = {}
        self._new_graph = any(host.unit.things.get(w) is None and isinstance(s.value, G.Name | G.Load)
                              and self._is_graph(w) for w, s in host.uses.begun.items())

    def _is_graph(self, word: str) -> bool:
        return any(c.name == word and isinstance(c.type, G.EdgesType) for c in self.host.unit.file.consts)

    def declare(self, const: G.Const) -> None:
        unit, host = self.host.unit, self.host
        kind = unit.resolve(const.type)
        begun = const.name in host.uses.begun
        match kind:
            case K.Edges() if not isinstance(const.init, G.Method):
                unit.things[const.name] = Thing("edges", kind, const.name, span=const.span)
            case K.Vertices() if _is_everybody(const, unit):
                unit.things[const.name] = Thing("all", kind, "", span=const.span)
            case K.Array() if begun:
                unit.things[const.name] = Thing("unmade", kind, "", span=const.span)
            case K.Vertices() if not begun and changed(const.name, unit.funcs):
                self._take_set(const, kind)
            case K.List() | K.Array() if not begun and changed(const.name, unit.funcs):
                fail(f"'{const.name}' is {K.a(kind)}, which is not kept between calls yet, and '{host.func.name}' asks "
                     "for it before it stores it", const.span, f"make it in {host.func.name} first")
            case K.Scalar() | K.Vertex() | K.Vector() if not begun and changed(const.name, unit.funcs):
                self._take(const, kind)
            case _:
                declare_const(host, const)

    def _take(self, const: G.Const, kind: K.Scalar | K.Vertex | K.Vector) -> None:
        """A const that is given as it was left, or begins with its first value."""
        unit, host, span = self.host.unit, self.host, const.span
        of = kind.of if isinstance(kind, K.Vector) else kind
        first = constant(host, const.init, of) if const.init is not None else _zero(of, span)
        if first is None and self._new_graph:
            declare_const(host, const)
            self._given[const.name] = ""
            return
        word = self._given[const.name] = host.free(const.name if of is not kind else f"{const.name}_before")
        around, host.out = host.out, []
        before: tuple[A.Stmt, ...] = ()
        if isinstance(kind, K.Vector):
            zero = first if first is not None else _zero(of, span)
            unit.properties.append(A.Property("node", K.irgl(kind), word, zero, True, None, span=span))
            unit.things[const.name] = Thing("vector", kind, word, span=span)
            if first is None and const.init is not None:
                fill(host, unit.things[const.name], const.init)
        else:
            declare_const(host, const)
            given = first if first is not None else _zero(of, span)
            self.params.append(A.Param(K.irgl(kind), word, given, (), span=span))
            mine = name(unit.things[const.name].name, span)
            before = (A.Assign(mine, name(word, span), "plain", span=span),)
        if first is not None:
            host.out = [*around, *before]
            return
        flag = self._anew[const.name] = host.free(f"{const.name}_anew")
        self.params.append(A.Param(T.BOOL, flag, A.BoolLit(True, span=span), (), span=span))
        host.out = [*around, A.If(name(flag, span), tuple(host.out), before, span=span)]

    def _take_set(self, const: G.Const, kind: K.Vertices) -> None:
        match const.init:
            case None | G.New(args=(G.Number(text="0"),)):
                first = False
            case e if is_all(e):
                first = True
            case e:
                fail(f"'{const.name}' begins with what is computed, and functions change it", e.span,
                     "store it in an exported function")
        word = self._given[const.name] = self.host.free(f"{const.name}_before")
        self.host.unit.things[const.name] = take(self.host, const.name, word, kind, const.span, first=first)

    def kept(self) -> tuple[I.Kept, ...]:
        """What outlives the call, in the order of the text."""
        found: list[I.Kept] = []
        homes: dict[str, str] = {}
        unit, func = self.host.unit, self.host.func
        for const in unit.file.consts:
            thing = unit.things.get(const.name)
            if thing is None or thing.what not in ("number", "vector", "set"):
                continue
            if const.name not in self.host.uses.begun and const.name not in self._given:
                continue
            if thing.what == "vector" and thing.name in homes:
                fail(f"'{const.name}' and '{homes[thing.name]}' are one vector when '{func.name}' ends", func.span,
                     "make a new one, and apply a function that copies each value")
            homes[thing.name] = const.name
            left = thing.name
            if thing.what == "set":
                left = self._given.get(const.name, "")
                if left:
                    leave(self.host, thing, left, const.span)
                else:
                    left = self.host.set_left(thing, const.name, const.span)
            given, anew = self._given.get(const.name, ""), self._anew.get(const.name, "")
            found.append(I.Kept(const.name, given, anew, left))
        return tuple(found)


def _zero(kind: K.Number, span: Span) -> A.Expr:
    if kind == K.BOOL:
        return A.BoolLit(False, span=span)
    return floating("0.0", span) if kind in (K.FLOAT, K.DOUBLE) else integer(0, span)


def _graph(host: Export, consts: dict[str, G.Const]) -> tuple[str, str]:
    """The path that the graph is loaded from, and the const whose graph a function works on; '' for either."""
    unit, func = host.unit, host.func
    bases = {w: c for w, c in consts.items() if isinstance(c.type, G.EdgesType) and not isinstance(c.init, G.Method)}
    waiting = [w for w in bases if w in host.uses.used and w not in host.uses.begun]
    own = next((p for p in func.params if isinstance(p.type, G.EdgesType)), None)
    if own is not None or host.file:
        if waiting:
            what = f"'{own.name}'" if own is not None else "what it loads"
            fail(f"'{func.name}' uses '{waiting[0]}', which may be another graph than {what}", func.span,
                 f"begin with {waiting[0]} = {own.name if own is not None else 'load(...)'};")
        return host.file, ""
    if not waiting and _wants_graph(unit):
        waiting = list(bases)
        if not waiting:
            fail(f"'{func.name}' works on vertices, and the file has no edgeset", func.span,
                 f"give it one: func {func.name}(g : edgeset{{Edge}}(Vertex, Vertex))")
    if len(waiting) > 1:
        fail("a second graph is not supported yet", consts[waiting[1]].span, f"'{waiting[0]}' is the first")
    if not waiting:
        return "", ""
    init = bases[waiting[0]].init
    path = init.file.value if isinstance(init, G.Load) and isinstance(init.file, G.Text) else ""
    return path, waiting[0]


def _wants_graph(unit: Unit) -> bool:
    """Does a program have values of vertices, sets or kernels?"""
    return bool(unit.properties or unit.kernels) or any(t.what in ("all", "set", "queue") for t in unit.things.values())
