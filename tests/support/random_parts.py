"""The declarations of random programs, and the kernels that their host statements ask for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

from support.choices import Choices
from support.random_expressions import FLOATS, INTS, PAIR, Prop, Scope
from support.random_graphs import SmallGraph, random_graph
from support.random_kernels import DRAWN, Kernel
from support.random_statements import Kernels

LISTS = ("list<node>", "set<node>", "bitmap<node>", "bytemap<node>", "count<node>", "list<int>", "list<node>")
LOG = "AppendOnlyList<int>"
WORKLISTS = (
    "list<node>",
    "set<node>",
    "bitmap<node>",
    "bytemap<node>",
    "list<int>",
    "list<long>",
    "list<edge>",
    f"list<{PAIR}>",
)
_INIT = {"bool": ("false", "true", None), "node": ("NONE",), PAIR: (f"({PAIR}){{INF, 0}}", f"({PAIR}){{3, -1}}", None)}


@dataclass(frozen=True, slots=True)
class RandomProgram:
    """A source text, and what it runs on."""

    text: str
    graph: SmallGraph
    params: dict[str, Any]
    others: dict[str, SmallGraph] = field(default_factory=dict)

    @property
    def graphs(self) -> dict[str, SmallGraph]:
        """By the name that the Program gives each."""
        return {"g": self.graph, **self.others}

    def __repr__(self) -> str:
        told = [
            f"// {name}: {g.num_nodes} nodes, arcs "
            f"{[(s, int(d)) for s in range(g.num_nodes) for d in g.dst[g.row[s] : g.row[s + 1]]]}, weights {g.weight}"
            for name, g in self.graphs.items()
        ]
        return "\n".join([self.text, *told, f"// {self.params}"])


@dataclass(slots=True)
class Parts(ABC):
    """Makes one program: its declarations, and kernels on demand; `statement` adds to the host's."""

    c: Choices
    props: list[Prop] = field(default_factory=list)
    scalars: list[tuple[str, str]] = field(default_factory=list)
    lists: list[tuple[str, str]] = field(default_factory=list)
    logs: list[tuple[str, str]] = field(default_factory=list)
    kernels: list[Kernel] = field(default_factory=list)
    host: list[str] = field(default_factory=list)
    has_source: bool = False

    def make(self) -> RandomProgram:
        c = self.c
        self.has_source = c.chance(40)
        self.declare()
        for _ in range(c.between(1, 3)):
            self.statement()
        graph = random_graph(c)
        params = {"src": c.below(graph.num_nodes)} if self.has_source and graph.num_nodes and c.chance(50) else {}
        return RandomProgram(self.text(), graph, params)

    def declare(self) -> None:
        """Chooses what there is."""
        c = self.c
        self.props = [self.prop("node", i) for i in range(c.between(1, 5))] + [
            self.prop("edge", i) for i in range(c.between(0, 2))
        ]
        self.props.append(self.weight())
        self.scalars = [
            (f"s{i}", c.pick(("int", "long", "uint8", "uint64", "double", "int16"))) for i in range(c.between(1, 3))
        ]
        self.lists = [(f"pile{i}", c.pick(LISTS)) for i in range(c.below(4))]
        self.logs = [("notes", LOG)] if c.chance(25) else []
        self.helper = c.chance(40)
        self.maker = self.kernel_maker(c, self.props, self.scalars, ["mixed"] if self.helper else [])
        self.maker.drawing = self.scalars[0][1] in INTS and c.chance(30)

    def weight(self) -> Prop:
        return Prop("edge", "w", self.c.pick(("int", "long", "uint16", "float")), None)

    helper: bool = False
    maker: Kernels = field(init=False)
    kernel_maker: ClassVar[type[Kernels]] = Kernels

    def text(self) -> str:
        lines = ['import "append_only_list.irgl";'] if self.logs else []
        lines += [f"struct {PAIR} {{ int key; int val; }};", "graph Graph {", "  node lock guard;"]
        lines += [f"  {line}" for line in self.properties()]
        lines += ["}", *self.declarations()]
        source = ", node src = first" if self.has_source else ""
        lines.append(f"Program entry(Graph g{source}, int extra = 5) {{")
        return "\n".join([*lines, *(f"  {line}" for line in self.statements())]) + "\n}\n"

    def properties(self) -> list[str]:
        return [f"{p.owner} {p.type} {p.name}{'' if p.init is None else f' = {p.init}'};" for p in self.props]

    def declarations(self) -> list[str]:
        """Scalars, helpers and kernels."""
        lines = [f"{t} {name} = {self.c.pick(('0', '3', '100'))};" for name, t in self.scalars]
        if self.helper:
            inside = Scope([("a", "int"), ("b", "int")], graph="")
            plain = Kernels(self.c, [], [], []).e
            lines.append(
                f"int mixed(int a, int b) {{\n  if ({plain.boolean(inside)}) {{ return {plain.of('int', inside)}; }}\n"
                f"  int s = 0;\n  for (int j = 0; j < (b & 3); j++) {{ s += {plain.of('int', inside)} >> j; }}\n"
                f"  return s;\n}}"
            )
        if self.maker.drawing:
            name, t = self.scalars[0]
            lines.append(f"{PAIR} {DRAWN}(int by) {{\n  {name} += ({t})by;\n  return ({PAIR}){{(int){name}, by}};\n}}")
        return lines + [k.text for k in self.kernels]

    def statements(self) -> list[str]:
        """What the host does, with the variables and lists that it does it with."""
        name, t = self.scalars[0]
        declared = [f"{of} {word};" for word, of in (*self.lists, *self.logs)]
        return ["int turn = 0;", "long h = extra;", *declared, *self.host, f"{name} += ({t})(h + turn);"]

    def prop(self, owner: str, i: int) -> Prop:
        types = (*INTS, *FLOATS, "bool", "int", "long", *(("node", PAIR) if owner == "node" else ()))
        t = self.c.pick(types)
        number = ("0", "7", "INF", None, "100") if t in (*INTS, *FLOATS) else None
        init = self.c.pick(_INIT[t] if number is None else number)
        if owner == "edge" and init is None:
            init = _INIT.get(t, ("1",))[0]
        return Prop(owner, f"{owner[0]}p{i}", t, init)

    # Kernels

    def kernel(self, worklist: str = "", reads: bool = True, returns: bool = False, pushes: str = "") -> Kernel:
        """A new kernel; `pushes`: a list that it pushes to, and it takes others of the same kind alone."""
        k = Kernel(f"k{len(self.kernels)}", worklist, returns, uses_worklist=reads)
        wanted = [(name, t) for name, t in self.lists
                  if name == pushes or (self.c.chance(50) and (not pushes or t.startswith("list<")))]
        for name, t in wanted:
            readable = t.split("<")[0] != "count" and t.endswith("<node>") and name != pushes
            k.lists.append((name, t, "read" if readable and self.c.chance(50) else "push"))
        k.lists += [(name, t, "grow") for name, t in self.logs if not pushes and self.c.chance(60)]
        k.given, k.turn = self.given(), self.c.pick(("turn",) * 8 + ("(int)((h += 3).old)",))
        self.kernels.append(self.maker.make(k))
        return k

    def given(self) -> str:
        """An argument: often what the kernel itself may change."""
        match self.c.below(7):
            case 1 | 2:
                return f"(long)({self.c.pick(self.scalars)[0]})"
            case 3 if self.lists:
                return f"{self.c.pick(self.lists)[0]}.size"
            case 4 if self.has_source and (numbers := [p for p in self.props if p.owner == "node" and p.type in INTS]):
                return f"(long)(src.{self.c.pick(numbers).name})"
            case 5:
                return self.maker.updated()
            case 6:
                return "h"
            case _:
                return "5"

    def initial(self, worklist: str) -> str:
        item = worklist.split("<")[1].rstrip(">")
        match item:
            case "node":
                return (
                    "[src, src]"
                    if self.has_source and worklist.startswith("list") and self.c.chance(40)
                    else "(g.nodes)"
                )
            case "edge":
                return "(g.edges)"
            case "long":
                return "(range(h & 7))"
            case "int":
                return "[3, turn, 11]"
            case _:
                return f"[({PAIR}){{1, turn}}, ({PAIR}){{0, 5}}]"

    @abstractmethod
    def statement(self) -> None: ...
