"""Plans: their text form, their values, and where each option is legal."""

from __future__ import annotations

import pytest

from irgl.frontends.text.load import load_text
from irgl.plan import Plan
from irgl.source import IrglError
from irgl.space import legal_space


def test_the_default_plan_in_words() -> None:
    assert str(Plan()) == (
        "grain=4096 serial=2048 giant=32768 prefetch=off direction=written fuse=1000 "
        "frontier=list buffer=64 auto=1 format=csr order=given")


def test_none_switches_off_what_can_be_off() -> None:
    assert str(Plan.none()) == (
        "grain=4096 serial=off giant=off prefetch=off direction=written fuse=1000 "
        "frontier=list buffer=64 auto=1 format=csr order=given")


@pytest.mark.parametrize("text", ["", "default", "none", "grain=1 giant=7", "none serial=3", "serial=0"])
def test_a_plan_survives_its_own_text(text: str) -> None:
    plan = Plan.parse(text)
    assert Plan.parse(str(plan)) == plan


def test_plans_that_say_the_same_are_equal() -> None:
    assert Plan.parse("giant=32768 grain=9") == Plan.parse("default grain=9")


def test_off_is_the_number_that_switches_off() -> None:
    plan = Plan.none()
    assert [plan.value("serial"), plan.value("giant")] == [0, 2**63 - 1]


def test_auto_is_no_plan_where_no_graph_is() -> None:
    with pytest.raises(IrglError, match="`auto` stands for a plan of each graph's own"):
        Plan.parse("auto")


def test_a_word_may_stand_in_place_of_a_number() -> None:
    assert Plan.parse("format=ell width=auto") == Plan.parse("format=ell")
    with pytest.raises(IrglError, match="it takes a whole number from 1 to 64, or `auto`"):
        Plan.parse("format=ell width=off")


@pytest.mark.parametrize("word", ["grain=", "serial=", "format=ell width="])
def test_nothing_is_no_number(word: str) -> None:
    with pytest.raises(IrglError, match="it takes a whole number"):
        Plan.parse(word)


def test_grain_cant_be_off() -> None:
    with pytest.raises(IrglError) as e:
        Plan.parse("grain=off")
    assert str(e.value) == ("error: `grain=off`: it takes a whole number from 1\n"
                            "  hint: grain: work, in edges, that a thread takes at a time")


def test_places_are_labels_or_numbers_of_the_loops_that_stand_in_no_other() -> None:
    program = load_text("""graph Graph { node int p; }
    Kernel k(Graph g) {
      ForAll (n In g.nodes) { ForAll (e In n.edges) { e.dst.p += 1; } }
      { last: ForAll (n In g.nodes) { n.p = 1; } }
    }
    Program main(Graph g) { Invoke k(g); }""")
    assert [(c.place, c.reason) for c in legal_space(program) if c.option == "giant"] == [
        ("k.loop1", None), ("k.last", "no ForAll over a node's edges in this loop")]


def test_the_interpreter_takes_no_option_but_those_of_parameters() -> None:
    program = load_text("graph Graph { node int p; } Kernel k(Graph g) { ForAll (n In g.nodes) { n.p = 1; } }")
    reasons = {c.reason for c in legal_space(program, "ref") if c.option != "auto"}
    assert reasons == {"the reference interpreter runs one item after the other"}
