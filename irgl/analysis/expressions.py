"""Types of expressions: names looked up, members resolved, INF and NONE given the type of their context."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from irgl.analysis import members as M
from irgl.analysis.methods import library_type, methods_of
from irgl.analysis.symbols import Checked, KernelFacts, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.source import IrglError

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_INTEGER_ONLY = ("%", "&", "|", "^", "<<", ">>")
_SHARED_UPDATES = ("+", "-", "|", "&", "^", "min", "max", "xchg")
_OUTER_UPDATES = ("+", "-", "|", "&", "min", "max")


def fail(message: str, node: A.Node, hint: str | None = None) -> NoReturn:
    raise IrglError(message, node.span, hint)


class Expressions:
    """Types the expressions of one function, kernel or entry, and fills the tables of `checked`.

    place is `kernel`, `function`, `entry` or `constant`; depth counts the ForAlls around the current point.
    """

    def __init__(self, checked: Checked, place: str, facts: KernelFacts | None) -> None:
        self.checked = checked
        self.place = place
        self.facts = facts
        self.depth = 0
        self.scopes: list[dict[str, Symbol]] = [{}]
        self.graph = ""
        self.graphs: list[str] = []
        self.invoke: Callable[[A.InvokeResult], None] | None = None
        self.reducing: dict[Symbol, A.Expr] = {}
        self.statement: A.Expr | None = None

    # Names

    def declare(self, symbol: Symbol, node: A.Node) -> Symbol:
        if symbol.name in self.scopes[-1]:
            fail(f"'{symbol.name}' is declared twice in this block", node, "choose another name")
        if symbol.kind != "global" and symbol.name in self.checked.globals:
            fail(f"'{symbol.name}' is a program scalar already", node, "choose another name")
        if symbol.name in M.WORDS:
            fail(f"'{symbol.name}' has a meaning of its own", node, "choose another name")
        self.scopes[-1][symbol.name] = symbol
        self.checked.symbols[node] = symbol
        return symbol

    def lookup(self, name: str) -> Symbol | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        if name in self.checked.globals:
            g = self.checked.globals[name]
            found = self.checked.symbols.get(g)
            return found if found is not None else Symbol(name, g.type, "global", 0, g.span)
        return None

    def visible(self) -> list[str]:
        return [n for scope in self.scopes for n in scope] + list(self.checked.globals)

    # Entry points

    def type(self, e: A.Expr, expected: T.Type | None = None) -> T.Type:
        """The type of `e`; INF, NONE and bare literals take `expected`."""
        t = self._type(e)
        if expected is not None:
            t = self.settle(e, t, expected)
        self.checked.types[e] = t
        return t

    def settle(self, e: A.Expr, t: T.Type, expected: T.Type) -> T.Type:
        """Gives INF and NONE inside `e` the type their context wants."""
        fits = (isinstance(t, T.Inf) and isinstance(expected, T.Int | T.Float)) or (
            isinstance(t, T.Nothing) and isinstance(expected, T.NodeT | T.EdgeT)
        ) or (isinstance(e, A.Name) and e.id == "first" and self.place == "constant" and isinstance(expected, T.NodeT))
        if not fits:
            return t
        match e:
            case A.Unary():
                self.settle(e.operand, t, expected)
            case A.Call():
                for inner in e.args:
                    self.settle(inner, self.checked.types[inner], expected)
            case A.Conditional():
                for branch in (e.then, e.orelse):
                    self.settle(branch, self.checked.types[branch], expected)
            case _:
                pass
        self.checked.types[e] = expected
        return expected

    def value(self, e: A.Expr, expected: T.Type, what: str) -> None:
        """Checks that `e` can stand where an `expected` is wanted; `what` names that place."""
        t = self.type(e, expected)
        if self.fits(e, t, expected):
            return
        constant = _constant(e)
        if isinstance(expected, T.Int) and constant is not None and isinstance(t, T.Int):
            fail(f"{what} wants {expected}, and {constant} does not fit", e,
                 f"{expected} holds {expected.min} to {expected.max}")
        fail(f"{what} wants {T.beside(expected, t)}, not {T.beside(t, expected)}", e, self._cast_hint(t, expected))

    def fits(self, e: A.Expr, t: T.Type, expected: T.Type) -> bool:
        """Does `t` convert to `expected` without a cast?"""
        match expected:
            case T.Bool():
                return T.is_number(t) or isinstance(t, T.Reduced)
            case T.Int():
                if not T.is_integer(t):
                    return False
                constant = _constant(e)
                if constant is not None:
                    return expected.min <= constant <= expected.max or isinstance(t, T.Int) and t.bits <= expected.bits
                width = 64 if isinstance(t, T.Id) else 1 if isinstance(t, T.Bool) else t.bits  # type: ignore[union-attr]
                return width <= expected.bits
            case T.Float():
                return T.is_number(t) and (not isinstance(t, T.Float) or t.bits <= expected.bits or
                                           isinstance(e, A.FloatLit))
            case T.NodeT() | T.EdgeT():
                inner = t.of if isinstance(t, T.Id) else t
                if isinstance(expected, T.NodeT) != isinstance(inner, T.NodeT):
                    return False
                return isinstance(inner, T.NodeT | T.EdgeT) and same_graph(inner.graph, expected.graph)
            case T.Worklist():
                return (isinstance(t, T.Worklist) and t.kind == expected.kind and T.bare(t.item) == T.bare(expected.item)
                        and same_graph(graph_of(t), graph_of(expected)) and (t.unique or not expected.unique))
            case T.Named():
                mine, wanted = (t.args, expected.args) if isinstance(t, T.Named) else ((), ())
                return T.bare(t) == T.bare(expected) and all(
                    same_graph(graph_of(a), graph_of(b)) for a, b in zip(mine, wanted, strict=True))
            case T.Position():
                return isinstance(t, T.Position)
            case _:
                return t == expected

    def truth(self, e: A.Expr, what: str) -> None:
        """Checks that `e` can be a condition."""
        t = self.type(e)
        if not (T.is_number(t) or isinstance(t, T.Reduced)) or isinstance(t, T.Id):
            hint = "compare it with NONE" if isinstance(t, T.NodeT | T.EdgeT) else None
            fail(f"{what} wants a truth value, not {T.bare(t)}", e, hint)

    def number(self, e: A.Expr, what: str) -> T.Type:
        t = self.type(e)
        if not T.is_number(t):
            fail(f"{what} wants a number, not {T.bare(t)}", e, None)
        return t

    def _cast_hint(self, t: T.Type, expected: T.Type) -> str | None:
        if isinstance(t, T.Float) and isinstance(expected, T.Int):
            return f"write ({expected})(...) to cut its fraction off"
        if T.is_number(t) and isinstance(expected, T.Int | T.Float):
            return f"it may not fit: write ({expected})(...) to convert it"
        if isinstance(t, T.Reduced):
            return "write .old for the value before the update, .changed for whether it did anything"
        if isinstance(t, T.Nothing):
            return "NONE is no node or edge: write a number, or INF"
        if isinstance(expected, T.Position):
            return "pop takes the variable of a loop over the list itself: ForAll (i In WL) { node n = WL.pop(i); }"
        if isinstance(t, T.Inf):
            return "write NONE for no node or edge" if isinstance(expected, T.NodeT | T.EdgeT) else "write a value of its type"
        if isinstance(t, T.Worklist) and isinstance(expected, T.Worklist) and T.bare(t.item) == T.bare(expected.item):
            if t.kind == expected.kind and expected.unique:
                return f"declare the list as {T.bare(expected)}: a promise that no item comes twice"
            return "declare the list of that kind, or fill one by update" if t.kind != expected.kind else None
        if isinstance(t, T.NodeT | T.EdgeT) and isinstance(expected, T.Int):
            return "its number is .id"
        if T.is_integer(t) and isinstance(expected, T.NodeT | T.EdgeT):
            word = "node" if isinstance(expected, T.NodeT) else "edge"
            return f"{self.graph or 'g'}.{word}(...) gives the {word} with that number"
        return None

    # One case each

    def _type(self, e: A.Expr) -> T.Type:
        match e:
            case A.Name():
                return self._name(e)
            case A.IntLit() | A.FloatLit():
                return e.type
            case A.BoolLit():
                return T.BOOL
            case A.StringLit():
                return T.STRING
            case A.Unary():
                return self._unary(e)
            case A.Binary():
                return self._binary(e)
            case A.Conditional():
                return self._conditional(e)
            case A.Cast():
                return self._cast(e)
            case A.StructLit():
                return self._struct_literal(e)
            case A.Call():
                return self.call(e)
            case A.MethodCall():
                return self.method(e)
            case A.Member():
                return self.member(e)
            case A.Index():
                return self.index(e)
            case A.Relaxed():
                if not self.is_location(e.location):
                    self.type(e.location)
                    fail("relaxed marks the load of a property, scalar or element", e, "write relaxed n.property")
                return self.type(e.location)
            case A.Reduce():
                return self.reduce(e)
            case A.InvokeResult():
                if self.place != "entry" or self.invoke is None:
                    fail("a kernel can't invoke a kernel", e, "invoke both from the Program")
                self.invoke(e)
                return T.BOOL
            case _:
                raise AssertionError(e)

    def _name(self, e: A.Name) -> T.Type:
        match e.id:
            case "INF":
                return T.INF
            case "NONE":
                return T.NOTHING
            case "WL":
                return self._implicit_worklist(e)
            case "first" if self.place == "constant":
                return T.NodeT(self.graph)
        if M.is_device_word(e.id):
            fail(f"'{e.id}' names the machine's threads", e, "the compiler owns those: iterate with ForAll")
        symbol = self.lookup(e.id)
        if symbol is None:
            if e.id in self.checked.functions or e.id in self.checked.kernels or e.id in M.FUNCTIONS:
                fail(f"'{e.id}' is a {'kernel' if e.id in self.checked.kernels else 'function'}, not a variable", e,
                     f"write Invoke {e.id}(...) in the Program" if e.id in self.checked.kernels else f"call it: {e.id}(...)")
            if e.id == "first":
                fail("'first' stands only in the default of a parameter", e, "write node src = first in the Program's head")
            fail(f"'{e.id}' is not declared", e, M.nearest(e.id, self.visible()) or f"declare it first: int {e.id} = 0;")
        if symbol in self.reducing and self.depth > symbol.depth:
            fail(f"'{e.id}' is read while a ForAll reduces into it", e, "read it after the ForAll")
        self.checked.symbols[e] = symbol
        return symbol.type

    def _implicit_worklist(self, e: A.Name) -> T.Type:
        if self.facts is None:
            fail("WL stands for a kernel's own worklist", e, "name the list: list<node> front;")
        return self.facts.worklist

    def _unary(self, e: A.Unary) -> T.Type:
        if e.op == "!":
            self.truth(e.operand, "'!'")
            return T.BOOL
        t = self.type(e.operand)
        if e.op == "-" and isinstance(t, T.Inf):
            return t
        if not T.is_number(t) or (e.op == "~" and isinstance(t, T.Float)):
            fail(f"'{e.op}' has no meaning for {T.bare(t)}", e, "its number is .id" if isinstance(t, T.NodeT | T.EdgeT) else
                 "convert it to an integer" if isinstance(t, T.Float) else None)
        return T.promoted(t)

    def _binary(self, e: A.Binary) -> T.Type:
        if e.op in ("&&", "||"):
            self.truth(e.left, f"'{e.op}'")
            self.truth(e.right, f"'{e.op}'")
            return T.BOOL
        left, right = self.type(e.left), self.type(e.right)
        left = self._settle_beside(e.left, left, right)
        right = self._settle_beside(e.right, right, left)
        if isinstance(left, T.Inf) or isinstance(right, T.Inf):
            fail("INF needs a type here", e, "write (int)INF, or compare it with a variable")
        if e.op in _COMPARISONS and self._comparable_items(left, right):
            self._one_graph(e, left, right)
            return T.BOOL
        if not T.is_number(left) or not T.is_number(right):
            culprit = e.right if T.is_number(left) else e.left
            t = right if T.is_number(left) else left
            hint = ("its number is .id" if isinstance(t, T.NodeT | T.EdgeT) else "write .old or .changed"
                    if isinstance(t, T.Reduced) else "compare its fields" if self.checked.fields(t) is not None else
                    "a list is empty when its .size is 0" if isinstance(t, T.Worklist) else None)
            fail(f"'{e.op}' has no meaning for {T.bare(left)} and {T.bare(right)}", culprit, hint)
        if e.op in _INTEGER_ONLY and (isinstance(left, T.Float) or isinstance(right, T.Float)):
            fail(f"'{e.op}' wants integers", e, "convert the operands: (long)(...)")
        if e.op in _COMPARISONS:
            return T.BOOL
        if e.op in ("<<", ">>"):
            return T.promoted(left)
        return T.common(left, right)

    def _settle_beside(self, e: A.Expr, t: T.Type, other: T.Type) -> T.Type:
        if isinstance(other, T.Reduced):
            other = other.of
        return self.settle(e, t, other.of if isinstance(other, T.Id) else other)

    def _comparable_items(self, left: T.Type, right: T.Type) -> bool:
        a = left.of if isinstance(left, T.Id) and not T.is_number(right) else left
        b = right.of if isinstance(right, T.Id) and not T.is_number(left) else right
        return (isinstance(a, T.NodeT) and isinstance(b, T.NodeT)) or (isinstance(a, T.EdgeT) and isinstance(b, T.EdgeT))

    def _one_graph(self, e: A.Expr, left: T.Type, right: T.Type) -> None:
        """Refuses to put nodes of two graphs side by side: their numbers say nothing of each other."""
        if not same_graph(graph_of(left), graph_of(right)):
            word = "nodes" if isinstance(left.of if isinstance(left, T.Id) else left, T.NodeT) else "edges"
            fail(f"these are {word} of two graphs, '{graph_of(left)}' and '{graph_of(right)}'", e,
                 "compare their numbers, .id, if that is what you mean")

    def _conditional(self, e: A.Conditional) -> T.Type:
        self.truth(e.test, "the condition of '?:'")
        a, b = self.type(e.then), self.type(e.orelse)
        a = self._settle_beside(e.then, a, b)
        b = self._settle_beside(e.orelse, b, a)
        if T.is_number(a) and T.is_number(b):
            return T.BOOL if isinstance(a, T.Bool) and isinstance(b, T.Bool) else T.common(a, b)
        if isinstance(a, T.Inf | T.Nothing) and a == b:
            return a
        if isinstance(a, T.EdgeT) and isinstance(b, T.EdgeT):
            self._one_graph(e, a, b)
            return T.EdgeT(a.incoming and b.incoming, a.graph)
        if isinstance(a, T.NodeT) and isinstance(b, T.NodeT):
            self._one_graph(e, a, b)
            return a
        if a == b and self.checked.fields(a) is not None:
            return a
        if T.bare(a) == T.bare(b):
            fail(f"'?:' can't choose between two of type {T.bare(a)}", e, "write if and else")
        fail(f"the branches of '?:' are {T.bare(a)} and {T.bare(b)}", e, "both must be numbers, nodes, edges or one struct")

    def _cast(self, e: A.Cast) -> T.Type:
        t = self.type(e.operand, e.type)
        if not T.is_number(t) or not isinstance(e.type, T.Int | T.Float | T.Bool):
            fail(f"{T.bare(t)} can't be converted to {T.bare(e.type)}", e, self._cast_hint(t, e.type))
        return e.type

    def _struct_literal(self, e: A.StructLit) -> T.Type:
        fields = self.checked.fields(e.type)
        if fields is None:
            fail(f"{e.type} is not a struct", e, None)
        if len(fields) != len(e.values):
            fail(f"{e.type} has {len(fields)} field{'s' * (len(fields) != 1)}, not {len(e.values)}", e,
                 f"they are {', '.join(f'{t} {name}' for name, t in fields.items())}")
        for value, (name, t) in zip(e.values, fields.items(), strict=True):
            self.value(value, t, f"field '{name}'")
        return e.type

    # Members

    def owner_graph(self, graph: str, e: A.Expr) -> A.GraphType:
        """The graph type behind a node or edge of the graph variable `graph` ('' = the only one in scope)."""
        name = graph or self.graph
        symbol = self.lookup(name) if name else None
        if symbol is None:
            if not name and self.place in ("function", "kernel"):
                fail(f"no graph is in reach of this {self.place}", e, "give it the graph as a parameter: Graph g")
            fail(f"no graph '{name}' is in reach here", e, None)
        assert isinstance(symbol.type, T.Named)
        return self.checked.graph_types[symbol.type.name]

    def member(self, e: A.Member) -> T.Type:
        t = self.type(e.object)
        table = self._members(t, e)
        if e.name in table:
            if isinstance(t, T.NodeT | T.EdgeT) and e.name != "id":
                self.owner_graph(t.graph, e)
            self._count_worklist_read(e.object, e.name == "items")
            return table[e.name]
        known = list(table)
        if isinstance(t, T.NodeT | T.EdgeT):
            owner = "node" if isinstance(t, T.NodeT) else "edge"
            graph_type = self.owner_graph(t.graph, e)
            prop = self.checked.property_of(graph_type.name, owner, e.name)
            if prop is not None:
                return self.of_graph(prop.type, t.graph or self.graph)
            known += [p.name for p in graph_type.properties if p.owner == owner]
            other = "edge" if owner == "node" else "node"
            if self.checked.property_of(graph_type.name, other, e.name) is not None:
                fail(f"'{e.name}' is a property of the {other}s of {graph_type.name}, not of its {owner}s", e,
                     f"write e.{e.name} for an edge e" if other == "edge" else f"write n.{e.name} for a node n")
            fail(f"{graph_type.name} declares no {owner} property '{e.name}'", e, M.nearest(e.name, known) or
                 f"declare it: graph {graph_type.name} {{ {owner} int {e.name}; }}")
        if isinstance(t, T.Named) and t.name in self.checked.graph_types:
            fail(f"a graph has no '{e.name}'", e, M.nearest(e.name, known) or "properties belong to nodes and edges")
        fields = self.checked.fields(t)
        if fields is not None:
            fail(f"{t} has no field '{e.name}'", e, M.nearest(e.name, fields) or f"it has {', '.join(fields)}")
        fail(f"{T.bare(t)} has no '{e.name}'", e, M.nearest(e.name, [*known, *methods_of(self.checked, t)]))

    def of_graph(self, t: T.Type, graph: str) -> T.Type:
        """A node or edge type that names no graph, as one of `graph`'s."""
        if isinstance(t, T.NodeT) and not t.graph:
            return T.NodeT(graph)
        if isinstance(t, T.EdgeT) and not t.graph:
            return T.EdgeT(t.incoming, graph)
        if isinstance(t, T.Worklist):
            return T.Worklist(t.kind, self.of_graph(t.item, graph), t.unique)
        return t

    def _members(self, t: T.Type, e: A.Member) -> dict[str, T.Type]:
        match t:
            case T.Named() if t.name in self.checked.graph_types:
                return M.graph_members(e.object.id if isinstance(e.object, A.Name) else "")
            case T.NodeT():
                return M.node_members(t.graph or self.graph)
            case T.EdgeT():
                return M.edge_members(t.graph or self.graph)
            case T.Range():
                return {"size": T.LONG}
            case T.Worklist():
                return M.worklist_members(t)
            case T.Reduced():
                return {"old": t.of, "changed": T.BOOL}
            case T.Named() if t.name in self.checked.structs:
                return self.checked.fields(t) or {}
            case T.Named() if t.name in self.checked.libraries:
                return {f.name: library_type(self.checked, f.type, t) if isinstance(f, A.Attribute)
                        else T.Range(library_type(self.checked, f.item, t), True)
                        for f in self.checked.libraries[t.name].features if isinstance(f, A.Attribute | A.Iterator)}
            case _:
                return {}

    def method(self, e: A.MethodCall) -> T.Type:
        t = self.type(e.object)
        methods = methods_of(self.checked, t, e.object.id if isinstance(e.object, A.Name) else "")
        if e.name not in methods:
            if isinstance(t, T.Worklist) and e.name in ("pop", "contains", "update"):
                fail(f"a {t.kind} has no '{e.name}'", e, "choose another kind: list, set, bitmap, bytemap or buckets")
            fail(f"{T.bare(t)} has no method '{e.name}'", e, M.nearest(e.name, methods))
        signature = methods[e.name]
        if len(e.args) != len(signature.params):
            fail(f"'{e.name}' takes {arguments(len(signature.params))}, not {len(e.args)}", e,
                 "buckets take an item and its priority" if isinstance(t, T.Worklist) and t.kind == "buckets" else None)
        for arg, want in zip(e.args, signature.params, strict=True):
            if e.name == "update" and isinstance(t, T.Worklist):
                self._updated_from(t, arg)
            elif e.name == "swap" and isinstance(t, T.Worklist):
                self.value(arg, T.Worklist(t.kind, t.item), "'swap'")
            else:
                self.value(arg, want, f"'{e.name}'")
            if e.name in ("update", "swap") and isinstance(e.object, A.Name) and isinstance(arg, A.Name) and (
                    arg.id == e.object.id):
                fail(f"'{e.name}' wants another list than '{arg.id}' itself", arg, None)
        if e.name == "pop" and isinstance(t, T.Worklist):
            self._of_this_list(e)
        if isinstance(t, T.Worklist):
            self._worklist_effect(e, t, signature)
        elif self.depth > 0 and signature.effect == "writes":
            fail(f"'{e.name}' inside a ForAll would race with the other iterations", e,
                 "do it in the Program, between kernels")
        return signature.returns

    def _updated_from(self, t: T.Worklist, arg: A.Expr) -> None:
        got = self.type(arg)
        fits = isinstance(got, T.Worklist) and T.bare(got.item) == T.bare(t.item) and got.kind not in ("count", "scratch")
        if not fits or not same_graph(graph_of(got), graph_of(t)):
            hint = "push them one by one, or write Initial (...)" if isinstance(got, T.Range) else None
            fail(f"'update' wants a worklist of {T.beside(t.item, got)}, not {T.beside(got, t)}", arg, hint)

    def _of_this_list(self, e: A.MethodCall) -> None:
        """A position is one of the list that its loop runs over."""
        position = e.args[0]
        symbol = self.checked.symbols.get(position) if isinstance(position, A.Name) else None
        over = symbol.origin if symbol is not None and symbol.kind == "loop" else None
        if not (isinstance(over, A.Name) and isinstance(e.object, A.Name) and over.id == e.object.id):
            fail("this is not a position in the list that it is popped from", position,
                 "pop takes the variable of a loop over the list itself: ForAll (i In WL) { node n = WL.pop(i); }")

    def _worklist_effect(self, e: A.MethodCall, t: T.Worklist, signature: M.Signature) -> None:
        implicit = isinstance(e.object, A.Name) and e.object.id == "WL"
        if t.kind == "scratch" and signature.effect == "appends":
            assert isinstance(e.object, A.Name)
            if self.checked.symbols[e.object].depth < self.depth:
                fail(f"a nested ForAll changes the scratch set '{e.object.id}' of the iteration around it", e,
                     "fill it in a sequential For")
        if implicit and self.facts is not None:
            self.facts.pushes |= e.name == "push"
            self.facts.reads |= e.name == "pop"
        if self.depth > 0 and signature.effect == "writes":
            fail(f"'{e.name}' inside a ForAll would race with the other iterations", e,
                 "do it in the Program, between kernels")
        if implicit and signature.effect == "writes":
            fail(f"WL can't be changed as a whole by '{e.name}'", e, "Pipe and Iterate swap and clear it")

    def _count_worklist_read(self, e: A.Expr, items: bool) -> None:
        if items and isinstance(e, A.Name) and e.id == "WL" and self.facts is not None:
            self.facts.reads = True

    def index(self, e: A.Index) -> T.Type:
        t = self.type(e.object)
        if isinstance(t, T.Range) and isinstance(t.item, T.EdgeT):
            self.value(e.index, T.LONG, "an index")
            return t.item
        if isinstance(t, T.Named) and t.name in self.checked.libraries:
            for f in self.checked.libraries[t.name].features:
                if isinstance(f, A.Elements):
                    self.value(e.index, T.LONG, "an index")
                    return library_type(self.checked, f.item, t)
        hint = "a worklist's item is WL.pop(position)" if isinstance(t, T.Worklist) else None
        fail(f"{T.bare(t)} has no elements to index", e, hint)

    # Calls

    def call(self, e: A.Call) -> T.Type:
        f = self.checked.functions.get(e.function)
        if f is not None:
            if len(f.params) != len(e.args):
                fail(f"'{e.function}' takes {arguments(len(f.params))}, not {len(e.args)}", e,
                     f"it reads: {f.returns} {f.name}({', '.join(f'{p.type} {p.name}' for p in f.params)})")
            graphs = self.arguments(e.args, f.params)
            home = next(iter(graphs.values()), "")
            if not graphs:  # the nodes that it gets tell whose nodes it gives
                known = {graph_of(self.checked.types[a]) for a in e.args} - {""}
                home = known.pop() if len(known) == 1 else ""
            return self.of_graph(bind(f.returns, graphs, home), self.graph)
        if e.function in self.checked.kernels:
            fail(f"'{e.function}' is a kernel", e, f"write Invoke {e.function}(...) in the Program")
        if M.is_device_word(e.function):
            hint = ("write an update: X.p += v, min=, max=, xchg=, or cas(X.p, old, new)"
                    if e.function.startswith("atomic") else "the compiler owns threads, warps and blocks")
            fail(f"'{e.function}' names the machine's threads or atomics", e, hint)
        if e.function == "relaxed":
            fail("relaxed marks one location, without parentheses", e, "keep what it loads: node m = relaxed n.p;")
        if e.function not in M.FUNCTIONS:
            fail(f"no function '{e.function}'", e, M.nearest(e.function, [*self.checked.functions, *M.FUNCTIONS]))
        return self._builtin(e)

    def arguments(self, args: tuple[A.Expr, ...], params: tuple[A.Param, ...]) -> dict[str, str]:
        """Checks arguments against the parameters of a helper or kernel; which of our graphs each graph parameter is."""
        graphs: dict[str, str] = {}
        for arg, p in zip(args, params, strict=True):
            if isinstance(p.type, T.Named) and p.type.name in self.checked.graph_types and isinstance(arg, A.Name):
                graphs[p.name] = arg.id
        home = next(iter(graphs.values()), "")
        for arg, p in zip(args, params, strict=True):
            self.value(arg, bind(p.type, graphs, home), f"parameter '{p.name}'")
        return graphs

    def _arity(self, e: A.Call, *counts: int) -> None:
        if len(e.args) not in counts:
            fail(f"'{e.function}' takes {' or '.join(map(str, counts))} argument{'s' * (counts != (1,))}, "
                 f"not {len(e.args)}", e, None)

    def _builtin(self, e: A.Call) -> T.Type:
        name = e.function
        what = f"'{name}'"
        match name:
            case "min" | "max":
                self._arity(e, 2)
                a, b = (self.type(x) for x in e.args)
                a = self._settle_beside(e.args[0], a, b)
                b = self._settle_beside(e.args[1], b, a)
                if T.is_number(a) and T.is_number(b):
                    return T.common(a, b)
                if self._comparable_items(a, b):
                    self._one_graph(e, a, b)
                    return T.EdgeT(graph=graph_of(a)) if isinstance(a, T.EdgeT) else a.of if isinstance(a, T.Id) else a
                fail(f"{what} wants two numbers, two nodes or two edges", e,
                     "INF needs a type here: write (int)INF" if isinstance(a, T.Inf) or isinstance(b, T.Inf) else None)
            case "abs":
                self._arity(e, 1)
                return T.promoted(self.number(e.args[0], what))
            case "pow":
                self._arity(e, 2)
                a, b = (self.number(x, what) for x in e.args)
                return T.FLOAT if a == b == T.FLOAT else T.DOUBLE
            case "isinf" | "isnan":
                self._arity(e, 1)
                self.number(e.args[0], what)
                return T.BOOL
            case "hash" | "popcount":
                self._arity(e, 1)
                if not T.is_integer(self.type(e.args[0])):
                    fail(f"{what} wants an integer", e.args[0], None)
                return T.UINT if name == "hash" else T.INT
            case "cas":
                return self._cas(e)
            case "range":
                self._arity(e, 1, 2)
                for x in e.args:
                    self.value(x, T.LONG, what)
                return T.Range(T.LONG, True)
            case "oriented" | "random" | "print" | "average_weight" | "max_weight" | "auto":
                return self._host_builtin(e, what)
            case _:
                self._arity(e, 1)
                t = self.number(e.args[0], what)
                return T.FLOAT if t == T.FLOAT else T.DOUBLE

    def _host_builtin(self, e: A.Call, what: str) -> T.Type:
        if e.function in ("average_weight", "max_weight", "auto") and self.place != "constant":
            fail(f"{what} stands only in the default of a parameter", e, "give the Program a parameter with this default")
        if self.place not in ("entry", "constant"):
            fail(f"{what} belongs to the Program, not to a {self.place}", e, "call it there and pass what it gives")
        if e.function == "print":
            for x in e.args:
                t = self.type(x)
                if not (T.is_scalar(t) or isinstance(t, T.String | T.Id)):
                    fail(f"{what} can't show {T.bare(t)}", x, None)
            return T.VOID
        self._arity(e, 1)
        if e.function == "random":
            self.value(e.args[0], T.LONG, what)
            return T.LONG
        if e.function == "auto":
            return self.type(e.args[0])
        t = self.type(e.args[0])
        if not (isinstance(t, T.Named) and t.name in self.checked.graph_types):
            fail(f"{what} wants a graph, not {T.bare(t)}", e.args[0], None)
        if e.function == "oriented":
            if e is not self.statement:
                fail("a derived graph needs a name", e, "write Graph h = oriented(g); on a line of its own")
            return t
        return T.DOUBLE if e.function == "average_weight" else T.LONG

    def _cas(self, e: A.Call) -> T.Type:
        self._arity(e, 3)
        t = self.type(e.args[0])
        if not self.is_location(e.args[0]):
            fail("'cas' wants a property, a program scalar or an array element", e.args[0], None)
        if isinstance(t, T.Lock):
            fail("a lock is taken by Atomic, not by cas", e, "write Atomic (n.lock) { ... } Else { ... }")
        self.refuse_weights(e.args[0], e)
        fields = self.checked.fields(t)
        if fields is not None and packed_bytes(fields) is None:
            fail(f"{t} is no unit of an atomic update", e.args[0], PACKED_HINT)
        self.value(e.args[1], t, "'cas'")
        self.value(e.args[2], t, "'cas'")
        return T.BOOL

    # Updates

    def is_location(self, e: A.Expr) -> bool:
        """Is `e` shared memory: a property, a program scalar, an array's element? (its parts must have types)"""
        match e:
            case A.Member():
                t = self.type(e.object)
                if isinstance(t, T.NodeT | T.EdgeT):
                    table = M.node_members("") if isinstance(t, T.NodeT) else M.edge_members("")
                    return e.name not in table
                return False
            case A.Name():
                symbol = self.lookup(e.id)
                return symbol is not None and symbol.kind == "global"
            case A.Index():
                return isinstance(self.type(e.object), T.Named)
            case _:
                return False

    def _updated(self, target: A.Expr) -> T.Type:
        """The type of an update's target; that a ForAll reduces into it already is no reading of it."""
        if not isinstance(target, A.Name):
            return self.type(target)
        reducing, self.reducing = self.reducing, {}
        t = self.type(target)
        self.reducing = reducing
        return t

    def reduce(self, e: A.Reduce) -> T.Type:
        t = self._updated(e.target)
        if isinstance(e.target, A.Name) and not self.is_location(e.target):
            return self._reduce_local(e, e.target, t)
        if not self.is_location(e.target):
            fail("an update wants a property, a program scalar, an array element or a variable", e.target, None)
        if e.op not in _SHARED_UPDATES:
            fail(f"'{e.op}=' is no atomic update", e,
                 f"write X = X {e.op} ... where the loop owns X, or one of += -= |= &= ^= min= max= xchg=")
        if isinstance(t, T.Lock):
            fail("a lock is taken by Atomic, not updated", e, None)
        self.refuse_weights(e.target, e)
        self._update_value(e, t)
        return T.Reduced(t)

    def refuse_weights(self, location: A.Expr, where: A.Node) -> None:
        """The file's weights are shared with other runs, and are not written."""
        if not isinstance(location, A.Member):
            return
        t = self.checked.types.get(location.object)
        if isinstance(t, T.EdgeT):
            prop = self.checked.property_of(self.owner_graph(t.graph, location).name, "edge", location.name)
            if prop is not None and prop.init is None:
                fail(f"'{location.name}' holds the file's weights, which can't be changed", where,
                     "copy them to an edge property that has an initial value")

    def _update_value(self, e: A.Reduce, t: T.Type) -> None:
        fields = self.checked.fields(t)
        if fields is not None:
            if e.op not in ("min", "max", "xchg"):
                fail(f"'{e.op}=' has no meaning for struct {t}", e, "a struct takes min= max= and xchg=")
            widths = [f.bits if isinstance(f, T.Int | T.Float) else 32 for f in fields.values()]
            if e.op != "xchg" and (len(widths) != 2 or any(w > 32 for w in widths)):
                fail(f"'{e.op}=' wants a struct of two fields of 32 bits", e, "only those pack into one 64-bit atomic")
            if packed_bytes(fields) is None:
                fail(f"{t} is no unit of an atomic update", e, PACKED_HINT)
        elif not (T.is_number(t) or (isinstance(t, T.NodeT | T.EdgeT) and e.op in ("min", "max", "xchg"))):
            fail(f"'{e.op}=' has no meaning for {T.bare(t)}", e, None)
        elif e.op in ("|", "&", "^") and isinstance(t, T.Float):
            fail(f"'{e.op}=' wants integers", e, None)
        self.value(e.value, t, f"'{e.op}='")

    def _reduce_local(self, e: A.Reduce, target: A.Name, t: T.Type) -> T.Type:
        symbol = self.checked.symbols.get(target)
        if symbol is None:
            fail(f"'{target.id}' can't be changed", e, None)
        if symbol.kind == "loop":
            fail(f"the loop's variable '{symbol.name}' can't be changed", e, f"take a copy: auto x = {symbol.name};")
        if not T.is_number(t) and not (isinstance(t, T.NodeT | T.EdgeT) and e.op in ("min", "max")):
            fail(f"'{e.op}=' has no meaning for {T.bare(t)}", e, None)
        if symbol.depth < self.depth:
            if e.op not in _OUTER_UPDATES:
                fail(f"'{e.op}=' can't combine what the iterations of a ForAll give", e,
                     "use + - | & min max on a variable from outside")
            self.reducing.setdefault(symbol, e)
        if e.op in ("*", "/", "%", "<<", ">>") and e is not self.statement:
            fail(f"'{e.op}=' has no value", e, "make it a statement of its own")
        symbol.assigned = True
        if isinstance(t, T.Int) and isinstance(self.type(e.value, t), T.Float):
            fail(f"'{e.op}=' wants {t}, not {T.bare(self.checked.types[e.value])}", e.value,
                 f"it may not fit: write ({t})(...) to convert it")
        if T.is_number(t) and not isinstance(t, T.Int):
            self.value(e.value, t, f"'{e.op}='")
        elif isinstance(t, T.NodeT | T.EdgeT):
            self.value(e.value, t, f"'{e.op}='")
        else:
            self.number(e.value, f"'{e.op}='")
        return T.Reduced(t)


