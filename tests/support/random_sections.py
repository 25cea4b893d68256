"""Random programs whose Sections have nothing to do with each other, on one graph or two, or which share one thing.

Each section is what random_programs.py makes: kernels over properties, scalars and lists of its own, whose names begin
with its letter. All of them read what nobody changes meanwhile: the edges' `w`, and the nodes' `shown`, which is stored
between two rounds of Sections. On two graphs of one type two sections may have the same properties.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from support.choices import Choices
from support.random_expressions import PAIR, Prop, Scope
from support.random_graphs import SmallGraph, random_graph
from support.random_parts import RandomProgram
from support.random_programs import Maker
from support.random_statements import Kernels

#: What a section declares outside of itself, and its properties.
_OWN = re.compile(r"\b(?=(?:s|k|pile)\d+\b|(?:mixed|drawn|guard|notes)\b)")
_OWN_PROPERTIES = re.compile(r"\b(?=[ne]p\d+\b)")
SHOWN = Prop("node", "shown", "int", None)


class QuietKernels(Kernels):
    """Kernels that take no locks: sections with locks run one behind the other."""

    def locked(self, s: Scope, depth: int) -> None:
        self.racy(s, depth)

    def exclusively(self, s: Scope) -> None:
        pass


class Section(Maker):
    """Makes one section. weights: the type of the edges' weights, which all have together."""

    kernel_maker = QuietKernels
    weights = "int"

    def weight(self) -> Prop:
        return Prop("edge", "w", self.weights, None)

    def storable(self) -> list[Prop]:
        return [p for p in super().storable() if p is not SHOWN]


class LockingSection(Section):
    kernel_maker = Kernels


@dataclass(frozen=True, slots=True)
class Written:
    """One section: its letter, its graph and that one's type, and its texts; sum: of what it leaves in a scalar."""

    letter: str
    graph: str
    type: str
    source: bool
    properties: tuple[str, ...]
    outside: tuple[str, ...]
    lists: tuple[str, ...]
    inside: tuple[str, ...]
    sum: str


@dataclass(frozen=True, slots=True)
class Planted:
    """What two sections have in common and one of them changes. name: as it is told. put: the section's letter, where
    in it, and the text."""

    name: str
    properties: tuple[str, ...]
    outside: tuple[str, ...]
    variables: tuple[str, ...]
    put: tuple[tuple[str, int, str], ...]


@dataclass(frozen=True, slots=True)
class Sectioned:
    """A program of sections, to be written in any order of them."""

    sections: tuple[Written, ...]
    weights: str
    rounds: int
    graphs: dict[str, SmallGraph]
    planted: Planted | None = None

    def program(self, order: Sequence[int] | None = None) -> RandomProgram:
        """order: the sections by their numbers; None: as they were made."""
        chosen = self.sections if order is None else [self.sections[k] for k in order]
        others = {name: g for name, g in self.graphs.items() if name != "g"}
        return RandomProgram(self._text(chosen), self.graphs["g"], {}, others)

    def _text(self, chosen: Sequence[Written]) -> str:
        made, planted = self.sections, self.planted
        types = {s.graph: s.type for s in made}
        lines = ['import "append_only_list.irgl";', f"struct {PAIR} {{ int key; int val; }};"]
        for t in dict.fromkeys(types.values()):
            own = dict.fromkeys(line for s in made if s.type == t for line in s.properties)
            own |= dict.fromkeys(planted.properties if planted is not None and t == "Graph" else ())
            lines += [f"graph {t} {{", *(f"  {line}" for line in own), "  node int shown;", f"  edge {self.weights} w;",
                      "}"]
        lines += [f"Kernel show_{t}({t} g, int by) {{ ForAll (n In g.nodes) {{ n.shown = (int)n.id * by % 7; }} }}"
                  for t in dict.fromkeys(types.values())]
        lines += ["long total = 0;", *(line for s in made for line in s.outside)]
        lines += planted.outside if planted is not None else ()
        params = [f"{types.get(g, 'Graph')} {g}" for g in self.graphs]
        params += ["node src = first"] * any(s.source for s in made)
        lines.append(f"Program entry({', '.join(params)}, int extra = 5) {{")
        lines += [f"  {line}" for s in made for line in s.lists]
        lines += [f"  {line}" for line in planted.variables] if planted is not None else ()
        lines.append(f"  for (int round = 0; round < {self.rounds}; round++) {{")
        lines += [f"    Invoke show_{t}({g}, round + 3);" for g, t in types.items()]
        lines += ["    Sections {", *(line for s in chosen for line in self._section(s)), "    }"]
        return "\n".join([*lines, *(f"    {s.sum}" for s in made), "  }", "}"]) + "\n"

    def _section(self, s: Written) -> list[str]:
        inside = [*s.inside]
        for letter, at, text in self.planted.put if self.planted is not None else ():
            if letter == s.letter:
                inside.insert(2 if at == 0 else len(inside), text)
        return ["      {", *(f"        {line}" for line in inside), "      }"]


