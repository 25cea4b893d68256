"""Priority queues that are asked, or changed, elsewhere than by the loop that runs them: variables of the Program."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.free_names import LocalNames
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.applied.applies import edge_kernel, vertex_kernel
from irgl.frontends.gt.applied.chains import chain_of
from irgl.frontends.gt.applied.operators import Operator
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.calls import SIZES
from irgl.frontends.gt.bodies.unit import Thing, Unit, graph_param, integer, member, name
from irgl.frontends.gt.bodies.values import Value, fail
from irgl.frontends.gt.lowering.asked_queues import AskedQueues
from irgl.frontends.gt.lowering.queues import Queues
from irgl.source import Span

_UPDATES = ("updatePriorityMin", "updatePrioritySum")
_ONCE = "a queue that is asked outside of its loop, or changed there, is made once, at the top of main"


class QueueVariables(Queues):
    """Statements of the Program about such queues. asked: which they are; variables: those that are made, with the
    variable that has the priority of the bucket that was taken last ('': nobody asks for it). bucket: the one that was
    taken and not applied yet, by its queue, and how many blocks were around."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.asked = AskedQueues(unit.funcs)
        self.variables: dict[str, str] = {}
        self.bucket: tuple[Thing, Thing, int] | None = None
        self._blocks = 0

    def stmts(self, stmts: tuple[G.Stmt, ...]) -> tuple[A.Stmt, ...]:
        self._blocks += 1
        made = super().stmts(stmts)
        self.refuse_bucket()
        self._blocks -= 1
        return made

    def refuse_bucket(self) -> None:
        """Raises IrglError for a bucket that was taken in this block, and is not applied."""
        if self.bucket is not None and self.bucket[2] == self._blocks:
            at = self.bucket[1].span
            assert at is not None
            fail("nothing is applied to the bucket's edges", at, "write edges.from(bucket).applyUpdatePriority(f);")

    def make_queue(self, thing: Thing, e: G.Expr) -> None:
        super().make_queue(thing, e)
        if not self.asked.apart(thing.name):
            return
        made, span = self.made[thing.name], e.span
        if self._blocks or thing.name in self.variables:
            fail(_ONCE, span, "take its buckets by one loop: while (pq.finished() == false) ... end")
        delta = self.unit.delta if self._divided(thing) else ""
        kind = T.Worklist("priority_queue", T.NODE, by=T.Priority(made.by.name, delta, made.higher))
        self.out.append(A.VarDecl(kind, self._variable(thing), None, span=span))
        priority = ""
        if self.asked.asks(thing.name, "get_current_priority"):
            assert isinstance(thing.kind, K.Queue)
            priority = self.names.fresh(f"{thing.name}_priority")
            self.out.append(A.VarDecl(K.irgl(thing.kind.of), priority, None, span=span))
        self.variables[thing.name] = priority
        if made.first is not None:
            self.out.append(self._call(self._variable(thing), "push", span, self.vertex(made.first)))
            return
        op, v = Operator(self.unit, [], thing), LocalNames(self.unit).fresh("v")
        kind = self._kind(op, thing, span)
        push = A.ExprStmt(A.MethodCall(name("WL", span), "push", (name(v, span),), span=span), span=span)
        loop = A.ForAll(v, member(name("g", span), "nodes", span), (push,), span=span)
        word = self.unit.names.fresh(f"fill_{thing.name}")
        self.unit.kernels.append(A.Kernel(word, (graph_param(span), *op.params), kind, (loop,), span=span))
        self._invoke(word, op, thing, span)

    def _variable(self, thing: Thing) -> str:
        return self.queue_names.setdefault(thing.name, self.names.fresh(thing.name))

    def _divided(self, thing: Thing) -> bool:
        return bool(self.unit.delta) and self.asked.moves(thing.name, "updatePriorityMin")

    def _kind(self, op: Operator, thing: Thing, span: Span) -> T.Worklist:
        """The worklist of a kernel that is invoked on the queue."""
        made, delta = self.made[thing.name], ""
        if self._divided(thing):
            delta = op.number_given(self.unit.delta, K.INT, name(self.unit.delta, span), span).name
        return T.Worklist("priority_queue", T.NODE, by=T.Priority(made.by.name, delta, made.higher))

    def _invoke(self, kernel: str, op: Operator, thing: Thing, span: Span) -> None:
        self.out.append(A.Invoke(kernel, (name("g", span), *op.args), self._variable(thing), span=span))

    # What is asked

    def of_queue(self, e: G.Method, thing: Thing) -> Value:
        if self.inside == thing.name or not self.asked.apart(thing.name):
            return super().of_queue(e, thing)
        span = e.span
        self.refuse_unmade(thing, span)
        if e.name in _UPDATES:
            fail(f"'{e.name}' can't stand here", e.name_span,
                 "call it in a function that is applied, and prints nothing")
        if e.name == "dequeue_ready_set":
            fail(f"'{e.name}' can't stand here", e.name_span,
                 "a bucket goes to a variable: var bucket : vertexset{Vertex} = pq.dequeue_ready_set();")
        if e.name not in ("finished", "finishedNode", "get_current_priority"):
            self.refuse_method(e, thing.kind)
        self.arity(e, 1 if e.name == "finishedNode" else 0)
        if e.name == "get_current_priority":
            assert isinstance(thing.kind, K.Queue)
            return Value(name(self.variables[thing.name], span), thing.kind.of)
        queue = name(self._variable(thing), span)
        empty: A.Expr = member(queue, "empty", span)
        if e.name == "finished":
            return Value(empty, K.BOOL)
        ran = A.MethodCall(queue, "finished", (self.vertex(e.args[0]),), span=span)
        return Value(A.Binary("||", empty, ran, span=span), K.BOOL)

    def refuse_unmade(self, thing: Thing, span: Span) -> None:
        if thing.name not in self.made:
            fail(f"the queue '{thing.name}' is not made before it is asked", span,
                 "pq = new priority_queue{Vertex}(int)(...) comes first")

    def runs_queue(self, s: G.While) -> G.Var | None:
        found = super().runs_queue(s)
        if found is None or not isinstance(found.init, G.Method) or not isinstance(found.init.object, G.Name):
            return found
        return None if self.asked.apart(self.thing(found.init.object.id, s.span).name) else found

    def takes_bucket(self, s: G.Var, kind: K.Vertices) -> bool:
        """`var bucket : vertexset{Vertex} = pq.dequeue_ready_set();`: declares it; False for anything else."""
        match s.init:
            case G.Method(object=G.Name(id=word), name="dequeue_ready_set") as e if (
                    (queue := self.thing(word, s.span)).what == "queue" and self.asked.apart(queue.name)):
                pass
            case _:
                return False
        self.arity(e, 0)
        self.refuse_unmade(queue, e.span)
        self.refuse_bucket()
        if priority := self.variables[queue.name]:
            now = member(name(self._variable(queue), e.span), "priority", e.span)
            self.out.append(A.Assign(name(priority, e.span), now, "plain", span=e.span))
        counter = ""
        if any(self.asked.asks(s.name, w) for w in SIZES):
            counter = self.counter(s.name, s.span)
            self.out.append(A.Assign(name(counter, s.span), integer(0, s.span), "plain", span=s.span))
        made = Thing("counted", kind, counter, span=s.span)
        self.declare(s.name, made, s.span)
        self.bucket = queue, made, self._blocks
        return True

    def bucket_size(self, thing: Thing, span: Span) -> Value:
        if self.bucket is not None and self.bucket[1] is thing:
            fail("how many are in a bucket is known when it has run", span, "ask behind the apply of its edges")
        return super().bucket_size(thing, span)

    # What is applied

    def _moved(self, e: G.Method) -> Thing | None:
        """The queue that an applied function asks or changes, where it is a variable."""
        things = [t for w in sorted(self.asked.given(e)) if (t := self.unit.things.get(w)) is not None]
        return next((t for t in things if t.what == "queue" and self.asked.apart(t.name)), None)

    def apply_edges(self, e: G.Method, output: Thing | None) -> None:
        queue = self._moved(e)
        if queue is None:
            super().apply_edges(e, output)
            return
        chain = chain_of(self, e)
        assert chain is not None
        if output is not None:
            fail(f"a function that gives a vertexset can't ask or change '{queue.name}' yet", e.name_span,
                 "write applyUpdatePriority, and follow changes by a vector of its own")
        self.refuse_unmade(queue, e.span)
        self.arity(e, 1)
        op = Operator(self.unit, self.labels, queue)
        kind = self._kind(op, queue, e.span)
        source = chain.ends.get("from")
        bucket = self.lookup(source.id) if isinstance(source, G.Name) else None
        if bucket is not None and bucket.what == "counted":
            if self.bucket is None or self.bucket[:2] != (queue, bucket) or self.bucket[2] != self._blocks:
                fail("a bucket's edges are applied once, in the block that takes it from its queue", e.span,
                     "var bucket : vertexset{Vertex} = pq.dequeue_ready_set(); comes before it")
            self.bucket = None
            word = edge_kernel(self, chain, Thing("bucket", bucket.kind, bucket.name), op, None, kind)
            if bucket.name:
                self.count_in(word, bucket.name, e.span)
        else:
            word = edge_kernel(self, chain, self.sources(source), op, None, kind)
        self._invoke(word, op, queue, e.span)

    def vertex_apply(self, over: Thing, e: G.Method) -> None:
        queue = self._moved(e)
        if queue is None:
            super().vertex_apply(over, e)
            return
        self.refuse_unmade(queue, e.span)
        self.arity(e, 1)
        op = Operator(self.unit, self.labels, queue)
        kind = self._kind(op, queue, e.span)
        word, _ = vertex_kernel(self, over, e.args[0], "apply", None, e.span, op, kind)
        self._invoke(word, op, queue, e.span)
