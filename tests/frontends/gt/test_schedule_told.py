"""Nothing is left out of a schedule in silence: what changes nothing is told, with the reason; and which call wins."""

from __future__ import annotations

import pytest
from support.gt_schedules import said, told

FIRST = 'configApplyParallelization("s0:s1", "serial")'


@pytest.mark.parametrize(("call", "reason"), [
    ('configApplyNUMA("s0:s1", "static-parallel", "DensePull")',
     "all memory is taken to be equally far from all threads"),
    ('fuseForLoop("l1", "l2", "l3")',
     "two loops run one after the other; what is said of the new label holds for both"),
    ('splitForLoop("l1", "l3", "l4", 2, 8)', "a loop stays one; what is said of the new labels holds for all of it"),
    ('fuseApplyFunctions("l1:a1", "l2:a1", "both")', "two applies run one after the other, each with its function"),
    ('configParForGrainSize("l1", 16)',
     "a par_for runs its iterations one after the other, each of which is parallel inside"),
    ('configIntersection("s0", "NaiveIntersection")', "s0 is a while, which has no intersection"),
    ('configApplyDirection("s0:s2", "DensePull")',
     "s0:s2 is an apply or filter of a vertexset, which has no direction"),
    ('configApplyDenseVertexSet("s0:s1", "bitvector")',
     "s0:s1 runs by SparsePush, where no set is asked who is in it: it means something for DensePull and DensePush"),
    ('configApplyDenseVertexSet("s0:s1", "bitvector", "dst-vertexset")',
     "the vertices that an apply goes to are asked by its `to`, which no plan changes"),
    ('configApplyParallelization("s0:s1", "serial", 8)',
     "there is no grain with serial: one thread takes everything"),
    ('configApplyParallelization("s0:s1", "static-vertex-parallel", 8)',
     "there is no grain with static-vertex-parallel: each thread takes one part"),
    ('configApplyParallelization("s0:s1", "serial", 8, "DensePull")',
     "s0:s1 has no half that runs by DensePull, but by SparsePush"),
    ('configApplyNumSSG("s0:s1", "edge-aware-vertex-count", 4)',
     "not built yet: segments have equally many vertices, not equally many edges"),
    ('configApplyNumSSG("s0:s1", "fixed-vertex-count", "argv[2]")',
     "segments= is chosen before the program runs: give --plan segments=N in place of an argument"),
    ('configBucketMergeThreshold("q1", "argv[2]")',
     "fuse= is chosen before the program runs: give --plan fuse=N in place of an argument"),
    ('configNumOpenBuckets("q1", 7)',
     "a plan for cpu has no buckets=7: it takes auto, 2, 4, 16, 32, 128, 1024, 8192"),
    ('configBucketMergeThreshold("s0:s1", 7)', "s0:s1 is an apply of an edgeset, which has no priority queue"),
    ('configApplyPriorityUpdateDelta("s0:s1", 7)', "s0:s1 is an apply of an edgeset, which has no priority queue"),
    ('setVertexSet("s0:s1", "sparse")',
     'a vertexset is a list or a set as its loops say: configApplyDirection("s0:s1", ...)'),
])
def test_a_call_that_changes_nothing_is_told_with_the_reason(call: str, reason: str) -> None:
    found = said(f"program->{call};")
    assert [(n.call, n.reason) for n in found.not_applicable] == [(call, reason)]
    assert found.not_applicable[0].span.column == len("program->") + 1


