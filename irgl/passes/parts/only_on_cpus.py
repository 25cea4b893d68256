"""What GPU code can't do and the CPU's can: refused with its place, and what to write instead."""

from __future__ import annotations

from irgl.analysis.effects.effects import effects_of, kernel_effects
from irgl.analysis.flow.kernels import done_once, helpers_of, kept_between_rounds
from irgl.analysis.names.members import worklist_methods
from irgl.analysis.names.methods import effect_of, of_library
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.own import is_own, refuse_on_device
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import written
from irgl.ast.visit import walk
from irgl.source import IrglError


def refuse_what_the_cpu_alone_runs(checked: Checked) -> None:
    """Raises IrglError for C++, for lists and objects that a kernel changes as a whole, of which its threads have
    views, and for objects that no thread of a device can have."""
    for n in walk(checked.program):
        if isinstance(n, A.CBlock):
            raise IrglError("a CBlock is C++ for the CPU, which can't be compiled for GPUs", n.span,
                            "write it in IrGL, or use --target cpu")
    for k in (*checked.kernels.values(), *helpers_of(checked, checked.kernels.values())):
        for n in walk(k):
            if not isinstance(n, A.MethodCall):
                continue
            t = checked.types[n.object]
            method = worklist_methods(t).get(n.name) if isinstance(t, T.Worklist) else None
            if method is not None and method.effect == "writes":
                raise IrglError(f"'{n.name}' inside a kernel does not run on a device", n.span,
                                f"{n.name} the list in the Program, between two kernels; or use --target cpu")
    for k in checked.kernels.values():
        _refuse_changes(checked, k, {p.name for p in k.params})
        if done_once(checked, k) is not None:
            _refuse_to_keep(checked, k)
        _refuse_moving_elements(checked, k)
    refuse_on_device(checked)


def _refuse_to_keep(checked: Checked, k: A.Kernel) -> None:
    """Raises IrglError for a variable that can't outlive a round of a kernel that runs again for what comes back."""
    for v in kept_between_rounds(checked, k):
        if not T.is_scalar(v.type) and checked.fields(v.type) is None:
            raise IrglError(f"on a GPU '{k.name}' runs again for the items that come back, and "
                            f"'{written(v.name, v.span)}' is not kept till then", v.span,
                            "do what stands beside the ForAll in a kernel of its own; or use --target cpu")


def _refuse_changes(checked: Checked, body: A.Kernel | A.Function, shared: set[str]) -> None:
    """Raises IrglError where a kernel, or a helper that it calls, changes an object of the Program as a whole."""
    for n in walk(body):
        if isinstance(n, A.MethodCall) and isinstance(n.object, A.Name) and n.object.id in shared:
            if (of_library(checked, checked.types[n.object]) and not is_own(checked, n.object)
                    and effect_of(checked, n) == "writes"):
                raise IrglError(f"'{n.name}' inside a kernel does not run on a device", n.span,
                                f"{n.name} it in the Program, between two kernels; or use --target cpu")
        elif isinstance(n, A.Call) and n.function in checked.functions:
            f = checked.functions[n.function]
            given = {p.name for p, a in zip(f.params, n.args, strict=True)
                     if isinstance(a, A.Name) and a.id in shared and not is_own(checked, a)}
            if given:
                _refuse_changes(checked, f, given)


def _refuse_moving_elements(checked: Checked, k: A.Kernel) -> None:
    """Raises IrglError for elements of an Exclusive, in a list, that may change while they are named."""
    for s in (n for n in walk(k) if isinstance(n, A.Exclusive)):
        for e in s.elements:
            if isinstance(e, A.Name) and isinstance(checked.types[e], T.Named):
                by = effects_of(checked, s.elements) if is_own(checked, e) else kernel_effects(checked, k)
                if any(p.kind in ("object", "element") and p.name == e.id for p in by.writes):
                    raise IrglError(f"'{e.id}' may change while the Exclusive takes its elements, which on a GPU takes "
                                    "several looks", e.span,
                                    "copy them to an array of the iteration's own before; or use --target cpu")
