"""Calls in expressions: GraphIt's own functions, and methods that give numbers."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from contextlib import contextmanager

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.unit import Thing, Unit, member, name
from irgl.frontends.gt.bodies.values import Value, Values, fail
from irgl.source import Span

#: What is called, and with how many arguments.
_BUILTINS = {"atoi": 1, "fabs": 1, "floor": 1, "log": 1, "max": 2, "to_double": 1, "writeMin": 3, "atomicAdd": 3,
             "startTimer": 0, "stopTimer": 0, "getRandomOutNgh": 2, "getRandomInNgh": 2}
#: How many vertices, or elements, there are.
SIZES = ("size", "getVertexSetSize")
_OF_LISTS = ("append", "pop", "insert", "retrieve", "size")
_OF_EDGES = ("getVertices", "getOutDegrees", "getOutDegreesUint", "getOutDegree", "getNgh", "transpose", "relabel",
             "from",
             "to", "srcFilter", "dstFilter", "apply", "applyModified", "applyUpdatePriority")


class Calls(Values):
    """Values with calls. where: what they stand in."""

    where = "an applied function"

    def call(self, e: G.Call) -> Value:
        if e.function in self.unit.funcs:
            return self.user_call(e)
        if e.function == "atof":
            fail("'atof': arguments are whole numbers", e.span, "give it in parts of one: atoi(argv[2]) / 1000.0")
        if e.function in ("intersection", "intersectNeighbor"):
            return self.shared(e)
        if e.function not in _BUILTINS:
            self.unit.function(e.function, e.span)
        if e.bound is not None:
            fail(f"'{e.function}' is no functor, and is bound to nothing", e.span)
        wanted = _BUILTINS[e.function]
        if len(e.args) != wanted:
            fail(f"'{e.function}' takes {wanted} argument{'s' * (wanted != 1)}, not {len(e.args)}", e.span)
        span = e.span
        match e.function:
            case "atoi":
                return self._argument(e)
            case "fabs" | "floor" | "log":
                v = self.value(e.args[0])
                kind = K.FLOAT if v.kind == K.FLOAT else K.DOUBLE
                word, arg = "abs" if e.function == "fabs" else e.function, self.exactly(v, kind)
                return Value(A.Call(word, (arg,), span=span), kind)
            case "max":
                one, other = self.value(e.args[0]), self.value(e.args[1])
                kind = K.common(one.kind, other.kind)
                return Value(A.Call("max", (self.number_of(one, kind), self.number_of(other, kind)), span=span), kind)
            case "to_double":
                return Value(A.Cast(T.DOUBLE, self.number(e.args[0], K.DOUBLE), span=span), K.DOUBLE)
            case "startTimer" | "stopTimer":
                return self.timer(e)
            case "getRandomOutNgh" | "getRandomInNgh":
                return self.random_neighbour(e)
            case _:
                return self._update(e)

    def exactly(self, v: Value, want: K.Number) -> A.Expr:
        """A value as a number of a type, which irgl knows as that, too."""
        number = self.number_of(v, want)
        return number if v.node else K.exactly(v.expr, v.kind, want)

    def timer(self, e: G.Call) -> Value:
        fail("an applied function has no clock", e.span, "take the time in main")

    def _argument(self, e: G.Call) -> Value:
        """atoi(argv[k]): a parameter of the Program."""
        if (k := argument(e.args[0])) is None:
            fail("atoi takes one of argv", e.args[0].span, "write atoi(argv[2])")
        if k < 1:
            fail(f"argv[{k}] is no argument", e.args[0].span, "arguments are argv[1], argv[2], ...")
        if self.unit.graph is not None and self.unit.graph[0] == k:
            fail(f"argv[{k}] is the graph's file, and no number", e.args[0].span, "numbers come behind it: argv[2]")
        word = self.unit.argument(k)
        self.says_argument(e)
        return Value(name(word, e.span), K.INT)

    def says_argument(self, e: G.Call) -> None:
        """Refuses argv where it can't be read."""

    def _update(self, e: G.Call) -> Value:
        """writeMin(vector, v, x), atomicAdd(vector, v, x)"""
        vector, at, new = e.args
        target, kind = self.element(G.Index(vector, at, span=vector.span.to(at.span)))
        op = "min" if e.function == "writeMin" else "+"
        return Value(A.Reduce(op, target, self.number(new, kind), span=e.span), K.BOOL)

    def method(self, e: G.Method) -> Value:
        if not isinstance(e.object, G.Name):
            return self.chain(e)
        thing = self.thing(e.object.id, e.object.span)
        span = e.span
        match thing.what:
            case "set" | "all" if e.name in SIZES:
                self.arity(e, 0)
                if thing.what == "all":
                    return Value(self.size_of_all(span), K.SIZE)
                return Value(member(name(self.list_named(thing, span), span), "size", span), K.SIZE)
            case "neighbours" if e.name in SIZES and thing.make is not None:
                self.arity(e, 0)
                return Value(member(thing.make(span), "degree", span), K.SIZE)
            case "counted" if e.name in SIZES:
                self.arity(e, 0)
                return self.bucket_size(thing, span)
            case "edges" if e.name == "getVertices":
                self.arity(e, 0)
                return Value(self.size_of_all(span), K.SIZE)
            case "edges" if e.name == "getOutDegree":
                self.arity(e, 1)
                word = "in_degree" if thing.reverse else "degree"
                return Value(A.Cast(T.INT, member(self.vertex(e.args[0]), word, span), span=span), K.INT)
            case "vector" | "array" if e.name in ("sum", "max"):
                self.arity(e, 0)
                return self.whole(e, thing)
            case "list" if e.name == "size":
                self.arity(e, 0)
                return Value(self.list_size(thing, span), K.INT)
            case "list" if e.name == "pop":
                self.arity(e, 0)
                return self.popped(e, thing)
            case "queue":
                return self.of_queue(e, thing)
            case _:
                return self.chain(e)

    def refuse_method(self, e: G.Method, kind: K.Kind) -> None:
        """Raises IrglError for a method that such a value has not, or not here."""
        refuse_extern(self.unit, e)
        known = {"Edges": _OF_EDGES, "Vertices": (*SIZES, "addVertex", "apply", "filter", "where"),
                 "Vector": ("sum", "max"), "Array": ("sum", "max"), "List": _OF_LISTS,
                 "Queue": ("finished", "finishedNode", "get_current_priority", "dequeue_ready_set", "updatePriorityMin",
                           "updatePrioritySum")}.get(type(kind).__name__, ())
        if e.name not in known:
            # The words of later versions run together what has underscores here.
            same = {w.replace("_", "").lower(): w for w in known}
            near = difflib.get_close_matches(e.name.replace("_", "").lower(), same, 1, 0.8)
            meant = f"did you mean '{same[near[0]]}'? " if near else ""
            fail(f"{K.a(kind)} has no method '{e.name}'", e.name_span,
                 f"{meant}it has {', '.join(known)}" if known else "only sets, vectors, lists and queues have methods")
        if isinstance(kind, K.Edges) and e.name in ("from", "to", "srcFilter", "dstFilter"):
            fail(f"'{e.name}' by itself does nothing", e.name_span, "an apply ends it: edges.from(frontier).apply(f)")
        if isinstance(kind, K.List):
            fail(f"'{e.name}' of a list can't stand here", e.name_span,
                 "main changes lists, and so does a function that apply runs")
        fail(f"'{e.name}' can't stand here", e.name_span, "store what it gives in a variable of its own first")

    def arity(self, e: G.Method, count: int) -> None:
        if len(e.args) != count:
            fail(f"'{e.name}' takes {count} argument{'s' * (count != 1)}, not {len(e.args)}", e.name_span)

    # What the Program or a kernel adds

    def shared(self, e: G.Call) -> Value:
        """How many neighbours two vertices share."""
        raise NotImplementedError

    def random_neighbour(self, e: G.Call) -> Value:
        """One of a vertex's neighbours."""
        raise NotImplementedError

    def chain(self, e: G.Method) -> Value:
        """A method that gives no number, or that is called on what is no name."""
        if isinstance(e.object, G.Name):
            self.refuse_method(e, self.thing(e.object.id, e.object.span).kind)
        fail(f"'{e.name}' can't stand here", e.name_span, "store what it gives in a variable of its own first")

    def whole(self, e: G.Method, thing: Thing) -> Value:  # noqa: ARG002
        """The sum, or the largest, of a vector's values."""
        fail(f"'{e.name}' of a vector can't be asked here", e.name_span, "ask in main, and store it in a global")

    def bucket_size(self, thing: Thing, span: Span) -> Value:
        """How many vertices of a bucket have run."""
        return Value(name(thing.name, span), K.INT)

    def popped(self, e: G.Method, thing: Thing) -> Value:
        """The last element of a list."""
        self.refuse_method(e, thing.kind)
        raise AssertionError

    def of_queue(self, e: G.Method, thing: Thing) -> Value:
        self.refuse_method(e, thing.kind)
        raise AssertionError

    def user_call(self, e: G.Call) -> Value:
        raise NotImplementedError

    @contextmanager
    def block(self) -> Iterator[None]:
        """A scope of its own."""
        self.scopes.append({})
        yield
        self.scopes.pop()


def refuse_extern(unit: Unit, e: G.Method) -> None:
    """Raises IrglError for what applies an extern function to the vertices of a bucket."""
    if e.name != "applyUpdatePriorityExtern":
        return
    named = e.args[0].id if e.args and isinstance(e.args[0], G.Name) else ""
    if named in unit.funcs and not unit.funcs[named].is_extern:
        fail(f"'{e.name}' applies an extern function, and '{named}' is none", e.name_span,
             f"write edges.from(bucket).applyUpdatePriority({named})")
    fail(f"'{e.name}' applies an extern function, C++ against GraphIt's own run time, which can't be linked",
         e.name_span, "write what it does as a func of an edge's two ends: edges.from(bucket).applyUpdatePriority(f)")


def argument(e: G.Expr) -> int | None:
    """The k of argv[k]; None for anything else."""
    match e:
        case G.Index(object=G.Name(id="argv"), index=G.Number(whole=True, text=text)):
            return int(text[:9])
        case _:
            return None


def loaded_from(e: G.Expr) -> int | str | None:
    """The k of the argv[k], or the path, that a graph is loaded from; None: it is neither."""
    return e.value if isinstance(e, G.Text) else argument(e)
