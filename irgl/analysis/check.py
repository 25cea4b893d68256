"""Checks a whole program: names, types, places, ownership. Everything after this may rely on its tables."""

from __future__ import annotations

from irgl.analysis.combines import combines
from irgl.analysis.expressions import Expressions, fail
from irgl.analysis.ownership import check_ownership
from irgl.analysis.statements import Statements
from irgl.analysis.symbols import Checked, KernelFacts, Symbol, collect
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.source import IrglError

DEFAULT_WORKLIST = T.Worklist("list", T.NODE)


def check(program: A.Program) -> Checked:
    """Names, types, places and races of a program without imports. Raises IrglError at the first mistake."""
    checked = collect(program)
    _types(checked)
    for name, g in checked.globals.items():
        checked.symbols[g] = Symbol(name, g.type, "global", 0, g.span)
    for f in checked.functions.values():
        _function(checked, f)
    _no_recursion(checked)
    for k in checked.kernels.values():
        _kernel(checked, k)
    if checked.entry is not None:
        _entry(checked, checked.entry)
    checked.combined = combines(checked)
    check_ownership(checked)
    return checked


def require_entry(checked: Checked, path: str) -> A.Entry:
    """The program's entry; IrglError for a library of kernels, which can be checked but not run."""
    if checked.entry is None:
        raise IrglError("there is no Program to run", file=path, hint="write Program name(Graph g) { ... }")
    return checked.entry


def _types(checked: Checked) -> None:
    ex = Expressions(checked, "constant", None)
    st = Statements(checked, ex, T.VOID)
    for struct in checked.structs.values():
        names = [f.name for f in struct.fields]
        for f in struct.fields:
            if names.count(f.name) > 1:
                fail(f"struct {struct.name} has two fields '{f.name}'", f, None)
            if not T.is_scalar(f.type):
                fail(f"a field can't be {T.bare(f.type)}", f, "fields are numbers, bools, nodes and edges")
    for g in checked.globals.values():
        if not isinstance(g.type, T.Int | T.Float | T.Bool):
            fail(f"program scalar '{g.name}' can't be {T.bare(g.type)}", g, "scalars are numbers and bools")
        if g.init is not None:
            _constant(ex, g.init, g.type, f"'{g.name}'")
    for graph in checked.graph_types.values():
        seen: set[tuple[str, str]] = set()
        weights = [p for p in graph.properties if p.owner == "edge" and p.init is None]
        for p in graph.properties:
            if (p.owner, p.name) in seen:
                fail(f"{graph.name} declares {p.owner} property '{p.name}' twice", p, None)
            seen.add((p.owner, p.name))
            _property(st, p)
        if len(weights) > 1:
            fail(f"two edge properties take the file's weights: '{weights[0].name}' and '{weights[1].name}'", weights[1],
                 "give all but one an initial value")
        if weights and not isinstance(weights[0].type, T.Int | T.Float):
            fail(f"'{weights[0].name}' takes the file's weights and can't be {T.bare(weights[0].type)}", weights[0],
                 "make it a number, or give it an initial value")


def _property(st: Statements, p: A.Property) -> None:
    table = ("id", "edges", "out_edges", "in_edges", "degree", "out_degree", "in_degree") if p.owner == "node" else (
        "src", "dst", "id")
    if p.name in table:
        fail(f"every {p.owner} has '{p.name}' already", p, "choose another name")
    t = st.resolve(p.type, p)
    if not (T.is_scalar(t) or isinstance(t, T.Lock) or st.checked.fields(t) is not None):
        fail(f"a property can't be {T.bare(t)}", p, "properties are numbers, bools, nodes, edges, structs and locks")
    if p.init is not None:
        if isinstance(t, T.Lock):
            fail("a lock starts free", p, "leave the initial value out")
        _constant(st.ex, p.init, t, f"'{p.name}'")


def _constant(ex: Expressions, e: A.Expr, t: T.Type, what: str) -> None:
    match e:
        case A.Name(id="INF" | "NONE") | A.IntLit() | A.FloatLit() | A.BoolLit():
            pass
        case A.Unary() | A.Cast():
            ex.type(e)
            _constant(ex, e.operand, ex.type(e.operand, t), what)
        case A.Binary():
            _constant(ex, e.left, ex.type(e.left), what)
            _constant(ex, e.right, ex.type(e.right), what)
        case A.StructLit():
            for v in e.values:
                _constant(ex, v, ex.type(v), what)
        case _:
            fail(f"{what} wants a constant", e, "compute it in the Program or in a kernel")
    ex.value(e, t, what)


def _params(checked: Checked, params: tuple[A.Param, ...], ex: Expressions, st: Statements) -> None:
    graphs = [p.name for p in params if isinstance(p.type, T.Named) and p.type.name in checked.graph_types]
    ex.graph = graphs[0] if graphs else ""
    for p in params:
        t = st.resolve(p.type, p)
        if isinstance(t, T.NodeT | T.EdgeT) and t.graph and t.graph not in graphs:
            fail(f"no graph '{t.graph}' among the parameters", p, None)
        kind = "worklist" if isinstance(t, T.Worklist) else "param"
        ex.declare(Symbol(p.name, t, kind, 0, p.span), p)


