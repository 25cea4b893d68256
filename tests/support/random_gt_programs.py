"""Random programs of GraphIt's whose answers depend on no order, with what they must find: sets, filters, functors,
applies to edges and vertices, changes, lists, loops, queues, and printed numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from support import gt_pieces as P
from support.choices import Choices
from support.gt_applied import DST, SRC, V
from support.gt_blocks import FIRST, argument, constant, printed, value_of
from support.gt_functions import Function, Scope, Vector
from support.gt_lists import Lists
from support.gt_numbers import KINDS, WHOLE, converted
from support.gt_pieces import Local, S, World
from support.gt_queues import FAR
from support.gt_rounds import along
from support.random_graphs import SmallGraph, from_arcs


@dataclass(frozen=True)
class Program:
    """text: the .gt file; graph and args: what it is given."""

    text: str
    graph: SmallGraph
    args: dict[str, int]
    starts: Callable[[World], None]
    main: S

    def meant(self) -> World:
        """What it finds. Raises Vague, or TooLong."""
        world = World(self.graph, self.args)
        self.starts(world)
        self.main.run(world, {"source": self.args["argv2"], "times": self.args["argv3"]})
        return world


def program(c: Choices) -> Program:
    nodes = c.pick((5, 2, 7, 9, 12))
    ends = sorted({(c.below(nodes), c.below(nodes)) for _ in range(c.pick((2, 1, 3)) * nodes)})
    weighted = c.chance(60)
    graph = from_arcs(nodes, [(a, b, c.between(0, 9)) for a, b in ends if a != b], weighted)
    return Maker(c, weighted).program(graph)


class Maker(Lists):
    """Adds what main says beside that. depth: how many blocks are around."""

    depth = 0

    def program(self, graph: SmallGraph) -> Program:
        c = self.c
        kinds = [*WHOLE, "double", "bool", *(c.pick(KINDS) for _ in range(c.below(4)))]
        self.vectors = [Vector(f"x{i}", k) for i, k in enumerate(kinds)]
        if c.chance(50):
            self.vectors.append(Vector("far", "int", "far"))
        self.scalars = [(f"s{i}", k) for i, k in enumerate(("int", c.pick(KINDS), c.pick(KINDS)))]
        first = {v.name: c.pick(FIRST[v.kind]) for v in self.vectors} | {n: c.pick(FIRST[k]) for n, k in self.scalars}
        degrees = {v.name for v in self.vectors if v.kind in ("int", "uint") and not v.role and c.chance(15)}
        first |= {"far": "0"}
        self.sets = ["frontier"]
        self._helpers()
        body = [*self._beginning("frontier"), *self.statements(c.between(3, 7)), *self._ends()]
        lines = ["element Vertex end", "element Edge end",
                 f"const edges : edgeset{{Edge}}(Vertex, Vertex{', int' * self.weighted}) = load(argv[1]);",
                 "const vertices : vertexset{Vertex} = edges.getVertices();",
                 f"const back : edgeset{{Edge}}(Vertex, Vertex{', int' * self.weighted}) = edges.transpose();",
                 "const seen : vector{Vertex}(int) = -1;"]
        for v in self.vectors:
            value = "edges.getOutDegrees()" if v.name in degrees else first[v.name]
            value = value.replace("Degrees", "DegreesUint") if v.kind == "uint" else value
            lines.append(f"const {v.name} : vector{{Vertex}}({'Vertex' if v.role == 'far' else v.kind}) = {value};")
        lines += [f"const {n} : {k} = {first[n]};" for n, k in self.scalars]
        lines += ["const kept : list{int};"] * self.lists
        far = c.pick(("edges.getOutDegrees()", "4")) if self.queue == "sum" else str(FAR)
        if self.queue:
            lines += [f"const dist : vector{{Vertex}}(int) = {far};", "const pq : priority_queue{Vertex}(int);"]
        main = P.block([P.declared("int", "source", argument(2)), P.declared("int", "times", argument(3)), *body])
        texts = [["func main()", *main.lines, "end", ""], *(f.lines() for f in self.functions)]
        if not c.chance(30):  # functions may stand behind those that name them
            texts.reverse()
        text = "\n".join([*lines, "", *(line for some in texts for line in some)])

        def starts(w: World) -> None:
            n = len(w.nodes)
            degrees_out = [sum(1 for _ in w.edges_of(u, False)) for u in w.nodes]
            w.vectors |= {"seen": [-1] * n, "dist": [int(far)] * n if far.isdigit() else list(degrees_out)}
            for v in self.vectors:
                w.vectors[v.name] = list(degrees_out) if v.name in degrees else [value_of(first[v.name], v.kind)] * n
            w.scalars |= {name: value_of(first[name], k) for name, k in self.scalars}

        return Program(text, graph, {"argv2": c.below(graph.num_nodes), "argv3": c.below(4)}, starts, main)

    # Statements

    def statements(self, count: int) -> list[S]:
        kept = list(self.locals), list(self.sets), list(self.own)
        self.depth += 1
        made = [s for _ in range(count) for s in self.statement()]
        self.depth -= 1
        self.locals, self.sets, self.own = kept
        return made

    def statement(self) -> list[S]:
        options: list[Callable[[], list[S]]] = [
            self.apply, self.apply, self.modified, self.modified, self.vertices, self.vertices, self.choose,
            self.number, self.number, self.variable, self.new_set, self.add, self.print, self.whole, self.vector,
            self.listed]
        if self.depth < 3:
            options += [self.branch, self.count, self.repeat]
        if self.depth < 3 and self.c.chance(50):
            options += [self.settle, self.search]
        if self.depth == 1:
            options += [self.layers, self.step]
            options += [self.queues] * 2 if not self.queue else []
        return self.c.pick(options)()

    def _beginning(self, name: str) -> list[S]:
        """A set that has some vertices, and vertices that know others."""
        def run(_: World, at: Local) -> None:
            at[name] = set()

        made = [S((f"var {name} : vertexset{{Vertex}} = new vertexset{{Vertex}}(0);",), run)]
        made += [s for _ in range(self.c.below(3)) for s in self.add()]
        far = self.vectors[-1]
        if far.role == "far" and name == "frontier":
            store = P.stored(far.at(SRC), "max=", DST, P.to_element("far", SRC))
            f = Function("know", ["src", "dst"], P.block([store]), {"far"}, kinds=("Vertex", "Vertex"))
            self.functions.append(f)
            made.append(S(("edges.apply(know);",), lambda w, _: along(w, w.nodes, f, None, False)))
        return made

    def _helpers(self) -> None:
        """Functions that expressions call: of a number, and of a vertex."""
        c = self.c
        for takes in ("int", "Vertex"):
            if c.chance(50):
                continue
            given, kind, name = P.local("int", "given"), c.pick(("int", "uint", "double")), f"help_{takes.lower()}"
            scope = self.scope([given] if takes == "Vertex" else [], set(), [given])
            if takes == "int":
                scope = Scope(c, [], [given], [])
            gives = P.local(kind, "output")
            put = P.to_local("output")
            body = [P.stored(gives, "=", scope.of(kind), put)]
            if c.chance(40):
                body = [P.when(scope.truth(), body, [P.stored(gives, "=", scope.of(kind), put)])]
            f = Function(name, ["given"], P.block(body), set(), result=("output", kind), kinds=(takes,))
            self.functions.append(f)

            def meant(w: World, x: Any, f: Function = f) -> Any:
                at = {"given": x}
                f.body.run(w, at)
                return at["output"]

            self.helpers.append((name, takes, kind, meant))

    def step(self) -> list[S]:
        """A function of the program's that runs others, called by main."""
        c, name = self.c, self.fresh("step")
        kept = self.locals, self.sets, self.own
        self.locals, self.sets, self.own = [], ["mine"], []
        inner = P.block([*self._beginning("mine"), *self.statements(c.between(1, 3))])
        self.locals, self.sets, self.own = kept
        self.functions.append(Function(name, ["source", "times"], inner, set(), kinds=("Vertex", "int")))
        calls = []
        for _ in range(c.pick((1, 2))):
            v = c.pick((P.local("int", "source"), P.literal("int", "0", 0)))
            n = c.pick((P.local("int", "times"), P.literal("int", "2", 2)))
            calls.append(S((f"{name}({v.text}, {n.text});",), lambda w, my, v=v, n=n: inner.run(
                w, {"source": v.value(w, my), "times": n.value(w, my)})))
        return calls

    def vector(self) -> list[S]:
        """A vector of main's own."""
        c, name, kind = self.c, self.fresh("own"), self.c.pick(KINDS)
        init = constant(c.pick(FIRST[kind]), kind) if c.chance(60) else self.host().of(kind)

        def run(w: World, at: Local) -> None:
            w.vectors[name] = [converted(init.value(w, at), kind)] * len(w.nodes)

        self.own.append(Vector(name, kind))
        return [S((f"var {name} : vector{{Vertex}}({kind}) = {init.text};",), run)]

    def _ends(self) -> list[S]:
        shown = self.c.pick(self.vectors)
        if shown.role or self.c.chance(60):
            return []
        name = self.name("show")
        one = printed(shown.at(V))
        self.functions.append(Function(name, ["v"], P.block([one]), set(), kinds=("Vertex",)))

        def run(w: World, at: Local) -> None:
            for v in w.nodes:
                one.run(w, {**at, "v": v})

        return [S((f"vertices.apply({name});",), run)]
