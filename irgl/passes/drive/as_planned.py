"""Which loops of the Program are driven by data or by the topology, as a plan says, and why others can't be.

This comes before all other passes in which a plan has a say: what it leaves is a program as one might have written it.
"""

from __future__ import annotations

from irgl.analysis.check import check
from irgl.analysis.names.paths import paths_of
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.passes.drive import find_rounds, list_changed, merging, sweep_nodes
from irgl.passes.drive.merging import Driven
from irgl.passes.lowering.decisions import Decision, honour
from irgl.plan import Plan
from irgl.source import IrglError

OPTION = "drive"
AS_WRITTEN, DATA, TOPOLOGY = "written", "data", "topology"
_LOOPS = (A.Iterate, A.Pipe, A.While, A.DoWhile)


def places(checked: Checked) -> dict[str, A.Stmt]:
    """The loops of the Program, by their paths."""
    if checked.entry is None:
        return {}
    return {path: s for s, path in paths_of(checked.entry).items() if isinstance(s, _LOOPS)}


def reasons(checked: Checked, loop: A.Stmt) -> dict[str, str | None]:
    """By value of the option, why a loop of the Program can't be driven so; None: it can."""
    return {word: made if isinstance(made := written_as(checked, loop, word), str) else None
            for word in (DATA, TOPOLOGY)}


def driven(checked: Checked, plan: Plan) -> Driven:
    """The program as a plan drives its loops, those first whose rounds aren't to wait for each other.

    Raises IrglError for a loop of which the plan alone says what can't be honoured.
    """
    merged = merging.merged(checked, plan)
    checked, plan = merged.checked, merged.plan
    said = Plan(tuple((key, value) for key, value in plan.settings if key.rpartition(".")[2] == OPTION), plan.target)
    if not said.settings:
        return Driven(checked, plan, merged.decisions, merged.stages)
    decisions: list[Decision] = []
    stages = [*merged.stages]
    for place in places(checked):
        word = said.text_of(OPTION, place)
        reason = None
        if word != AS_WRITTEN:
            found = written_as(checked, places(checked)[place], word)
            if isinstance(found, str):
                reason = found
            else:
                stages += found
                checked = check(found[-1][1])
        decisions.append(Decision(place, OPTION, word, reason))
    honour(said, decisions)
    rest = Plan(tuple(pair for pair in plan.settings if pair not in said.settings), plan.target)
    told = tuple(d for d in decisions if d.value != AS_WRITTEN)
    return Driven(checked, rest, (*merged.decisions, *told), tuple(stages))


def written_as(checked: Checked, loop: A.Stmt, word: str) -> list[tuple[str, A.Program]] | str:
    """The program with one loop driven as a value of the option says, after each pass; or why it can't be."""
    try:
        return _written_as(checked, loop, word)
    except IrglError as e:
        return f"what it would become is refused: {e.message}"


def _written_as(checked: Checked, loop: A.Stmt, word: str) -> list[tuple[str, A.Program]] | str:
    stages: list[tuple[str, A.Program]] = []
    if isinstance(loop, A.Pipe):
        return "a Pipe runs over worklists, which its kernels hand on to each other"
    if word == TOPOLOGY:
        if not isinstance(loop, A.Iterate):
            return "its kernels have lists of the program's own, or none"
        swept = sweep_nodes.run(checked, loop)
        return swept if isinstance(swept, str) else [("sweep_nodes", swept)]
    if not isinstance(loop, A.Iterate):
        place = paths_of(checked.entry)[loop] if checked.entry is not None else ""
        made = find_rounds.run(checked, loop)
        if isinstance(made, str):
            return made
        stages.append(("find_rounds", made))
        checked = check(made)
        loop = places(checked)[place]
        assert isinstance(loop, A.Iterate)
    made = list_changed.run(checked, loop)
    if isinstance(made, str):
        return made
    check(made)
    return [*stages, ("list_changed", made)]
