"""What each call of a schedule becomes in a plan: the table of docs/graphit_schedules.md, row by row."""

from __future__ import annotations

import pytest
from support.gt_rows import IN_CHAINS, ON_CPUS, ON_GPUS, S1, hybrid, on_object, on_program, way
from support.gt_schedules import said

from irgl.plan import Plan


@pytest.mark.parametrize(("call", "plan"), ON_CPUS, ids=[c for c, _ in ON_CPUS])
def test_a_call_on_the_program_becomes_words(call: str, plan: str) -> None:
    found = said(on_program(call))
    assert (found.plan, found.not_applicable) == (plan, ())


@pytest.mark.parametrize(("calls", "plan"), IN_CHAINS, ids=[c[1] for c, _ in IN_CHAINS])
def test_calls_behind_a_direction_speak_of_its_halves(calls: tuple[str, ...], plan: str) -> None:
    assert said(on_program(*calls)).plan == plan


@pytest.mark.parametrize(("text", "plan"), ON_GPUS, ids=[p for _, p in ON_GPUS])
def test_an_object_that_is_applied_becomes_words(text: str, plan: str) -> None:
    for target in ("cuda", "simt"):
        found = said(text, target)
        assert (found.plan, found.not_applicable) == (plan, ())


@pytest.mark.parametrize(("text", "plan"), [
    (on_object("configDirection(PULL, BITMAP)"), f"{S1}.direction=pull {S1}.member=bitmap"),
    (on_object("configFrontierCreation(UNFUSED_BITMAP)"), f"{S1}.collect=bitmap"),
    (on_object("configLoadBalance(VERTEX_BASED)"), f"{S1}.loop1.np=serial"),
    (on_object("configLoadBalance(TWC)"), f"{S1}.loop1.np=bins"),
    (on_object("configLoadBalance(STRICT)"), f"{S1}.share=even"),
    (on_object("configLoadBalance(EDGE_ONLY)", label="s3"), "sum.s3.loop1.format=coo"),
    (hybrid("0.03"), f"{S1}.direction=hybrid {S1}.switch=nodes:0.03 {S1}.member=bitmap"),
])
def test_an_object_says_on_cpus_what_has_a_meaning_there(text: str, plan: str) -> None:
    found = said(text)
    assert (found.plan, found.not_applicable) == (plan, ())


@pytest.mark.parametrize(("calls", "plan"), [
    ((way("SparsePush-DensePull"),), f"{S1}.direction=hybrid"),
    ((way("DensePull"), 'configApplyDenseVertexSet("s0:s1", "bitvector")'), f"{S1}.direction=pull {S1}.member=bitmap"),
    (('configApplyPriorityUpdate("q1", "eager_priority_update")',), "move.q1.priority=eager"),
    (('configNumOpenBuckets("q1", 24)',), "buckets=24"),
    (('fuseFields("old_rank", "out_degree")',), "pack=old_rank+out_degree"),
    (('configApplyNumSSG("s3", "fixed-vertex-count", 2)',), "sum.s3.loop1.format=coo sum.s3.loop1.segments=2"),
])
def test_a_call_on_the_program_says_on_gpus_what_has_a_meaning_there(calls: tuple[str, ...], plan: str) -> None:
    found = said(on_program(*calls), "simt")
    assert (found.plan, found.not_applicable) == (plan, ())


@pytest.mark.parametrize(("text", "delta", "arguments"), [
    ('program->configApplyPriorityUpdateDelta("q1", 4);', "4", {}),
    ('program->configApplyPriorityUpdateDelta("q1", "argv[3]");', "argv3", {"argv3": "int"}),
    ('program->setApply("q1", "delta", 9);', "9", {}),
    (on_object('configDelta("argv[4]")', label="q1"), "argv4", {"argv4": "int"}),
    (hybrid('"argv[5]"'), "", {"argv5": "double"}),
])
def test_a_delta_is_a_default_and_arguments_are_parameters(text: str, delta: str, arguments: dict[str, str]) -> None:
    found = said(text)
    assert (found.delta, found.arguments) == (delta, arguments)


@pytest.mark.parametrize(("text", "target"), [
    *((on_program(c), "cpu") for c, _ in ON_CPUS), *((on_program(*c), "cpu") for c, _ in IN_CHAINS),
    *((t, "simt") for t, _ in ON_GPUS)])
def test_what_a_schedule_says_is_a_plan(text: str, target: str) -> None:
    found = said(text, target)
    assert {str(w.key) for w in found.words} >= {key for key, _ in Plan.parse(found.plan, target).settings}
