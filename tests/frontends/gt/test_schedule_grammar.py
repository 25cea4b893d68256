"""The text of schedules: comments, numbers, lists, chains, objects; and where in a program's text they begin."""

from __future__ import annotations

from fractions import Fraction

import pytest
from support.gt_schedules import said

from irgl.frontends.gt.schedules.grammar import statements
from irgl.frontends.gt.schedules.lexer import begin
from irgl.frontends.gt.schedules.tree import Declared, Many, Number, OnObject, OnProgram
from irgl.source import Source

PULL = 'program->configApplyDirection("s0:s1", "DensePull");'
PULLED = "relax.s1.direction=pull"


@pytest.mark.parametrize("text", [
    f"% one\n{PULL} // two\n", f"/* any\nnumber of lines */ {PULL}", f"schedule:\n{PULL}", f"schedule: {PULL}",
    f"element Vertex end\nfunc main() end\n\n  schedule :{PULL}", PULL.replace("->", "\n  ->  ").replace(",", " ,\n"),
    PULL.replace("\n", "\r\n") + "\r\n", "\ufeff" + PULL,
])
def test_what_stands_around_a_call_changes_nothing(text: str) -> None:
    assert said(text).plan == PULLED


def test_a_text_without_a_section_has_none() -> None:
    text = "func main()\n  var reschedule: int = 0;\nend\n"
    assert begin(Source("x.gt", text)) is None


@pytest.mark.parametrize("text", ["", "schedule:", "% program->nothing();\n", "func main()\nend\nschedule:\n"])
def test_a_schedule_may_be_empty(text: str) -> None:
    found = said(text)
    assert (found.plan, found.delta, found.not_applicable) == ("", "", ())


@pytest.mark.parametrize(("written", "value"), [
    ("4", Fraction(4)), ("0x42000", Fraction(0x42000)), ("0XfF", Fraction(255)), ("0.03", Fraction(3, 100)),
    ("3e-2", Fraction(3, 100)), ("0.03f", Fraction(3, 100)), (".5", Fraction(1, 2)), ("5.", Fraction(5)),
    ("-1", Fraction(-1)), ("- 2.5", Fraction(-5, 2)),
])
def test_numbers_are_exact(written: str, value: Fraction) -> None:
    (statement,) = statements(Source("x.gt", f"program->a({written});"))
    assert isinstance(statement, OnProgram)
    (number,) = statement.call.args
    assert isinstance(number, Number)
    assert number.value == value


def test_a_chain_is_so_many_calls() -> None:
    found = statements(Source("x.gt", 'program->a("s1")->b({"x", "y"}, 2)\n->c();'))
    calls = [s.call for s in found if isinstance(s, OnProgram)]
    assert [c.name.name for c in calls] == ["a", "b", "c"]
    assert [str(c) for c in calls] == ['a("s1")', 'b({"x", "y"}, 2)', "c()"]
    assert isinstance(calls[1].args[0], Many)


def test_objects_are_declared_copied_made_of_others_and_changed() -> None:
    found = statements(Source("x.gt", "SimpleGPUSchedule s1; SimpleGPUSchedule s2 = s1; s1.configDelta(2);"
                                      "HybridGPUSchedule h (INPUT_VERTEXSET_SIZE, 0.1, s1, s2);"))
    kinds = [type(s) for s in found]
    assert kinds == [Declared, Declared, OnObject, Declared]
    assert [str(s) for s in found if isinstance(s, Declared)] == [
        "SimpleGPUSchedule s1", "SimpleGPUSchedule s2 = s1",
        "HybridGPUSchedule h (INPUT_VERTEXSET_SIZE, 0.1, s1, s2)"]


def test_a_copy_has_what_was_said_before_it_and_goes_its_own_way() -> None:
    text = ("SimpleGPUSchedule s1; s1.configLoadBalance(TWC); SimpleGPUSchedule s2 = s1; s1.configLoadBalance(CM);"
            's2.configFrontierCreation(FUSED); program->applyGPUSchedule("s0:s1", s2);'
            'program->applyGPUSchedule("s3", s1);')
    assert said(text, "simt").plan == "relax.s1.collect=push relax.s1.loop1.np=bins sum.s3.loop1.np=fg"


def test_an_object_that_changes_later_was_applied_as_it_was() -> None:
    text = ('SimpleGPUSchedule s1; s1.configLoadBalance(TWC); program->applyGPUSchedule("s0:s1", s1);'
            "s1.configLoadBalance(CM);")
    assert said(text, "simt").plan == "relax.s1.loop1.np=bins"
