"""Checks a Program's head: its parameters and their defaults, and its clauses."""

from __future__ import annotations

from irgl.analysis.names import members as M
from irgl.analysis.names.given import KINDS, given_item
from irgl.analysis.names.symbols import Checked, Symbol, fail
from irgl.analysis.types.expressions import Expressions
from irgl.analysis.types.statements import Statements
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

#: The library type that a file can fill (irgl/rt/meshes/meshes.py); its class and its twin can load and store.
MESH = "Mesh"
#: What a default, a role or a tolerance may call: the rest wants a running program.
_EARLY = (
    "auto",
    "average_weight",
    "max_weight",
    "min",
    "max",
    "abs",
    "isinf",
    "isnan",
    "hash",
    "popcount",
    *M.FLOAT_FUNCTIONS,
    *M.FLOAT_FUNCTIONS_OF_TWO,
)


def declare_params(checked: Checked, params: tuple[A.Param, ...], ex: Expressions, st: Statements) -> None:
    graphs = [p.name for p in params if isinstance(p.type, T.Named) and p.type.name in checked.graph_types]
    ex.graph = graphs[0] if graphs else ""
    ex.graphs = graphs
    for p in params:
        t = st.resolve(p.type, p)
        kind = "worklist" if isinstance(t, T.Worklist) else "param"
        ex.declare(Symbol(p.name, t, kind, 0, p.span), p)


def check_entry(checked: Checked, entry: A.Entry) -> None:
    if not entry.params or not isinstance(entry.params[0].type, T.Named):
        fail("a Program's first parameter is its graph or mesh", entry, f"write Program {entry.name}(Graph g, ...)")
    meshes = [p for p in entry.params if is_mesh(checked, p.type)]
    if len(meshes) > 1:
        fail("a second mesh", meshes[1], "a Program is given one mesh; it can declare others")
    constants = Expressions(checked, "constant", None)
    defaults = Statements(checked, constants, T.VOID)
    ex = Expressions(checked, "entry", None)
    st = Statements(checked, ex, T.VOID)
    graphs = [p.name for p in entry.params if isinstance(p.type, T.Named) and p.type.name in checked.graph_types]
    constants.graph = graphs[0] if graphs else ""
    for p in entry.params:
        t = defaults.resolve(p.type, p)
        is_graph = isinstance(t, T.Named) and t.name in checked.graph_types
        mesh = is_mesh(checked, t)
        given = given_item(checked, t)
        if given is not None and p is entry.params[0]:
            fail("a Program's first parameter is its graph or mesh", p, f"write Program {entry.name}(Graph g, ...)")
        if not is_graph and not mesh and given is None and not isinstance(t, T.Int | T.Float | T.Bool | T.NodeT):
            fail(f"parameter '{p.name}' can't be {M.a(T.bare(t))}", p, _givable(t))
        if (isinstance(t, T.NodeT) or isinstance(given, T.NodeT)) and not graphs:
            fail(f"parameter '{p.name}' is a node of no graph", p, "give the Program a graph first")
        if p.needs and not is_graph:
            fail(f"'{p.needs[0]}' says something of a graph, and '{p.name}' is none", p, "leave it out")
        if "directed" in p.needs and "undirected" in p.needs:
            fail(f"'{p.name}' can't be both directed and undirected", p, "leave one out")
        for need in p.needs:
            if p.needs.count(need) > 1:
                fail(f"'{p.name}' is said to be {need} twice", p, "leave one out")
        if p.default is not None:
            each = t.args[0] if isinstance(t, T.Named) and t.shape else t  # of which all values are the default
            if is_graph or mesh or (given is not None and each is t):
                what = "mesh" if mesh else "graph" if is_graph else str(T.bare(t))
                fail(f"{M.a(what)} has no default", p, "it is given when the program is run")
            _before_the_run(checked, p.default)
            constants.value(p.default, each, f"'{p.name}'")
        constants.declare(Symbol(p.name, t, "param", 0, p.span), p)
    _inputs(checked, entry)
    declare_params(checked, entry.params, ex, st)
    _clauses(checked, entry, constants)
    st.body(entry.body, own_scope=False)


def _inputs(checked: Checked, entry: A.Entry) -> None:
    """Inputs are told apart by their names, from each other and from parameters, and are those of given graphs."""
    graphs = [p for p in entry.params if isinstance(p.type, T.Named) and p.type.name in checked.graph_types]
    params = {p.name for p in entry.params}
    taken: dict[str, A.Param] = {}
    for g in graphs:
        for p in checked.graph_types[str(g.type)].properties:
            if p.given and p.name in params:
                fail(f"'{p.name}' is an input and a parameter: which is meant?", p, "choose another name")
            if p.given and p.name in taken:
                fail(f"'{taken[p.name].name}' and '{g.name}' would both be given '{p.name}'", g,
                     "give it a graph type whose inputs have other names")
            if p.given:
                taken[p.name] = g
    for node in walk(entry):
        if isinstance(node, A.VarDecl) and isinstance(node.type, T.Named) and node.type.name in checked.graph_types:
            found = next((p for p in checked.graph_types[node.type.name].properties if p.given), None)
            if found is not None and isinstance(node.init, A.Call):
                fail(f"nobody gives '{found.name}' to a graph that the Program makes", node,
                     "declare it without `input`, and copy it in a kernel")


def _givable(t: T.Type) -> str:
    """What can be given in the place of a type that can't."""
    if isinstance(t, T.Worklist) and t.kind in KINDS:
        return "a list that is given holds nodes: give numbers as array<double>, say"
    if isinstance(t, T.Worklist):
        return f"nodes can be given as {', '.join(f'{kind}<node>' for kind in KINDS)}"
    return "graphs, a mesh, numbers, bools, nodes, lists of nodes and arrays of numbers can be given"


def is_mesh(checked: Checked, t: T.Type) -> bool:
    """Is `t` the library type that a mesh from a file becomes?"""
    return isinstance(t, T.Named) and t.name == MESH and t.name in checked.libraries


def _shown(checked: Checked, t: T.Type) -> bool:
    """Can a verifier be shown a parameter as a whole?"""
    return is_mesh(checked, t) or given_item(checked, t) is not None


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
        if e.id in checked.globals or any(p.name == e.id and _shown(checked, p.type) for p in entry.params):
            return
        if ex.lookup(e.id) is None and e.id not in ("INF", "NONE"):
            every = [p.name for p in properties] + ex.visible()
            fail(f"'{e.id}' is no result and no parameter", e, M.nearest(e.id, every) or hint)
    _before_the_run(checked, e, results=True)
    t = ex.type(e)
    if not (T.is_scalar(t) or isinstance(t, T.Id)):
        fail(f"a role can't be {M.a(T.bare(t))}", e, hint)
