"""The body of a ForAll over the edges of another ForAll's node: whose values its expressions speak of."""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.names import members as M
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.accesses import Access, Walker
from irgl.analysis.ownership.owners import Owners
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk

#: Functions that do nothing but compute, and can't fail.
PURE = (*M.FLOAT_FUNCTIONS, *M.FLOAT_FUNCTIONS_OF_TWO, "min", "max", "abs", "isinf", "isnan", "hash", "popcount")


class EdgeBody:
    """`inner` runs over edges of the node that `loop` is at. accesses: all that its body touches, helpers included."""

    def __init__(self, checked: Checked, loop: A.ForAll, inner: A.ForAll) -> None:
        self.checked = checked
        self.loop = loop
        self.inner = inner
        self.accesses = accesses(checked, inner.body)
        self.writes = [a for a in self.accesses if a.kind != "load"]

    def is_edge(self, e: A.Expr) -> bool:
        """The inner loop's edge."""
        return isinstance(e, A.Name) and self.checked.symbols.get(e) is self.checked.symbols[self.inner]

    def is_target(self, e: A.Node) -> bool:
        """The node that the edge leads to, perhaps by way of a variable that names it."""
        if isinstance(e, A.Name):
            local = self.checked.symbols.get(e)
            named = local is not None and local.kind == "local" and not local.assigned and local.origin is not None
            return named and local is not None and local.origin is not None and self.is_target(local.origin)
        return isinstance(e, A.Member) and e.name == "dst" and self.is_edge(e.object)

    def is_base(self, e: A.Node) -> bool:
        """The node that the outer loop is at."""
        if isinstance(e, A.Name):
            return self.checked.symbols.get(e) is self.checked.symbols[self.loop]
        return isinstance(e, A.Member) and e.name == "src" and self.is_edge(e.object)

    def accesses_of(self, e: A.Expr) -> list[Access]:
        """What an expression of the body touches."""
        return accesses(self.checked, (A.ExprStmt(e),))

    def is_quiet(self, e: A.Expr) -> bool:
        """Does computing it change nothing?"""
        return all(a.kind == "load" for a in self.accesses_of(e)) and not any(
            isinstance(n, A.Reduce | A.InvokeResult)
            or (isinstance(n, A.MethodCall) and n.name not in (
                "contains", "pop", "skip", "when", "node", "edge", "early"))
            or (isinstance(n, A.Call) and n.function not in PURE)
            for n in walk(e)
        )

    def is_harmless(self, e: A.Expr) -> bool:
        """May it be computed once more, or once less? It changes nothing, and can't stop the program."""
        types = self.checked.types
        return not any(
            n in self.checked.none
            or isinstance(n, A.Index | A.MethodCall | A.Reduce | A.InvokeResult)
            or (isinstance(n, A.Call) and n.function not in PURE)
            or (isinstance(n, A.Binary) and n.op in ("/", "%") and not isinstance(types[n], T.Float))
            for n in walk(e)
        )

    def is_uniform(self, e: A.Expr) -> bool:
        """Is it the same for all edges while the inner loops run?"""
        return self._known(e, target=False)

    def is_of_target(self, e: A.Expr) -> bool:
        """Is it the target's alone: made of its values, and of what is the same for all edges?"""
        return self._known(e, target=True)

    def _known(self, e: A.Expr, target: bool) -> bool:
        t = self.checked.types[e]
        if target and self.is_target(e):
            return True
        match e:
            case A.Name():
                symbol = self.checked.symbols.get(e)
                if symbol is None:
                    return e.id in ("INF", "NONE")
                if symbol.kind == "global":
                    return not any(a.key == ("", "scalar", e.id) for a in self.writes)
                return symbol.kind in ("param", "local") and symbol.depth == 0 and not isinstance(t, T.Worklist)
            case A.Member() if isinstance(self.checked.types[e.object], T.NodeT):
                return self._known(e.object, target) and (e.name == "id" or self._of_node(e))
            case A.Member() if isinstance(e.object, A.Name) and str(self.checked.types[e.object]) in (
                self.checked.graph_types
            ):
                return e.name in ("num_nodes", "num_edges", "directed")
            case A.Member():
                return self.checked.fields(self.checked.types[e.object]) is not None and self._known(e.object, target)
            case A.Relaxed():
                return self._known(e.location, target)
            case A.IntLit() | A.FloatLit() | A.BoolLit():
                return True
            case A.Unary() | A.Binary() | A.Conditional() | A.Cast() | A.Call():
                return all(self._known(x, target) for x in children(e) if isinstance(x, A.Expr))
            case _:
                return False

    def _of_node(self, e: A.Member) -> bool:
        """A property or degree of the target; of a node that is the same for all edges somebody else may change it."""
        return self.is_target(e.object) and not isinstance(self.checked.types[e], T.Range)

    def only_test(self) -> A.If | None:
        """The condition under which alone the body does anything: all of it, but for variables."""
        *before, last = self.inner.body if self.inner.body else (None,)
        for s in before:
            plain = isinstance(s, A.VarDecl) and s.init is not None and T.is_scalar(self.checked.symbols[s].type)
            if not (plain and isinstance(s, A.VarDecl) and s.init is not None and self.is_harmless(s.init)):
                return None
        return last if isinstance(last, A.If) and not last.orelse else None


#: A comparison's operator where its sides are exchanged.
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def conjuncts(e: A.Expr) -> Iterator[A.Expr]:
    """The conditions that `&&` joins, in order."""
    if isinstance(e, A.Binary) and e.op == "&&":
        yield from conjuncts(e.left)
        yield from conjuncts(e.right)
    else:
        yield e


def accesses(checked: Checked, stmts: tuple[A.Stmt, ...]) -> list[Access]:
    """What statements of an operator touch, helpers included."""
    return Walker(checked, Owners(checked), {}).collect(stmts, 1, "")


def runs_along(checked: Checked, s: A.For | A.ForAll, loop: A.ForAll, names: tuple[str, ...]) -> bool:
    """Does `s` run over all edges of these kinds of the node that `loop` is at?"""
    e = s.iterator
    return (isinstance(e, A.Member) and e.name in names and isinstance(e.object, A.Name)
            and checked.symbols.get(e.object) is checked.symbols[loop])
