"""What a pulling loop asks for the nodes of the loop that it was: what these are in, where that can be asked itself."""

from __future__ import annotations

from irgl.analysis.names.members import DENSE
from irgl.analysis.names.symbols import Checked
from irgl.analysis.sets.groups import WL
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.passes.sets import relax_sets
from irgl.plan import Plan

#: Of `member`: what the nodes are in, where that can be asked, else this, into which nodes come without atomics.
AUTO, MADE = "auto", "bytemap"
_ASKABLE = ("set", *DENSE)


def asked(checked: Checked, kernel: A.Kernel, loop: A.ForAll, plan: Plan, place: str) -> A.Name | None:
    """What a loop's nodes are in, where a plan leaves it free what is asked for them, and that can be asked."""
    match loop.iterator:
        case A.Member(object=A.Name(id=word) as items, name="items") if plan.text_of("member", place) == AUTO:
            facts = checked.facts[kernel.name]
            t = facts.worklist if word == "WL" and facts.uses_worklist else checked.types.get(items)
            kinds = relax_sets.kinds_of(checked, plan.text_of("dedup"))
            relaxed = not isinstance(kinds, str) and (WL if word == "WL" else (kernel.name, word)) in kinds
            return items if isinstance(t, T.Worklist) and t.kind in _ASKABLE and not relaxed else None
        case _:
            return None
