"""Launches of kernels: room for what they push, the launch itself, and what the host must know of it."""

from __future__ import annotations

from dataclasses import dataclass

from irgl.analysis.effects.effects import Effects, home_graph, kernel_effects
from irgl.analysis.flow.kernels import only_loop, waits_for_none
from irgl.analysis.names.methods import is_object
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import walk
from irgl.codegen.cxx.names import cxx_type, form_of, made, name, pipe_type, property_name
from irgl.codegen.openmp.unit import graph_params
from irgl.passes.lower_cuda import Lowered
from irgl.passes.make_room import Room
from irgl.plan import Plan


def written(effects: Effects, graph: dict[str, str], returns: bool) -> list[str]:
    """The statements that tell the host which of its copies are stale; `graph`: the graph variables' C++ names."""
    lines = [f"c.wrote({graph.get(place.of, name(place.of))}.{property_name(place.name)});"
             for place in effects.writes if place.kind in ("node", "edge")]
    if any(p.kind == "scalar" for p in effects.writes) or returns:
        lines.append("c.wrote_scalars();")
    return lines


def launch_bounds(plan: Plan, least: int = 0) -> str:
    """How many registers a kernel's threads may have, as its qualifier; `least`: blocks where the plan says nothing."""
    blocks, registers = plan.launch_bounds
    if registers != 0:
        return f"__maxnreg__({registers})"
    return f"__launch_bounds__({', '.join(['irgl::block_size', *(str(n) for n in (blocks or least,) if n != 0)])})"


@dataclass(frozen=True, slots=True)
class Work:
    """What a kernel of one ForAll runs over, in C++; `graph`: whose nodes they are, "" where they are none."""

    text: str
    graph: str

    def by(self, incoming: bool) -> str:
        """The range with the edges of its items as their weight."""
        if not self.graph:
            return self.text
        return f"irgl::by_degree({form_of(self.graph, incoming)}, {self.text})"


def launched(checked: Checked, k: A.Kernel) -> str:
    """What CUDA launches of a kernel."""
    return made(f"{name(k.name)}_kernel", Fresh(checked.program, k).taken)


def launcher(low: Lowered, k: A.Kernel, work: Work | None) -> list[str]:
    """The host function that launches a kernel: room for what it pushes, the launch, what it has written."""
    checked, facts = low.checked, low.checked.facts[k.name]
    params = ["Context& c", *(parameter(checked, p) for p in k.params)]
    if facts.uses_worklist:
        params.append(f"{pipe_type(facts.worklist, checked)}& wl")
    lines = [f"static void {name(k.name)}({', '.join(params)}) {{"]
    lists = low.bounds[k.name].items()
    body = [f"{reservation('wl' if key == 'WL' else name(key), b, k, 'c', work)};" for key, b in lists]
    own = ["wl.view()"] if facts.uses_worklist else []
    arguments = ", ".join(["c.device()", *(_passed(checked, p) for p in k.params), *own])
    together = not waits_for_none(checked, k)
    sets = sum(isinstance(n, A.VarDecl) and isinstance(checked.symbols[n].type, T.Worklist) for n in walk(k))
    word = f"launch{'_scratch' * bool(sets)}{'_cooperative' * together}"
    # A range that is computed in the kernel: as many threads as there can be.
    count = f"{work.text}.size()" if work is not None else "size_t(1) << 40" if only_loop(k) is not None else "1"
    counts = [] if together else [count]
    if sets:
        counts += [f"size_t({name(graph_params(checked, k.params)[0].name)}.n)", str(sets)]
    body.append(f"c.{word}({', '.join([launched(checked, k), *counts, arguments])});")
    graphs = {p.name: name(p.name) for p in graph_params(checked, k.params)}
    if facts.retries:
        lines += ["  do {", *("    " + line for line in body), "  } while (wl.more(c));"]
    else:
        lines += ["  " + line for line in body]
    lines += ["  " + line for line in written(kernel_effects(checked, k), graphs, facts.returns)]
    return [*lines, "}"]


def reservation(target: str, b: Room, k: A.Kernel, on: str, work: Work | None) -> str:
    """The call that makes (on the host) or checks (outlined) room in the list `target` for one invocation."""
    word = "reserve_for" if on == "c" else "fits"
    known = b.known and (work is not None or only_loop(k) is None)
    edges = f"irgl::bound{{{b.per_item}, {b.per_edge}}}" if known else "irgl::bound{-1, -1}"
    items = "irgl::range<int64_t>(0, 1)" if work is None else work.by(b.incoming)
    return f"{target}.{word}({on}, {edges}, {items})"


def parameter(checked: Checked, p: A.Param) -> str:
    """A parameter of a function of the host: lists and objects of libraries by reference."""
    t = checked.symbols[p].type
    return f"{cxx_type(t, checked)}{'&' * is_object(checked, t)} {name(p.name)}"


def _passed(checked: Checked, p: A.Param) -> str:
    return f"{name(p.name)}.view()" if is_object(checked, checked.symbols[p].type) else name(p.name)


def kernel_range(checked: Checked, k: A.Kernel, given: dict[str, str], wl: str, on: str) -> Work | None:
    """What the kernel's one ForAll runs over, as its caller sees it; None where that isn't plain to see."""
    loop = only_loop(k)
    if loop is None:
        return None
    e = loop.iterator
    t = checked.types[e]
    text: str
    match e:
        case A.Member(name="nodes" | "edges", object=A.Name()) if not isinstance(checked.types[e.object], T.NodeT):
            assert isinstance(e.object, A.Name)
            of = given[e.object.id]
            text = f"irgl::nodes({of})" if e.name == "nodes" else f"irgl::range<edge_t>(0, {of}.m)"
        case A.Member(name="items", object=A.Name(id="WL")) | A.Name(id="WL"):
            text = f"{wl}items({on if on == 'c' else ''})"
        case A.Member(name="items", object=A.Name()) if isinstance(checked.types[e.object], T.Worklist):
            assert isinstance(e.object, A.Name)
            text = f"{given[e.object.id]}.items({on if on == 'c' else ''})"
        case _:
            return None
    if not isinstance(t, T.Range | T.Worklist) or not isinstance(t.item, T.NodeT):
        return Work(text, "")
    of = t.item.graph or home_graph(checked, k.params)
    return Work(text, given[of] if of else "")
