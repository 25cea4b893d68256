"""What is known of each kernel, loop and orchestration statement: the facts that `irglc explain` shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from irgl.analysis.effects.bounds import Bound, bounds
from irgl.analysis.effects.effects import Effects, closure, effects_of, home_graph, kernel_effects
from irgl.analysis.effects.sections import in_turn
from irgl.analysis.flow.cfg import Cfg, Edge, Vertex, control_flow
from irgl.analysis.flow.control_dependence import Dependences, control_dependence
from irgl.analysis.flow.focal import Focal, focal_points
from irgl.analysis.flow.outline import LOOPS, OutlineNode, outline_trees
from irgl.analysis.flow.replay import why_no_replay
from irgl.analysis.flow.uniformity import LEVELS, uniformity
from irgl.analysis.names.paths import paths_of
from irgl.analysis.names.symbols import Checked
from irgl.analysis.refusal import Refusal
from irgl.ast import nodes as A
from irgl.ast.dump_stmt import statement
from irgl.ast.visit import line_of

_WIDTH = 40


@dataclass(slots=True)
class Explained:
    """One place. What doesn't apply to it is None or empty.

    uniform: the widest unit whose threads make the same trips, whatever the schedule. focal: the edges into, in and out
    of the loop on which a collective of a block may stand, when the schedule makes the outermost loops uniform
    (`outer`), and when it makes all ForAlls so (`all`). outline: can a Pipe or Iterate move to the GPU; `refusals` says
    why not, with the place, also for what is nested in it. bounds: by list. replay: why a round of a kernel can't run
    twice; None in a kernel where it can. sections: of the Program's Sections, whether they run at once.
    """

    path: str
    what: str
    node: A.Node
    effects: Effects
    uniform: str | None = None
    focal: dict[str, list[Edge]] = field(default_factory=dict)
    variables: list[str] = field(default_factory=list)
    combines: list[str] = field(default_factory=list)
    bounds: dict[str, Bound] = field(default_factory=dict)
    replay: Refusal | None = None
    outline: bool | None = None
    refusals: list[tuple[str, Refusal]] = field(default_factory=list)
    sections: list[str] = field(default_factory=list)

    @property
    def line(self) -> int | None:
        return self.node.span.line if self.node.span is not None else None


@dataclass(frozen=True, slots=True)
class Flow:
    """A kernel's graph with its branches and focal points; the keys are those of `Explained.focal`."""

    cfg: Cfg
    dependences: Dependences
    level: Mapping[Vertex, str]
    uniform: Mapping[str, frozenset[Vertex]]
    focal: Mapping[str, Focal]


def explain(checked: Checked) -> list[Explained]:
    """Every kernel, its loops, the Program and its loops and orchestration statements, in the order of the text."""
    found: list[Explained] = []
    for decl in checked.program.decls:
        if isinstance(decl, A.Kernel):
            found += _kernel(checked, decl)
        elif isinstance(decl, A.Entry):
            found += _entry(checked, decl)
    return found


def flow(checked: Checked, kernel: A.Kernel) -> Flow:
    """A kernel's control flow as a block's threads see it, with the outermost ForAlls made uniform, and with all."""
    cfg = control_flow(kernel)
    dependences = control_dependence(cfg)
    loops = {v.node: v.loops for v in cfg.vertices if isinstance(v.node, A.ForAll)}
    made = {"outer": {s: "block" for s, around in loops.items() if not around}, "all": dict.fromkeys(loops, "block")}
    uniform = {
        name: uniformity(checked, kernel, cfg, how, dependences=dependences).branches("block")
        for name, how in made.items()
    }
    return Flow(
        cfg,
        dependences,
        uniformity(checked, kernel, cfg, dependences=dependences).level,
        uniform,
        {name: focal_points(cfg, branches, dependences) for name, branches in uniform.items()},
    )


def describe(v: Vertex) -> str:
    """A vertex in a user's words: what it is, and its line."""
    line = f" (line {v.node.span.line})" if v.node is not None and v.node.span is not None else ""
    return short(v) + line


def short(v: Vertex) -> str:
    """The beginning of a vertex' text; Start and Exit have none."""
    text = v.name if v.node is None else head(v.node)
    text = text if len(text) <= _WIDTH else f"{text[: _WIDTH - 3]}..."
    return {"join": "end of ", "do": "begin of "}.get(v.kind, "") + text


def head(node: A.Node) -> str:
    """The first line of a statement, without what it holds."""
    if isinstance(node, A.InvokeResult):
        return f"{node.reduction.capitalize()} Invoke {node.kernel}(...)"
    if isinstance(node, A.Kernel | A.Entry):
        return f"{'Kernel' if isinstance(node, A.Kernel) else 'Program'} {node.name}"
    assert isinstance(node, A.Stmt)
    return statement(node)[0].removesuffix("{").removesuffix("{ }").removesuffix(";").strip()


def _kernel(checked: Checked, kernel: A.Kernel) -> list[Explained]:
    whole = Explained(kernel.name, head(kernel), kernel, kernel_effects(checked, kernel))
    whole.bounds = bounds(checked, kernel)
    whole.replay = why_no_replay(checked, kernel)
    graph = flow(checked, kernel)
    home = home_graph(checked, kernel.params)
    found = [whole]
    for node, path in paths_of(kernel).items():
        assert isinstance(node, A.Stmt)
        one = Explained(path, head(node), node, effects_of(checked, (node,), home))
        v = graph.cfg.of.get(node)
        if v is not None:
            one.uniform = graph.level.get(v, LEVELS[-1])
        if isinstance(node, A.ForAll):
            inside = closure(checked, node)
            one.variables = [s.name for s in inside.reads]
            one.combines = [s.name for s, _ in checked.combined.get(node, [])]
            one.focal = {
                name: [e for e in graph.cfg.edges if e in focal.edges and _touches(e, node, v)]
                for name, focal in graph.focal.items()
            }
        found.append(one)
    return found


def _touches(e: Edge, loop: A.ForAll, header: Vertex | None) -> bool:
    """Does an edge lead into a loop, stand in it, or lead out of it?"""
    return header in (e.source, e.target) or loop in e.source.loops or loop in e.target.loops


def _entry(checked: Checked, entry: A.Entry) -> list[Explained]:
    home = home_graph(checked, entry.params)
    trees = {n.stmt: n for t in outline_trees(checked) for n in t.walk()}
    found = [Explained(entry.name, head(entry), entry, effects_of(checked, entry.body, home))]
    found[0].sections = [f"line {line_of(s)}: {_at_once(reason)}"
                         for s, reason in in_turn(checked).items()]
    for node, path in paths_of(entry).items():
        one = Explained(path, head(node), node, effects_of(checked, (node,), home))
        tree = trees.get(node) if isinstance(node, LOOPS) else None
        if tree is not None:
            one.outline = tree.legal
            one.refusals = _all_refusals(tree)
        found.append(one)
    return found


def _at_once(reason: str | None) -> str:
    return "all at once" if reason is None else f"one behind the other: {reason}"


def _all_refusals(tree: OutlineNode) -> list[tuple[str, Refusal]]:
    return [(n.path, r) for n in tree.walk() for r in n.refusals]
