"""A space holds the legal plans of a program, each once, and nothing else."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from support.places import PROGRAMS

from irgl.driver import emit, ready
from irgl.options import OPTIONS, Option
from irgl.plan import Plan
from irgl.source import IrglError
from irgl.space import Choice, legal_space
from irgl.tune.search.places import dimensions_of
from irgl.tune.search.space import Space, space_of

NAMES = ("bfs", "sssp_delta", "sssp_nf", "pr", "cc", "tri", "mst")
FLAT = """
graph Graph {
  node int label = 0;
}
Kernel number(Graph g) {
  ForAll (n In g.nodes) {
    n.label = 1;
  }
}
Program p(Graph g) {
  Invoke number(g);
}
"""


def option(name: str, **changed: object) -> Option:
    return replace(next(o for o in OPTIONS["simt"] if o.name == name), **changed)  # type: ignore[arg-type]


def space(*choices: Choice, scoped: bool = False, options: tuple[Option, ...] = OPTIONS["simt"]) -> Space:
    return Space(dimensions_of(list(choices), options, scoped), "simt")


@pytest.fixture
def nested() -> Space:
    """outline and, under `all`, unroll; retry beside them: (off, graph, all x 3) x 2 plans."""
    return space(Choice("p.iterate1", "outline", None, ("off", "all", "graph")),
                 Choice("p.iterate1", "unroll", None, ("1", "2", "4")), Choice("k.loop1", "retry", None))


@pytest.fixture
def limited() -> Space:
    """Options of which a GPU refuses some values together."""
    options = (option("block", tried=("256", "512", "1024")), option("bounds", tried=("off", "2", "4", "8")),
               option("regs", tried=("off", "64", "128", "255")), option("retry"))
    return space(*(Choice("", o.name, None) for o in options), options=options)


@pytest.mark.parametrize("name", NAMES)
def test_a_program_has_at_least_two_hundred_plans_on_the_cpu(name: str) -> None:
    assert space_of(ready(PROGRAMS / f"{name}.irgl")).count() >= 200


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("target", "scoped"), [("cpu", False), ("cpu", True), ("simt", False), ("simt", True)])
def test_every_plan_of_a_sample_is_accepted(name: str, target: str, scoped: bool) -> None:
    program = ready(PROGRAMS / f"{name}.irgl")
    for plan in space_of(program, target, scoped=scoped).sample(random.Random(7), 6):
        assert Plan.parse(str(plan), target) == plan
        emit(program, plan, target)  # raises what it refuses


def test_plans_are_counted_as_they_are_listed(nested: Space) -> None:
    assert (nested.count(), len(set(nested))) == (10, 10)


def test_an_option_is_left_at_its_default_where_it_means_nothing(nested: Space) -> None:
    unrolled = {p.text_of("outline") for p in nested if p.text_of("unroll") != "1"}
    assert unrolled == {"all"}


def test_values_that_are_refused_together_are_left_out_and_no_others(limited: Space) -> None:
    every = itertools.product(*(d.values for d in limited.dimensions))
    legal = set()
    for values in every:
        words = " ".join(f"{d.key}={v}" for d, v in zip(limited.dimensions, values, strict=True))
        try:
            legal.add(Plan.parse(words, "simt"))
        except IrglError:
            continue
    assert set(limited) == legal and len(legal) == limited.count() < 3 * 4 * 4 * 2


def test_plans_that_share_a_build_stand_together() -> None:
    choices = [c for c in legal_space(ready(PROGRAMS / "bfs.irgl").checked.program)
               if c.option in ("grain", "prefetch", "direction", "format", "order")]
    found = Space(dimensions_of(choices, OPTIONS["cpu"], False), "cpu")
    prepared = [found.prepared(p) for p in found]
    builds = [(found.prepared(p), found.group(p)) for p in found]
    assert len(list(itertools.groupby(prepared))) == len(set(prepared)) > 1
    assert len(list(itertools.groupby(builds))) == len(set(builds)) > len(set(prepared))


def test_the_number_of_a_plan_gives_the_plan(limited: Space) -> None:
    assert [limited.index(limited.at(k)) for k in range(limited.count())] == list(range(limited.count()))


def test_a_sample_has_no_plan_twice(nested: Space) -> None:
    for seed in range(20):
        assert len(set(nested.sample(random.Random(seed), 7))) == 7


def test_a_sample_larger_than_the_space_is_the_space(nested: Space) -> None:
    assert set(nested.sample(random.Random(1), 99)) == set(nested)


def test_every_plan_is_as_likely_as_any_other(nested: Space) -> None:
    rng = random.Random(1)
    drawn = Counter(p for _ in range(5000) for p in nested.sample(rng, 1))
    assert len(drawn) == 10 and all(430 < times < 570 for times in drawn.values())


def test_a_space_too_large_to_number_in_memory_is_sampled() -> None:
    places = [f"k.loop{i}" for i in range(1, 30)]
    huge = space(*(Choice(p, "np", None, ("serial", "tb", "wp", "fg")) for p in places), scoped=True)
    assert huge.count() == 4**29
    large = space(*(Choice(p, "np", None, ("serial", "tb", "wp", "fg")) for p in [*places, "k.a", "k.b", "k.c"]),
                  scoped=True)
    assert len(set(large.sample(random.Random(1), 50))) == 50


def test_neighbours_are_the_plans_that_differ_in_one_dimension(limited: Space) -> None:
    plan = limited.plan({"block": "256", "regs": "128"})
    said = limited.assignment(plan)
    apart = {p for p in limited if sum(v != said[k] for k, v in limited.assignment(p).items()) == 1}
    found = limited.neighbours(plan)
    assert set(found) == apart and len(found) == len(apart)


def test_what_a_step_brings_into_force_stands_at_its_home_value(nested: Space) -> None:
    outside = nested.plan({"outline": "off"})
    found = nested.neighbours(outside)
    assert {(p.text_of("outline"), p.text_of("unroll"), p.text_of("retry")) for p in found} == {
        ("all", "1", "plain"), ("graph", "1", "plain"), ("off", "1", "backoff")}


def test_a_step_away_leaves_what_is_no_longer_in_force_at_its_default(nested: Space) -> None:
    found = nested.neighbours(nested.plan({"outline": "all", "unroll": "4"}))
    assert {(p.text_of("outline"), p.text_of("unroll")) for p in found} == {
        ("off", "1"), ("graph", "1"), ("all", "1"), ("all", "2"), ("all", "4")}


def test_an_assignment_gives_back_its_plan(nested: Space) -> None:
    assert [nested.plan(nested.assignment(p)) for p in nested] == list(nested)


def test_options_without_a_legal_place_are_no_dimensions(tmp_path: Path) -> None:
    path = tmp_path / "flat.irgl"
    path.write_text(FLAT)
    keys = {d.key for d in space_of(ready(path)).dimensions}
    assert {"grain", "serial"} <= keys and not {"giant", "prefetch"} & keys


def test_an_option_with_one_legal_value_is_no_dimension() -> None:
    assert space(Choice("k.loop1", "cc", None, ("off",))).dimensions == ()


def test_only_legal_words_are_values() -> None:
    found = space(Choice("k.loop1", "cc", None, ("off", "warp")), Choice("k.loop2", "cc", None, ("off", "thread")),
                  Choice("k.loop3", "cc", "the append's value is used", ("off", "block")))
    assert [(d.key, set(d.values), d.home) for d in found.dimensions] == [("cc", {"off", "warp", "thread"}, "off")]


def test_what_depends_on_an_option_that_is_no_dimension_is_judged_by_its_default() -> None:
    unroll = Choice("p.iterate1", "unroll", None, ("1", "2"))
    assert [d.key for d in space(unroll).dimensions] == ["unroll"]
    plain = tuple(replace(o, default="off") if o.name == "outline" else o for o in OPTIONS["simt"])
    assert space(unroll, options=plain).dimensions == ()


def test_scoped_options_have_a_dimension_for_each_legal_place() -> None:
    found = space(Choice("k.loop1", "cc", None, ("off", "warp")), Choice("k.loop2", "cc", "no", ("off",)),
                  Choice("j.loop1", "cc", None, ("off", "auto")), Choice("", "block", None), scoped=True)
    assert [(d.key, d.place, d.home) for d in found.dimensions] == [
        ("k.loop1.cc", "k.loop1", "off"), ("j.loop1.cc", "j.loop1", "auto"), ("block", "", "256")]


def test_what_an_outer_place_says_holds_for_those_inside_it() -> None:
    places = ("p.pipe1", "p.pipe1.pipe1")
    found = space(*(Choice(p, "outline", None, ("off", "all", "graph")) for p in places),
                  *(Choice(p, "unroll", None, ("1", "2")) for p in places), scoped=True)
    inner = {(p.text_of("outline", places[0]), p.text_of("outline", places[1]))
             for p in found if p.text_of("unroll", places[1]) == "2"}
    assert inner == {("off", "all"), ("all", "all")}


def test_plans_that_differ_in_what_a_run_is_given_share_a_build() -> None:
    found = space_of(ready(PROGRAMS / "bfs.irgl"))
    assert found.group(found.plan({"grain": "1024"})) == found.group(found.plan({"serial": "off", "order": "degree"}))


def test_plans_that_differ_in_code_share_no_build() -> None:
    found = space_of(ready(PROGRAMS / "bfs.irgl"))
    assert found.group(found.plan({"prefetch": "8"})) != found.group(found.plan({}))


def test_plans_of_one_order_run_on_the_same_prepared_graph() -> None:
    found = space_of(ready(PROGRAMS / "bfs.irgl"))
    assert found.prepared(found.plan({"order": "degree", "grain": "1024"})) == "order=degree format=csr"


@pytest.mark.parametrize(("key", "cost"), [("grain", "run"), ("prefetch", "build"), ("order", "prepare")])
def test_a_dimension_tells_what_a_change_costs(key: str, cost: str) -> None:
    found = space_of(ready(PROGRAMS / "bfs.irgl"))
    assert next(d for d in found.dimensions if d.key == key).cost == cost


def test_default_and_none_are_in_the_space_as_what_they_come_to(tmp_path: Path) -> None:
    path = tmp_path / "flat.irgl"
    path.write_text(FLAT)
    found = space_of(ready(path))
    assert (found.default, found.none) == (Plan(), Plan.parse("serial=off"))


def test_the_nearest_plan_says_the_same_where_it_can() -> None:
    found = space_of(ready(PROGRAMS / "bfs.irgl"))
    assert found.nearest(Plan.parse("grain=1000 serial=off")) == Plan.parse("serial=off")


def test_a_value_outside_the_space_is_refused() -> None:
    found = space_of(ready(PROGRAMS / "bfs.irgl"))
    with pytest.raises(IrglError) as e:
        found.plan({"grain": "1000"})
    assert str(e.value) == ("error: `grain=1000` is not in the space\n"
                            "  hint: `grain` has the values 256, 1024, 4096, 16384, 65536")


def test_a_key_outside_the_space_is_refused(nested: Space) -> None:
    with pytest.raises(IrglError) as e:
        nested.plan({"block": "256"})
    assert str(e.value) == "error: the space has no dimension `block`\n  hint: it has outline, retry, unroll"


def test_a_plan_outside_the_space_has_no_assignment(nested: Space) -> None:
    plan = Plan.parse("block=64", "simt")
    with pytest.raises(IrglError) as e:
        nested.assignment(plan)
    assert str(e.value) == (f"error: the plan `{plan}` is not in the space\n"
                            "  hint: nearest() gives the one that is closest")
    assert plan not in nested
