"""Hypothesis strategies for syntax trees: anything that the grammar can say, whether or not it means something."""

from __future__ import annotations

from hypothesis import strategies as st

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.check import verify
from irgl.ast.dump_expr import BINARY, REDUCTIONS, UNARY_OPS
from irgl.ast.visit import walk

#: Ordinary names, and words of the language where they are no such word.
NAMES = st.sampled_from(
    ["a", "b", "n", "e", "g", "WL", "x_1", "Pipe", "Any", "In", "Retry", "Else", "min", "xchg", "racy"]
)
FRESH = st.sampled_from(["v", "w", "Invoke", "Initial", "reads", "While", "Once"])
SCALARS = st.sampled_from(
    [T.BOOL, T.INT, T.LONG, T.UINT, T.ULONG, T.Int(8, True), T.Int(16, False), T.FLOAT, T.DOUBLE, T.NODE, T.EDGE,
     T.NodeT("g"), T.EdgeT(graph="g"), T.Named("Pair")]
)  # fmt: skip
VECTORS = st.builds(T.Vector, st.sampled_from([T.BOOL, T.LONG, T.FLOAT]), st.integers(1, 20))
ITEMS = st.sampled_from([T.NODE, T.EDGE, T.LONG, T.Named("Pair")])
ORDERS = st.builds(T.Priority, st.sampled_from(("level", "dist")), st.sampled_from(("", "delta")), st.booleans())
UNORDERED = st.builds(T.Worklist, st.sampled_from([k for k in T.KINDS if k != T.QUEUE]), ITEMS, st.booleans())
LISTS = UNORDERED | st.builds(lambda item, by: T.Worklist(T.QUEUE, item, by=by), ITEMS, ORDERS)
ARRAYS = st.builds(lambda t: T.Named("array", (t,)), st.one_of(SCALARS, UNORDERED))
VARIABLES = st.one_of(SCALARS, LISTS, ARRAYS, st.just(T.Named("Graph")))

_INTEGERS = st.sampled_from([T.INT, T.LONG, T.UINT, T.ULONG]).flatmap(
    lambda t: st.builds(A.IntLit, st.sampled_from([0, 1, 7, 8, 2**31 - 1, t.max]), st.just(t))
)
_FLOATS = st.builds(
    A.FloatLit, st.sampled_from(["0.0", "1.", ".5", "1e9", "2.5E-3"]), st.sampled_from([T.FLOAT, T.DOUBLE])
)
_TEXTS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=5)
_STRINGS = st.builds(A.StringLit, _TEXTS)
_LEAVES = st.one_of(st.builds(A.Name, NAMES), _INTEGERS, _FLOATS, st.builds(A.BoolLit, st.booleans()), _STRINGS)


def _several(inner: st.SearchStrategy[A.Expr], least: int = 0) -> st.SearchStrategy[tuple[A.Expr, ...]]:
    return st.lists(inner, min_size=least, max_size=3).map(tuple)


def _compound(inner: st.SearchStrategy[A.Expr]) -> st.SearchStrategy[A.Expr]:
    return st.one_of(
        st.builds(A.Unary, st.sampled_from(UNARY_OPS), inner),
        st.builds(A.Binary, st.sampled_from(sorted(BINARY)), inner, inner),
        st.builds(A.Conditional, inner, inner, inner),
        st.builds(A.Cast, SCALARS, inner),
        st.builds(A.StructLit, st.just(T.Named("Pair")), _several(inner)),
        st.builds(A.Call, NAMES, _several(inner)),
        st.builds(A.MethodCall, inner, NAMES, _several(inner)),
        st.builds(A.Member, inner, NAMES),
        st.builds(A.Index, inner, inner),
        st.builds(A.Relaxed, st.builds(A.Member, st.builds(A.Name, NAMES), NAMES)),
        st.builds(A.Reduce, st.sampled_from(REDUCTIONS), inner, inner),
        st.builds(A.InvokeResult, st.sampled_from(["any", "all"]), NAMES, _several(inner)),
    )