@pytest.mark.parametrize(("call", "label", "target", "reason"), [
    ("configLoadBalance(CM)", "s0:s1", "cpu", "a plan for cpu has no np=fg: it takes serial, bins"),
    ("configKernelFusion(ENABLED)", "s0", "cpu", "outline= is a word of GPUs alone"),
    ("configKernelFusion(ENABLED)", "s0:s1", "simt",
     "s0:s1, in line 1, is an apply of an edgeset: kernels of a while are fused"),
    ("configLoadBalance(CM)", "s0", "simt", "s0 is a while: configLoadBalance is said of an apply of an edgeset"),
    ("configDelta(4)", "s0", "simt", "s0 is a while: configDelta is said of an applyUpdatePriority"),
    ("configDelta(4)", "s3", "simt", "s3 is an apply of an edgeset, which has no priority queue"),
    ("configDirection(PUSH, BITMAP)", "s3", "simt",
     "a loop that pushes runs over its frontier, and asks no BITMAP who is in it"),
    ("configBooleanType(BITMAP)", "s3", "simt", "a vector of bool has a byte for each vertex"),
])
def test_what_an_object_says_in_vain_is_told(call: str, label: str, target: str, reason: str) -> None:
    assert told(f'SimpleGPUSchedule g; g.{call}; program->applyGPUSchedule("{label}", g);', target) == {call: reason}


@pytest.mark.parametrize(("vectors", "plan"), [
    ('"rank", "degrees"', ""), ('{"rank", "degrees", "old_rank"}', "pack=rank_+old_rank")])
def test_a_vector_that_is_no_array_lies_beside_none(vectors: str, plan: str) -> None:
    call = f"fuseFields({vectors})"
    assert said(f"program->{call};").plan == plan
    assert told(f"program->{call};") == {call: "`degrees` is no array of its own, which could lie beside others"}


def test_words_of_another_target_are_told() -> None:
    assert told(f"program->{FIRST};", "simt") == {FIRST: "threads= is a word of CPUs alone"}
    merge = 'configBucketMergeThreshold("q1", 9)'
    assert told(f"program->{merge};", "cuda") == {merge: "fuse= is a word of CPUs alone"}


def test_what_follows_from_a_call_needs_no_counterpart() -> None:
    assert told('program->configApplyPriorityUpdate("q1", "eager_priority_update");', "cuda") == {}


def test_an_object_that_nobody_applies_is_told() -> None:
    assert told("SimpleGPUSchedule s1; s1.configLoadBalance(CM);") == {
        "SimpleGPUSchedule s1": "`s1` is applied to no label"}


def test_a_direction_resets_what_stands_before_it() -> None:
    text = f'program->{FIRST};\nprogram->configApplyDirection("s0:s1", "DensePull");'
    assert said(text).plan == "relax.s1.direction=pull"
    assert told(text) == {FIRST: "configApplyDirection in line 2 stands behind it, and resets it"}


def test_an_older_direction_resets_nothing() -> None:
    assert said(f'program->{FIRST}->setApply("s0:s1", "pull");').plan == "relax.s1.threads=1 relax.s1.direction=pull"


def test_of_two_calls_for_one_label_the_later_wins() -> None:
    later = 'configApplyParallelization("s0:s1", "dynamic-vertex-parallel")'
    text = f"program->{FIRST};\nprogram->{later};"
    assert (said(text).plan, told(text)) == ("relax.s1.share=nodes", {FIRST: f"{later}, of line 2, comes later"})


def test_what_holds_for_the_program_is_said_last_by_the_last() -> None:
    first, later = ('configApplyDeduplication("s0:s1", "enable")', 'configApplyDeduplication("s3", "disable")')
    text = f"program->{first};\nprogram->{later};"
    assert (said(text).plan, told(text)) == (
        "dedup=off", {first: "`dedup=off`, of line 2, comes later and wins over `dedup=flags`"})


def test_of_two_deltas_the_later_wins() -> None:
    first, later = (f'configApplyPriorityUpdateDelta("q1", {n})' for n in (2, 4))
    found = said(f"program->{first};\nprogram->{later};")
    assert (found.delta, [n.call for n in found.not_applicable]) == ("4", [first])


def test_merging_wins_over_the_eager_update_that_has_none() -> None:
    text = ('program->configApplyPriorityUpdate("q1", "eager_priority_update")'
            '->configApplyPriorityUpdate("q1", "eager_priority_update_with_merge")'
            '->configBucketMergeThreshold("q1", 64);')
    assert (said(text).plan, told(text)) == ("fuse=64 move.q1.priority=eager", {})


