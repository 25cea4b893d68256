"""Checks a whole program: names, types, places, ownership. Everything after this may rely on its tables."""

from __future__ import annotations

from irgl.analysis import members as M
from irgl.analysis.combines import combines
from irgl.analysis.expressions import Expressions
from irgl.analysis.lists import check_lists
from irgl.analysis.ownership import Owners, check_ownership
from irgl.analysis.statements import Statements
from irgl.analysis.symbols import Checked, KernelFacts, Symbol, collect, fail
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.source import IrglError

DEFAULT_WORKLIST = T.Worklist("list", T.NODE)


def check(program: A.Program) -> Checked:
    """Names, types, places and races of a program without imports. Raises IrglError at the first mistake."""
    checked = collect(program)
    _names(checked)
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
    check_lists(checked)
    check_ownership(checked)
    return checked


def require_entry(checked: Checked, path: str) -> A.Entry:
    """The program's entry; IrglError for a library of kernels, which can be checked but not run."""
    if checked.entry is None:
        raise IrglError("there is no Program to run", file=path, hint="write Program name(Graph g) { ... }")
    return checked.entry


def _names(checked: Checked) -> None:
    """No declaration takes a word of the language; results are told apart by their names."""
    named: list[A.Function | A.Kernel | A.Global] = [
        *checked.functions.values(),
        *checked.kernels.values(),
        *checked.globals.values(),
    ]
    for decl in named:
        if decl.name in M.WORDS:
            fail(f"'{decl.name}' has a meaning of its own", decl, "choose another name")
    for graph in checked.graph_types.values():
        owners: dict[str, str] = {}
        for p in graph.properties:
            if p.name in checked.globals:
                fail(
                    f"'{p.name}' is a program scalar already: results are told apart by their names",
                    p,
                    "choose another name",
                )
            if owners.setdefault(p.name, p.owner) != p.owner:
                fail(
                    f"'{p.name}' is a node property and an edge property: results are told apart by their names",
                    p,
                    "choose another name",
                )
    for library in checked.libraries.values():
        features: list[A.Attribute | A.Method | A.Iterator] = [
            f for f in library.features if isinstance(f, A.Attribute | A.Method | A.Iterator)
        ]
        names = [feature.name for feature in features]
        for feature in features:
            if names.count(feature.name) > 1:
                fail(f"{library.name} has two features '{feature.name}'", feature, "choose another name")


def _types(checked: Checked) -> None:
    ex = Expressions(checked, "constant", None)
    st = Statements(checked, ex, T.VOID)
    for struct in checked.structs.values():
        names = [f.name for f in struct.fields]
        for f in struct.fields:
            if names.count(f.name) > 1:
                fail(f"struct {struct.name} has two fields '{f.name}'", f, "choose another name")
            if not T.is_scalar(f.type):
                fail(f"a field can't be {T.bare(f.type)}", f, "fields are numbers, bools, nodes and edges")
    for g in checked.globals.values():
        if not isinstance(g.type, T.Int | T.Float | T.Bool):
            fail(f"program scalar '{g.name}' can't be {T.bare(g.type)}", g, "scalars are numbers and bools")
        if g.init is not None:
            _constant(ex, g.init, g.type, f"'{g.name}'")
    for graph in checked.graph_types.values():
        seen: set[tuple[str, str]] = set()
        weights = [
            p for p in graph.properties if p.owner == "edge" and p.init is None and not isinstance(p.type, T.Lock)
        ]
        for p in graph.properties:
            if (p.owner, p.name) in seen:
                fail(f"{graph.name} declares {p.owner} property '{p.name}' twice", p, "leave one out")
            seen.add((p.owner, p.name))
            _property(st, p)
        if len(weights) > 1:
            fail(
                f"two edge properties take the file's weights: '{weights[0].name}' and '{weights[1].name}'",
                weights[1],
                "give all but one an initial value",
            )
        if weights and not isinstance(weights[0].type, T.Int | T.Float):
            fail(
                f"'{weights[0].name}' takes the file's weights and can't be {T.bare(weights[0].type)}",
                weights[0],
                "make it a number, or give it an initial value",
            )


