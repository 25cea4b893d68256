"""What main says: the Program's statements."""

from __future__ import annotations

from dataclasses import replace

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.applied.chains import APPLIES, edges_of
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.calls import loaded_from
from irgl.frontends.gt.bodies.neighbours import used_as_set
from irgl.frontends.gt.bodies.unit import Place, Thing, Unit, name
from irgl.frontends.gt.bodies.values import Value, fail
from irgl.frontends.gt.lowering.lists import CHANGE_LISTS
from irgl.frontends.gt.lowering.liveness import exchanges
from irgl.frontends.gt.lowering.printing import Printing
from irgl.frontends.gt.lowering.vectors import declare_vector, fill, whole

#: Methods that run kernels, or change sets.
_ACTS = frozenset((*APPLIES, "filter", "where", "addVertex", *CHANGE_LISTS, "sum", "max", "dequeue_ready_set",
                   "finished", "finishedNode"))


class Host(Printing):
    """Statements of main, and of the functions that it calls."""

    where = "main"

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self._acting: dict[str, bool] = {}
        self.started = ""  # the variable that has the time when the timer was started

    def stmt(self, s: G.Stmt) -> None:
        label, self.direct = self.direct, "" if isinstance(s, G.While | G.DoWhile | G.For | G.If) else self.direct
        if isinstance(s, G.While) and (bucket := self.runs_queue(s)) is not None:
            self.direct = label
            self.queue_loop(s, bucket)
            return
        super().stmt(s)
        if label and isinstance(s, G.While | G.DoWhile | G.For):
            mark = self.marks.fresh(label)
            self.out[-1] = A.Labeled(mark, self.out[-1], span=s.span)
            kind = "for" if isinstance(s, G.For) else "while"
            self.unit.places.append(Place(":".join(self.labels), kind, f"{self.unit.name}.{mark}", s.span))

    def labeled(self, s: G.Labeled) -> None:
        path = ":".join((*self.labels, s.label))
        self.labels.append(s.label)
        self.direct = s.label
        self.stmt(s.body)
        self.direct = ""
        self.labels.pop()
        if not any(p.path == path for p in self.unit.places):
            self.unit.places.append(Place(path, "statement", "", s.span))

    def again(self, e: G.Expr) -> tuple[tuple[A.Stmt, ...], A.Expr]:
        self.repeats += 1
        made = super().again(e)
        self.repeats -= 1
        return made

    def loop(self, body: tuple[G.Stmt, ...]) -> tuple[A.Stmt, ...]:
        self.repeats += 1
        made = super().loop(body)
        self.repeats -= 1
        return made

    def variable(self, s: G.Var) -> None:
        kind, span = self.unit.resolve(s.type), s.span
        match kind:
            case K.Vertices() if s.init is not None and not used_as_set(s, self.unit.funcs.values()) and (
                    self.declare_neighbours(s.name, kind, s.init, span)):
                pass
            case K.Vertices() if self.takes_bucket(s, kind):
                pass
            case K.Vertices():
                thing = self.new_set(s.name, span, kind)
                fresh = not self.repeats
                if s.init is not None:
                    self.store_set(thing, s.init, fresh=fresh)
                elif not fresh:
                    self._clear(thing, span, fresh)
                self.declare(s.name, thing, span)
            case K.Array():
                self.declare(s.name, self.new_array(s.name, kind, s.type, s.init, span), span)
            case K.Vector():
                self.declare(s.name, declare_vector(self, s.name, kind, s.init, span, again=self.repeats > 0), span)
            case K.List():
                self.declare(s.name, self.declare_list(s.name, kind, s.init, span), span)
            case K.Queue():
                fail("a queue is known to the functions that move its vertices", span,
                     f"declare it outside of main: const {s.name} : priority_queue{{Vertex}}(int);")
            case K.Edges():
                of = edges_of(self, s.init) if s.init is not None else None
                if of is None:
                    fail("a graph is loaded by a const", span,
                         f"write const {s.name} : edgeset{{Edge}}(Vertex, Vertex) = load(argv[1]);")
                self.declare(s.name, replace(of, span=span), span)
            case _:
                super().variable(s)

    def assign(self, s: G.Assign) -> None:
        thing = self.thing(s.place.id, s.place.span) if isinstance(s.place, G.Name) else None
        if thing is None or thing.make is not None:
            super().assign(s)
            return
        if thing.what == "edges" and isinstance(s.value, G.Load) and s.op == "=":
            if loaded_from(s.value.file) != (self.unit.graph[0] if self.unit.graph is not None else None):
                fail("a second graph is not supported yet", s.span, "a program has one edgeset that is loaded")
            return  # it is there already
        if thing.what == "edges" and s.op == "=" and (made := edges_of(self, s.value)) is not None:
            if (made.kind, made.reverse) != (thing.kind, thing.reverse):
                fail("an edgeset can't become another one", s.span,
                     "declare a second one: var back : edgeset{Edge}(Vertex, Vertex) = edges.transpose();")
            return
        if s.op != "=" or thing.what in ("all", "edges", "counted"):
            assert isinstance(s.place, G.Name)
            fail(f"'{s.place.id}' is {K.a(thing.kind)}, and can't be stored to by {s.op}", s.place.span)
        match thing.what:
            case "set":
                self.store_set(thing, s.value, fresh=False, exchange=s in self.exchanged)
            case "queue":
                self.make_queue(thing, s.value)
            case "vector":
                fill(self, thing, s.value)
            case _:
                self.begin_list(thing, s.value, s.span)

    def effect(self, e: G.Expr) -> None:
        if isinstance(e, G.Call) and e.function == "startTimer" and e.function not in self.unit.funcs:
            self.value(e)
        else:
            super().effect(e)

    def timer(self, e: G.Call) -> Value:
        """startTimer() keeps the time, stopTimer() gives the seconds since then."""
        now, span = A.Call("clock", (), span=e.span), e.span
        if e.function == "startTimer":
            if not self.started:
                self.started = self.names.fresh("started")
                self.top.append(A.VarDecl(T.DOUBLE, self.started, None, span=span))
            self.out.append(A.Assign(name(self.started, span), now, "plain", span=span))
            return Value(now, K.VOID)
        if not self.started:
            fail("the timer was not started", span, "call startTimer(); before it")
        passed = A.Binary("-", now, name(self.started, span), span=span)
        return Value(A.Cast(T.FLOAT, passed, span=span), K.FLOAT)

    def method_effect(self, e: G.Method) -> None:
        thing = self.thing(e.object.id, e.object.span) if isinstance(e.object, G.Name) else None
        what = thing.what if thing is not None else ""
        if e.name in APPLIES and what not in ("set", "all"):
            if isinstance(e.object, G.Method) and e.object.name in ("filter", "where"):
                self.apply_vertices(self.set_of(e.object), e)
            else:
                self.apply_edges(e, None)
        elif thing is None:
            super().method_effect(e)
        elif what in ("set", "all") and e.name == "apply":
            self.apply_vertices(thing, e)
        elif what == "set" and e.name == "addVertex":
            self.add_vertex(e, thing)
        elif what == "list" and e.name in ("append", "insert"):
            self.append(thing, e)
        elif what == "list" and e.name in ("pop", "retrieve"):
            self.take(thing, e)
        else:
            super().method_effect(e)

    # Functions

    def whole(self, e: G.Method, thing: Thing) -> Value:
        return self.whole_array(e, thing) if thing.what == "array" else whole(self, e, thing)

    def user_call(self, e: G.Call) -> Value:
        func = self.unit.function(e.function, e.span)
        if not self.acts(func):
            return super().user_call(e)
        if func.result is None:
            fail(f"'{func.name}' gives no value", e.span, "give it a result: -> output : int")
        result = self.inline(func, self.arguments_of(func, e))
        assert result is not None
        return result

    def inline(self, func: G.Func, given: dict[str, Thing]) -> Value | None:
        kept = frozenset((*given, *self.unit.things, func.result.name if func.result is not None else ""))
        self.exchanged |= exchanges(func.body, kept)
        label, self.direct = self.direct, ""
        made = super().inline(func, given)
        self.refuse_bucket()
        self.direct = label
        return made

    def acts(self, func: G.Func) -> bool:
        """Does a function do more than compute: run kernels, change sets, print?"""
        if func.name not in self._acting:
            self._acting[func.name] = any(
                isinstance(n, G.Print | G.New | G.SetType | G.VectorType)
                or (isinstance(n, G.Method) and n.name in _ACTS)
                or (isinstance(n, G.Call) and n.function in self.unit.funcs and self.acts(self.unit.funcs[n.function]))
                for n in G.walk(func))
        return self._acting[func.name]