EXPRESSIONS: st.SearchStrategy[A.Expr] = st.recursive(_LEAVES, _compound, max_leaves=12)
_SMALL: st.SearchStrategy[A.Expr] = st.recursive(_LEAVES, _compound, max_leaves=4)

_LOCATIONS: st.SearchStrategy[A.Expr] = st.recursive(
    st.builds(A.Name, NAMES), lambda e: st.builds(A.Member, e, NAMES) | st.builds(A.Index, e, _SMALL), max_leaves=3
)

_EFFECTS = (A.Call, A.MethodCall, A.Reduce, A.InvokeResult)
_EFFECTIVE = _SMALL.filter(lambda e: any(isinstance(n, _EFFECTS) for n in walk(e)))
_STORES = st.builds(A.Assign, _SMALL, _SMALL, st.just("plain"))
_DECLARATIONS = st.one_of(
    st.builds(A.VarDecl, VARIABLES, FRESH, st.none() | _SMALL), st.builds(A.VarDecl, st.just(T.AUTO), FRESH, _SMALL)
)
_HEADERS = st.one_of(
    st.just(()),
    st.lists(st.builds(A.VarDecl, st.just(T.LONG), FRESH, st.none() | _SMALL), min_size=1, max_size=2).map(tuple),
    st.lists(_STORES | st.builds(A.ExprStmt, _EFFECTIVE), min_size=1, max_size=2).map(tuple),
)
_STEPS = st.lists(_STORES | st.builds(A.ExprStmt, _EFFECTIVE), max_size=2).map(tuple)
_RAW = st.text("ab ;{}\n\"'/*", max_size=8).map(lambda t: t.strip("\n")).filter(
    lambda t: not set(t) & set("{}\"'/")
)  # fmt: skip
_INITIALS = st.none() | st.builds(A.InitialItems, _several(_SMALL, 1)) | st.builds(A.InitialIterator, _SMALL)
_SIMPLE: st.SearchStrategy[A.Stmt] = st.one_of(
    st.builds(A.ExprStmt, _EFFECTIVE),
    _STORES,
    st.builds(A.Assign, _LOCATIONS, _SMALL, st.sampled_from(["racy", "relaxed"])),
    st.builds(A.Return, st.none() | _SMALL),
    st.builds(A.SyncRunningThreads),
    st.builds(A.ReduceAndReturn, _SMALL),
    st.builds(A.Retry, _SMALL),
    st.builds(A.Respawn, _SMALL),
    st.builds(A.CBlock, _several(_SMALL), _several(_SMALL), _RAW),
    st.builds(A.Invoke, NAMES, _several(_SMALL), st.none() | NAMES),
)


def _nested(inner: st.SearchStrategy[A.Stmt]) -> st.SearchStrategy[A.Stmt]:
    body = st.lists(inner | _DECLARATIONS, max_size=3).map(tuple)
    jumping = st.lists(inner | st.builds(A.Break) | st.builds(A.Continue), max_size=3).map(tuple)
    modes = st.sampled_from([("worklist", ""), ("while", "any"), ("until", "all")])
    return st.one_of(
        st.builds(A.Block, body),
        st.builds(A.If, _SMALL, body, body),
        st.builds(A.While, _SMALL, jumping),
        st.builds(A.DoWhile, jumping, _SMALL),
        st.builds(A.CFor, _HEADERS, st.none() | _SMALL, _STEPS, jumping),
        st.builds(A.For, NAMES, _SMALL, jumping),
        st.builds(A.ForAll, NAMES, _SMALL, body),
        st.builds(A.Labeled, FRESH, inner),
        st.builds(A.Atomic, _SMALL, body, st.just(()), st.booleans()),
        st.builds(A.Atomic, _SMALL, body, body, st.just(False)),
        st.builds(A.Exclusive, _SMALL, _several(_SMALL, 1), body, body),
        modes.flatmap(lambda m: st.builds(A.Iterate, st.just(m[0]), st.just(m[1]), NAMES, _several(_SMALL),
                                          _INITIALS, body)),
        st.builds(A.Pipe, st.booleans(), _INITIALS, body),
        st.builds(A.Sections, st.lists(st.builds(A.Block, body), max_size=3).map(tuple)),
    )  # fmt: skip