def _property(st: Statements, p: A.Property) -> None:
    table = (
        ("id", "edges", "out_edges", "in_edges", "degree", "out_degree", "in_degree")
        if p.owner == "node"
        else ("src", "dst", "id")
    )
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
        case A.Binary(op="/" | "%") if not isinstance(e.right, A.FloatLit) and not (
            isinstance(e.right, A.IntLit) and e.right.value > 0
        ):
            fail("a constant is divided by a plain number above 0", e.right, "compute it in the Program or in a kernel")
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
    ex.graphs = graphs
    for p in params:
        t = st.resolve(p.type, p)
        kind = "worklist" if isinstance(t, T.Worklist) else "param"
        ex.declare(Symbol(p.name, t, kind, 0, p.span), p)


def _function(checked: Checked, f: A.Function) -> None:
    ex = Expressions(checked, "function", None)
    st = Statements(checked, ex, f.returns)
    _params(checked, f.params, ex, st)
    returns = st.resolve(f.returns, f)
    if not (T.is_scalar(returns) or returns == T.VOID or checked.fields(returns) is not None):
        fail(
            f"'{f.name}' can't return {M.a(T.bare(returns))}",
            f,
            "functions return numbers, bools, nodes, edges and structs",
        )
    st.returns = returns
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
        fail(f"the WL of '{k.name}' can't be {M.a(T.bare(worklist))}", k, "write WL list<node>")
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
        _retries(checked, k, facts)


def _retries(checked: Checked, k: A.Kernel, facts: KernelFacts) -> None:
    """Respawn and Retry run the ForAll over WL again: it must be the only one.

    A unique list gets back only what its iterations own: another item might be running.
    """
    owners = Owners(checked)
    for s in walk(k):
        if isinstance(s, A.Respawn | A.Retry) and facts.worklist.unique and owners.owner(s.item) != 1:
            fail(
                "another iteration may be running this item: a unique list gets back only an iteration's own",
                s.item,
                f"write WL {facts.worklist.kind}<...> without unique",
            )
    loops = [s.body if isinstance(s, A.Labeled) else s for s in k.body]
    parallel = [s for s in loops if isinstance(s, A.ForAll)]
    over_list = [s for s in parallel if isinstance(_list_of(s.iterator), A.Name)]
    if (
        len(parallel) != 1
        or len(over_list) != 1
        or any(isinstance(n, A.ForAll) for s in loops if s not in parallel for n in walk(s))
    ):
        fail(
            f"'{k.name}' respawns items, and its only top-level ForAll doesn't run over WL",
            k,
            "an item that comes back needs a ForAll (... In WL) to go to",
        )


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
            fail(f"parameter '{p.name}' can't be {M.a(T.bare(t))}", p, "graphs, numbers, bools and nodes can be given")
        if p.needs and not is_graph:
            fail(f"'{p.needs[0]}' says something of a graph, and '{p.name}' is none", p, "leave it out")
        if "directed" in p.needs and "undirected" in p.needs:
            fail(f"'{p.name}' can't be both directed and undirected", p, "leave one out")
        for need in p.needs:
            if p.needs.count(need) > 1:
                fail(f"'{p.name}' is said to be {need} twice", p, "leave one out")
        if p.default is not None:
            if is_graph:
                fail("a graph has no default", p, "it is given when the program is run")
            _before_the_run(checked, p.default)
            constants.value(p.default, t, f"'{p.name}'")
        constants.declare(Symbol(p.name, t, "param", 0, p.span), p)
    _params(checked, entry.params, ex, st)
    _clauses(checked, entry, constants)
    st.body(entry.body, own_scope=False)


#: What a default, a role or a tolerance may call: the rest wants a running program.
_EARLY = (
    "auto",
    "average_weight",
    "max_weight",
    "min",
    "max",
    "abs",
    "pow",
    "isinf",
    "isnan",
    "hash",
    "popcount",
    *M.FLOAT_FUNCTIONS,
)