def _function(checked: Checked, f: A.Function) -> None:
    ex = Expressions(checked, "function", None)
    st = Statements(checked, ex, f.returns)
    _params(checked, f.params, ex, st)
    st.resolve(f.returns, f)
    st.body(f.body, own_scope=False)
    if f.returns != T.VOID and not _always_returns(f.body):
        fail(f"'{f.name}' may end without returning its {T.bare(f.returns)}", f, "end it with a return")


def _always_returns(stmts: tuple[A.Stmt, ...]) -> bool:
    if not stmts:
        return False
    match stmts[-1]:
        case A.Return():
            return True
        case A.Block() as b:
            return _always_returns(b.body)
        case A.If() as i:
            return _always_returns(i.body) and _always_returns(i.orelse)
        case A.While(test=A.BoolLit(value=True) | A.IntLit(value=1)):
            return True
        case A.CFor(test=None):
            return True
        case _:
            return False


def _kernel(checked: Checked, k: A.Kernel) -> None:
    worklist = k.worklist if k.worklist is not None else DEFAULT_WORKLIST
    if not isinstance(worklist, T.Worklist):
        fail(f"the WL of '{k.name}' can't be {T.bare(worklist)}", k, "write WL list<node>")
    facts = KernelFacts(worklist)
    ex = Expressions(checked, "kernel", facts)
    st = Statements(checked, ex, T.VOID)
    _params(checked, k.params, ex, st)
    resolved = st.resolve(worklist, k)
    assert isinstance(resolved, T.Worklist)
    facts.worklist = resolved
    checked.facts[k.name] = facts
    st.body(k.body, own_scope=False)
    if facts.retries:
        _retries(k)


def _retries(k: A.Kernel) -> None:
    """Respawn and Retry run the ForAll over WL again: it must be the only one."""
    loops = [s.body if isinstance(s, A.Labeled) else s for s in k.body]
    parallel = [s for s in loops if isinstance(s, A.ForAll)]
    over_list = [s for s in parallel if isinstance(_list_of(s.iterator), A.Name)]
    if len(parallel) != 1 or len(over_list) != 1 or any(isinstance(n, A.ForAll) for s in loops if s not in parallel
                                                        for n in walk(s)):
        fail(f"'{k.name}' respawns items, and its only top-level ForAll doesn't run over WL", k,
             "an item that comes back needs a ForAll (... In WL) to go to")


def _list_of(iterator: A.Expr) -> A.Expr | None:
    inner = iterator.object if isinstance(iterator, A.Member) and iterator.name == "items" else iterator
    return inner if isinstance(inner, A.Name) and inner.id == "WL" else None


def _entry(checked: Checked, entry: A.Entry) -> None:
    if not entry.params or not isinstance(entry.params[0].type, T.Named):
        fail("a Program's first parameter is its graph", entry, f"write Program {entry.name}(Graph g, ...)")
    constants = Expressions(checked, "constant", None)
    defaults = Statements(checked, constants, T.VOID)
    ex = Expressions(checked, "entry", None)
    st = Statements(checked, ex, T.VOID)
    graphs = [p.name for p in entry.params if isinstance(p.type, T.Named) and p.type.name in checked.graph_types]
    constants.graph = graphs[0] if graphs else ""
    for p in entry.params:
        t = defaults.resolve(p.type, p)
        is_graph = isinstance(t, T.Named) and t.name in checked.graph_types
        if not is_graph and not isinstance(t, T.Int | T.Float | T.Bool | T.NodeT):
            fail(f"parameter '{p.name}' can't be {T.bare(t)}", p, "graphs, numbers, bools and nodes can be given")
        if p.needs and not is_graph:
            fail(f"'{p.needs[0]}' says something of a graph, and '{p.name}' is none", p, None)
        if "directed" in p.needs and "undirected" in p.needs:
            fail(f"'{p.name}' can't be both directed and undirected", p, None)
        if p.default is not None:
            if is_graph:
                fail("a graph has no default", p, None)
            constants.value(p.default, t, f"'{p.name}'")
        constants.declare(Symbol(p.name, t, "param", 0, p.span), p)
    _params(checked, entry.params, ex, st)
    for clause in entry.clauses:
        match clause:
            case A.Verify():
                for role in clause.roles:
                    _role(checked, ex, role)
            case A.Tolerance():
                ex.number(clause.value, "tolerance")
            case A.AnyValid():
                pass
    st.body(entry.body, own_scope=False)


def _role(checked: Checked, ex: Expressions, role: A.Role) -> None:
    if isinstance(role.value, A.Name):
        name = role.value.id
        graph = next(p.type for p in checked.entry.params if isinstance(p.type, T.Named)) if checked.entry else None
        if isinstance(graph, T.Named) and graph.name in checked.graph_types:
            names = [p.name for p in checked.graph_types[graph.name].properties]
            if name in names:
                return
    ex.type(role.value)


def _no_recursion(checked: Checked) -> None:
    state: dict[str, int] = {}

    def visit(name: str, caller: A.Node) -> None:
        if state.get(name) == 1:
            fail(f"'{name}' calls itself", caller, "write it as a loop: GPUs have no deep stacks")
        if state.get(name) == 2:
            return
        state[name] = 1
        for callee in sorted(calls[name]):
            visit(callee, checked.functions[name])
        state[name] = 2

    calls = {f.name: _called(f, checked) for f in checked.functions.values()}
    for f in checked.functions.values():
        visit(f.name, f)


def _called(f: A.Function, checked: Checked) -> set[str]:
    return {n.function for n in walk(f) if isinstance(n, A.Call) and n.function in checked.functions}
