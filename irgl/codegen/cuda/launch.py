"""Launches of kernels: room for what they push, the launch itself, and what the host must know of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from irgl.analysis.effects.effects import Effects, effects_of, kernel_effects
from irgl.analysis.effects.in_edges import are_in_edges
from irgl.analysis.flow.kernels import only_loop, waits_for_none
from irgl.analysis.names.methods import is_object
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import walk
from irgl.codegen.cuda.repeats import has_last_round
from irgl.codegen.cxx.names import cxx_type, made, name, pipe_type, property_name
from irgl.codegen.cxx.work import Work, deciding, either, loop_range, over_list
from irgl.codegen.openmp.unit import graph_params
from irgl.passes.lift_objects import emptied
from irgl.passes.lowering.lower_cuda import Lowered
from irgl.passes.parts.make_room import Room
from irgl.plan import Plan


def written(effects: Effects, graph: dict[str, str], returns: bool) -> list[str]:
    """The statements that tell the host which of its copies are stale; `graph`: the graph variables' C++ names."""
    lines = [f"c.wrote({graph.get(place.of, name(place.of))}.{property_name(place.name)});"
             for place in effects.writes if place.kind in ("node", "edge")]
    if any(p.kind == "scalar" for p in effects.writes) or returns:
        lines.append("c.wrote_scalars();")
    return lines


def head(checked: Checked, k: A.Kernel) -> str:
    """The first line of the host function that runs a kernel."""
    facts = checked.facts[k.name]
    lists = [f"{pipe_type(facts.worklist, checked)}& wl"] if facts.uses_worklist else []
    params = ", ".join(["Context& c", *(parameter(checked, p) for p in k.params), *lists])
    return f"static void {name(k.name)}({params}) {{"


def launch_bounds(plan: Plan, least: int = 0) -> str:
    """How many registers a kernel's threads may have, as its qualifier; `least`: blocks where the plan says nothing."""
    blocks, registers = plan.launch_bounds
    if registers != 0:
        return f"__maxnreg__({registers})"
    return f"__launch_bounds__({', '.join(['irgl::block_size', *(str(n) for n in (blocks or least,) if n != 0)])})"


def launched(checked: Checked, k: A.Kernel) -> str:
    """What CUDA launches of a kernel."""
    return made(f"{name(k.name)}_kernel", Fresh(checked.program, k).taken)


def launcher(low: Lowered, k: A.Kernel, work: Work | None) -> list[str]:
    """The host function that launches a kernel: room for what it pushes, the launch, what it has written."""
    checked, facts = low.checked, low.checked.facts[k.name]
    lines = [head(checked, k)]
    own = {p.name: name(p.name) for p in k.params}
    body = reservations(low, k)
    if facts.worklist.by is not None and facts.reads:
        lines.append("  wl.choose(c);")  # before anybody asks for items, or takes a view
    views = ["wl.view()"] if facts.uses_worklist else []
    arguments = ", ".join(["c.device()", *(_passed(checked, p) for p in k.params), *views])
    together = k.name in low.waits or not waits_for_none(checked, k)
    sets = sum(isinstance(n, A.VarDecl) and isinstance(checked.symbols[n].type, T.Worklist) for n in walk(k))
    graphs = {p.name: name(p.name) for p in graph_params(checked, k.params)}
    word = f"launch{'_scratch' * bool(sets)}{'_cooperative' * together}"
    # A range that is computed in the kernel: as many threads as there can be.
    lanes = next((low.by_lanes[loop] for _, loop in outer_loops(k) if loop in low.by_lanes), 1)
    many = f" * {lanes}" if lanes > 1 else ""
    count = f"{work.text}.size(){many}" if work is not None else "size_t(1) << 40" if only_loop(k) is not None else "1"
    blocks = "irgl::all_blocks" if only_loop(k) is not None else blocks_for(low, [k], graphs.values())
    few = little(low, k, own, "wl.", "c") if together and not sets else ""
    blocks = f"{few} ? 1 : {blocks}" if few else blocks
    counts = [count] if not together else [] if sets else [blocks]
    if sets:
        counts += [f"size_t({name(graph_params(checked, k.params)[0].name)}.n)", str(sets)]
    body.append(f"c.{word}({', '.join([launched(checked, k), *counts, arguments])});")
    if facts.comes_back:
        more = f"wl.more(c{', true' * has_last_round(checked, k)})"
        lines += ["  do {", *("    " + line for line in body), f"  }} while ({more});"]
    else:
        lines += ["  " + line for line in body]
    lines += ["  " + line for line in written(kernel_effects(checked, k), graphs, facts.returns)]
    return [*lines, "}"]


def blocks_for(low: Lowered, kernels: Iterable[A.Kernel], graphs: Collection[str]) -> str:
    """How many blocks their loops fill at most, over nodes and edges of graphs of these C++ names."""
    found: set[str] = set()
    for loop in (loop for k in kernels for _, loop in outer_loops(k)):
        t = low.checked.types[loop.iterator]
        item = t.item if isinstance(t, T.Range | T.Worklist) else None
        if loop in low.sweeps or not graphs or not isinstance(item, T.NodeT | T.EdgeT):
            return "irgl::all_blocks"
        many = f"size_t({low.by_lanes[loop]}) * " if loop in low.by_lanes else ""
        found |= {f"{many}{g}.{'n' if isinstance(item, T.NodeT) else 'm'}" for g in graphs}
    return f"irgl::blocks_for({', '.join(sorted(found))})"


