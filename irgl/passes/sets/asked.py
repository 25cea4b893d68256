"""What a pulling loop asks for the nodes of the loop that it was: what these are in, where that can be asked itself."""

from __future__ import annotations

from irgl.analysis.names.members import DENSE
from irgl.analysis.names.symbols import Checked
from irgl.analysis.sets.groups import key_of
from irgl.ast import nodes as A
from irgl.passes.parts.either_loops import list_of
from irgl.passes.sets import relax_sets
from irgl.plan import Plan

#: Of `member`: what the nodes are in, where that can be asked, else this, into which nodes come without atomics.
AUTO, MADE = "auto", "bytemap"
_ASKABLE = ("set", *DENSE)


def asked(checked: Checked, kernel: A.Kernel, loop: A.ForAll, plan: Plan, place: str) -> A.Name | None:
    """What a loop's nodes are in, where a plan leaves it free what is asked for them, and that can be asked."""
    t = list_of(checked, kernel, loop)
    if t is None or t.kind not in _ASKABLE or plan.text_of("member", place) != AUTO:
        return None
    assert isinstance(loop.iterator, A.Member) and isinstance(loop.iterator.object, A.Name)
    kinds = relax_sets.kinds_of(checked, plan.text_of("dedup")) if t.kind == "set" else {}
    relaxed = not isinstance(kinds, str) and key_of(kernel, loop.iterator.object) in kinds
    return None if relaxed else loop.iterator.object
