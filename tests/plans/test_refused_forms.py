"""Refusals of forms beside those of test_formats.py: the reason for each loop, and what a command line says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.programs import PLACE

from irgl import driver
from irgl.cli.main import exit_code
from irgl.forms import blocks, dia
from irgl.forms.coded import begins
from irgl.forms.find import form, names
from irgl.forms.form import Rows
from irgl.options import OPTIONS
from irgl.plan import Plan
from irgl.rt.forms import placed
from irgl.source import IrglError
from irgl.space import legal_space

SWEEPS = [name for name in names() if form(name).kind == "sweep"]
HEAD = "graph Graph { node int p = 0; node lock held; edge int w; }\nlong count = 0;\n"
EDGES = "ForAll (e In n.edges) { e.dst.p += 1; }"
PLACE_OF = "pull_forth.loop1.loop1"


def program(body: str, params: str = "", worklist: str = "") -> str:
    return f"{HEAD}Kernel k(Graph g{params}){worklist} {{ {body} }}\nProgram main(transpose Graph g) {{ }}"


@pytest.mark.parametrize(("text", "why"), [
    (program(f"ForAll (n In some.items) {{ {EDGES} }}", ", set<node> some"),
     "the loop around it runs over set, which can't be asked for a node"),
    (program(f"ForAll (n In WL.items) {{ {EDGES} }}", worklist=" WL buckets<node>"),
     "the loop around it runs over buckets, which can't be asked for a node"),
    (program(f"ForAll (n In g.nodes) {{ {EDGES} WL.push(n, 1); }}", worklist=" WL buckets<node>"),
     "a bucket may grow while it runs"),
    (program(f"ForAll (n In WL.items) {{ {EDGES} Respawn n; }}", worklist=" WL bitmap<node>"),
     "its items come back while it runs"),
    (program(f"ForAll (n In some.items) {{ {EDGES} ReduceAndReturn(true); }}", ", bitmap<node> some"),
     "its kernel tells whether its set holds any node"),
    (program(f"ForAll (n In WL.items) {{ {EDGES} }}", worklist=" WL bitmap<node>"),
     "its kernel pushes nothing, and a list that is only asked stays as it is"),
    (program("ForAll (n In g.nodes) { Exclusive (g, [n]) { n.p = 1; } ForAll (e In n.edges) { count += 1; } }"),
     "its loop takes locks"),
    (program(f"ForAll (n In g.nodes) {{ int k = 0; while (k < 3) {{ k++; {EDGES} }} }}"),
     "a sequential loop or a lock stands around it"),
    (program("ForAll (n In g.nodes) { ForAll (e In v.edges) { e.dst.p += 1; } }", ", node v"),
     "it does not run over all edges of its loop's node"),
    (program("ForAll (n In some.items) { ForAll (e In n.edges) { e.dst.p += 1; } }", ", list<node> some"),
     "the loop around it runs over a list, which can't be asked for a node; frontier=bitmap makes a set of a unique "
     "list"),
])
def test_a_loop_that_cannot_be_swept_says_why(text: str, why: str) -> None:
    checked = driver.ready("k.irgl", text).checked
    found = next(c for c in legal_space(checked.program) if c.option == "format")
    assert {dict(found.refused)[name] for name in SWEEPS} == {why}


#: Each option of a form: what is just out of its range, and what is no value at all.
OUT_OF_RANGE = {
    "tile": ("blocks", ("12", "19", "-1", "16.5"), "a whole number from 13 to 18"),
    "inside": ("blocks", ("rows", ""), "auto, column, row, runs"),
    "chunk": ("sell", ("8", "64"), "16, 32"),
    "sigma": ("sell", ("0", "1048577", "off"), "a whole number from 1 to 1048576"),
    "split": ("split", ("3", "65"), "a whole number from 4 to 64"),
    "cluster": ("cr2", ("12", "32"), "16, 8"),
    "expand": ("cr2", ("yes",), "on, off"),
}


@pytest.mark.parametrize(("option", "value"), [(o, v) for o, (_, values, _) in OUT_OF_RANGE.items() for v in values])
def test_what_is_out_of_a_forms_range_is_refused_with_its_meaning(option: str, value: str) -> None:
    name, _, takes = OUT_OF_RANGE[option]
    meaning = next(o.meaning for o in OPTIONS["cpu"] if o.name == option)
    with pytest.raises(IrglError) as e:
        Plan.parse(f"format={name} {option}={value}")
    assert str(e.value) == f"error: `{option}={value}`: it takes {takes}\n  hint: {option}: {meaning}"


@pytest.mark.parametrize(("plan", "said"), [
    ("format=csc", "error: `format=csc`: it takes csr, "),
    (f"{PLACE_OF}.format=csc", "error: `format=csc`: it takes csr, "),
    ("format=coo tile=16", "error: `tile=16` says how format=blocks or shards is laid out, and the plan takes none\n"
                           "  hint: add format=blocks, or leave it out"),
    ("format=shards inside=runs", "error: `inside=runs` says how format=blocks is laid out, and the plan takes none\n"
                                  "  hint: add format=blocks, or leave it out"),
    ("sigma=256", "error: `sigma=256` says how format=sell is laid out, and the plan takes none\n"
                  "  hint: add format=sell, or leave it out"),
    ("format=split split=3", "error: `split=3`: it takes a whole number from 4 to 64\n"),
    ("format=blocks format=coo", "error: the plan gives `format` twice\n  hint: keep one of them"),
    ("format", "error: `format` is no part of a plan\n  hint: did you mean format? It reads format=VALUE"),
    ("pull_forth.loop1.format=coo",
     "error: the plan sets `format` for `pull_forth.loop1`, which is no place for it\n"
     f"  hint: places: {PLACE_OF}, pull_back.loop1.loop1"),
    (f"{PLACE_OF}.format=coo pull_back.loop1.loop1.format=blocks {PLACE_OF}.tile=14",
     f"error: `{PLACE_OF}.tile=14` can't be honoured: it means nothing under format=coo\n"
     "  hint: leave it out; `tile=14` alone applies wherever it is legal"),
    ("format=blocks inside=runs tile=17", "error: `inside=runs` with `tile=17`: ids of a run have 16 bits\n"
                                          "  hint: take tile=16, or less"),
])
def test_a_run_is_refused_what_it_cannot_have(plan: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", str(PLACE / "pr_pull.irgl"), "--graph", "path:10", "--plan", plan]) == 2
    assert capsys.readouterr().err.startswith(said)


@pytest.mark.parametrize(("target", "name", "why"), [
    ("cpu", "coo", "the loop around it runs over a list, which can't be asked for a node; frontier=bitmap makes a set "
                   "of a unique list"),
    ("simt", "coo", "the loop around it runs over a list, which can't be asked for a node"),
    ("ref", "split", "the reference interpreter runs one item after the other"),
])
def test_a_form_for_one_loop_alone_is_refused_where_it_cannot_be(target: str, name: str, why: str,
                                                                 capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", str(PLACE / "bfs.irgl"), "--graph", "path:10", "--target", target]
    assert exit_code([*words, "--plan", f"advance_frontier.loop1.loop1.format={name}"]) == 2
    assert capsys.readouterr().err == (
        f"error: `advance_frontier.loop1.loop1.format={name}` can't be honoured: {why}\n"
        f"  hint: leave it out; `format={name}` alone applies wherever it is legal\n")


def test_schedulers_of_a_swept_loop_are_refused_on_a_gpu(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", str(PLACE / "pr_pull.irgl"), "--graph", "path:10", "--target", "simt", "--plan"]
    assert exit_code([*words, f"format=coo {PLACE_OF}.np=fg"]) == 2
    assert capsys.readouterr().err.startswith(
        f"error: `{PLACE_OF}.np=fg` can't be honoured: its edges are taken part by part\n")


def test_a_form_for_all_loops_that_none_can_have_is_told_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", str(PLACE / "bfs.irgl"), "--plan", "format=coo"]) == 0
    assert ("  advance_frontier.loop1.loop1: format=coo: the loop around it runs over a list, which can't be asked for "
            "a node; frontier=bitmap makes a set of a unique list") in capsys.readouterr().out.split("\nand not\n")[1]


def test_a_run_whose_form_does_not_fit_into_memory_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
                                                              capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(placed, "free_bytes", lambda: 1000)
    words = ["run", str(PLACE / "pr_pull.irgl"), "--graph", "path:100", "--plan", "format=coo"]
    assert exit_code(words) == 2
    assert capsys.readouterr().err == (
        "path:100: error: format=coo of the graph's in-edges takes 1,600 bytes, of which 1,000 are free\n"
        "  hint: take format=csr, or a machine with more memory\n")


@pytest.mark.parametrize("suffix", ["cpp", "cu"])
def test_a_program_by_itself_is_refused_a_form(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compile", str(PLACE / "pr_pull.irgl"), "-o", str(tmp_path / f"out.{suffix}"), "--plan", "format=blocks"]
    assert exit_code([*words, *(["--target", "cuda"] if suffix == "cu" else [])]) == 2
    assert capsys.readouterr().err == (
        "error: a stand-alone program has its graph's edges in rows, as they lie in the file: it can't honour "
        "`format=blocks`\n  hint: leave it out, or let `irglc run` build the form\n")
    assert not list(tmp_path.iterdir())


def test_places_of_diagonals_beyond_the_ids_are_refused() -> None:
    dia.refuse_beyond((1 << 31) - 1, np.dtype(np.int32))
    with pytest.raises(IrglError) as e:
        dia.refuse_beyond(1 << 31, np.dtype(np.int32))
    assert str(e.value) == ("error: format=dia has 2,147,483,648 places for this graph, more than its ids\n"
                            "  hint: load the graph with --index-bits 64, or take format=coo")


@pytest.mark.parametrize("name", ["delta", "ef"])
def test_bytes_of_codes_beyond_the_ids_are_refused(name: str) -> None:
    with pytest.raises(IrglError) as e:
        begins(np.array([1 << 31]), Rows(np.zeros(2, np.int32), np.zeros(0, np.int32)), name)
    assert str(e.value) == (f"error: format={name} takes 2147483648 bytes here, and edges have ids of 32 bits\n"
                            "  hint: take another form, or csr")


def test_runs_in_tiles_of_more_than_16_bits_have_no_size() -> None:
    rows = Rows(np.zeros(1, np.int32), np.zeros(0, np.int32))
    with pytest.raises(IrglError, match="`inside=runs` with `tile=18`: ids of a run have 16 bits"):
        blocks.size(rows, {"tile": "18", "inside": "runs"})