def sections(c: Choices, shared: bool = False) -> Sectioned:
    """Two or three sections, on one graph or two. shared: two of them are on one graph."""
    two = c.chance(45)
    twins, types = two and c.chance(40), two and c.chance(30)
    weights = c.pick(("int", "long", "uint16", "float"))
    graphs = {"g": random_graph(c), **({"other": random_graph(c)} if two else {})}
    made: list[Section] = []
    written = []
    for k in range(3 if two and shared else c.pick((2, 2, 3))):
        on_g = not two or k != 1
        one = LockingSection(c) if c.chance(15) else Section(c)
        one.weights, one.has_source = weights, on_g and graphs["g"].num_nodes > 0 and c.chance(30)
        one.declare()
        if twins and not on_g:
            one.props[:] = made[0].props
        elif c.chance(60):
            one.props.append(SHOWN)
        for _ in range(c.pick((1, 1, 2))):
            one.statement()
        made.append(one)
        owner = "a" if twins and not on_g else "abc"[k]
        graph, kind = ("g", "Graph") if on_g else ("other", "Other" if types and not twins else "Graph")
        written.append(_written(c, one, "abc"[k], owner, graph, kind))
    return Sectioned(tuple(written), weights, c.pick((1, 1, 2)), graphs)


def _written(c: Choices, one: Section, letter: str, owner: str, graph: str, kind: str) -> Written:
    def renamed(text: str) -> str:
        return _OWN_PROPERTIES.sub(f"{owner}_", _OWN.sub(f"{letter}_", text))

    def of_graph(text: str) -> str:
        text = re.sub(r"\bg\b", graph, renamed(text))
        return text if graph == "g" else re.sub(r"<(node|edge)>", rf"<\1<{graph}>>", text)

    lists = [f"{t} {name};" for name, t in (*one.lists, *one.logs)]
    before = lists if c.chance(10) else []
    outside = [renamed(re.sub(r"\bGraph g\b", f"{kind} g", line)) for line in one.declarations()]
    inside = [line for line in one.statements() if line not in before]
    locks = [f"node lock {letter}_guard;"] if isinstance(one, LockingSection) else []
    properties = [renamed(line) for line in one.properties() if not re.search(r" (?:w|shown);$", line)]
    return Written(letter, graph, kind, one.has_source, (*locks, *properties), tuple(outside),
                   tuple(map(of_graph, before)), tuple(map(of_graph, inside)),
                   f"total = total * 3 + (long)({letter}_{one.scalars[0][0]});")


@dataclass(frozen=True, slots=True)
class Fault:
    """What may be planted: a name as it is told; how it is changed, and how it is looked at; what that asks for."""

    name: str
    changes: tuple[str, ...]
    looks: tuple[str, ...]
    properties: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()


