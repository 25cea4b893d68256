"""Programs whose loops over rounds are driven as a plan says, as IrGL, and why others aren't."""

from __future__ import annotations

from irgl import driver
from irgl.analysis.check import check
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.frontends.text.load import load_text
from irgl.passes.drive.as_planned import driven, places, reasons
from irgl.plan import Plan


def ready(text: str) -> Checked:
    return driver.ready("p.irgl", text).checked


def after(text: str, plan: str) -> Checked:
    """The program as a plan drives it, from its printed text: that is IrGL."""
    return check(load_text(dump(driven(ready(text), Plan.parse(plan)).checked.program)))


def text_after(text: str, plan: str) -> str:
    """Its kernels and the Program, printed."""
    return printed(after(text, plan))


def printed(checked: Checked) -> str:
    """The kernels and the Program."""
    found = [d for d in checked.program.decls if isinstance(d, A.Kernel | A.Entry)]
    return "\n".join(dump(A.Program((d,))).strip() for d in found)


def why_not(text: str, value: str, place: str = "") -> str | None:
    """Why a loop of the Program, of several the first, can't be driven so; None: it can."""
    checked = ready(text)
    loops = places(checked)
    return reasons(checked, loops[place] if place else next(iter(loops.values())))[value]
