"""Arguments behind `--`: parameters argv1, argv2, ... by their numbers; and what programs print, in the JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from irgl.cli.main import exit_code

ARGUED = """graph Graph { node int far = 0; }
Kernel mark(Graph g, int by) { ForAll (n In g.nodes) { n.far = by; } }
Program argued(Graph g, int argv2, float argv3 = 0.5) {
  print("argv", argv2, argv3);
  Invoke mark(g, argv2);
  print("done");
}
"""
#: The graph is the second argument, and nobody asks for the third.
GAPS = """graph Graph { node int far = 0; }
long sum = 0;
Program gaps(Graph argv2, int argv1, int argv4) { sum = argv1 * 100 + argv4 * 10 + argv2.num_nodes; }
"""
TWO = """graph Graph { node int far = 0; }
long sum = 0;
Program two(Graph g, Graph argv3, int argv2) { sum = g.num_nodes * 100 + argv3.num_nodes * 10 + argv2; }
"""
OTHER = """graph Graph { node int far = 0; }
long sum = 0;
Program other(Graph g, int steps = 3) { sum = steps; }
"""


#: Lines of the programs, as messages show them.
PRINTED = '      print("argv", argv2, argv3);\n                    ^^^^^\n'
HEAD = "    Program argued(Graph g, int argv2, float argv3 = 0.5) {\n                         ^\n"
SUM = ("    Program two(Graph g, Graph argv3, int argv2) { sum = g.num_nodes * 100 + argv3.num_nodes * 10 + argv2; }\n"
       f"    {' ' * 73}^^^^^\n")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("argued", ARGUED), ("gaps", GAPS), ("two", TWO), ("other", OTHER)):
        Path(f"{name}.irgl").write_text(text, encoding="utf-8")


def ran(capfd: pytest.CaptureFixture[str], *words: str, target: str = "ref") -> tuple[dict[str, Any], str]:
    """The JSON of a run of a program, and what stands on stderr."""
    name, *rest = words
    assert exit_code(["run", f"{name}.irgl", "--json", "--target", target, *rest]) == 0
    out, err = capfd.readouterr()
    return json.loads(out), err


def refused(capfd: pytest.CaptureFixture[str], *words: str) -> str:
    name, *rest = words
    assert exit_code(["run", f"{name}.irgl", "--target", "ref", *rest]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    return err


@pytest.mark.parametrize("words", [
    ("--", "path:4", "8"), ("--graph", "path:4", "--", "8"), ("-g", "path:4", "--argv2", "8"),
    ("-gpath:4", "--", "8", "0.5"), ("--argv2=8", "--", "path:4"), ("--argv3", "0.5", "--", "path:4", "8")])
def test_arguments_fill_what_no_option_gives(words: tuple[str, ...], capfd: pytest.CaptureFixture[str]) -> None:
    found, _ = ran(capfd, "argued", *words)
    assert (found["graph"]["nodes"], found["printed"]) == (4, ["argv 8 0.5", "done"])


def test_an_argument_may_begin_with_a_dash(capfd: pytest.CaptureFixture[str]) -> None:
    assert ran(capfd, "argued", "--", "path:2", "-7")[0]["result"]["far"]["min"] == -7


def test_the_graph_may_have_another_number_and_numbers_may_have_gaps(capfd: pytest.CaptureFixture[str]) -> None:
    found, err = ran(capfd, "gaps", "--", "3", "path:2", "unused", "5")
    assert found["result"]["sum"] == 352
    assert err == "note: gaps has no parameter argv3: the argument unused changes nothing\n"


def test_a_further_graph_has_the_number_of_its_name(capfd: pytest.CaptureFixture[str]) -> None:
    assert ran(capfd, "two", "--", "path:4", "7", "path:3")[0]["result"]["sum"] == 437


def test_a_program_with_other_parameters_takes_its_graph_there(capfd: pytest.CaptureFixture[str]) -> None:
    assert ran(capfd, "other", "--", "path:5")[0]["graph"]["nodes"] == 5


def test_a_program_may_stand_behind_the_dashes_itself(capfd: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", "--graph", "path:5", "--target", "ref", "--", "other.irgl"]) == 0
    assert "path:5: 5 nodes" in capfd.readouterr().out


@pytest.mark.parametrize(("words", "message"), [
    (("argued", "--", "path:4"), f"argued.irgl:4:17: error: argv[2] (int) is missing\n{PRINTED}"
     "  hint: irglc run PROGRAM -- ARGV1 ARGV2 ARGV3, or --argv2 VALUE\n"),
    (("argued", "--graph", "path:4"), f"argued.irgl:4:17: error: argv[2] (int) is missing\n{PRINTED}"
     "  hint: irglc run PROGRAM -- ARGV1 ARGV2 ARGV3, or --argv2 VALUE\n"),
    (("argued",), f"argued.irgl:3:22: error: argv[1] (the graph) is missing\n{HEAD}"
     "  hint: irglc run PROGRAM -- ARGV1 ARGV2 ARGV3, or --graph VALUE\n"),
    (("two", "--", "path:4", "7"), f"two.irgl:3:74: error: argv[3] (a further graph) is missing\n{SUM}"
     "  hint: irglc run PROGRAM -- ARGV1 ARGV2 ARGV3, or --argv3 VALUE\n"),
    (("argued", "--", "path:4", "8", "1", "9"), "error: the argument `9` is one too many\n"
     "  hint: argued takes argv[1] (the graph), argv[2] (int), argv[3] (float)\n"),
    (("argued", "-g", "path:4", "--argv2", "1", "--argv3", "1", "--", "9"), "error: the argument `9` is one too many\n"
     "  hint: argued takes argv[1] (the graph), argv[2] (int), argv[3] (float)\n"),
    (("other", "--", "path:4", "9"), "error: the argument `9` is one too many\n"
     "  hint: other takes argv[1] (the graph)\n"),
    (("argued", "-g", "path:4", "--", "path:4", "8"),
     "error: the graph is given twice: by --graph, and by the argument `path:4`\n"
     "  hint: leave one of them out; where --graph gives it, numbers alone stand behind `--`\n"),
    (("other", "-g", "path:4", "--", "path:4"),
     "error: the graph is given twice: by --graph, and by the argument `path:4`\n"
     "  hint: leave one of them out; where --graph gives it, numbers alone stand behind `--`\n"),
])
def test_an_argument_that_is_missing_or_too_many_is_told(words: tuple[str, ...], message: str,
                                                         capfd: pytest.CaptureFixture[str]) -> None:
    assert refused(capfd, *words) == message


def test_an_argument_that_is_no_number_is_told_by_its_parameter(capfd: pytest.CaptureFixture[str]) -> None:
    assert refused(capfd, "argued", "--", "path:4", "eight").startswith("error: --argv2 eight: ")


def test_the_help_wants_no_argument(capfd: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", "argued.irgl", "--help"]) == 0
    assert "--argv2" in capfd.readouterr().out


@pytest.mark.parametrize("target", ["cpu", "simt", "ref"])
def test_what_a_program_prints_is_in_the_json_and_on_stderr(target: str, capfd: pytest.CaptureFixture[str]) -> None:
    found, err = ran(capfd, "argued", "--repeat", "2", "--", "path:4", "8", target=target)
    assert found["printed"] == ["argv 8 0.5", "done"] * 2
    assert err == "argv 8 0.5\ndone\n" * 2


def test_a_program_that_prints_nothing_has_no_lines(capfd: pytest.CaptureFixture[str]) -> None:
    assert ran(capfd, "other", "--graph", "path:2")[0]["printed"] == []


def test_more_than_a_pipe_holds_is_caught(capfd: pytest.CaptureFixture[str]) -> None:
    Path("many.irgl").write_text("""graph Graph { }
Program many(Graph g, int argv2) { for (int i = 0; i < argv2; i++) { print("line", i); } }
""", encoding="utf-8")
    found, err = ran(capfd, "many", "--", "path:2", "30000", target="cpu")
    assert found["printed"] == err.splitlines() == [f"line {i}" for i in range(30_000)]
