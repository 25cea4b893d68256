"""Programs that gather values of all edges' far ends, round after round, have these edges in blocks or diagonals by
default."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse
from support.programs import PLACE

import irgl
from irgl.plan import Plan
from irgl.rt.forms import placed
from irgl.rt.graphs.build_csr import Arcs, build
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.program import open_program
from irgl.rt.system import caches
from irgl.tune.choose.auto import Chosen, Given, resolve, seeds
from irgl.tune.choose.laid_out import by_forms
from irgl.tune.choose.standard import BY_THEMSELVES, Standard
from irgl.tune.inputs.features import at_once, of

Array = NDArray[Any]
BODY = "double sum = 0; ForAll (e In n.in_edges) { sum += e.src.p; } n.q = sum;"
HOST = "for (int i = 0; i < 3; i++) { Invoke gather(g); }"
FORMS = {words: "".join(f" {k}.loop1.loop1.format={form}" for k in ("pull_back", "pull_forth"))
         for form, words in (("blocks", ", in blocks"), ("dia", ", in diagonals"))}
BLOCKS = FORMS[", in blocks"]


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


@pytest.mark.parametrize(("spec", "words"), [
    ("uniform:15", ", in blocks"), ("rmat:18", ", in blocks"), ("grid:400x400", ", in diagonals"),
    ("path:200000", ", in diagonals"), ("uniform:12", ""), ("rmat:15", ""), ("grid:100x100", "")])
def test_the_default_lays_out_large_graphs_and_skewed_ones_with_many_nodes(spec: str, words: str) -> None:
    found = chosen(spec)
    assert found.plan == found.plan.over_rows.changed(FORMS.get(words, ""))
    assert found.source.endswith(words) and (", in " in found.source) == bool(words)


def lies(near: Array, far: Array, nodes: int) -> str:
    """The form that a graph of these edges has by default, of a program of which nothing is recorded."""
    graph = build(Arcs(nodes, near.astype(np.int32), far.astype(np.int32)), "these")
    manifest = open_program(PLACE / "pr_pull.irgl", Plan())
    found = by_forms(Standard(Plan(), "all", BY_THEMSELVES), manifest, at_once(graph), graph=graph)
    assert found.source.startswith(f"default for large {at_once(graph).graph_class} graphs, by rule, in ")
    return found.plan.text_of("format", manifest.gathers[0])


def band(nodes: int, offsets: range, held: float = 1) -> tuple[Array, Array]:
    """Edges on diagonals, of whose places a part is held, here and there."""
    near = np.repeat(np.arange(nodes), len(offsets))
    far = near + np.tile(np.array(offsets), nodes)
    there = (far >= 0) & (far < nodes) & (np.random.default_rng(7).random(len(near)) < held)
    return near[there], far[there]


N = 150_000


@pytest.mark.parametrize(("offsets", "held", "form"), [
    (range(-1, 2), 1, "dia"), (range(16), 1, "dia"), (range(18), 1, "blocks"), (range(-8, 8), 0.6, "dia"),
    (range(-10, 10), 0.6, "blocks"), (range(-4, 4), 0.4, "blocks")])
def test_edges_lie_in_diagonals_where_few_of_them_are_half_full(offsets: range, held: float, form: str) -> None:
    assert lies(*band(N, offsets, held), N) == form


@pytest.mark.parametrize(("others", "form"), [(0.02, "dia"), (0.1, "blocks")])
def test_a_few_edges_may_lie_anywhere(others: float, form: str) -> None:
    near, far = band(N, range(-2, 2))
    draw = np.random.default_rng(3)
    anywhere = draw.random(len(near)) < others
    assert lies(near, np.where(anywhere, draw.integers(0, N, len(near)), far), N) == form


@pytest.mark.parametrize("every", [2, 3, 4, 5, 7, 8])
def test_edges_that_come_back_in_every_row_stand_for_no_others(every: int) -> None:
    nodes = 4096 * 32
    near = np.repeat(np.arange(nodes), every)
    far = np.random.default_rng(1).integers(0, nodes, len(near))
    far[::every] = (near[::every] + 1) % nodes
    assert lies(near, far, nodes) == "blocks"


def test_parallel_edges_do_not_lie_in_diagonals() -> None:
    near, far = (np.repeat(ends, 2) for ends in band(N, range(2)))
    assert lies(near, far, N) == "blocks"


def test_where_edges_lie_is_not_asked_twice_of_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path))
    chosen("grid:400x400")
    graph = load("grid:400x400", open_program(PLACE / "pr_pull.irgl", Plan()).graphs[0], Loading())
    with monkeypatch.context() as without:
        without.setattr(type(graph), "dst", property(lambda _: pytest.fail("columns are loaded")))
        near, far = graph.some_edges()
    assert set((far - near).tolist()) == {-400, -1, 1, 400}


@pytest.mark.parametrize("word", ["format=csr", "basis=vertex", "order=degree", "pull_back.loop1.loop1.format=coo",
                                  "lanes=8", "pull_forth.loop1.loop1.lanes=auto"])
@pytest.mark.parametrize("first", ["default", "auto"])
def test_what_is_said_of_how_edges_lie_stands(first: str, word: str) -> None:
    for spec in ("uniform:15", "grid:400x400"):
        found = str(chosen(spec, f"{first} {word}").plan)
        assert "blocks" not in found
        assert "dia" not in found


def test_other_words_leave_the_blocks() -> None:
    assert chosen("uniform:15", "default grain=256").plan.over_rows.changed(BLOCKS) == chosen(
        "uniform:15", "default grain=256").plan


@pytest.mark.parametrize(("spec", "form"), [("uniform:15", "blocks"), ("grid:400x400", "dia")])
def test_the_tuner_begins_with_that_form_too(spec: str, form: str) -> None:
    m = open_program(PLACE / "pr_pull.irgl", Plan())
    features = of(load(spec, m.graphs[0], Loading()))
    assert f"format={form}" in str(seeds(m, features, "cpu")[0])


@pytest.mark.parametrize(("spec", "cache", "form"), [
    ("uniform:19,degree=2", 1 << 19, ""), ("uniform:19,degree=2", 1 << 20, "blocks"), ("uniform:15", 1 << 19, "blocks"),
    ("grid:800x800", 1 << 19, "dia"), ("grid:800x800", 1 << 20, "dia")])
def test_a_small_cache_keeps_large_graphs_without_hubs_in_rows_but_diagonals(spec: str, cache: int, form: str,
                                                                             monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "of_a_core", lambda: cache)
    plan = chosen(spec).plan
    assert (f"format={form}" in str(plan)) if form else plan == plan.over_rows


def test_rows_are_taken_where_blocks_would_not_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placed, "free_bytes", lambda: 1 << 20)
    found = chosen("uniform:15")
    assert found.plan == found.plan.over_rows
    assert "over rows" in found.source


@pytest.mark.parametrize("form", ["blocks", "dia"])
def test_the_default_finds_what_rows_find(form: str) -> None:
    nodes = 20_000
    ends = np.random.default_rng(5).integers(0, nodes, (2, 300_000)) if form == "blocks" else band(nodes, range(1, 16))
    graph = sparse.csr_array((np.ones(len(ends[0])), tuple(ends)), shape=(nodes, nodes))
    found = [irgl.compile(PLACE / "pr_pull.irgl", target="cpu", plan=plan)(graph, epsilon=1e-9)
             for plan in ("default", "format=csr")]
    assert f"format={form}" in str(found[0].plan)
    assert np.abs(found[0]["pagerank"] - found[1]["pagerank"]).sum() < 1e-6
