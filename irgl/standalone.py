"""Programs with a main of their own, as `irglc compile` writes them: of one plan, or of several to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from irgl import driver
from irgl.codegen.openmp.several import ALWAYS, Variant, join
from irgl.codegen.openmp.standalone import emit_main
from irgl.driver import GraphParam, Ready, Unit
from irgl.plan import Plan, factor_in
from irgl.source import IrglError


def standalone(unit: Unit, plan: Plan | None = None, variants: Sequence[str] = ()) -> str:
    """The unit with a main of its own: a program that reads a graph in irgl's binary form.

    variants: where the unit has several, what its main says on stderr when one of them has run.
    """
    plan = plan if plan is not None else Plan()
    _refuse_order(plan)
    _refuse_forms(unit)
    needs: dict[str, dict[str, object]] = {
        g.name: {
            "undirected": g.needs.directed is False,
            "simple": g.needs.simple,
            "sorted": g.needs.sorted,
            "transpose": g.needs.transpose,
            "in_edge": g.needs.in_edge,
            "in_weights": g.needs.in_weights,
        }
        for g in unit.graph_params
    }
    limits = dict.fromkeys(Plan().limits, 0) | plan.limits
    on_gpu = plan.target in ("cuda", "simt")
    shown = "" if on_gpu or variants else str(plan)
    main = emit_main(unit.checked, needs, limits, [s.path for s in unit.sources], shown, factor_in(str(plan)), variants)
    return unit.text + (_beside_cuda(main) if on_gpu else main)


def standalone_of_several(program: Ready, chosen: Sequence[tuple[str, Plan]], target: str) -> str:
    """One program of several plans, each with a rule, that chooses between them by its first graph (see `several`)."""
    for _, plan in chosen:
        _refuse_order(plan)
    unit = several(program, chosen, target)
    told = [f"{rule}: {plan}" for rule, plan in chosen]
    return standalone(unit, chosen[0][1], told)


def several(program: Ready, chosen: Sequence[tuple[str, Plan]], target: str) -> Unit:
    """The unit of a program under several plans: that of the first rule runs that holds for the first graph.

    A rule is the text of an irgl.tune.inputs.rules.Rule; the last one is `always`. Raises IrglError for plans that
    can't stand in one unit.
    """
    if chosen[-1][0] != ALWAYS or any(rule == ALWAYS for rule, _ in chosen[:-1]):
        raise IrglError("of several plans the last one, and no other, is for all graphs",
                        hint="give all plans but the last one a rule")
    units = [driver.emit(program, plan, target) for _, plan in chosen]
    for unit in units:
        _refuse_forms(unit)
    if not units[0].graph_params:
        raise IrglError(f"{program.entry.name} has no graph by which to choose between plans", hint="give one plan")
    factors = {plan.text_of("auto") for _, plan in chosen if any(o.name == "auto" for o in plan.options)}
    if len(factors) > 1:
        raise IrglError("the program's parameters are worked out before a plan is chosen: `auto` can't be "
                        f"{' and '.join(sorted(factors))}", hint="give all plans the same `auto`")
    text = join([Variant(rule, str(plan), unit.text, plan.limits)
                 for (rule, plan), unit in zip(chosen, units, strict=True)])
    return replace(
        units[0],
        text=text,
        graph_params=tuple(_needed_by_any(graphs) for graphs in zip(*(u.graph_params for u in units), strict=True)),
        applied=tuple(f"variant {k}: {line}" for k, u in enumerate(units, 1) for line in u.applied),
        not_applicable=tuple(f"variant {k}: {line}" for k, u in enumerate(units, 1) for line in u.not_applicable),
    )


def _refuse_order(plan: Plan) -> None:
    order = plan.text_of("order")
    if order != plan.plain("order"):
        raise IrglError("a stand-alone program takes its graph as it lies in the file: it can't honour "
                        f"`order={order}`", hint="leave it out, or let `irglc run` lay the graph out")


def _refuse_forms(unit: Unit) -> None:
    forms = [f.form for g in unit.graph_params for f in g.forms]
    if forms:
        raise IrglError("a stand-alone program has its graph's edges in rows, as they lie in the file: it can't honour "
                        f"`format={forms[0]}`", hint="leave it out, or let `irglc run` build the form")


def _needed_by_any(graphs: Sequence[GraphParam]) -> GraphParam:
    """One graph as all variants need it: a plan may ask for in-edges."""
    transpose = any(g.needs.transpose for g in graphs)
    in_edge, in_weights = any(g.needs.in_edge for g in graphs), any(g.needs.in_weights for g in graphs)
    return replace(graphs[0], needs=replace(graphs[0].needs, transpose=transpose, in_edge=in_edge,
                                            in_weights=in_weights),
                   ends=any(g.ends for g in graphs), in_ends=any(g.in_ends for g in graphs))


def _beside_cuda(main: str) -> str:
    """The main, which is the CPU's, with the CPU's headers under a namespace of their own beside CUDA's."""
    begin = "  using namespace unit;\n"
    assert main.count(begin) == 1
    lines = main.splitlines(keepends=True)
    at = [i for i, line in enumerate(lines) if line.startswith('#include "cpu_rt/')]
    before, include, after = lines[: at[0]], lines[at[0] : at[-1] + 1], lines[at[-1] + 1 :]
    renamed = "".join(after).replace("irgl::", "irgl_host::")
    renamed = renamed.replace(begin, f"{begin}  irgl::own_process();\n")
    own = '#include "cuda_rt/own_process.cuh"\n'
    return "".join([*before, own, "#define irgl irgl_host\n", *include, "#undef irgl\n", renamed])
