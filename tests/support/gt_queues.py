"""Priority queues in random programs of GraphIt's: who is put there, how they settle, and what is asked of them."""

from __future__ import annotations

import heapq

from support import gt_pieces as P
from support.gt_applied import SRC, V
from support.gt_functions import Function, Vector
from support.gt_pieces import E, Local, S, World
from support.gt_rounds import ONE, Rounds
from support.gt_sets import question

FAR = 2**31 - 1


class Queues(Rounds):
    """queue: how the program's queue moves vertices, by minima or sums; '' where it has none."""

    queue: str = ""

    def queues(self) -> list[S]:
        """Priorities settle: the lengths of shortest paths, or by peeling."""
        self.queue = self.c.pick(("min", "sum"))
        return self._nearest() if self.queue == "min" else self._peeled()

    def _loop(self, text: str, test: str, label: bool) -> tuple[str, ...]:
        return (*(("# q0 #",) if label else ()), f"while ({test})",
                "    var bucket : vertexset{Vertex} = pq.dequeue_ready_set();",
                f"    {text}", "    delete bucket;", "end")

    def _nearest(self) -> list[S]:
        c = self.c
        dist = Vector("dist", "int")
        weight = P.local("int", "weight")
        far = self.weighted and c.chance(80)
        step = P.infix("+", dist.at(SRC), weight if far else ONE)
        if far and c.chance(30):
            step = P.infix("+", P.infix("+", dist.at(SRC), P.infix("*", weight, P.literal("int", "3", 3))), ONE)
        elif far and c.chance(20):
            step = E("int", f"max({dist.at(SRC).text}, weight)", P.ATOM,
                     lambda w, my: max(w.vectors["dist"][my["src"]], my["weight"]))
        moved = f"pq.updatePriorityMin(dst, dist[dst], {step.text});"
        two = f"var nearer : int = {step.text};", "pq.updatePriorityMin(dst, dist[dst], nearer);"
        lines = c.pick(((moved,), two))
        f = Function(self.name("relax"), ["src", "dst", *(["weight"] if far else [])],
                     S(tuple(f"    {line}" for line in lines), lambda _w, _my: None), {"dist"},
                     kinds=("Vertex", "Vertex", "int"))
        self.functions.append(f)
        graph, reverse = c.pick((("edges", False), ("back", True)))
        to = self.asking({"dist"}, self.host()) if c.chance(30) else None
        chain = f"{graph}.from(bucket){f'.to({to.named()})' if to is not None else ''}"

        def run(w: World, at: Local) -> None:
            may = question(w, at, to) if to is not None else lambda _: True
            heap = [(near, v) for v, near in enumerate(w.vectors["dist"]) if near != FAR]
            heapq.heapify(heap)
            while heap:
                near, v = heapq.heappop(heap)
                for u, long in w.edges_of(v, reverse):
                    new = step.value(w, {"src": v, "dst": u, "weight": long})
                    if near == w.vectors["dist"][v] and may(u) and new < w.vectors["dist"][u]:
                        w.vectors["dist"][u] = new
                        heapq.heappush(heap, (new, u))

        test = c.pick(("pq.finished() == false", "not pq.finished()"))
        new = "pq = new priority_queue{Vertex}(int)(false, false, dist, 1, 2, false, source);"
        loop = self._loop(f"{chain}.applyUpdatePriority({f.name});", test, c.chance(30))
        more = self._more() if c.chance(40) else []
        asked = [P.asked("pq.finished()")] if c.chance(30) else []
        asked += [P.asked("pq.finishedNode(source)")] if c.chance(30) else []

        def whole(w: World, at: Local) -> None:
            w.vectors["dist"][at["source"]] = 0
            for s in more:
                s.run(w, at)
            run(w, at)
            for s in asked:
                s.run(w, at)

        lines = [line for some in (*more, S(loop, run), *asked) for line in some.lines]
        return [S(("dist[source] = 0;", new, *lines), whole)]

    def _more(self) -> list[S]:
        """Vertices are put into the queue by an apply."""
        c, scope = self.c, self.scope([V], {"dist"})
        number = P.literal("int", *c.pick((("2", 2), ("0", 0), ("9", 9))))
        value = c.pick((number, P.infix("+", V, number)))
        move = S((f"pq.updatePriorityMin(v, dist[v], {value.text});",), lambda w, my: w.vectors["dist"].__setitem__(
            my["v"], min(w.vectors["dist"][my["v"]], value.value(w, my))))
        f = Function(self.name("begin"), ["v"], P.block([P.when(scope.truth(), [move])]), {"dist"}, kinds=("Vertex",))
        self.functions.append(f)
        return [self.every(f)]

    def _peeled(self) -> list[S]:
        c = self.c
        less = c.pick((1, 1, 2))
        f = Function(self.name("peel"), ["src", "dst"], S((
            "    var k : int = pq.get_current_priority();", f"    pq.updatePrioritySum(dst, -{less}, k);"),
            lambda _w, _my: None), {"dist"}, kinds=("Vertex", "Vertex"))
        self.functions.append(f)
        graph, reverse = c.pick((("edges", False), ("back", True)))

        def run(w: World, _: Local) -> None:
            dist, left = w.vectors["dist"], set(w.nodes)
            while left:
                v = min(left, key=lambda v: (dist[v], v))
                left.remove(v)
                for u, _ in w.edges_of(v, reverse):
                    if dist[u] > dist[v]:
                        dist[u] = max(dist[u] - less, dist[v])

        return [S(("pq = new priority_queue{Vertex}(int)(false, true, dist, 1, 0, true, -1);", *self._loop(
            f"{graph}.from(bucket).applyUpdatePriority({f.name});", "pq.finished() == false", c.chance(30))), run)]