STATEMENTS: st.SearchStrategy[A.Stmt] = st.recursive(_SIMPLE, _nested, max_leaves=6)
_BODIES = st.lists(STATEMENTS | _DECLARATIONS, max_size=4).map(tuple)

_PARAMS = st.lists(st.builds(A.Param, VARIABLES, NAMES, st.none(), st.just(())), max_size=3).map(tuple)
_NEEDS = st.lists(st.sampled_from(["directed", "simple", "weighted", "sorted"]), unique=True, max_size=2).map(tuple)
_DEFAULTS = st.none() | _SMALL | st.builds(lambda e: A.Call("auto", (e,)), _SMALL)
_ENTRY_PARAMS = st.lists(st.builds(A.Param, SCALARS, NAMES, _DEFAULTS, _NEEDS), max_size=3).map(tuple)
_ROLES = st.lists(st.builds(A.Role, NAMES, _SMALL), max_size=2).map(tuple)
_CLAUSES = st.lists(
    st.builds(A.Verify, NAMES, _ROLES) | st.builds(A.Tolerance, _FLOATS) | st.builds(A.AnyValid), max_size=3
).map(tuple)
_FORMS = st.lists(st.builds(A.Cooperative, st.sampled_from(["thread", "warp", "task"]), NAMES), max_size=2).map(tuple)
_FEATURES = st.one_of(
    st.builds(A.Attribute, SCALARS, NAMES),
    st.builds(A.Method, SCALARS, NAMES, _PARAMS, st.sampled_from(["reads", "writes", "appends"]), _FORMS),
    st.builds(A.Iterator, SCALARS, NAMES),
    st.builds(A.Elements, SCALARS, st.booleans()),
    st.builds(A.Own),
    st.builds(A.Stays),
)
_TYPE_NAMES = st.sampled_from(["Alpha", "Beta", "Gamma"])
DECLARATIONS: st.SearchStrategy[A.Decl] = st.one_of(
    st.builds(A.Global, SCALARS, NAMES, st.none() | _SMALL, st.just(False)),
    st.builds(A.Function, SCALARS | st.just(T.VOID), NAMES, _PARAMS, _BODIES),
    st.builds(A.Kernel, NAMES, _PARAMS, st.none() | LISTS, _BODIES),
    st.builds(A.Entry, NAMES, _ENTRY_PARAMS, _CLAUSES, _BODIES),
)
_TYPES = st.one_of(
    st.builds(A.Struct, _TYPE_NAMES, st.lists(st.builds(A.Field, SCALARS, NAMES), min_size=1, max_size=3).map(tuple)),
    st.builds(A.GraphType, _TYPE_NAMES, st.lists(
        st.builds(A.Property, st.sampled_from(["node", "edge"]), SCALARS | VECTORS, NAMES, st.none() | _SMALL,
                  axis=st.none())
        | st.builds(A.Property, st.just("node"), SCALARS, NAMES, st.none(), st.just(True), st.integers(0, 3)),
        max_size=3).map(tuple)),
    st.builds(A.Library, _TYPE_NAMES, st.sampled_from([(), ("K",), ("K", "V")]), st.just("some.hpp"),
              st.lists(_FEATURES, max_size=3).map(tuple)),
)  # fmt: skip

def _prelude() -> tuple[A.Decl, ...]:
    """What the types above need."""
    fields = (A.Field(T.INT, "p"), A.Field(T.NODE, "q"))
    return A.Import("array.irgl"), A.Struct("Pair", fields), A.GraphType("Graph", ())


def _well_formed(program: A.Program) -> bool:
    try:
        verify(program)
    except AssertionError:
        return False
    return True


#: Whole programs that the verifier passes (a random tree may have a label twice, or jump out of no loop).
PROGRAMS: st.SearchStrategy[A.Program] = st.builds(
    lambda types, decls: A.Program((*_prelude(), *types, *decls)),
    st.lists(_TYPES, max_size=2, unique_by=lambda d: d.name),
    st.lists(DECLARATIONS, max_size=3),
).filter(_well_formed)
