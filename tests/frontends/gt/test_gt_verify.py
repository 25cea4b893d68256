"""`% irgl: verify NAME(role = value, ...)`: a comment to GraphIt, a verifier to irgl."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.places import PROGRAMS

from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.cli.main import exit_code
from irgl.driver import front
from irgl.frontends.load import load, open_source, source_of
from irgl.source import IrglError, Source

FOLDER = PROGRAMS / "gt"
HEAD = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex) = load(argv[1]);
const out_degree : vector{Vertex}(int) = 0;
const rank : vector{Vertex}(double) = 0.0;
const limit : int = 5;
"""
MAIN = """func main()
    var source : int = atoi(argv[2]);
    var other : int;
    other = atoi(argv[3]);
    rank[source] = other;
end
"""
SOURCE, GOAL, DIRECTIONS = ("--argv2", "1"), ("--argv3", "7"), ("--undirected",)
#: What each program is given beside its graph.
GIVEN: dict[str, tuple[str, ...]] = {
    "bfs": SOURCE, "sssp": SOURCE, "sssp_delta": SOURCE, "ppsp": (*SOURCE, *GOAL), "bc": SOURCE, "pr": (),
    "pr_delta": (), "cc": DIRECTIONS, "cc_pjump": DIRECTIONS, "kcore": DIRECTIONS, "tc": DIRECTIONS,
}
#: A mistake in each: a text of it, and what stands in its place.
PLANTED = {
    "bfs": ("parent[dst] = src;", "parent[dst] = dst;"),
    "sssp": ("distance[src] + weight", "distance[src] + weight + 1"),
    "sssp_delta": ("distance[src] + weight", "distance[src] + weight + 1"),
    "ppsp": ("distance[src] + weight", "distance[src] + weight + 1"),
    "bc": ("depends[v] += 1.0 / paths[v];", "depends[v] += 1.0;"),
    "pr": ("in 0:20", "in 0:19"),
    "pr_delta": ("0.0000001", "0.1"),
    "cc": ("label[dst] min= label[src]", "label[dst] min= src"),
    "cc_pjump": ("Vertex = label[dst]", "Vertex = label[src]"),
    "kcore": ("largest max= core[v]", "largest max= core[v] + 1"),
    "tc": ("dst < src", "dst != src"),
}


def clauses(text: str) -> str:
    """The clauses of a program, as irgl writes them."""
    entry = next(d for d in front(Source("x.gt", text)).program.decls if isinstance(d, A.Entry))
    return " ".join(dump(c) for c in entry.clauses)


def run(file: Path, *words: str) -> int:
    return exit_code(["run", str(file), "--graph", "rmat:5", *GIVEN[file.stem], "--verify", *words])


def test_each_shipped_program_is_given_a_mistake() -> None:
    descends = {"cf"}  # to where nobody knows; it is held to SciPy's steps
    assert {path.stem for path in FOLDER.glob("*.gt")} - descends == set(GIVEN) == set(PLANTED)


@pytest.mark.parametrize("target", ["ref", "cpu"])
@pytest.mark.parametrize("name", GIVEN)
def test_the_verifier_of_a_shipped_program_finds_it_right(name: str, target: str,
                                                          capsys: pytest.CaptureFixture[str]) -> None:
    assert run(FOLDER / f"{name}.gt", "--target", target) == 0
    assert ["verified", "yes"] in [line.split() for line in capsys.readouterr().err.splitlines()]


@pytest.mark.parametrize("name", PLANTED)
def test_the_verifier_of_a_shipped_program_finds_a_mistake(name: str, tmp_path: Path,
                                                           capsys: pytest.CaptureFixture[str]) -> None:
    text = (FOLDER / f"{name}.gt").read_text(encoding="utf-8")
    old, new = PLANTED[name]
    assert old in text
    (tmp_path / "verifiers").symlink_to(PROGRAMS / "verifiers")
    (tmp_path / f"{name}.gt").write_text(text.replace(old, new), encoding="utf-8")
    assert run(tmp_path / f"{name}.gt", "--target", "ref") == 1
    assert "wrong answer: " in capsys.readouterr().err


@pytest.mark.parametrize(("said", "becomes"), [
    ("verify v(a = rank)", "verify v(a = rank)"),
    ("verify v(a = out_degree)", "verify v(a = out_degree_2)"),
    ("verify v(a = limit, b = -1)", "verify v(a = limit, b = -1)"),
    ("verify v(a = source, b = other)", "verify v(a = argv2, b = argv3)"),
    ("verify v(a = atoi(argv[2]) + 1)", "verify v(a = argv2 + 1)"),
    ("verify v(from = edges.getVertices())", "verify v(from = g.num_nodes)"),
    ("verify v()", "verify v()"),
])
def test_roles_are_vectors_consts_arguments_and_numbers(said: str, becomes: str) -> None:
    assert clauses(f"{HEAD}{MAIN}% irgl: {said}\n") == f"{becomes} tolerance 1e-9"


@pytest.mark.parametrize("text", [
    "%irgl:verify v(a = rank)\n" + HEAD + MAIN,
    HEAD + "   % irgl : verify v(a = rank)  \n" + MAIN,
    HEAD + MAIN.replace("rank[source]", "% irgl: verify v(a = rank)\nrank[source]"),
    HEAD + MAIN + "schedule: /* of none */\n% irgl: verify v(a = rank)",
])
def test_it_stands_in_any_comment(text: str) -> None:
    assert clauses(text) == "verify v(a = rank) tolerance 1e-9"


def test_a_comment_that_only_speaks_of_irgl_says_nothing_to_it() -> None:
    assert clauses(f"% irgl verify v(a = rank), and % x\n{HEAD}{MAIN}") == "tolerance 1e-9"


def test_a_tolerance_takes_the_place_of_the_usual_one() -> None:
    assert clauses(f"{HEAD}{MAIN}% irgl: tolerance 0.001") == "tolerance 0.001"


def test_the_dumped_text_has_the_clause() -> None:
    assert "verify breadth_first_tree(parents = parent, source = argv2)" in dump(load(open_source(FOLDER / "bfs.gt")))


def test_a_verifier_that_is_not_there_is_told_with_the_nearest(tmp_path: Path,
                                                               capsys: pytest.CaptureFixture[str]) -> None:
    text = (FOLDER / "bfs.gt").read_text(encoding="utf-8").replace("breadth_first_tree", "breadth_first_trees")
    (tmp_path / "gt").mkdir()
    (tmp_path / "verifiers").symlink_to(PROGRAMS / "verifiers")
    (tmp_path / "gt" / "bfs.gt").write_text(text, encoding="utf-8")
    assert run(tmp_path / "gt" / "bfs.gt", "--target", "ref") == 2
    assert "hint: did you mean breadth_first_tree?" in capsys.readouterr().err


def test_a_library_of_exported_functions_has_nothing_to_verify() -> None:
    text = "% irgl: verify v()\n" + HEAD + "export func f() -> n : int n = limit; end\n"
    with pytest.raises(IrglError, match="this is said of main, and the file has none"):
        front(source_of("x.gt:f", text))


def test_tune_finds_a_plan_for_a_program_with_several_right_answers(tmp_path: Path,
                                                                    capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["tune", str(FOLDER / "bfs.gt"), "--graph", "path:9", "--argv2", "0", "--budget", "6s",
                      "--db", str(tmp_path / "tune.db")]) == 0
    assert "best plan for path:9" in capsys.readouterr().out
