"""Random applied functions of GraphIt's, in a program that runs them: every kind of store at every kind of place."""

from __future__ import annotations

import random

_HEAD = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex, int) = load(argv[1]);
const vertices : vertexset{Vertex} = edges.getVertices();
const a : vector{Vertex}(int) = 0;
const b : vector{Vertex}(int) = -1;
const c : vector{Vertex}(bool) = false;
const d : vector{Vertex}(double) = 0.5;
const total : int = 0;
const flag : bool = false;
const k : vector[3](int) = {1, 2, 3};
"""


class _Function:
    """Statements over the vertices `ends`. exact: only those whose outcome is the same in every order."""

    def __init__(self, rng: random.Random, ends: list[str], exact: bool) -> None:
        self.rng = rng
        self.ends = ends
        self.exact = exact
        self.locals = 0

    def number(self, depth: int = 0) -> str:
        if self.exact:
            return self.rng.choice([*self.ends, "3", "7"])
        options = [self.rng.choice(["0", "1", "-1", "7"]), f"a[{self.vertex()}]", f"b[{self.vertex()}]", "k[1]",
                   "total",
                   self.rng.choice(self.ends), f"{self.vertex()}"]
        if depth < 2:
            left, right = self.number(depth + 1), self.number(depth + 1)
            options += [f"({left} {self.rng.choice(['+', '-', '*'])} {right})"] * 2
        return self.rng.choice(options)

    def vertex(self) -> str:
        return self.rng.choice([*self.ends, *self.ends, "0", f"a[{self.rng.choice(self.ends)}]"])

    def truth(self) -> str:
        return self.rng.choice([f"c[{self.vertex()}] == false", f"b[{self.vertex()}] == -1", "flag",
                                f"{self.number(1)} < {self.number(1)}", f"not c[{self.vertex()}]"])

    def stmt(self, depth: int = 0) -> str:
        if self.exact:
            return self.exact_stmt()
        options = [
            f"a[{self.vertex()}] {self.rng.choice(['=', '+=', 'min=', 'max='])} {self.number()};",
            f"b[{self.vertex()}] {self.rng.choice(['=', 'min='])} {self.number()};",
            f"c[{self.vertex()}] = {self.rng.choice(['true', 'false', self.truth()])};",
            f"d[{self.vertex()}] {self.rng.choice(['=', '+='])} {self.number()} / 2.0;",
            f"total {self.rng.choice(['=', '+=', 'max='])} {self.number()};",
            "flag = true;",
            f"k[{self.rng.choice(['0', '1', self.number(1)])}] {self.rng.choice(['=', '+=', 'max='])} {self.number()};",
            f"writeMin(a, {self.vertex()}, {self.number()});",
        ]
        if depth < 2:
            inner = " ".join(self.stmt(depth + 1) for _ in range(self.rng.randrange(1, 3)))
            options += [f"if {self.truth()} {inner} end"] * 2
            options.append(f"for i{depth} in 0:2 {inner} end")
        self.locals += 1
        options.append(f"var t{self.locals} : int = {self.number()}; a[{self.vertex()}] += t{self.locals};")
        return self.rng.choice(options)

    def exact_stmt(self) -> str:
        end = self.rng.choice(self.ends)
        return self.rng.choice([
            f"a[{end}] += {self.number()};", f"b[{end}] max= {self.number()};", f"c[{end}] = true;",
            f"d[{end}] += {self.number()};", "total += 1;", "flag = true;",
            f"k[{self.rng.choice('012')}] += 2;", f"k[1] max= {self.number()};",
        ])

    def body(self) -> str:
        return " ".join(self.stmt() for _ in range(self.rng.randrange(1, 4)))


def program(seed: int, *, exact: bool = False) -> str:
    """A program that applies random functions to edges and vertices, with and without sets and filters.

    exact: its answer doesn't depend on the order of iterations.
    """
    rng = random.Random(seed)
    weighted = rng.random() < 0.4
    on_edge = _Function(rng, ["src", "dst"], exact).body()
    on_vertex = _Function(rng, ["v"], exact).body()
    asked = _Function(rng, ["v"], exact)
    test = "v < 5" if exact else asked.truth()
    source = rng.choice(["", ".from(frontier)", ".from(chosen)", ".srcFilter(chosen)"])
    target = rng.choice(["", ".to(chosen)", ".dstFilter(chosen)", ".to(frontier)"])
    graph = rng.choice(["edges", "edges.transpose()"])
    vector = rng.choice(["a", "b"]) if exact else rng.choice("abcd")
    apply = rng.choice([f"{graph}{source}{target}.apply(along);",
                        f"var found : vertexset{{Vertex}} = {graph}{source}{target}.applyModified(along, {vector});"
                        " count = found.size(); found.apply(at);"])
    return (
        f"{_HEAD}const count : int = 0;\n"
        f"func along(src : Vertex, dst : Vertex{', weight : int' * weighted})\n    {on_edge}\nend\n"
        f"func at(v : Vertex)\n    {on_vertex}\nend\n"
        f"func chosen(v : Vertex) -> output : bool\n    output = {test};\nend\n"
        "func main()\n    var frontier : vertexset{Vertex} = new vertexset{Vertex}(0);\n"
        "    frontier.addVertex(1); frontier.addVertex(3); frontier.addVertex(1);\n"
        f"    {rng.choice(['vertices', 'frontier', 'vertices.filter(chosen)'])}.apply(at);\n"
        f"    for round in 0:2\n        {apply}\n    end\n"
        "end\n"
    )
