"""The plan's pack: properties of nodes side by side change no answer, and what can't lie so says why."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from support import ptx
from support.awkward_graphs import awkward
from support.forms_on_gpus import spilled
from support.nvcc import ARCHITECTURES, DEFAULT
from support.nvcc import complaints as complaints_of_nvcc
from support.places import ROOT
from support.programs import PLACE, path_of, run_program
from support.simt import complaints

import irgl
from irgl import driver
from irgl.cli.main import exit_code
from irgl.passes.parts.packed import packable
from irgl.plan import Plan
from irgl.source import IrglError
from irgl.space import legal_space

PROGRAMS = ("bc", "kcore", "mst", "pr", "pr_pull", "sssp_bf", "sssp_nf", "scc", "label_propagation", "colouring")
#: Each with another graph and number of threads.
GRAPHS = ("empty", "one loop", "self-loops", "parallel arcs", "star", "disconnected", "grid", "dense", "middling")
TIGHT = "serial=off grain=1 giant=1"


def packs(program: str) -> tuple[str, str]:
    """All properties of a program that can lie side by side, and the first two of them the other way round."""
    checked = driver.ready(path_of(program)).checked
    names = next(packable(checked, g) for g in checked.graph_types.values())
    return "+".join(names), f"{names[1]}+{names[0]}"


@pytest.mark.parametrize("program", PROGRAMS)
def test_properties_side_by_side_change_no_answer(program: str) -> None:
    for k, graph in enumerate(GRAPHS):
        ran = run_program(program, awkward()[graph], plan=f"pack={packs(program)[k % 2]} {TIGHT if k % 2 else ''}",
                          threads=(1, 2, 4)[k % 3])
        assert ran.wrong() is None, graph


@pytest.mark.parametrize("program", PROGRAMS)
def test_neither_does_it_on_gpus(program: str) -> None:
    every_one, two = packs(program)
    usual = {"capacity": "0", "mode": "check", "seed": "1", "block": "96"}
    rows = [usual | {"pack": every_one, "np": "wp+fg", "cc": "block", "outline": "all"},
            usual | {"pack": two, "mode": "lockstep"}]
    assert complaints([(program, row) for row in rows], {name: awkward()[name] for name in GRAPHS}) == []


@pytest.mark.parametrize(("program", "rest"), [
    ("pr", "order=degree"), ("pr_pull", "format=blocks"), ("pr_pull", "format=shards"), ("pr", "format=delta"),
    ("pr", "prefetch=8"), ("sssp_bf", "direction=pull"), ("sssp_bf", "direction=hybrid"), ("bc", "frontier=queue")])
def test_whatever_else_the_plan_says_goes_with_it(program: str, rest: str) -> None:
    ran = run_program(program, awkward()["middling"], plan=f"pack={packs(program)[0]} {rest} {TIGHT}", threads=2)
    assert ran.wrong() is None


#: Every type that a property may have, inputs that are changed, and that are not.
TYPES = """struct pair { int a; float b; };
graph G {
  node bool odd = false;
  input node double score = 0;
  node long sum = 3;
  input node int kept = 2;
  node node best = NONE;
  node edge last = NONE;
  node float part = 0.5;
  node pair both;
  edge int w = 1;
}
Kernel see(G g) {
  ForAll (n In g.nodes) {
    n.odd = n.degree % 2 == 1;
    n.kept += 1;
    n.both = (pair){(int) n.degree, 1.5f};
    ForAll (e In n.edges) {
      e.dst.sum += 1;
      e.dst.best max= n;
      n.last max= e;
      n.part += (float)(e.dst.score);
    }
  }
}
Program every(G g) { Invoke see(g); }
"""
#: Small types beside each other, which several threads change at once while others look at their neighbours: a bool
#: and a number of 8 bits by the word around them, a struct by 64 bits.
SMALL = """struct pair { int a; short b; short c; };
struct odd { bool here; short far; bool gone; };
graph G {
  node bool seen = false;
  node char least = 127;
  node odd three;
  node short sum = 0;
  node int plain = 7;
  node pair both;
  node bool fixed = true;
}
long won = 0;
Kernel see(G g) {
  ForAll (n In g.nodes) {
    ForAll (e In n.edges) {
      if (n.fixed) { e.dst.seen |= true; }
      e.dst.least min= (char) (n.id % 100);
      e.dst.sum += 1;
      if (cas(e.dst.both, (pair){0, 0, 0}, (pair){n.plain, 2, 3})) { won += 1; }
    }
    n.three = (odd){n.fixed, (short) n.degree, false};
  }
}
Program small(G g) {
  Invoke see(g);
  for (long k = 0; k < g.num_nodes; k++) {
    node n = g.node(k);
    n.sum += 1;
    n.three = (odd){n.three.gone, (short) (n.three.far + n.least), true};
  }
}
"""
#: A graph made of another, whose properties are its own.
MADE = """graph G { node long sum = 3; node bool odd = true; }
long around = 0;
Kernel step(G h) { ForAll (n In h.nodes) { ForAll (e In n.edges) { if (n.odd) { e.dst.sum += 1; } } } }
Kernel count(G h) { ForAll (n In h.nodes) { around += n.sum * n.odd; } }
Program made(G g) { Invoke step(g); G h = oriented(g); Invoke step(h); Invoke count(h); Invoke count(g); }
"""


def every(plan: str, **more: Any) -> dict[str, Any]:
    graph = nx.gnm_random_graph(60, 200, seed=3)
    ran = irgl.compile("every.irgl", text=TYPES, plan=plan, **more)(graph, score=np.arange(60) / 4,
                                                                    kept=np.arange(60), repeat=2)
    return {name: np.asarray(ran[name]).tolist() for name in ran}


@pytest.mark.parametrize("pack", ["odd+sum", "score+kept", "odd+score+sum+kept+best+last+part+both", "part+odd+both"])
@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_every_type_and_input_may_lie_there(pack: str, target: str) -> None:
    assert every(f"pack={pack}", target=target) == every("default")


@pytest.mark.parametrize("pack", ["seen+least+three+sum+plain+both+fixed", "plain+both", "fixed+seen"])
@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_small_types_are_changed_beside_each_other(pack: str, target: str) -> None:
    def left(plan: str, **more: Any) -> dict[str, Any]:
        ran = irgl.compile("small.irgl", text=SMALL, plan=plan, **more)(nx.gnm_random_graph(60, 200, seed=3))
        return {name: np.asarray(ran[name]).tolist() for name in ran}

    assert left(f"pack={pack}", target=target) == left("default")


def test_as_much_goes_over_to_a_gpu_and_back_as_without() -> None:
    def over(plan: str) -> tuple[int, int]:
        stats = irgl.compile("small.irgl", text=SMALL, plan=plan, target="simt")(nx.path_graph(200)).counters
        return stats["transfers"], stats["transfer_bytes"]

    assert over("pack=seen+least+three+sum+plain+both+fixed") == over("default")


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_a_graph_that_the_program_makes_has_its_own(target: str) -> None:
    graph = nx.gnm_random_graph(60, 200, seed=3)
    found = irgl.compile("made.irgl", text=MADE, plan="pack=odd+sum", target=target)(graph)
    assert found.around == 2 * 60 * 3 + 3 * 200
    assert np.asarray(found["sum"]).tolist() == [3 + d for _, d in sorted(graph.degree)]


def test_what_a_program_only_reads_stays_the_callers() -> None:
    text = driver.compile("every.irgl", text=TYPES, plan=Plan.parse("pack=score+kept")).text
    assert "irgl::copy(c, g.score, size_t(g.n), static_cast<const double*>" in text
    assert "irgl::copy(c, static_cast<double*>" not in text


def test_a_property_of_the_plan_stands_in_one_struct_in_the_plans_order() -> None:
    text = driver.compile(PLACE / "pr.irgl", plan=Plan.parse("pack=residual+pagerank")).text
    assert "struct _packed_Graph {\n  double pagerank;\n  double residual;\n};" in text
    assert "irgl::Packed<double, _packed_Graph> residual;" in text
    assert "double* pagerank = nullptr;" not in text


def test_on_gpus_all_of_them_share_a_pointer_and_small_ones_have_words_of_their_own() -> None:
    text = driver.compile("small.irgl", text=SMALL, target="cuda", plan=Plan.parse("pack=seen+plain+both", "cuda")).text
    assert ("struct _packed_G {\n  alignas(irgl::unit_of<bool>) bool seen;\n  int32_t plain;\n"
            "  alignas(irgl::unit_of<pair>) pair both;\n};") in text
    assert "  union {  // one pointer for all\n    irgl::Packed<&_packed_G::seen> seen;\n" in text
    assert "bool* seen = nullptr;" not in text and "bool* fixed = nullptr;" in text


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_off_is_what_plans_are_that_say_nothing(target: str) -> None:
    assert Plan.parse("pack=off", target) == Plan(target=target)
    text = driver.compile(PLACE / "pr.irgl", target=target).text
    assert "pack=" not in text
    assert "packed" not in text.lower()


def test_a_program_of_its_own_takes_it(tmp_path: Path) -> None:
    assert exit_code(["compile", "pr", "--plan", "pack=pagerank+residual", "-o", str(tmp_path / "pr.cpp")]) == 0
    assert exit_code(["graph", "convert", "path:5", str(tmp_path / "path.irglg")]) == 0
    flags = subprocess.run([sys.executable, "-m", "irgl", "compile", "--print-flags"], capture_output=True,
                           text=True, check=True)
    subprocess.run(["g++", *flags.stdout.split(), "pr.cpp", "-o", "pr"], cwd=tmp_path, check=True)
    ran = subprocess.run([tmp_path / "pr", "path.irglg"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "pagerank" in ran.stdout


@pytest.mark.skipif(bool(ptx.missing()), reason=ptx.missing())
@pytest.mark.parametrize("plans", [
    ["nodes > 100: none", "pack=residual+pagerank"],
    pytest.param(["pack=pagerank+residual"], marks=pytest.mark.matrix)])
def test_so_does_one_for_gpus_as_nvcc_makes_it(plans: list[str], tmp_path: Path) -> None:
    words = [word for plan in plans for word in ("--plan", plan)]
    assert exit_code(["compile", "pr", "--target", "cuda", *words, "-o", str(tmp_path / "pr.cu")]) == 0
    assert exit_code(["graph", "convert", "path:5", str(tmp_path / "path.irglg")]) == 0
    built = ptx.compile_text((tmp_path / "pr.cu").read_text(), tmp_path, f"-I{ROOT}", "-Xcompiler", "-fopenmp")
    ran = ptx.execute(built, [str(tmp_path / "path.irglg")])
    assert ran.returncode == 0, ran.stderr
    assert "pagerank: min 0.134" in ran.stdout


needs_nvcc = pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")


@needs_nvcc
@pytest.mark.parametrize("architectures", ARCHITECTURES)
def test_nvcc_compiles_it_without_a_warning(architectures: tuple[int, ...], tmp_path: Path) -> None:
    (tmp_path / "small.irgl").write_text(SMALL)
    (tmp_path / "every.irgl").write_text(TYPES)
    rows = {str(tmp_path / "small"): "seen+least+three+sum+plain+both+fixed", str(tmp_path / "every"): "part+odd+both",
            "bc": "hops+trails"}
    assert [said for name, pack in rows.items()
            for said in complaints_of_nvcc([name], [DEFAULT | {"pack": pack}], tmp_path, architectures)] == []


@needs_nvcc
def test_nothing_is_spilled(tmp_path: Path) -> None:
    for name, pack in (("pr", "pagerank+residual"), ("bc", "hops+trails+is_source")):
        assert spilled(path_of(name), Plan.parse(f"pack={pack}", "cuda"), tmp_path) == {"0"}, name


GRAPH = """graph A { node int p = 0; node int q = 0; node lock held; node int raw = 0; edge int w; edge int v = 0; }
graph B { node int r = 0; node int s = 0; }
Kernel k(A g) { ForAll (n In g.nodes) { CBlock reads(n.raw) writes(n.raw) { g.raw[n] = 1; } } }
Program main(A g, B h) { Invoke k(g); }
"""
CAN = "\n  hint: what can lie side by side: p, q of A; r, s of B"
REFUSED = [
    ("p+r", "main.irgl:2:20: error: `pack=p+r`: `r` is a property of B, `p` one of A\n"
            "    graph B { node int r = 0; node int s = 0; }\n                       ^\n"
            "  hint: name properties of the same graph"),
    ("p+held", "main.irgl:1:53: error: `pack=p+held`: `held` is a lock"),
    ("p+v", "error: `pack=p+v`: `v` is a property of edges"),
    ("w+p", "error: `pack=w+p`: `w` is a property of edges"),
    ("p+raw", "error: `pack=p+raw`: a CBlock names `raw`, and may want its values one behind the other"),
    ("p+nothing", "error: `pack=p+nothing`: no graph of the program has a property `nothing`" + CAN),
]


@pytest.mark.parametrize(("pack", "said"), REFUSED)
def test_what_cannot_lie_side_by_side_is_refused_with_place_and_reason(pack: str, said: str) -> None:
    with pytest.raises(IrglError) as e:
        driver.compile("main.irgl", text=GRAPH, plan=Plan.parse(f"pack={pack}"))
    assert said in str(e.value)


@pytest.mark.parametrize("target", ["cuda", "simt"])
@pytest.mark.parametrize(("pack", "said"), [row for row in REFUSED if row[0] != "p+raw"])
def test_gpus_refuse_the_same(pack: str, said: str, target: str) -> None:
    text = re.sub(r"CBlock.*?\{.*?\}", "n.raw = 1;", GRAPH)  # CBlocks are the CPU's
    with pytest.raises(IrglError) as e:
        driver.compile("main.irgl", text=text, target=target, plan=Plan.parse(f"pack={pack}", target))
    assert said.replace("p, q of A", "p, q, raw of A") in str(e.value)


@pytest.mark.parametrize(("pack", "reason"), [
    ("p", "one by itself lies side by side with nothing"),
    ("p+q+p", "it names `p` twice"),
    ("p+", "`` is no name"),
    ("p+2", "`2` is no name"),
])
@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_what_is_no_set_of_names_is_refused(pack: str, reason: str, target: str) -> None:
    with pytest.raises(IrglError) as e:
        Plan.parse(f"pack={pack}", target)
    assert str(e.value) == (f"error: `pack={pack}`: {reason}\n  hint: pack: node properties of one graph that lie side "
                            "by side in memory: names joined by +, or off")


@pytest.mark.parametrize(("program", "values", "reason"), [
    ("pr", ("off", "pagerank+residual"), None),
    ("bfs", ("off",), "no graph of the program has two properties of nodes that can lie side by side"),
])
@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_what_may_lie_side_by_side_is_told(program: str, values: tuple[str, ...], reason: str | None,
                                           target: str) -> None:
    choices = legal_space(driver.ready(path_of(program)).checked.program, target)
    assert [(c.values, c.reason) for c in choices if c.option == "pack"] == [(values, reason)]


def test_it_holds_for_the_whole_run() -> None:
    with pytest.raises(IrglError, match=r"`pack` holds for the whole run, and can't be set for `k\.loop1` alone"):
        Plan.parse("k.loop1.pack=p+q")


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_the_command_line_refuses_with_exit_code_2(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", "pr", "--graph", "path:4", "--target", target, "--plan", "pack=pagerank+rank"]) == 2
    assert "no graph of the program has a property `rank`" in capsys.readouterr().err
