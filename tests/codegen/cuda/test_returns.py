"""ReduceAndReturn on GPUs: its text at each level of cc, what that costs in atomics, and its value."""

from __future__ import annotations

import pytest
from support.awkward_graphs import awkward

from irgl import driver
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, Outcome
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.describe import manifest_of

HEAD = """graph Graph { node int a = 1; }
bool any_small = false;
bool all_small = false;
long sum = 0;
Kernel small(Graph g, int limit) { ForAll (n In g.nodes) { ReduceAndReturn (n.id < limit); } }
Kernel take(Graph g) { ForAll (n In g.nodes) { ReduceAndReturn (n.a xchg= 0); } }
Kernel add(Graph g) { ForAll (n In g.nodes) { sum += n.id; } }
"""
LEVELS = {"off": None, "thread": "One", "warp": "Warp", "block": "Block"}
OPERATOR = {
    "off": """  irgl::for_each<irgl::One>(t, irgl::nodes(g), [&](irgl::Thread& t, bool, node_t n) {
    irgl::atomic_returned(c.globals->value, int64_t(n) < limit);
  });
""",
    **{level: f"""  irgl::for_each<irgl::One>(t, irgl::nodes(g), irgl::any<irgl::{scope}>(c.globals->value.any),
                            irgl::all<irgl::{scope}>(c.globals->value.all),
                            [&](irgl::Thread& t, bool, node_t n, bool& any, bool& all) {{
    irgl::returned(any, all, int64_t(n) < limit);
  }});
""" for level, scope in LEVELS.items() if scope is not None}}


def ran(body: str, cc: str, nodes: str = "star", mode: str = "lockstep") -> Outcome:
    plan = Plan.parse(f"block=64 cc={cc}", "simt")
    text = f"{HEAD}Program main(Graph g) {{ {body} }}\n"
    manifest = manifest_of(driver.compile("p.irgl", target="simt", plan=plan, text=text), "")
    executable = device.build(manifest, (32, 32), True)
    graphs = {"g": prepare(awkward()[nodes], requirements(manifest.graphs[0]))}
    return device.run_built(executable, 0.0, manifest, graphs, bind(manifest, graphs, {}), plan, Options(), mode=mode)


@pytest.mark.parametrize("cc", LEVELS)
def test_each_level_in_the_generated_text(cc: str) -> None:
    text = driver.compile("p.irgl", target="cuda", plan=Plan.parse(f"cc={cc}", "cuda"),
                          text=f"{HEAD}Program main(Graph g) {{ any_small = Any Invoke small(g, 5); }}\n").text
    kernel = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#line"))
    assert OPERATOR[cc] in kernel


@pytest.mark.parametrize("cc", LEVELS)
def test_it_is_a_place_of_the_plan(cc: str) -> None:
    unit = driver.compile("p.irgl", target="cuda", plan=Plan.parse(f"small.loop1.cc={cc}", "cuda"),
                          text=f"{HEAD}Program main(Graph g) {{ any_small = Any Invoke small(g, 5); }}\n")
    assert f"small.loop1: cc={cc}" in unit.applied


@pytest.mark.parametrize("cc", LEVELS)
@pytest.mark.parametrize(("limit", "some", "every"), [(0, False, False), (1, True, False), (299, True, False),
                                                      (300, True, True)])
def test_its_value_is_the_same_at_each_level(cc: str, limit: int, some: bool, every: bool) -> None:
    found = ran(f"any_small = Any Invoke small(g, {limit}); all_small = All Invoke small(g, {limit});", cc).result
    assert (found.scalars["any_small"], found.scalars["all_small"]) == (some, every)


@pytest.mark.parametrize("cc", LEVELS)
def test_over_no_items_any_is_false_and_all_is_true(cc: str) -> None:
    found = ran("any_small = Any Invoke small(g, 1); all_small = All Invoke small(g, 1);", cc, "empty").result
    assert (found.scalars["any_small"], found.scalars["all_small"]) == (False, True)


@pytest.mark.parametrize("cc", LEVELS)
def test_what_it_reduces_is_evaluated_once(cc: str) -> None:
    assert ran("all_small = All Invoke take(g);", cc).result.scalars["all_small"] is True
