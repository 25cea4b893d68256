"""The body of an applied function, and the kernel that it stands in."""

from __future__ import annotations

from dataclasses import replace

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.free_names import Names
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.body import Body
from irgl.frontends.gt.bodies.unit import Place, Thing, Unit, graph_param, integer, member, name, set_param
from irgl.frontends.gt.bodies.values import Value, fail
from irgl.source import Span


class Operator(Body):
    """The body of an applied function. params: what its kernel is given beside the graph, and by whom: what the caller
    gives for each. queue: the queue whose nodes move, by which it is called. iteration: its number; draws: what each
    one begins with, where numbers are drawn by chance."""

    def __init__(self, unit: Unit, labels: list[str], queue: Thing | None = None) -> None:
        super().__init__(unit)
        self.labels = list(labels)
        self.first_place = len(unit.places)  # of the labels in the function
        self.params: list[A.Param] = []
        self.args: list[A.Expr] = []
        self.queue = queue
        self.lists: dict[str, str] = {}
        self.updates = False
        self.iteration: A.Expr | None = None
        self.draws: tuple[A.VarDecl, ...] = ()

    def says_argument(self, e: G.Call) -> None:
        fail("argv can't be asked in an applied function", e.span,
             "store it in a const: const limit : int = atoi(argv[2]);")

    def list_named(self, thing: Thing, span: Span) -> str:
        """The kernel's own name of a vertexset of the caller's."""
        if thing.name not in self.lists:
            self.lists[thing.name] = word = self.names.fresh(thing.name)
            self.params.append(set_param(word, span))
            self.args.append(name(thing.name, span))
        return self.lists[thing.name]

    def list_size(self, thing: Thing, span: Span) -> A.Expr:
        count = self.unit.list_sizes[thing.name]
        if count not in self.lists:
            self.lists[count] = self.number_given(count, K.INT, name(count, span), span).name
        return name(self.lists[count], span)

    def array_named(self, thing: Thing, span: Span) -> str:
        if thing.name not in self.lists:
            self.lists[thing.name] = word = self.names.fresh(thing.name)
            self.params.append(A.Param(K.irgl(thing.kind), word, None, (), span=span))
            self.args.append(name(thing.name, span))
        return self.lists[thing.name]

    def number_given(self, word: str, kind: K.Number, arg: A.Expr, span: Span) -> Thing:
        """A parameter of the kernel, which the caller gives."""
        mine = self.names.fresh(word)
        self.params.append(A.Param(K.irgl(kind), mine, None, (), span=span))
        self.args.append(arg)
        return Thing("number", kind, mine, lambda s: A.Name(mine, span=s), span=span, fixed=True)

    def drawn(self, count: A.Expr, span: Span) -> A.Expr:
        """By counters: a hash of what the caller draws for the apply, the iteration's number and the draw's, so that it
        is the same one wherever and beside whichever others the iteration runs (J. Salmon, M. Moraes, R. Dror and D.
        Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011)."""
        if self.iteration is None:
            fail("neighbours by chance can't be asked in a function of 'from' or 'to' yet", span,
                 "ask in a function that is applied, or filters")
        far = A.IntLit(2**32, T.LONG, span=span)
        if not self.draws:
            seed = A.Call("random", (integer(T.INT.max, span),), span=span)
            given = name(self.number_given("seed", K.INT, A.Cast(T.INT, seed, span=span), span).name, span)
            mine = A.Binary("+", A.Binary("*", given, far, span=span), self.iteration, span=span)
            stream = A.Binary("*", A.Cast(T.LONG, A.Call("hash", (mine,), span=span), span=span), far, span=span)
            self.draws = (A.VarDecl(T.LONG, self.names.fresh("draw"), stream, span=span),)
        word = self.draws[0].name
        at, here = A.Call("hash", (name(word, span),), span=span), self.names.fresh("at")
        scaled = A.Binary("*", A.Cast(T.LONG, at, span=span), count, span=span)
        self.out.append(A.VarDecl(T.LONG, here, A.Binary(">>", scaled, integer(32, span), span=span), span=span))
        self.out.append(A.ExprStmt(A.Reduce("+", name(word, span), integer(1, span), span=span), span=span))
        return name(here, span)

    def of_queue(self, e: G.Method, thing: Thing) -> Value:
        if self.queue is None or thing.name != self.queue.name:
            fail(f"'{e.name}' of a queue can't stand in this function", e.name_span,
                 "a function of apply and applyUpdatePriority asks a queue, one of filter, from and to does not")
        assert isinstance(thing.kind, K.Queue)
        work, of = name("WL", e.span), thing.kind.of
        match e.name:
            case "get_current_priority":
                self.arity(e, 0)
                return Value(member(work, "priority", e.span), of)
            case "updatePriorityMin" | "updatePrioritySum":
                self.arity(e, 3)
                self.updates = True
                at, old, new = e.args
                if e.name == "updatePriorityMin":
                    args: tuple[A.Expr, ...] = (self.vertex(at), self.number(new, of))
                    return Value(A.MethodCall(work, "update_min", args, span=e.span), K.BOOL)
                args = (self.vertex(at), self.number(old, K.INT), self.number(new, of))
                return Value(A.MethodCall(work, "update_sum", args, span=e.span), K.BOOL)
            case _:
                return super().of_queue(e, thing)

    def method_effect(self, e: G.Method) -> None:
        if isinstance(e.object, G.Name) and self.thing(e.object.id, e.object.span).what == "queue":
            self.out.append(A.ExprStmt(self.value(e).expr, span=e.span))
            return
        super().method_effect(e)


def kernel(host: Body, op: Operator, called: str, loop: A.ForAll, kind: str, worklist: T.Type | None = None) -> str:
    """Declares a kernel of one loop, labelled as the statement that it is made of; its name."""
    span = loop.span
    assert span is not None
    word = host.unit.names.fresh(called)
    body: A.Stmt = loop
    label = Names().fresh(host.direct) if host.direct else "loop1"
    places = host.unit.places
    places[op.first_place :] = [replace(p, place=f"{word}.{label}") for p in places[op.first_place :]]
    if host.direct:
        places.append(Place(":".join(host.labels), kind, f"{word}.{label}", span))
        body = A.Labeled(label, loop, span=span)
    params = (graph_param(span), *op.params)
    host.unit.kernels.append(A.Kernel(word, params, worklist, (body,), span=span))
    return word