def little(low: Lowered, k: A.Kernel, given: dict[str, str], wl: str, on: str) -> str:
    """The test, before an invocation, that its outermost loops run over few items; "": nobody can tell before.

    given: what the kernel's parameters are for its caller; wl: how that asks the Pipe's list; on: by whom. It has to
    run over a list, each iteration by itself: of an Exclusive one wins among as many as run at once. Lists that the
    kernel empties itself hold what it has sorted (passes/bin_by_degree.py), with as many edges.
    """
    checked = low.checked
    sorted_ = {word for s in walk(k) if isinstance(s, A.Stmt) and (word := emptied(s)) is not None}
    other = either(checked, k)
    text = k.body if other is None else other.lists
    all_loops = deciding(checked, text)
    parts = [loop for loop in all_loops if _named(loop) & sorted_]
    loops = [loop for loop in all_loops if loop not in parts]
    if not any(over_list(checked, loop) for loop in loops) or any(isinstance(n, A.Exclusive) for n in walk(k)):
        return ""
    written = {place.name for place in effects_of(checked, text).writes if place.kind == "list"}
    written.discard("WL")  # whose new items are the next one's
    if other is not None and other.flag not in given:
        return ""
    tests: dict[str, None] = {} if other is None else {f"!{given[other.flag]}": None}
    for loop in loops:
        work = loop_range(checked, k, loop, given, wl, on)
        if work is None or _named(loop) & written or loop in low.sweeps:
            return ""  # nobody knows the range, or another thread may be lengthening it by now
        nested = [checked.types[n.iterator] for one in (loop, *parts) for n in walk(one)
                  if isinstance(n, A.ForAll | A.For) and n is not one]
        tests[f"irgl::few({work.by(any(map(are_in_edges, nested))) if nested else work.text})"] = None
    return " && ".join(tests)


def _named(loop: A.ForAll) -> set[str]:
    """What the loop's range is written with."""
    return {n.id for n in walk(loop.iterator) if isinstance(n, A.Name)}


def reservations(low: Lowered, k: A.Kernel) -> list[str]:
    """The statements that make room on the host for what an invocation pushes."""
    own = {p.name: name(p.name) for p in k.params}
    return [f"{reservation(low.checked, 'wl' if key == 'WL' else name(key), rooms, k, own, 'wl.', 'c')};"
            for key, rooms in low.bounds[k.name].items()]


def reservation(checked: Checked, target: str, rooms: tuple[Room, ...], k: A.Kernel, given: dict[str, str], wl: str,
                on: str) -> str:
    """The call that makes (on the host) or checks (outlined) room in the list `target` for one invocation.

    given: what the kernel's parameters are for its caller; wl: how that asks the Pipe's list; on: by whom.
    """
    word = "reserve_for" if on == "c" else "fits"
    needs = [_need(checked, b, k, given, wl, on) for b in rooms]
    edges, items = needs[-1]
    for bound, work in reversed(needs[:-1]):
        items = f"irgl::one_of({bound}, {work}, {edges}, {items})"
        edges = _UNKNOWN if _UNKNOWN in (edges, bound) else "irgl::bound{0, 0}"
    if rooms[0].within:
        edges = f"irgl::within({edges}, {given[rooms[0].within]}.n)"
    return f"{target}.{word}({on}, {edges}, {items})"


#: The bound of what nobody knows before.
_UNKNOWN = "irgl::bound{-1, -1}"


def _need(checked: Checked, b: Room, k: A.Kernel, given: dict[str, str], wl: str, on: str) -> tuple[str, str]:
    """How much is appended at most, and what for."""
    loop = b.loop
    work = None if loop is None else loop_range(checked, k, loop, given, wl, on)
    per_item, per_edge = b.per_item, b.per_edge
    if work is not None and b.everywhere and loop is not only_loop(k):  # no need to sum degrees
        work, per_item, per_edge = Work(f"irgl::range<edge_t>(0, {work.graph}.m)", ""), per_edge, 0
    known = b.known and (work is not None or loop is None)
    edges = f"irgl::bound{{{per_item}, {per_edge}}}" if known else _UNKNOWN
    return edges, "irgl::range<int64_t>(0, 1)" if work is None else work.by(b.incoming)


def parameter(checked: Checked, p: A.Param) -> str:
    """A parameter of a function of the host: lists and objects of libraries by reference."""
    t = checked.symbols[p].type
    return f"{cxx_type(t, checked)}{'&' * is_object(checked, t)} {name(p.name)}"


def _passed(checked: Checked, p: A.Param) -> str:
    return f"{name(p.name)}.view()" if is_object(checked, checked.symbols[p].type) else name(p.name)