_FAULTS = (
    Fault("scalar common",
          ("common += 1;", "common = turn;", "tells();", "Invoke adds(g);", "Pipe Once { Invoke adds(g); }"),
          ("turn += common;", "turn += told();", "Invoke asks(g, common);", "Invoke looks(g);",
           "if (common > 3) { turn++; }"),
          outside=("int common = 0;", "int told() { return common; }", "void tells() { common += 1; }",
                   "Kernel adds(Graph g) { ForAll (n In g.nodes) { common += 1; } }",
                   "Kernel asks(Graph g, int by) { ForAll (n In g.nodes) { if (n.id < by) { continue; } } }",
                   "Kernel looks(Graph g) { ForAll (n In g.nodes) { if (n.id == common) { continue; } } }")),
    Fault("common",
          ("common += 1;", "common = turn;", "if (turn > 1) { common = 3; }"),
          ("turn += common;", "h = common;", "for (int i = 0; i < common; i++) { turn++; }"),
          variables=("int common = 0;",)),
    Fault("g.node.common",
          ("Invoke stores(g, turn);", "Invoke spreads(g);", "Iterate claims(g) Initial (g.nodes) { break; }",
           "if (g.num_nodes > 0) { g.node(0).common = turn; }"),
          ("Invoke looks(g);", "Invoke chooses(g);", "if (g.num_nodes > 1) { h += g.node(1).common; }",
           "if (g.num_nodes > 1) { h += deep(g, g.node(1)); }", "if (Any Invoke finds(g)) { h++; }"),
          properties=("node int common = 0;",), outside=(
          "Kernel stores(Graph g, int by) { ForAll (n In g.nodes) { n.common = by; } }",
          "Kernel spreads(Graph g) { ForAll (n In g.nodes) { ForAll (e In n.edges) { e.dst.common max= 3; } } }",
          "Kernel claims(Graph g) WL set<node> { ForAll (n In WL.items) { n.common += 1; } }",
          "Kernel looks(Graph g) { ForAll (e In g.edges) { if (e.src.common == 3) { continue; } } }",
          "Kernel chooses(Graph g) { ForAll (n In g.nodes) { For (e In n.edges.when(n.common < 2)) { break; } } }",
          "Kernel finds(Graph g) { ForAll (n In g.nodes) { ReduceAndReturn(n.common > 3); } }",
          "long deep(Graph g, node n) { return (long)n.common; }")),
    Fault("g.edge.common",
          ("Invoke stores(g);", "Pipe Once { Invoke raises(g); }"), ("Invoke looks(g);",),
          properties=("edge int common = 0;",), outside=(
          "Kernel stores(Graph g) { ForAll (n In g.nodes) { ForAll (e In n.edges) { e.common = 1; } } }",
          "Kernel raises(Graph g) { ForAll (e In g.edges) { e.common += 1; } }",
          "Kernel looks(Graph g) { ForAll (n In g.nodes) { For (e In n.in_edges) { if (e.common > 3) break; } } }")),
    Fault("list common",
          ("Invoke fills(g, common);", "common.clear();", "list<node> mine; common.update(mine);"),
          ("h += common.size;", "Invoke reads(g, common);", "list<node> mine; mine.update(common);"),
          variables=("list<node> common;",), outside=(
          "Kernel fills(Graph g, list<node> out) { ForAll (n In g.nodes) { out.push(n); } }",
          "Kernel reads(Graph g, list<node> out) { ForAll (n In out.items) { if (n.id == 2) { continue; } } }")),
)


def planted(c: Choices) -> Sectioned:
    """The same, with something that two sections on one graph have in common and one of them changes."""
    made, fault = sections(c, shared=True), c.pick(_FAULTS)
    on_g = [s.letter for s in made.sections if s.graph == "g"]
    texts = [c.pick(fault.changes), c.pick((*fault.looks, *fault.changes))]
    if c.chance(50):
        texts.reverse()
    put = tuple((letter, c.below(2), text) for letter, text in zip((on_g[0], on_g[-1]), texts, strict=True))
    return replace(made, planted=Planted(fault.name, fault.properties, fault.outside, fault.variables, put))
