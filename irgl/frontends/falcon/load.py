"""The front end for Falcon's .fal files: a file as a program of irgl's, with spans in the file (docs/falcon.md)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import deepest
from irgl.ast.visit import walk as below
from irgl.frontends.depth import check_depth, too_deep
from irgl.frontends.falcon import tree as F
from irgl.frontends.falcon.body import Body
from irgl.frontends.falcon.far import may_wrap
from irgl.frontends.falcon.grammar import parse
from irgl.frontends.falcon.unit import ITERATORS, MAX_INT, NUMBERS, OWN, TYPES, Thing, Unit, called, named, walk
from irgl.frontends.falcon.updates import refuse_reserved
from irgl.frontends.falcon.values import Values
from irgl.frontends.free_names import LocalNames
from irgl.frontends.imports import LIBRARY
from irgl.frontends.literals import floating
from irgl.frontends.text.load import load as load_file
from irgl.source import IrglError, Source, Span

_NEEDLESS = "irgl's --target says where a program runs: this tag means nothing"
_ROLE = "a role is a property, a global, atoi(argv[k]) as the program has it, or a number"


@dataclass(frozen=True, slots=True)
class Falcon:
    """A program, and what is said of the file beside it: what means nothing, and who is never called."""

    program: A.Program
    notes: tuple[tuple[Span, str], ...]


@lru_cache(maxsize=8)
def read(source: Source) -> Falcon:
    """All that a .fal file says. Raises IrglError at the first mistake."""
    try:
        file, tags = parse(source)
        found = _lowered(file, source, [(span, _NEEDLESS) for span in tags])
    except RecursionError:
        raise too_deep(file=source.path) from None
    node, depth = deepest(found.program)
    check_depth(node.span, depth)
    return found


def load(source: Source) -> A.Program:
    """The program of a .fal file. Raises IrglError at the first mistake."""
    return read(source).program


def _lowered(file: F.File, source: Source, notes: list[tuple[Span, str]]) -> Falcon:
    if not (file.globals or file.funcs):
        raise IrglError("the file is empty, but for comments", file=source.path, hint="write main() { ... }")
    unit = Unit(file)
    for func in file.funcs:
        if func.name in unit.funcs:
            raise IrglError(f"'{func.name}' is declared twice", func.span,
                            f"the first is in line {unit.funcs[func.name].span.line}")
        refuse_reserved(func.name, func.span)
        for k, p in enumerate(func.params):
            refuse_reserved(p.name, p.span)
            if p.name in (other.name for other in func.params[:k]):
                raise IrglError(f"'{p.name}' is declared twice", p.span, "choose another name")
        unit.funcs[func.name] = func
    main = unit.funcs.get("main")
    if main is None:
        raise IrglError("the program has no main", file.funcs[-1].span if file.funcs else file.globals[-1].span,
                        "write main(int argc, char *argv[]) { ... }")
    if [p.kind for p in main.params] not in ([], ["int", "char"]):
        raise IrglError("main takes other parameters", main.span, "write main(int argc, char *argv[])")
    stem = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in PurePath(source.path).stem)
    name = unit.names.fresh(stem if stem[:1].isalpha() else f"p_{stem}")
    scalars = [_global(unit, v) for v in file.globals]
    _properties(unit, main)
    body = Body(unit, LocalNames(unit), [{p.name: Thing("argv", "fixed", "", named("argv")) for p in main.params
                                          if p.kind == "char"}, {}], True)
    body.calls = ("main",)
    for s in main.body:
        body.top = True
        body.stmt(s)
    if not unit.read:
        raise IrglError("the program reads no graph", main.span, "write graph.read(argv[1]); in main")
    clauses = _clauses(unit, body)
    graph = A.Param(T.Named("Graph"), "g", None, tuple(sorted(unit.needs)), span=main.span)
    made = [n for d in (*scalars, *unit.kernels, *body.out) if d is not None for n in below(d)]
    heaviest, first = _refuse_heavy_edges(unit, unit.read_at or main.span) if may_wrap(unit, made) else ((), ())
    params = (graph, *(unit.arguments[k] for k in sorted(unit.arguments)), *heaviest)
    entry = A.Entry(name, params, clauses, (*first, *body.out), span=main.span)
    declared = A.GraphType("Graph", tuple(unit.properties), span=main.span)
    notes += [(f.span, f"nobody calls '{f.name}', and so it is not checked") for f in file.funcs
              if f.name != "main" and f.name not in unit.called]
    program = A.Program((*_libraries(entry, unit), declared, *(g for g in scalars if g is not None), *unit.kernels,
                         entry), span=Span(source, 1, 1, 1, 1))
    return Falcon(program, tuple(notes))


def _refuse_heavy_edges(unit: Unit, span: Span) -> tuple[tuple[A.Param, ...], tuple[A.Stmt, ...]]:
    """A parameter, and what ends the program where an edge is so heavy that MAX_INT and its weight wrap around."""
    most = A.IntLit(T.INT.max - MAX_INT, T.INT, span=span)
    word = unit.names.fresh("heaviest")
    heaviest = A.Param(T.LONG, word, A.Call("max_weight", (A.Name("g", span=span),), span=span), (), span=span)
    why = f"an edge of the graph weighs more than {most.value:,}: MAX_INT and its weight would wrap around"
    stop = A.ExprStmt(A.Call("stop", (A.StringLit(why, span=span),), span=span), span=span)
    return (heaviest,), (A.If(A.Binary(">", A.Name(word, span=span), most, span=span), (stop,), (), span=span),)


def _libraries(entry: A.Entry, unit: Unit) -> tuple[A.Decl, ...]:
    """irgl's own declarations of what Sets and Collections are."""
    types = {n.type for d in (entry, *unit.kernels) for n in below(d) if isinstance(n, A.VarDecl)}
    asked = [file for file, t in (("union_find", TYPES["Set"]), ("append_only_list", OWN)) if t in types]
    return tuple(d for file in asked for d in load_file(LIBRARY / f"{file}.irgl").decls)