def test_an_eager_update_without_merging_has_no_threshold() -> None:
    merge = 'configBucketMergeThreshold("q1", 64)'
    text = f'program->configApplyPriorityUpdate("q1", "eager_priority_update")->{merge};'
    assert told(text) == {merge: "eager_priority_update merges no buckets: eager_priority_update_with_merge does"}


def test_another_schedule_for_a_label_takes_the_place_of_the_first() -> None:
    text = ("SimpleGPUSchedule s1; s1.configFrontierCreation(FUSED); SimpleGPUSchedule s2; s2.configLoadBalance(CM);\n"
            'program->applyGPUSchedule("s0:s1", s1);\nprogram->applyGPUSchedule("s0:s1", s2);')
    assert said(text, "simt").plan == "relax.s1.loop1.np=fg"
    assert told(text, "simt") == {
        "configFrontierCreation(FUSED)": "applyGPUSchedule in line 3 stands behind it, and resets it"}


HALVES = ("SimpleGPUSchedule s1; SimpleGPUSchedule s2; s1.configDirection({}); s2.configDirection({}); {}"
          'HybridGPUSchedule h(INPUT_VERTEXSET_SIZE, 0.5, s1, s2); program->applyGPUSchedule("s0:s1", h);')


def test_a_hybrid_that_pulls_first_is_not_applicable() -> None:
    text = HALVES.format("PULL", "PUSH", "")
    assert (said(text).plan, told(text)) == ("", {'applyGPUSchedule("s0:s1", h)': (
        "it pulls while the frontier is small and pushes while it is large, where a hybrid loop does the opposite")})


def test_a_hybrid_of_one_direction_is_its_first_half() -> None:
    text = HALVES.format("PUSH", "PUSH", "s1.configLoadBalance(CM); s2.configLoadBalance(WM);")
    assert said(text, "simt").plan == "relax.s1.direction=written relax.s1.frontier=list relax.s1.loop1.np=fg"
    assert list(told(text, "simt")) == ["HybridGPUSchedule h(INPUT_VERTEXSET_SIZE, 0.5, s1, s2)"]


def test_the_half_that_pushes_says_whether_nodes_come_twice() -> None:
    text = HALVES.format("PUSH", "PULL", "s1.configDeduplication(ENABLED); s2.configDeduplication(DISABLED);")
    assert "dedup=flags" in said(text, "simt").plan
    assert told(text, "simt") == {"configDeduplication(DISABLED)": (
        "both halves fill the same set, for which the deduplication of the half that pushes holds")}


@pytest.mark.parametrize(("label", "places"), [
    ("l3:l1:a1", ["first.a1"]), ("l3:a1", ["first.a1", "second.a1"]), ("l2:a1", ["second.a1"])])
def test_what_is_said_of_a_fused_loop_holds_for_those_that_it_would_be(label: str, places: list[str]) -> None:
    text = f'program->fuseForLoop("l1", "l2", "l3")->configApplyParallelization("{label}", "serial");'
    assert said(text).plan == " ".join(f"{place}.threads=1" for place in places)


def test_what_is_said_of_a_part_of_a_split_loop_holds_for_all_of_it() -> None:
    text = 'program->splitForLoop("l1", "l8", "l9", 2, 8)->configApplyParallelization("l9:a1", "serial");'
    assert said(text).plan == "first.a1.threads=1"


@pytest.mark.parametrize(("said_so", "word"), [
    ("Naive", "merge"), ("Hiroshi", "merge"), ("Multiskip", "gallop"), ("Combined", "auto"),
    ("BinarySearch", "binary")])
def test_an_intersection_is_a_word_of_its_loop(said_so: str, word: str) -> None:
    found = said(f'program->configIntersection("s4", "{said_so}Intersection");')
    assert (found.plan, found.not_applicable) == (f"count.s4.intersect={word}", ())
