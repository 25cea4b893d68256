"""Programs that gather values of all edges' far ends, round after round, have these edges in blocks by default."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from support.programs import PLACE

import irgl
from irgl.plan import Plan
from irgl.rt.forms import placed
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.program import open_program
from irgl.rt.system import caches
from irgl.tune.choose.auto import Chosen, Given, resolve, seeds
from irgl.tune.inputs.features import at_once

BODY = "double sum = 0; ForAll (e In n.in_edges) { sum += e.src.p; } n.q = sum;"
HOST = "for (int i = 0; i < 3; i++) { Invoke gather(g); }"
ROUNDS = "".join(f" {k}.loop1.loop1.format=blocks" for k in ("pull_back", "pull_forth"))


def program(body: str = BODY, host: str = HOST) -> str:
    return (f"graph Graph {{ node double p = 1; node double q = 0; edge int w; }}\ndouble whole = 0;\n"
            f"Kernel gather(Graph g) {{ ForAll (n In g.nodes) {{ {body} }} }}\n"
            f"Program gathering(weighted transpose Graph g) {{ {host} }}\n")


def gathers(folder: Path, text: str) -> tuple[str, ...]:
    path = folder / "gathering.irgl"
    path.write_text(text)
    return open_program(path, Plan()).gathers


@pytest.mark.parametrize("changes", [
    {}, {"body": BODY.replace("+= e.src.p", "max= e.src.p * e.w")},
    {"body": BODY.replace("sum += e.src.p;", "if (e.src.p > 0.5) { sum += e.src.p; }")},
    {"body": BODY.replace("in_edges", "edges").replace("e.src", "e.dst")},
    {"host": "while (whole < 3) { whole += 1; Invoke gather(g); }"}], ids=["sums", "largest", "some", "out", "while"])
def test_a_loop_that_gathers_in_rounds_is_known(changes: dict[str, str], tmp_path: Path) -> None:
    assert gathers(tmp_path, program(**changes)) == ("gather.loop1.loop1",)


@pytest.mark.parametrize("changes", [
    {"host": "Invoke gather(g);"},
    {"body": BODY.replace("sum += e.src.p", "sum += e.w")},
    {"body": BODY.replace("sum += e.src.p", "e.src.p += e.src.q").replace("n.q = sum;", "")},
    {"body": BODY.replace("sum += e.src.p", "whole += e.src.p")},
    {"body": BODY.replace("ForAll (e", "For (e")},
], ids=["one round", "no far ends", "pushes", "a scalar of all", "in order"])
def test_a_loop_that_does_something_else_is_none(changes: dict[str, str], tmp_path: Path) -> None:
    assert gathers(tmp_path, program(**changes)) == ()


def test_of_the_shipped_programs_pagerank_gathers() -> None:
    assert open_program(PLACE / "pr_pull.irgl", Plan()).gathers == ("pull_forth.loop1.loop1", "pull_back.loop1.loop1")
    assert open_program(PLACE / "bfs_do.irgl", Plan()).gathers == ()


def chosen(spec: str, text: str = "default") -> Chosen:
    path = PLACE / "pr_pull.irgl"
    m = open_program(path, Plan())
    graphs: dict[str, Graph] = {"g": load(spec, m.graphs[0], Loading())}
    return resolve(text, m, Given(graphs, dict, None, 2), "cpu", lambda plan: open_program(path, plan))


@pytest.mark.parametrize(("spec", "blocks"), [
    ("uniform:15", True), ("grid:400x400", True), ("uniform:12", False), ("rmat:15", False), ("rmat:18", True)])
def test_the_default_takes_blocks_of_large_graphs_and_of_skewed_ones_with_many_nodes(spec: str, blocks: bool) -> None:
    found = chosen(spec)
    assert (found.plan == found.plan.over_rows.changed(ROUNDS)) == blocks
    assert found.source.endswith(", in blocks") == blocks


@pytest.mark.parametrize("word", ["format=csr", "basis=vertex", "order=degree", "pull_back.loop1.loop1.format=coo"])
@pytest.mark.parametrize("first", ["default", "auto"])
def test_what_is_said_of_how_edges_lie_stands(first: str, word: str) -> None:
    found = chosen("uniform:15", f"{first} {word}")
    assert "blocks" not in str(found.plan)


def test_other_words_leave_the_blocks() -> None:
    assert chosen("uniform:15", "default grain=256").plan.over_rows.changed(ROUNDS) == chosen(
        "uniform:15", "default grain=256").plan


def test_the_tuner_begins_with_blocks_too() -> None:
    path = PLACE / "pr_pull.irgl"
    m = open_program(path, Plan())
    features = at_once(load("uniform:15", m.graphs[0], Loading()))
    assert "format=blocks" in str(seeds(m, features, "cpu")[0])


@pytest.mark.parametrize(("spec", "cache", "blocks"), [
    ("grid:800x800", 1 << 19, False), ("grid:800x800", 1 << 20, True), ("grid:400x400", 1 << 19, True)])
def test_a_small_cache_keeps_large_graphs_without_hubs_in_rows(spec: str, cache: int, blocks: bool,
                                                                monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "of_a_core", lambda: cache)
    assert ("format=blocks" in str(chosen(spec).plan)) == blocks


def test_rows_are_taken_where_blocks_would_not_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placed, "free_bytes", lambda: 1 << 20)
    found = chosen("uniform:15")
    assert found.plan == found.plan.over_rows
    assert "over rows" in found.source


def test_the_default_finds_what_rows_find() -> None:
    rng = np.random.default_rng(5)
    ends = rng.integers(0, 20_000, (2, 300_000))
    graph = sparse.csr_array((np.ones(300_000), ends), shape=(20_000, 20_000))
    found = [irgl.compile(PLACE / "pr_pull.irgl", target="cpu", plan=plan)(graph, epsilon=1e-9)["pagerank"]
             for plan in ("default", "format=csr")]
    assert np.abs(found[0] - found[1]).sum() < 1e-6