PACKED_HINT = "a struct is updated as a whole where its fields fill 8, 16, 32 or 64 bits without a gap"


def packed_bytes(fields: dict[str, T.Type]) -> int | None:
    """The size of a struct that one atomic instruction can update; None where it is too wide or has gaps."""
    at = 0
    for t in fields.values():
        size = t.bits // 8 if isinstance(t, T.Int | T.Float) else 1 if isinstance(t, T.Bool) else 4
        if at % size:
            return None
        at += size
    return at if at in (1, 2, 4, 8) else None


def same_graph(a: str, b: str) -> bool:
    """Can a node of `a` be one of `b`? (graph variables; '' is not known)"""
    return a == b or not a or not b


def graph_of(t: T.Type) -> str:
    """The graph variable that a node, an edge or a worklist's items belong to; '' where it is not known."""
    match t:
        case T.NodeT() | T.EdgeT():
            return t.graph
        case T.Id():
            return t.of.graph
        case T.Worklist():
            return graph_of(t.item)
        case _:
            return ""


def bind(t: T.Type, graphs: dict[str, str], home: str) -> T.Type:
    """A parameter's type as its caller sees it: `graphs` maps graph parameters to the caller's graph variables.

    `home` is the graph of nodes that name none.
    """
    match t:
        case T.NodeT():
            return T.NodeT(graphs.get(t.graph, t.graph) if t.graph else home)
        case T.EdgeT():
            return T.EdgeT(t.incoming, graphs.get(t.graph, t.graph) if t.graph else home)
        case T.Worklist():
            return T.Worklist(t.kind, bind(t.item, graphs, home), t.unique)
        case T.Named():
            return T.Named(t.name, tuple(bind(a, graphs, home) for a in t.args))
        case _:
            return t


def arguments(count: int) -> str:
    """`count` arguments, in words."""
    return "no arguments" if count == 0 else "1 argument" if count == 1 else f"{count} arguments"


def _constant(e: A.Expr) -> int | None:
    match e:
        case A.IntLit():
            return e.value
        case A.Unary(op="-", operand=A.IntLit() as inner):
            return -inner.value
        case _:
            return None
