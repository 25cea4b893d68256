"""Priority queues: the loop that asks one becomes an Iterate over it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.free_names import Names
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.applied.applies import edge_kernel
from irgl.frontends.gt.applied.chains import chain_of
from irgl.frontends.gt.applied.operators import Operator
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.calls import refuse_extern
from irgl.frontends.gt.bodies.unit import Place, Thing, Unit, integer, member, name
from irgl.frontends.gt.bodies.values import Value, fail
from irgl.frontends.gt.lowering.asked_queues import ends, is_end
from irgl.frontends.gt.lowering.lists import Lists
from irgl.frontends.gt.lowering.vectors import scalar
from irgl.source import IrglError, Span


@dataclass(frozen=True, slots=True)
class Made:
    """A queue as `new` makes it: by which vector it goes, and who is in it at first (None: all vertices)."""

    by: Thing
    higher: bool
    first: G.Expr | None


class Queues(Lists):
    """Statements of the Program about priority queues. made: those that are made so far, by their names. inside: the
    queue whose loop is around."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.made: dict[str, Made] = {}
        self.queue_names: dict[str, str] = {}
        self.inside = ""
        self.marks = Names()  # labels of the Program

    def make_queue(self, thing: Thing, e: G.Expr) -> None:
        """`new priority_queue{Vertex}(int)(within, across, vector, rising, changes, all, source)`"""
        if not isinstance(e, G.New) or not isinstance(e.type, G.QueueType):
            fail("a queue is made by new", e.span,
                 "pq = new priority_queue{Vertex}(int)(false, false, dist, 1, 2, false, v);")
        if len(e.args) != 7:
            fail(f"a new queue takes 7 values, not {len(e.args)}", e.span,
                 "duplicates within a bucket, duplicates across, "
                 "vector, 1 (buckets rise) or 0, how priorities change, all vertices at first, source or -1")
        _, _, vector, rising, _, everybody, source = e.args
        by = self.thing(vector.id, vector.span) if isinstance(vector, G.Name) else None
        assert isinstance(thing.kind, K.Queue)
        of = thing.kind.of
        if by is None or not isinstance(by.kind, K.Vector) or by.kind.length or K.number(by.kind.of) != of:
            fail(f"the queue goes by a vector of type {of}", vector.span,
                 f"name one: const dist : vector{{Vertex}}({of})")
        if not isinstance(rising, G.Number) or rising.text not in ("0", "1"):
            fail("buckets rise (1) or fall (0)", rising.span)
        if not isinstance(everybody, G.Truth):
            fail("are all vertices in the queue at first?", everybody.span, "write true or false")
        if not everybody.value and isinstance(source, G.Unary):
            fail("nobody is in this queue at first", source.span,
                 "name the vertex that is, or put all of them there: (..., true, -1)")
        self.made[thing.name] = Made(by, rising.text == "0", None if everybody.value else source)

    def of_queue(self, e: G.Method, thing: Thing) -> Value:
        if self.inside != thing.name:
            fail(f"'{e.name}' can't stand here", e.name_span, "a queue is asked by the loop that runs it: "
                 "while (pq.finished() == false) var bucket : vertexset{Vertex} = pq.dequeue_ready_set(); ... end")
        work = name("WL", e.span)
        if e.name == "finishedNode":
            self.arity(e, 1)
            return Value(A.MethodCall(work, "finished", (self.vertex(e.args[0]),), span=e.span), K.BOOL)
        if e.name == "finished":
            fail("'finished' of a queue can't be asked here", e.name_span,
                 "it is what ends the loop: while (not pq.finished())")
        raise IrglError(f"'{e.name}' can't stand here", e.name_span, "ask it in the function that is applied")

    def runs_queue(self, s: G.While) -> G.Var | None:
        """The statement of a loop that takes a queue's next bucket; None where there is none."""
        for inner in s.body:
            match inner:
                case G.Var(init=G.Method(object=G.Name(id=word), name="dequeue_ready_set")):
                    if self.thing(word, inner.span).what == "queue":
                        return inner
                case G.Var(init=G.Method(object=G.Name(id=word)) as asked) if (
                        asked.name != "get_current_priority" and (queue := self.lookup(word)) is not None
                        and queue.what == "queue"):
                    self.refuse_method(asked, queue.kind)
                case _:
                    pass
        return None

    def queue_loop(self, s: G.While, bucket: G.Var) -> None:
        """The loop, as an Iterate: its kernel runs the nodes of a bucket, its body what the loop does beside that."""
        span = s.span
        assert isinstance(bucket.init, G.Method) and isinstance(bucket.init.object, G.Name)
        word = bucket.init.object.id
        queue = self.thing(word, span)
        made = self.made.get(queue.name)
        if made is None:
            fail(f"the queue '{word}' is not made before it is asked", bucket.init.span,
                 "pq = new priority_queue{Vertex}(int)(...) comes first")
        at, label, last = self._apply_of(s, bucket)
        before, after = _parted(s, at, bucket, word)
        outer, self.direct = self.direct, label
        if label:
            self.labels.append(label)
        chain = chain_of(self, last)
        assert chain is not None
        op = Operator(self.unit, self.labels, queue)
        delta = self._delta(op, last)
        kind = T.Worklist("priority_queue", T.NODE, by=T.Priority(made.by.name, delta, made.higher))
        self.arity(last, 1)
        kernel = edge_kernel(self, chain, Thing("bucket", queue.kind, bucket.name), op, None, kind)
        if label:
            self.labels.pop()
        self.direct = ""
        if not op.updates:
            fail("the function moves nobody in the queue", last.span,
                 "call pq.updatePriorityMin or updatePrioritySum in it")
        counter = self._counted(kernel, bucket, (*before, *after))
        test, ends = self._end(s.test, word)
        self.inside = queue.name
        with self.block():
            if counter:
                self.declare(bucket.name, Thing("counted", K.Vertices(""), counter), bucket.span)
            body = list(self.loop((*before, *after)))
            if counter:
                body.append(A.Assign(name(counter, span), integer(0, span), "plain", span=span))
            if ends is not None:
                first, over = self.again(ends)
                body += [*first, A.If(over, (A.Break(span=span),), (), span=span)]
        self.inside = ""
        args = (name("g", span), *op.args)
        loop: A.Stmt = A.Iterate("worklist", "", kernel, args, self._initial(made, span), tuple(body), span=span)
        if outer:
            mark = self.marks.fresh(outer)
            self.unit.places.append(Place(":".join(self.labels), "while", f"{self.unit.name}.{mark}", span))
            loop = A.Labeled(mark, loop, span=span)
        self.out.append(loop if test is None else A.If(test, (loop,), (), span=span))

    def _apply_of(self, s: G.While, bucket: G.Var) -> tuple[G.Stmt, str, G.Method]:
        """The statement that applies a function to the edges of the bucket, with its label."""
        for inner in s.body:
            plain = inner.body if isinstance(inner, G.Labeled) else inner
            if isinstance(plain, G.ExprStmt) and isinstance(plain.value, G.Method):
                refuse_extern(self.unit, plain.value)
            if isinstance(plain, G.ExprStmt) and isinstance(plain.value, G.Method) and (
                    plain.value.name == "applyUpdatePriority"):
                chain = chain_of(self, plain.value)
                source = chain.ends.get("from") if chain is not None else None
                if not isinstance(source, G.Name) or source.id != bucket.name:
                    fail("the edges of the bucket that was taken come next", plain.span,
                         f"write edges.from({bucket.name})")
                return inner, inner.label if isinstance(inner, G.Labeled) else "", plain.value
        raise IrglError("nothing is applied to the bucket's edges", bucket.span,
                        f"write edges.from({bucket.name}).applyUpdatePriority(f); in the same loop")

    def _delta(self, op: Operator, last: G.Method) -> str:
        """The parameter that makes buckets wider, where updates are minima; '' where priorities are counted."""
        func = self.unit.funcs.get(last.args[0].id) if last.args and isinstance(last.args[0], G.Name) else None
        mins = func is not None and any(isinstance(n, G.Method) and n.name == "updatePriorityMin" for n in G.walk(func))
        if not mins or not self.unit.delta:
            return ""
        thing = op.number_given(self.unit.delta, K.INT, name(self.unit.delta, last.span), last.span)
        return thing.name

    def _counted(self, kernel: str, bucket: G.Var, around: tuple[G.Stmt, ...]) -> str:
        """The scalar that counts the nodes of a bucket, where the loop asks for them."""
        if not any(isinstance(n, G.Name) and n.id == bucket.name for s in around for n in G.walk(s)):
            return ""
        word = self.counter(bucket.name, bucket.span)
        self.count_in(kernel, word, bucket.span)
        return word

    def counter(self, bucket: str, span: Span) -> str:
        return scalar(self.unit, f"{bucket}_size", K.INT, span)

    def count_in(self, kernel: str, word: str, span: Span) -> None:
        """Has a kernel count the nodes that it runs."""
        kernels = self.unit.kernels
        at = next(i for i, k in enumerate(kernels) if k.name == kernel)
        outer = kernels[at].body[0]
        loop = outer.body if isinstance(outer, A.Labeled) else outer
        assert isinstance(loop, A.ForAll)
        one = A.ExprStmt(A.Reduce("+", name(word, span), integer(1, span), span=span), span=span)
        new: A.Stmt = replace(loop, body=(one, *loop.body))
        kernels[at] = replace(kernels[at], body=(replace(outer, body=new) if isinstance(outer, A.Labeled) else new,))

    def _end(self, test: G.Expr, queue: str) -> tuple[A.Expr | None, G.Expr | None]:
        """What has to hold before the loop, and what ends it behind its body."""
        match ends(test, queue):
            case None:
                return self.truth(test), G.Unary("not", test, span=test.span)
            case "finished":
                return None, None
            case _:
                return None, test.operand if isinstance(test, G.Unary) else test.left if isinstance(
                    test, G.Binary) else test

    def _initial(self, made: Made, span: Span) -> A.Initial:
        if made.first is None:
            return A.InitialIterator(member(name("g", span), "nodes", span), span=span)
        return A.InitialItems((self.vertex(made.first),), span=span)


def _parted(loop: G.While, at: G.Stmt, bucket: G.Var, queue: str) -> tuple[list[G.Stmt], list[G.Stmt]]:
    """What a loop does before and behind its apply. What stands before runs behind it, and so asks only for numbers."""
    body, k = loop.body, loop.body.index(at)
    before = [s for s in body[:k] if s is not bucket and not is_end(s, bucket, loop, queue)]
    after = [s for s in body[k + 1 :] if not (isinstance(s, G.Delete) and s.name == bucket.name)]
    for s in before:
        for n in G.walk(s):
            if isinstance(n, G.Index | G.Call | G.Print) or (isinstance(n, G.Method) and not (
                    isinstance(n.object, G.Name) and n.object.id == bucket.name)):
                fail("this stands between a bucket and the apply of its edges, and may ask for what that changes",
                     s.span,
                     "write it behind the apply")
    return before, after
