"""Expressions in C++: structured, with only the parentheses that precedence asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, assert_never

from irgl.analysis.methods import effect_of, is_object, methods_of
from irgl.analysis.owners import Owners
from irgl.analysis.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.codegen.names import cxx_type, inner, name, property_name, scalar_name

_PRECEDENCE = {
    **dict.fromkeys(("*", "/", "%"), 12),
    **dict.fromkeys(("+", "-"), 11),
    **dict.fromkeys(("<", "<=", ">", ">="), 9),
    **dict.fromkeys(("==", "!="), 8),
    "&": 7,
    "^": 6,
    "|": 5,
    "&&": 4,
    "||": 3,
}
_PRIMARY, _UNARY, _CONDITIONAL = 15, 13, 2
UPDATES = {"+": "add", "-": "sub", "|": "or", "&": "and", "^": "xor", "min": "min", "max": "max", "xchg": "xchg"}


class Code(NamedTuple):
    """C++ text and how tightly its outermost operator binds."""

    text: str
    level: int = _PRIMARY

    def at(self, level: int) -> str:
        """The text, in parentheses unless it binds at least as tightly as `level`."""
        return self.text if self.level >= level else f"({self.text})"


class ExpressionsCxx:
    """Emits the expressions of one function. `accumulators` are the names that stand for reducers right now."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.owners = Owners(checked)
        self.graph = ""
        self.sources: dict[str, int] = {}
        self.accumulators: set[str] = set()
        self.on_host = True
        self.invoke: Callable[[A.InvokeResult], str] | None = None

    # What differs between targets

    def scalar(self, word: str) -> str:
        """The location of a program scalar."""
        return f"c.{scalar_name(word)}"

    def stored_scalar(self, word: str) -> str:
        """The same where it may change."""
        return self.scalar(word)

    def element(self, graph: str, member: str, index: str) -> str:
        """The location of a node's or an edge's property."""
        return f"{graph}.{member}[{index}]"

    def rows(self, graph: str) -> str:
        """The view of a graph whose rows can be read here."""
        return graph

    def variable(self, symbol: Symbol) -> str:
        """A local variable or parameter."""
        return name(symbol.name)

    def thread(self) -> str:
        """The thread that runs this, as an argument."""
        return "c.host()" if self.on_host else "t"

    def list_args(self) -> list[str]:
        """What the methods of a worklist take first, those that a thread doesn't call on its own account."""
        return []

    def parallel(self, depth: int) -> str:
        """Do several threads run the ForAll at `depth` and those around it? As a constant of the generated text."""
        return f"IRGL_SHARED({inner(depth)})"

    # Entry points

    def value(self, e: A.Expr, want: T.Type | None = None) -> str:
        """`e` as a value of type `want` (its own type where that is None)."""
        return self.code(e, want).at(_CONDITIONAL)

    def truth(self, e: A.Expr) -> str:
        return self.value(e, T.BOOL)

    def code(self, e: A.Expr, want: T.Type | None = None) -> Code:
        t = self.checked.types[e]
        code = self._raw(e)
        if isinstance(t, T.Reduced) and want is not None:
            return Code(code.at(_PRIMARY) + ".changed")
        if isinstance(t, T.EdgeT) and t.incoming and isinstance(want, T.EdgeT) and not want.incoming:
            return Code(f"{self.rows(self.graph_of(t))}.in_edge({code.text})")
        if isinstance(t, T.Id) and isinstance(want, T.NodeT | T.EdgeT):
            return Code(f"{cxx_type(want, self.checked)}({code.text})")
        return code

    def item(self, e: A.Expr, want: T.Type, at: A.Node) -> str:
        """The node or edge `e` where something of it is used, at `at`: one that may be NONE is looked at first."""
        if e not in self.checked.none:
            return self.value(e, want)
        t = self.checked.types[e]
        text = self.some(self.value(e), at)
        turned = isinstance(t, T.EdgeT) and t.incoming and isinstance(want, T.EdgeT) and not want.incoming
        return f"{self.rows(self.graph_of(t))}.in_edge({text})" if turned else text

    def some(self, text: str, at: A.Node) -> str:
        """The item, which is a fault if it is NONE, and then the first."""
        return f"irgl::some(c, {text}, {self.place(at)})"

    def refuse_none(self, items: A.Expr, at: A.Node) -> str:
        """Before a set takes them: NONE among the items of a list is a fault."""
        return f"irgl::refuse_none({(self.list_args() or ['c'])[0]}, {self.iterator(items)}, {self.place(at)})"

    def graph_of(self, t: T.Type) -> str:
        """The graph variable that a node or edge belongs to."""
        graph = t.graph if isinstance(t, T.NodeT | T.EdgeT) else ""
        return name(graph or self.graph)

    def place(self, e: A.Node) -> str:
        """Where a fault is reported: line, column and width of `e` (0: to the end of its line), and its source."""
        if e.span is None:
            return "0"
        s = e.span
        index = self.sources.setdefault(s.source.path, len(self.sources))
        width = s.end_column - s.column if s.end_line == s.line else 0
        return f"irgl::at({s.line}, {s.column}, {width}{f', {index}' if index else ''})"

    # One case each

    def _raw(self, e: A.Expr) -> Code:
        t = self.checked.types[e]
        match e:
            case A.Name():
                return self._name(e, t)
            case A.IntLit():
                return Code(_integer(e.value, t))
            case A.FloatLit():
                text = e.text if any(c in e.text for c in ".eExX") else e.text + ".0"
                return Code(text + ("f" if e.type == T.FLOAT else ""))
            case A.BoolLit():
                return Code("true" if e.value else "false")
            case A.StringLit():
                return Code('"' + e.value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"')
            case A.Unary():
                return self._unary(e)
            case A.Binary():
                return self._binary(e, t)
            case A.Conditional():
                then, orelse = self._as(e.then, t), self._as(e.orelse, t)
                return Code(
                    f"{self.code(e.test, T.BOOL).at(3)} ? {then.at(_CONDITIONAL)} : {orelse.at(_CONDITIONAL)}",
                    _CONDITIONAL,
                )
            case A.Cast():
                return self._cast(e, t)
            case A.StructLit():
                fields = self.checked.fields(e.type) or {}
                values = ", ".join(self._converted(v, ft) for v, ft in zip(e.values, fields.values(), strict=True))
                return Code(f"{name(str(e.type))}{{{values}}}")
            case A.Call():
                return self._call(e, t)
            case A.MethodCall():
                return self._method(e)
            case A.Member():
                return self._member(e)
            case A.Index():
                return self._index(e)
            case A.Relaxed():
                return Code(f"irgl::load({self.location(e.location)})")
            case A.Reduce():
                return self._reduce(e)
            case A.InvokeResult():
                assert self.invoke is not None
                return Code(self.invoke(e))
            case _:
                assert_never(e)

    def _name(self, e: A.Name, t: T.Type) -> Code:
        if e.id == "INF":
            return Code(f"irgl::highest<{cxx_type(t, self.checked)}>()")
        if e.id == "NONE":
            return Code(f"{cxx_type(t, self.checked)}(-1)")
        if e.id == "WL":
            return Code("wl")
        symbol = self.checked.symbols[e]
        if symbol.kind == "global" and e.id not in self.accumulators:
            location = self.scalar(e.id)
            return Code(f"irgl::load({location})" if e in self.checked.concurrent else location)
        return Code(self.variable(symbol))

    def _unary(self, e: A.Unary) -> Code:
        if e.op == "!":
            return Code("!" + self.code(e.operand, T.BOOL).at(_UNARY), _UNARY)
        inner_code = self.code(e.operand).at(_UNARY)
        space = " " if inner_code.startswith(e.op) else ""
        return Code(f"{e.op}{space}{inner_code}", _UNARY)

    def _binary(self, e: A.Binary, t: T.Type) -> Code:
        if e.op in ("&&", "||"):
            level = _PRECEDENCE[e.op]
            # C++ compilers warn of && inside || without parentheses.
            bind = level if e.op == "&&" else 5
            a, b = self.code(e.left, T.BOOL), self.code(e.right, T.BOOL)
            a_text = a.text if a.level == level else a.at(bind)
            return Code(f"{a_text} {e.op} {b.at(5)}", level)
        left, right = self.checked.types[e.left], self.checked.types[e.right]
        if e.op in ("<<", ">>"):
            function = "shl" if e.op == "<<" else "shr"
            return Code(f"irgl::{function}<{cxx_type(t, self.checked)}>({self.value(e.left)}, {self.value(e.right)})")
        both = T.common(left, right) if T.is_number(left) and T.is_number(right) else None
        if e.op in ("/", "%") and isinstance(t, T.Int) and not (isinstance(e.right, A.IntLit) and e.right.value > 0):
            function = "idiv" if e.op == "/" else "imod"
            return Code(
                f"irgl::{function}<{cxx_type(t, self.checked)}>(c, {self.value(e.left)}, {self.value(e.right)}, "
                f"{self.place(e)})"
            )
        level = _PRECEDENCE[e.op]
        left_text, right_text = self._operand(e.left, both, level), self._operand(e.right, both, level + 1)
        return Code(f"{left_text} {e.op} {right_text}", level)

    def _operand(self, e: A.Expr, both: T.Type | None, level: int) -> str:
        """An operand, converted where C++ would warn or, for a node's number, where it would not widen."""
        t = self.checked.types[e]
        code = self.code(e, t.of if isinstance(t, T.Reduced) else None)
        if isinstance(both, T.Int) and isinstance(T.promoted(t), T.Int) and T.promoted(t) != both:
            literal = isinstance(e, A.IntLit)
            own = T.promoted(t)
            assert isinstance(own, T.Int)
            if own.signed != both.signed and not literal:
                return f"{cxx_type(both, self.checked)}({code.text})"
        if isinstance(t, T.EdgeT) and t.incoming:
            return self.code(e, T.EDGE).at(level)
        return code.at(level)

    def _as(self, e: A.Expr, t: T.Type) -> Code:
        code = self.code(e, t)
        own = self.checked.types[e]
        if T.is_number(own) and T.is_number(t) and T.promoted(own) != t:
            return Code(f"{cxx_type(t, self.checked)}({code.text})")
        return code

    def _converted(self, e: A.Expr, want: T.Type) -> str:
        """A value inside braces, where C++ refuses to narrow."""
        own = self.checked.types[e]
        text = self.value(e, want)
        return text if own == want else f"{cxx_type(want, self.checked)}({text})"

    def _cast(self, e: A.Cast, t: T.Type) -> Code:
        own = self.checked.types[e.operand]
        text = self.value(e.operand, T.BOOL if isinstance(own, T.Reduced) else None)
        target = cxx_type(t, self.checked)
        if isinstance(own, T.Float) and isinstance(t, T.Int):
            return Code(f"irgl::to_int<{target}>({text})")
        return Code(f"{target}({text})")

    def _call(self, e: A.Call, t: T.Type) -> Code:
        f = self.checked.functions.get(e.function)
        if f is not None:
            threads = [self.thread()] if f.name in appending(self.checked) else []
            args = ["c", *threads, *(self.value(a, p.type) for a, p in zip(e.args, f.params, strict=True))]
            return Code(f"{name(e.function)}({', '.join(args)})")
        a = [self.value(x, T.BOOL if isinstance(self.checked.types[x], T.Reduced) else None) for x in e.args]
        target = cxx_type(t, self.checked) if not isinstance(t, T.Range | T.Void) else ""
        match e.function:
            case "min" | "max":
                if isinstance(t, T.EdgeT):
                    a = [self.value(x, T.EDGE) for x in e.args]
                return Code(f"irgl::{e.function}<{target}>({a[0]}, {a[1]})")
            case "abs":
                return Code(f"irgl::abs<{target}>({a[0]})")
            case "hash":
                return Code(f"irgl::hash32({a[0]})")
            case "popcount":
                own = T.promoted(self.checked.types[e.args[0]])
                bits = own.bits if isinstance(own, T.Int) else 64
                return Code(f"irgl::popcount(uint{bits}_t({a[0]}))")
            case "isinf" | "isnan":
                return Code(f"irgl::{e.function}({a[0]})")
            case "cas":
                want = self.checked.types[e.args[0]]
                shared = "atomic" if self.checked.access.get(e.args[0]) == "shared" else "plain"
                values = ", ".join(self._converted(x, want) for x in e.args[1:])
                return Code(f"irgl::{shared}_cas({self.location(e.args[0])}, {values}).changed")
            case "range":
                bounds = ", ".join(["0"] * (len(a) == 1) + a)
                return Code(f"irgl::range<int64_t>({bounds})")
            case "random":
                return Code(f"c.random({a[0]})")
            case "average_weight" | "max_weight":
                return Code(f"file_{a[0]}.{e.function}(c)")
            case "oriented" | "print" | "stop" | "auto":
                raise AssertionError(e.function)
            case _:
                return Code(f"irgl::{e.function}({', '.join(f'{target}({x})' for x in a)})")

    # Members and methods

    def _member(self, e: A.Member) -> Code:
        t = self.checked.types[e.object]
        match t:
            case T.Named() if t.name in self.checked.graph_types:
                g = self.value(e.object)
                return Code(
                    {
                        "num_nodes": f"int64_t({g}.n)",
                        "num_edges": f"int64_t({g}.m)",
                        "nodes": f"irgl::nodes({g})",
                        "edges": f"irgl::range<edge_t>(0, {g}.m)",
                        "directed": f"{g}.directed",
                    }[e.name]
                )
            case T.NodeT():
                return self._node_member(e, t)
            case T.EdgeT():
                return self._edge_member(e, t)
            case T.Range():
                return Code(f"int64_t({self.value(e.object)}.size())")
            case T.Worklist():
                obj = self.value(e.object)
                args = ", ".join(self.list_args())
                return Code(f"int64_t({obj}.size({args}))" if e.name == "size" else f"{obj}.{e.name}({args})")
            case T.Reduced():
                return Code(self._raw(e.object).at(_PRIMARY) + "." + e.name)
            case T.Named() if t.name in self.checked.libraries:
                return Code(f"{self.value(e.object)}.{e.name}()")
            case _:
                return Code(f"{self.code(e.object).at(_PRIMARY)}.{name(e.name)}")

    def _node_member(self, e: A.Member, t: T.NodeT) -> Code:
        if e.name == "id":
            return Code(f"int64_t({self.value(e.object, t)})")
        g, n = self.graph_of(t), self.item(e.object, t, e)
        match e.name:
            case "degree" | "out_degree":
                return Code(f"int64_t({self.rows(g)}.degree({n}))")
            case "in_degree":
                return Code(f"int64_t({self.rows(g)}.in_degree({n}))")
            case "edges" | "out_edges":
                return Code(f"irgl::edges({self.rows(g)}, {n})")
            case "in_edges":
                return Code(f"irgl::in_edges({self.rows(g)}, {n})")
            case _:
                return self._load(e)

    def _edge_member(self, e: A.Member, t: T.EdgeT) -> Code:
        g = self.rows(self.graph_of(t))
        if e.name in ("src", "dst"):
            found = self.owners.base_of_edge(e.object)
            if found is not None and (e.name == "dst") == found[1]:
                return self.code(found[0], T.NODE)
            edge = self.item(e.object, t, e)
            if t.incoming:
                return Code(f"{g}.in_cols[{edge}]" if e.name == "src" else f"irgl::target({g}, {edge})")
            return Code(f"{g}.cols[{edge}]" if e.name == "dst" else f"irgl::source({g}, {edge})")
        if e.name == "id":
            return Code(f"int64_t({self.value(e.object, T.EDGE)})")
        return self._load(e)

    def _load(self, e: A.Member | A.Index) -> Code:
        location = self.location(e)
        return Code(f"irgl::load({location})" if e in self.checked.concurrent else location)

    def location(self, e: A.Expr) -> str:
        """The C++ lvalue of a location or a local variable."""
        match e:
            case A.Member():
                t = self.checked.types[e.object]
                if isinstance(t, T.NodeT | T.EdgeT):
                    want = T.NODE if isinstance(t, T.NodeT) else T.EDGE
                    return self.element(self.graph_of(t), property_name(e.name), self.item(e.object, want, e))
                return f"{self.location(e.object)}.{name(e.name)}"
            case A.Index():
                return f"{self.value(e.object)}.at({self.value(e.index)}, {self.place(e)})"
            case A.Name():
                symbol = self.checked.symbols[e]
                if symbol.kind == "global" and e.id not in self.accumulators:
                    return self.stored_scalar(e.id)
                return self.variable(symbol)
            case _:
                raise AssertionError(e)

    def _index(self, e: A.Index) -> Code:
        t = self.checked.types[e.object]
        if not isinstance(t, T.Range):
            return self._load(e)
        return Code(f"irgl::nth(c, {self.value(e.object)}, {self.value(e.index)}, {self.place(e)})")

    def iterator(self, e: A.Expr) -> str:
        """The range of a loop. A worklist stands for its items."""
        if isinstance(self.checked.types[e], T.Worklist):
            return f"{self.value(e)}.items({', '.join(self.list_args())})"
        return self.value(e)

    def _method(self, e: A.MethodCall) -> Code:
        t = self.checked.types[e.object]
        if isinstance(t, T.Named) and t.name in self.checked.graph_types:
            made = "node_at" if isinstance(self.checked.types[e], T.NodeT) else "edge_at"
            return Code(f"irgl::{made}(c, {self.value(e.object)}, {self.value(e.args[0])}, {self.place(e)})")
        if isinstance(t, T.Range):
            if e.name == "when":
                return self._when(e)
            return Code(f"irgl::{e.name}({self.value(e.object)}, {self.value(e.args[0])})")
        obj = self.value(e.object)
        thread = self.thread()
        if isinstance(t, T.Worklist):
            return self._worklist_method(e, t, obj, thread)
        method = methods_of(self.checked, t)[e.name]
        args = [thread] if method.effect == "appends" else []
        args += [self.value(a, want) for a, want in zip(e.args, method.params, strict=True)]
        args.append(self.place(e))
        return Code(f"{obj}.{e.name}({', '.join(args)})")

    def _when(self, e: A.MethodCall) -> Code:
        """Some edges, or none: a node that may be NONE is asked for its edges only where they are wanted."""
        edges = self.value(e.object)
        if e in self.checked.none:
            wanted = self.code(e.args[0], T.BOOL).at(3)
            return Code(f"{wanted} ? {edges} : irgl::range<edge_t>(0, 0)", _CONDITIONAL)
        return Code(f"irgl::when({edges}, {self.truth(e.args[0])})")

    def _worklist_method(self, e: A.MethodCall, t: T.Worklist, obj: str, thread: str) -> Code:
        match e.name:
            case "pop":
                return self.code(e.args[0])
            case "push":
                pushed = self._converted(e.args[0], t.item)
                pushed = self.some(pushed, e) if e.args[0] in self.checked.none else pushed
                args = [pushed, *(self.value(a) for a in e.args[1:])]
                if t.kind == "scratch":
                    return Code(f"{obj}.insert({args[0]})")
                own = t.kind == "bitmap" and self.checked.access.get(e) == "own" and self._walks_words(e.args[0])
                return Code(f"{obj}.{'push_own' if own else 'push'}({', '.join([thread, *args])})")
            case "contains":
                obj += ".in" if obj == "wl" else ""
                return Code(f"{obj}.contains({self.item(e.args[0], T.NODE, e)})")
            case _:
                call = f"{obj}.{e.name}({', '.join([*self.list_args(), *(self.value(a) for a in e.args)])})"
                return Code(f"{self.refuse_none(e.args[0], e)}, {call}", 0) if e in self.checked.none else Code(call)

    def _walks_words(self, e: A.Expr) -> bool:
        """Is `e` the very item of an outermost loop over all nodes, whose chunks hold whole words of a bitmap?"""
        if not isinstance(e, A.Name):
            return False
        symbol = self.checked.symbols.get(e)
        if symbol is None or not isinstance(symbol.loop, A.ForAll) or symbol.depth != 1:
            return False
        iterator = symbol.loop.iterator
        return isinstance(iterator, A.Member) and iterator.name == "nodes"

    # Updates

    def _reduce(self, e: A.Reduce) -> Code:
        t = self.checked.types[e.target]
        location = self.location(e.target)
        if e.op not in UPDATES:
            raise AssertionError("an update of a local has no value in an expression")
        value = self._converted(e.value, t)
        return Code(f"irgl::{self._update(e)}({location}, {value})")

    def _update(self, e: A.Reduce) -> str:
        word = UPDATES[e.op]
        if isinstance(e.target, A.Name):
            symbol = self.checked.symbols[e.target]
            if symbol.kind != "global" or e.target.id in self.accumulators:
                return f"plain_{word}"
        match self.checked.access.get(e.target, "own"):
            case "shared":
                return f"atomic_{word}"
            case "outer":
                return f"reduce_{word}<{self.parallel(self._owner_depth(e.target))}>"
            case _:
                return f"plain_{word}"

    def _owner_depth(self, location: A.Expr) -> int:
        item = (
            location.object
            if isinstance(location, A.Member)
            else location.index
            if isinstance(location, A.Index)
            else None
        )
        return self.owners.owner(item) if item is not None else 1


def appending(checked: Checked) -> set[str]:
    """The helpers that push or append, and so must know the thread that runs them."""
    found: set[str] = set()
    calls = {f.name: list(walk(f)) for f in checked.functions.values()}
    while True:
        more = {
            name
            for name, nodes in calls.items()
            if name not in found
            and any(
                (isinstance(n, A.Call) and n.function in found)
                or (
                    isinstance(n, A.MethodCall)
                    and is_object(checked, checked.types[n.object])
                    and effect_of(checked, n) == "appends"
                )
                for n in nodes
            )
        }
        if not more:
            return found
        found |= more


def symbol_of(checked: Checked, e: A.Expr) -> Symbol | None:
    """The symbol that a name stands for."""
    return checked.symbols.get(e) if isinstance(e, A.Name) else None


def _integer(value: int, t: T.Type) -> str:
    if isinstance(t, T.Int) and t.bits == 64:
        return f"{value}{'' if t.signed else 'u'}ll" if value > 2**31 - 1 or not t.signed else f"int64_t({value})"
    return f"{value}u" if isinstance(t, T.Int) and not t.signed else str(value)
