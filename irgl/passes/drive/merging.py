"""In which loops rounds don't wait for each other, as a plan says, and why they do in others.

An option of two kinds of places: of statements of the Program, which are for others to run side by side, and of the
outermost loops of kernels.
"""

from __future__ import annotations

from dataclasses import dataclass

from irgl.analysis.check import check
from irgl.analysis.effects import beside
from irgl.analysis.idle.flags import flagged
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.options import OFF, SYNC
from irgl.passes.drive import find_rounds, merge_rounds
from irgl.passes.lowering.decisions import Decision, honour
from irgl.plan import Plan
from irgl.source import IrglError


@dataclass(frozen=True, slots=True)
class Driven:
    """A program as a plan drives its loops; plan: what else it says. decisions: what was said where, and what came of
    it. stages: the program after each pass that changed it, by name."""

    checked: Checked
    plan: Plan
    decisions: tuple[Decision, ...]
    stages: tuple[tuple[str, A.Program], ...]


def loops(checked: Checked) -> dict[str, A.Kernel]:
    """The outermost loops of kernels, by their paths, each with its kernel."""
    return {path: k for k in checked.kernels.values() for path, _ in outer_loops(k)}


def why_not(checked: Checked, kernel: A.Kernel) -> str | None:
    """Why rounds of a kernel have to wait for each other; None: they don't."""
    made = _written_as(checked, kernel)
    return made if isinstance(made, str) else None


def _written_as(checked: Checked, kernel: A.Kernel) -> list[tuple[str, A.Program]] | str:
    """The program in which a kernel's rounds don't wait, after each pass, or why they have to.

    A loop that goes on while a flag is set becomes an Iterate first.
    """
    stages: list[tuple[str, A.Program]] = []
    rounds = _flagged(checked, kernel)
    try:
        if rounds is not None:
            stages.append(("find_rounds", rounds))
            checked = check(rounds)
        made = merge_rounds.run(checked, checked.kernels[kernel.name])
        if isinstance(made, str):
            return made
        check(made)
    except IrglError as e:
        return f"what it would become is refused: {e.message}"
    return [*stages, ("merge_rounds", made)]


def _flagged(checked: Checked, kernel: A.Kernel) -> A.Program | None:
    """The program with an Iterate in the place of the loop of the Program that runs a kernel while that sets a flag."""
    for loop in walk(checked.entry) if checked.entry is not None else ():
        if isinstance(loop, A.While | A.DoWhile):
            found = flagged(checked, loop)
            if not isinstance(found, str) and found.invoke.kernel == kernel.name:
                return find_rounds.made_of(checked, loop, found)
    return None


def merged(checked: Checked, plan: Plan) -> Driven:
    """The program in which rounds don't wait for each other where a plan says so.

    Raises IrglError for a loop of which the plan alone says what can't be honoured.
    """
    said = tuple((key, value) for key, value in plan.settings if key.rpartition(".")[2] == SYNC)
    if not said:
        return Driven(checked, plan, (), ())
    at = [*beside.places(checked).values()]
    own = Plan(tuple((key, value) for key, value in said if key.rpartition(".")[0] not in at), plan.target)
    decisions: list[Decision] = []
    stages: list[tuple[str, A.Program]] = []
    for place, kernel in loops(checked).items():
        word, reason = own.text_of(SYNC, place), None
        if word == OFF:
            made = _written_as(checked, checked.kernels[kernel.name])
            if isinstance(made, str):
                reason = made
            else:
                stages += made
                checked = check(made[-1][1])
        decisions.append(Decision(place, SYNC, word, reason))
    honour(own, [*decisions, *(Decision(place, SYNC, own.text_of(SYNC, place), None) for place in at)])
    told = tuple(d for d in decisions if d.value == OFF)
    kept = tuple(pair for pair in own.settings if "." in pair[0])
    return Driven(checked, Plan(tuple(pair for pair in plan.settings if pair not in kept), plan.target), told,
                  tuple(stages))
