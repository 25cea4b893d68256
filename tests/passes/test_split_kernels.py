"""Kernels between whose loops the host chooses: which are launched loop by loop, and what that spares."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from irgl import driver
from irgl.analysis.check import check
from irgl.frontends.text.load import load_text
from irgl.passes.lowering.lower_cuda import lower
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.device import run
from irgl.rt.call.run import Options
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.program import open_program

BFS = Path(__file__).resolve().parents[2] / "programs" / "bfs.irgl"
HYBRID = "direction=hybrid member=bitmap cc=off np=wp outline=off"


def cuda(plan: str) -> str:
    return driver.emit(driver.ready(str(BFS), BFS.read_text(encoding="utf-8")), Plan.parse(plan, "cuda"), "cuda").text


def split(text: str, plan: str = "outline=off") -> dict[str, list[str]]:
    """By the kernel that is split, the kernels of its loops."""
    lowered = lower(check(load_text(text)), Plan.parse(plan, "simt"))
    return {name: list(parts.values()) for name, parts in lowered.split.items()}


def program(body: str) -> str:
    return f"""graph Graph {{ node int hue = INF; }}
long seen = 0;
Kernel k(Graph g, long bound) {{ {body} }}
Program p(Graph g, node src) {{ Iterate k(g, 5) Initial [src] {{ }} }}
"""


ONE = "ForAll (n In WL.items) { if (n.hue == INF) { racy n.hue = 1; WL.push(n); } }"
ALL = "ForAll (n In g.nodes) { n.hue = 2; }"


def test_each_loop_under_a_choice_of_the_host_is_a_kernel() -> None:
    assert split(program(f"if (WL.items.size > bound) {{ {ALL} }} else {{ {ONE} }}")) == {"k": ["k_loop1", "k_loop2"]}


@pytest.mark.parametrize("body", [
    f"{ALL} {ONE}",  # no choice
    f"if (seen > bound) {{ {ALL} }} else {{ {ONE} }}",  # a scalar, which the host would have to fetch
    f"if (WL.items.size > bound) {{ {ALL} seen = 1; }} else {{ {ONE} }}",
    f"long sum = 0; ForAll (n In WL.items) {{ sum += n.degree; }} if (sum > bound) {{ {ALL} }} else {{ {ONE} }}",
], ids=["no choice", "scalar asked", "scalar stored", "variable of threads"])
def test_what_the_host_does_not_know_stays_with_the_threads(body: str) -> None:
    assert split(program(body)) == {}


def test_a_kernel_that_runs_on_the_device_alone_stays_whole() -> None:
    assert split(program(f"if (WL.items.size > bound) {{ {ALL} }} else {{ {ONE} }}"), "outline=all") == {}


def test_a_loop_is_given_the_variables_that_it_asks_for() -> None:
    body = f"int few = 7; long more = WL.items.size; if (more > bound) {{ ForAll (n In g.nodes) {{ n.hue = few; }} }}" \
           f" else {{ {ONE} }}"
    lowered = lower(check(load_text(program(body))), Plan.parse("outline=off", "simt"))
    assert [p.name for p in lowered.checked.kernels["k_loop1"].params] == ["g", "few"]


def test_variables_of_one_name_on_both_ways_are_kept_apart() -> None:
    body = "if (WL.items.size > bound) { int y = 2; ForAll (n In g.nodes) { n.hue = y; } } else " \
           "{ double y = 1.5; ForAll (n In WL.items) { if (y > 1.0) { racy n.hue = 1; } } }"
    lowered = lower(check(load_text(program(body))), Plan.parse("outline=off", "simt"))
    assert [[str(p.type) for p in lowered.checked.kernels[k].params] for k in ("k_loop1", "k_loop2")] == [
        ["Graph", "int"], ["Graph", "double"]]


def test_names_of_the_program_are_not_taken() -> None:
    text = program(f"if (WL.items.size > bound) {{ {ALL} }} else {{ {ONE} }}").replace("seen", "k_loop1")
    assert split(text) == {"k": ["k_loop1_2", "k_loop2"]}


def test_nobody_waits_for_the_other_half_of_a_hybrid() -> None:
    text = cuda(HYBRID)
    assert "launch_cooperative" not in text and "wipe" not in text
    assert re.search(r"c\.launch\(advance_frontier_loop1_kernel, wl\.items\(c\)\.size\(\)", text)


def counted(plan: str) -> dict[str, Any]:
    manifest = open_program(BFS, Plan.parse(plan, "simt"))
    graphs = {"g": load("rmat:10", manifest.graphs[0], Loading())}
    return dict(run(manifest, graphs, bind(manifest, graphs, {"src": 2}), Plan.parse(plan, "simt"), Options(),
                    mode="lockstep").stats)


def test_a_hybrid_search_takes_half_of_what_the_best_pushing_one_does() -> None:
    hybrid, push = counted(f"{HYBRID} block=64"), counted("cc=off np=tb+wp outline=off block=32")
    assert hybrid["warp_steps"] <= 0.5 * push["warp_steps"]
    assert hybrid["transactions"] <= 0.5 * push["transactions"]