def _global(unit: Unit, v: F.Var) -> A.Global | None:
    """A global, which begins with a plain number; None for the graph."""
    refuse_reserved(v.name, v.span)
    if v.name in unit.things or v.name in unit.funcs:
        raise IrglError(f"'{v.name}' is declared twice", v.span, "choose another name")
    if v.kind == "Graph":
        unit.things[v.name] = unit.the_graph(v.span)
        return None
    if v.kind not in NUMBERS:
        raise IrglError(f"a global can't be {called(v.kind)}", v.span, "declare it where it is used")
    plain = [F.Number, F.Truth, F.Unary, F.Binary, F.Cast]
    wrong = [n for n in walk(v.init) if type(n) not in plain and not (isinstance(n, F.Name) and n.id == "MAX_INT")
             ] if v.init is not None else []
    if wrong:
        raise IrglError("a global begins with a number", wrong[0].span, "store other values in main")
    init = None if v.init is None else Values(unit, LocalNames(unit), [], True).number(v.init)
    name = unit.names.fresh(v.name)
    unit.things[v.name] = Thing(v.kind, "global", name, named(name))
    return A.Global(TYPES[v.kind], name, init, False, span=v.span)


def _properties(unit: Unit, main: F.Func) -> None:
    """Declares what main adds to Points and Edges at its top, wherever functions that use it stand."""
    for s in main.body:
        match s:
            case F.Do(F.Method(name="addPointProperty" | "addEdgeProperty" as word, args=args)):
                if len(args) != 2 or not isinstance(args[0], F.Name):
                    raise IrglError(f"{word} takes a name and a type", s.span, f"write graph.{word}(dist, int);")
                wanted, kind = args[0].id, args[1]
                known = unit.points if word == "addPointProperty" else unit.edges
                if not isinstance(kind, F.Name) or kind.id not in (*NUMBERS, "Point", "Edge"):
                    raise IrglError("properties are numbers, Points or Edges", kind.span,
                                    f"write graph.{word}({wanted}, int);")
                iterators = tuple(way for of, way in ITERATORS if of == "Point")
                fixed = ("src", "dst", "weight") if word == "addEdgeProperty" else iterators
                if wanted in known or wanted in fixed:
                    raise IrglError(f"there is a property '{wanted}' already", args[0].span, "choose another name")
                owner = "node" if word == "addPointProperty" else "edge"
                # An edge property without a first value would be the file's weights.
                init = None if owner == "node" else _zero(kind.id, s.span)
                known[wanted] = unit.property(owner, kind.id, wanted, s.span, init), kind.id


def _zero(kind: str, span: Span) -> A.Expr:
    if kind in ("Point", "Edge"):
        return A.Name("NONE", span=span)
    if kind == "bool":
        return A.BoolLit(False, span=span)
    return floating("0.0", span) if kind in ("float", "double") else A.IntLit(0, T.INT, span=span)


def _clauses(unit: Unit, body: Body) -> tuple[A.Clause, ...]:
    """What comments say to irgl, once main is lowered."""
    made: list[A.Clause] = []
    body.scopes = [body.scopes[0]]
    for clause in unit.file.clauses:
        if isinstance(clause, F.Tolerance):
            made.append(A.Tolerance(floating(clause.text, clause.span), span=clause.span))
            continue
        roles: list[A.Role] = []
        for role in clause.roles:
            asked, value = set(unit.arguments), role.value
            known = unit.edges | unit.points
            if isinstance(value, F.Name) and value.id in known:
                shown: A.Expr = A.Name(known[value.id][0], span=value.span)
            else:
                shown = body.number(value)
            if more := unit.arguments.keys() - asked:
                raise IrglError(f"the program reads no argv[{min(more)}]", value.span, _ROLE)
            roles.append(A.Role(role.name, shown, span=role.span))
        made.append(A.Verify(clause.verifier, tuple(roles), span=clause.span))
    types = [*(p.type for p in unit.properties), *(TYPES[t.kind] for t in unit.things.values() if t.kind in TYPES)]
    bits = {t.bits for t in types if isinstance(t, T.Float)}
    if bits and not any(isinstance(c, A.Tolerance) for c in made):
        span = unit.funcs["main"].span
        made.append(A.Tolerance(floating("1e-4" if 32 in bits else "1e-9", span), span=span))
    return tuple(made)
