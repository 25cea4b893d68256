"""Variables and what is stored into them: declarations, their types, assignments."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from irgl.analysis.names import members as M
from irgl.analysis.names.symbols import Checked, Symbol, fail
from irgl.analysis.names.vectors import check_length, check_named, location
from irgl.analysis.types.expressions import Expressions
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk


def check_vector(t: T.Vector, at: A.Node) -> None:
    """Raises IrglError for several values that no variable and no property holds."""
    check_named(t, at)
    if not isinstance(t.of, T.Int | T.Float | T.Bool):
        fail(f"several values can't be {T.bare(t.of)}", at, "they are numbers or bools")
    check_length(t, at)


class Variables(ABC):
    """The state of walking one body in the scope that `ex` holds; checks declarations and stores."""

    def __init__(self, checked: Checked, ex: Expressions, returns: T.Type) -> None:
        self.checked = checked
        self.ex = ex
        self.returns = returns
        self.loops: list[A.Stmt] = []
        self.labels: set[str] = set()
        self.in_sections = False
        self.pipes: list[A.Pipe | A.Iterate] = []
        self.locked = 0
        self.divisors: dict[str, Symbol | None] = {}  # of queues that are variables, by their names

    @abstractmethod
    def body(self, stmts: tuple[A.Stmt, ...], *, own_scope: bool = True) -> None:
        """Checks a block."""

    def _variable(self, s: A.VarDecl) -> None:
        declared = self.resolve(s.type, s)
        if s.init is not None and isinstance(s.type, T.NodeT | T.EdgeT) and not s.type.graph:
            declared = s.type  # the initialiser tells the graph
        t = declared
        if isinstance(declared, T.Worklist) or (
            isinstance(declared, T.Named) and declared.name in self.checked.libraries
        ):
            scratch = isinstance(declared, T.Worklist) and declared.kind == "scratch"
            if scratch and (self.ex.place != "kernel" or self.ex.depth == 0):
                fail(
                    "a scratch set is declared inside a ForAll", s, "it lives for one iteration; use a set or a bitmap"
                )
            if scratch:
                self._count_scratch(s)
            own = isinstance(declared, T.Named) and self.ex.place == "kernel" and self.ex.depth > 0
            of_kernel = self.checked.lowered and self.ex.place == "kernel" and self.ex.depth == 0
            if self.ex.place != "entry" and not scratch and not own and not of_kernel:
                fail(f"{M.a(declared)} is declared in the Program", s, f"pass it to the {self.ex.place} as a parameter")
            if s.init is not None:
                fail(f"{M.a(declared)} starts empty", s, "fill it by push, append or update")
        elif self._is_graph(declared):
            self._graph_variable(s)
        elif isinstance(declared, T.Vector) and declared.of != T.AUTO:
            self._vector(s, declared)
        if s.init is not None:
            if isinstance(declared, T.Vector) and declared.of == T.AUTO:
                t = T.Vector(self._own_type(s, s.init), declared.length)
                self._vector(s, t)
            elif isinstance(declared, T.Vector):
                self.ex.value(s.init, declared.of, f"'{s.name}'")
            elif isinstance(declared, T.Auto):
                t = self._own_type(s, s.init)
            else:
                self.ex.value(s.init, declared, f"'{s.name}'")
                t = self._with_graph(declared, self.checked.types[s.init])
        symbol = Symbol(s.name, t, "local", self.ex.depth, s.span, origin=s.init)
        if s.init is not None and self.checked.fields(t) is not None:
            symbol.home = self.ex.home_of(s.init)
        self.ex.declare(symbol, s)

    def _vector(self, s: A.VarDecl, t: T.Vector) -> None:
        """A variable of several values, each of which has the first value."""
        if self.ex.place == "entry" or (self.ex.place == "kernel" and self.ex.depth == 0):
            where = "the Program" if self.ex.place == "entry" else "a kernel outside of its loops"
            fail(f"a variable of several values is declared in {where}", s, "declare it in a ForAll or a function")
        check_vector(t, s)

    def _is_graph(self, t: T.Type) -> bool:
        return isinstance(t, T.Named) and t.name in self.checked.graph_types

    def _graph_variable(self, s: A.VarDecl) -> None:
        if self.ex.place != "entry":
            fail(f"a graph is declared in a {self.ex.place}", s, "derive it in the Program and pass it as a parameter")
        if not (isinstance(s.init, A.Call) and s.init.function == "oriented"):
            fail(f"graph '{s.name}' is made from no other graph", s, "write Graph h = oriented(g);")
        self.ex.statement = s.init

    def _count_scratch(self, s: A.VarDecl) -> None:
        """A thread keeps four scratch sets (cpu_rt/scratch.hpp)."""
        live = [
            symbol
            for scope in self.ex.scopes
            for symbol in scope.values()
            if isinstance(symbol.type, T.Worklist) and symbol.type.kind == "scratch"
        ]
        if len(live) == 4:
            fail("a fifth scratch set is alive here", s, "four at once is the limit: use one again after clear()")

    def _own_type(self, s: A.VarDecl, init: A.Expr) -> T.Type:
        """The type that `auto` stands for."""
        if isinstance(init, A.Call) and init.function == "oriented":
            self._graph_variable(s)
        t = self.ex.type(init)
        match t:
            case T.Inf() | T.Nothing() | T.Void() | T.String():
                fail(f"{t} does not tell the type of '{s.name}'", s, "write the type instead of auto")
            case T.Reduced():
                fail(
                    "an update has two values",
                    s,
                    "write .old for the value before it, .changed for whether it did anything",
                )
            case T.Position():
                fail("a position can't be kept in a variable", s, "keep the item: WL.pop(position)")
            case T.EdgeT():
                return T.EdgeT(False, t.graph)
            case T.Named() if self._is_graph(t):
                self._graph_variable(s)
            case T.Worklist() | T.Lock() | T.Named():
                if self.checked.fields(t) is None:
                    fail(f"{M.a(T.bare(t))} can't be copied", s, "use it by its own name")
            case _:
                pass
        return t

    def _with_graph(self, declared: T.Type, given: T.Type) -> T.Type:
        inner = given.of if isinstance(given, T.Id) else given
        if isinstance(declared, T.NodeT) and isinstance(inner, T.NodeT):
            return T.NodeT(declared.graph or inner.graph or self.ex.graph)
        if isinstance(declared, T.EdgeT) and isinstance(inner, T.EdgeT):
            return T.EdgeT(False, declared.graph or inner.graph or self.ex.graph)
        return declared

    def resolve(self, t: T.Type, node: A.Node) -> T.Type:
        """`t`, checked to name things that exist; nodes without a graph get the one in scope."""
        match t:
            case T.Named():
                c = self.checked
                if t.name not in c.structs and t.name not in c.graph_types and t.name not in c.libraries:
                    if t.name in T.KINDS:
                        fail(f"a {t.name} holds items of one type, not {len(t.args)}", node, f"write {t.name}<node>")
                    fail(f"no type '{t.name}'", node, "types are declared outside all braces, or imported")
                if t.name in c.libraries and len(t.args) != len(c.libraries[t.name].params):
                    wanted = len(c.libraries[t.name].params)
                    fail(
                        f"{t.name} takes {wanted} type argument{'s' * (wanted != 1)}, not {len(t.args)}",
                        node,
                        f"write {t.name}<{', '.join(c.libraries[t.name].params)}>",
                    )
                args = tuple(self.resolve(arg, node) for arg in t.args)
                counts = t.name in c.libraries and c.libraries[t.name].header == "counts.hpp"
                if counts and args and not isinstance(args[0], T.Int | T.Bool | T.NodeT | T.EdgeT):
                    fail(f"{M.a(t.name)} can't count {T.bare(args[0])}", node,
                         "its keys are whole numbers, bools, nodes or edges")
                for arg in args:
                    if not (T.is_scalar(arg) or c.fields(arg) is not None):
                        fail(
                            f"{M.a(t.name)} can't hold {T.bare(arg)}",
                            node,
                            "it holds numbers, bools, nodes, edges and structs",
                        )
                return replace(t, args=args)
            case T.Worklist():
                item = self.resolve(t.item, node)
                if t.kind == T.QUEUE and t.by is None:
                    fail("by what is the queue ordered?", node, "write WL priority_queue<node>(PROPERTY)")
                if t.by is not None:
                    return self._ordered(replace(t, item=item), t.by, node)
                if t.kind == "scratch" and not isinstance(node, A.VarDecl):
                    fail(
                        "a scratch set is declared inside a ForAll",
                        node,
                        "it lives for one iteration, and is not passed on",
                    )
                if t.unique and t.kind not in ("list", "buckets"):
                    fail(
                        f"{M.a(t.kind)} can't be unique",
                        node,
                        "leave the word out: only lists and buckets could hold an item twice"
                        if t.kind == "count"
                        else "leave the word out: it holds no item twice anyway",
                    )
                if t.kind in ("set", "bitmap", "bytemap", "scratch") and not isinstance(item, T.NodeT):
                    fail(f"a {t.kind} holds nodes, not {T.bare(item)}", node, "use a list")
                if not (T.is_scalar(item) or self.checked.fields(item) is not None):
                    fail(
                        f"a worklist can't hold {T.bare(item)}",
                        node,
                        "it holds numbers, bools, nodes, edges and structs",
                    )
                return replace(t, item=item)
            case T.NodeT() | T.EdgeT() if t.graph:
                symbol = self.ex.lookup(t.graph)
                if t.graph not in self.ex.graphs and (symbol is None or not self._is_graph(symbol.type)):
                    fail(
                        f"'{t.graph}' is no graph that is known here",
                        node,
                        "write the name of a graph parameter or variable: node<g>",
                    )
            case T.Void() if not isinstance(node, A.Function):
                fail("nothing can be of type void", node, "only a function returns it")
            case T.Lock() if not isinstance(node, A.Property):
                fail("a lock is a property of a node or an edge", node, "graph Graph { node lock guard; }")
            case _:
                return self.ex.of_graph(t, self.ex.graph)
        return t

    def _ordered(self, t: T.Worklist, by: T.Priority, node: A.Node) -> T.Type:
        """A priority queue, or the buckets that stand in for one, with the type of what it goes by."""
        if not isinstance(node, A.Kernel | A.VarDecl):
            fail("a priority queue is a kernel's own worklist", node, f"write Kernel NAME(...) WL {T.bare(t)}")
        if isinstance(node, A.VarDecl):
            self._refuse_queue(node)
        if t.unique:
            fail(f"{M.a(t.kind)} can't be unique", node, "leave the word out: it holds no node twice anyway")
        if not isinstance(t.item, T.NodeT):
            fail(f"{M.a(t.kind)} holds nodes, not {T.bare(t.item)}", node, "write priority_queue<node>(...)")
        owner = self.ex.owner_graph(t.item.graph, A.Name("WL", span=node.span))
        found = self.checked.property_of(owner.name, "node", by.property)
        if found is None:
            known = [p.name for p in owner.properties if p.owner == "node" and isinstance(p.type, T.Int)]
            fail(f"{owner.name} declares no node property '{by.property}' for a queue to go by", node,
                 M.nearest(by.property, known) or f"declare it: graph {owner.name} {{ node int {by.property}; }}")
        if not isinstance(found.type, T.Int):
            fail(f"a queue goes by whole numbers, and '{by.property}' is {M.a(T.bare(found.type))}", node,
                 "keep a whole number beside it")
        if found.type == T.ULONG:
            fail(f"a queue goes by whole numbers that a long holds, and '{by.property}' is {M.a(T.bare(found.type))}",
                 node, "make it a long")
        if by.delta:
            symbol, kernel = self.ex.lookup(by.delta), isinstance(node, A.Kernel)
            if isinstance(node, A.VarDecl):
                self.divisors[node.name] = symbol
            if symbol is None or symbol.kind not in ("param", *(("local",) * (not kernel))) or (
                    not isinstance(symbol.type, T.Int) or symbol.type == T.ULONG):
                if not kernel:
                    fail(f"'{by.delta}' is no variable here that is a whole number", node,
                         f"a queue is coarsened by a number that the Program has: int {by.delta}")
                fail(f"'{by.delta}' is no parameter of '{node.name}' that is a whole number", node,
                     "a queue is coarsened by a number that the kernel is given: int delta")
        return replace(t, by=replace(by, of=found.type, owner=owner.name))

    def _refuse_queue(self, s: A.VarDecl) -> None:
        """Raises IrglError for a queue that is declared where it can't be, or that nobody runs."""
        entry = self.checked.entry
        if entry is None or s not in entry.body:
            fail("a priority queue is declared inside of a block" if self.ex.place == "entry" else
                 f"a priority queue is declared in a {self.ex.place}", s, "declare it at the top of the Program")
        if not any(isinstance(n, A.Invoke) and n.queue == s.name for n in walk(entry)):
            fail(f"no kernel runs the queue '{s.name}'", s, f"write Invoke KERNEL(...) WL {s.name};")

    def _assign(self, s: A.Assign) -> None:
        self.ex.settle_home(s.target, s.value)
        target = self.ex.type(s.target)
        stored = self.ex.value_of_variable(s.target) or s.target
        if isinstance(stored, A.Name) and not self.ex.is_location(stored):
            symbol = self.checked.symbols.get(stored)
            if symbol is None or symbol.kind == "loop" or isinstance(target, T.Worklist):
                what = (
                    "the loop's variable"
                    if symbol is not None and symbol.kind == "loop"
                    else "the list"
                    if (symbol is not None or stored.id == "WL")
                    else "the word"
                )
                fail(
                    f"{what} '{stored.id}' can't be assigned",
                    s,
                    f"take a copy: auto x = {stored.id};"
                    if what == "the loop's variable"
                    else "use swap, update or clear"
                    if what == "the list"
                    else None,
                )
            if s.access != "plain":
                fail(f"{s.access} marks a store to shared memory, not to a variable", s, "leave the word out")
            if symbol.depth < self.ex.depth:
                fail(
                    f"a ForAll stores into '{symbol.name}', which all its iterations share",
                    s,
                    "reduce into it (+= min= max= |= &=), or declare it inside",
                )
            if isinstance(target, T.Range) or (isinstance(target, T.Named) and self.checked.fields(target) is None):
                fail(f"{M.a(T.bare(target))} can't be assigned", s, "declare another variable")
            symbol.assigned = True
        elif isinstance(s.target, A.Member) and self.checked.fields(self.checked.types[s.target.object]) is not None:
            self._assign_field(s, s.target)
        elif not self.ex.is_location(s.target):
            fail("this can't be stored to", s.target, "store to a variable, a property, a scalar or an element")
        if isinstance(target, T.Lock):
            fail("a lock is taken by Atomic, not assigned", s, "write Atomic (n.lock) { ... }")
        self.ex.refuse_weights(s.target, s)
        of = location(self.checked, s.target)
        name = stored.id if isinstance(stored, A.Name) else of.name if isinstance(of, A.Member) else ""
        self.ex.value(s.value, target, f"'{name}'" if name else "the element")
        self.ex.at_home(s.value, s.target)

    def _assign_field(self, s: A.Assign, target: A.Member) -> None:
        root = target.object
        if not isinstance(root, A.Name) or self.ex.is_location(root):
            fail("one field of a shared struct can't be stored alone", s, "store the whole struct: (Type){...}")
        symbol = self.checked.symbols[root]
        if symbol.depth < self.ex.depth:
            fail(f"a ForAll stores into '{symbol.name}', which all its iterations share", s, "declare it inside")
        symbol.assigned = True