def _before_the_run(checked: Checked, e: A.Expr, *, results: bool = False) -> None:
    """Refuses what can't be computed before a program runs; with `results`, what can't after it has run."""
    for node in walk(e):
        match node:
            case A.Call() if node.function in M.FUNCTIONS and node.function not in _EARLY:
                refused = True
            case A.Call():
                refused = node.function in checked.functions
            case A.Member():
                refused = node.name not in ("num_nodes", "num_edges")
            case A.MethodCall():
                refused = node.name not in ("node", "nodes")
            case A.Name():
                refused = node.id in checked.globals and not results
            case A.Reduce() | A.InvokeResult() | A.Relaxed() | A.Index() | A.StructLit():
                refused = True
            case _:
                refused = False
        if refused:
            fail(
                "this can't be computed before the program runs",
                node,
                "use numbers, earlier parameters, the graph's size, average_weight or max_weight",
            )


def _clauses(checked: Checked, entry: A.Entry, ex: Expressions) -> None:
    seen: set[type[A.Clause]] = set()
    for clause in entry.clauses:
        word = {A.Verify: "verify", A.Tolerance: "tolerance", A.AnyValid: "any_valid"}[type(clause)]
        if type(clause) in seen:
            fail(f"a second {word}", clause, "keep one")
        seen.add(type(clause))
        match clause:
            case A.Verify():
                names = [role.name for role in clause.roles]
                for role in clause.roles:
                    if names.count(role.name) > 1:
                        fail(f"role '{role.name}' is given twice", role, "leave one out")
                    _role(checked, entry, ex, role)
            case A.Tolerance():
                ex.number(clause.value, "tolerance")
                if not isinstance(clause.value, A.IntLit | A.FloatLit):
                    fail("tolerance wants a plain number that is not negative", clause.value, "write tolerance 1e-6")
            case A.AnyValid():
                pass


def _role(checked: Checked, entry: A.Entry, ex: Expressions, role: A.Role) -> None:
    """A role is a property of the first graph, a program scalar, or a value that parameters tell."""
    e = role.value
    hint = "a role is a property, a program scalar, a parameter, or a formula of parameters"
    if isinstance(e, A.Name):
        found = next(
            (p for p in entry.params if isinstance(p.type, T.Named) and p.type.name in checked.graph_types), None
        )
        properties = checked.graph_types[str(found.type)].properties if found is not None else ()
        named = [p for p in properties if p.name == e.id]
        if named:
            if any(isinstance(p.type, T.Lock) for p in named):
                fail(f"'{e.id}' is a lock, and no result", e, hint)
            if ex.lookup(e.id) is not None:
                fail(f"'{e.id}' is a property and a parameter: which is meant?", e, "give the parameter another name")
            return
        if e.id in checked.globals:
            return
        if ex.lookup(e.id) is None and e.id not in ("INF", "NONE"):
            every = [p.name for p in properties] + ex.visible()
            fail(f"'{e.id}' is no result and no parameter", e, M.nearest(e.id, every) or hint)
    _before_the_run(checked, e, results=True)
    t = ex.type(e)
    if not (T.is_scalar(t) or isinstance(t, T.Id)):
        fail(f"a role can't be {M.a(T.bare(t))}", e, hint)


def _no_recursion(checked: Checked) -> None:
    done: set[str] = set()
    open_: list[str] = []

    def visit(f: A.Function) -> None:
        if f.name in done:
            return
        open_.append(f.name)
        for call in (n for n in walk(f) if isinstance(n, A.Call) and n.function in checked.functions):
            if call.function in open_:
                through = "".join(f" through '{name}'" for name in open_[open_.index(call.function) + 1 :])
                fail(f"'{call.function}' calls itself{through}", call, "write it as a loop: GPUs have no deep stacks")
            visit(checked.functions[call.function])
        open_.pop()
        done.add(f.name)

    for f in checked.functions.values():
        visit(f)
