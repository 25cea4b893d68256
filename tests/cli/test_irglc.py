"""irglc as people and scripts meet it: exit codes, what goes to stdout and stderr, JSON, options, verification."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irgl import __version__
from irgl.cli.main import exit_code
from irgl.plan import Plan

# A path of file nodes 1 -> 2 -> 3, and 4 apart.
GRAPH = "p sp 4 2\na 1 2 5\na 2 3 7\n"
PROGRAM = """graph Graph { node int far = INF; node node from = NONE; edge int cost; }
long seen = 0;
double share = 0.5;
Kernel spread(Graph g, int step) {
  ForAll (n In WL.items) {
    ForAll (e In n.edges) { if (e.dst.far == INF) { racy e.dst.far = step; relaxed e.dst.from = n; WL.push(e.dst); } }
  }
}
Kernel tally(Graph g) { ForAll (n In g.nodes) { if (n.far != INF) seen += 1; } }
Program walk(Graph g, node src = first, long limit = 2 * g.num_nodes, bool all = true)
    verify walked(far = far, count = seen) {
  src.far = 0;
  int step = 1;
  Iterate spread(g, step) Initial [src] { step++; }
  Invoke tally(g);
}
"""
VERIFIER = """def verify(graph, claim, tolerance):
    return None if claim["far"].tolist() == [0, 1, 2, 2147483647] else f"far is {claim['far'].tolist()}"
"""
ENDLESS = """graph Graph { node int far = 0; }
Kernel again(Graph g) { ForAll (n In WL.items) { WL.push(n); } }
Program endless(Graph g, node src = first) { Iterate again(g) Initial [src] { } }
"""
CHATTY = ENDLESS.replace("{ }", '{ print("round"); }')
STUCK = """graph Graph { node int far = 0; }
Kernel spin(Graph g) { ForAll (n In g.nodes) { while (true) { n.far += 1; } } }
Program stuck(Graph g) { Invoke spin(g); }
"""
FAULTY = """graph Graph { node int far = 0; }
Kernel divide(Graph g, int by) { ForAll (n In g.nodes) { n.far = 1 / by; } }
Program faulty(Graph g, int by = 0) { Invoke divide(g, by); }
"""
TWO_GRAPHS = """graph Graph { node int far = 7; }
Kernel touch(Graph g, Graph h) { ForAll (n In h.nodes) { n.far = 9; } }
Program pair(Graph g, Graph h, int threads = 3) { Invoke touch(g, h); }
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the programs and the graph above; the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "verifiers").mkdir()
    (tmp_path / "verifiers" / "walked.py").write_text(VERIFIER)
    for name, text in (("walk", PROGRAM), ("endless", ENDLESS), ("faulty", FAULTY), ("stuck", STUCK),
                       ("pair", TWO_GRAPHS), ("chatty", CHATTY)):
        (tmp_path / f"{name}.irgl").write_text(text)
    (tmp_path / "path.gr").write_text(GRAPH)
    return tmp_path


def irglc(*words: str) -> subprocess.CompletedProcess[str]:
    """A process of its own, with pipes for all its streams."""
    return subprocess.run([sys.executable, "-m", "irgl", *words], capture_output=True, text=True, timeout=120,
                          stdin=subprocess.DEVNULL, check=False)


def as_json(capfd: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """The object that `irglc run --json` prints; it must be all there is on stdout."""
    code = exit_code(["run", *words, "--json"])
    said = capfd.readouterr()
    assert code in (0, 1), said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


def error(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The whole of stderr of a command that must end with exit code 2 and print nothing else."""
    code = exit_code(words)
    said = capsys.readouterr()
    assert (code, said.out) == (2, "")
    return said.err


# Running.


def test_json_has_exactly_these_keys(capfd: pytest.CaptureFixture[str]) -> None:
    assert list(as_json(capfd, "walk.irgl", "--graph", "path.gr")) == [
        "program", "graph", "target", "threads", "plan", "load_ms", "build_ms", "kernel_ms", "verified", "stats",
        "result", "printed"]


def test_json_describes_the_graph(capfd: pytest.CaptureFixture[str]) -> None:
    assert as_json(capfd, "walk.irgl", "--graph", "path.gr")["graph"] == {
        "file": "path.gr", "nodes": 4, "edges": 2, "changed": []}


def test_json_tells_the_plan_place_by_place(capfd: pytest.CaptureFixture[str]) -> None:
    assert as_json(capfd, "walk.irgl", "--graph", "path.gr", "--plan", "grain=9 serial=off")["plan"] == {
        "text": str(Plan.parse("grain=9 serial=off")),
        "source": "given",
        "applied": ["spread.loop1: grain=9", "spread.loop1: serial=off", "spread.loop1: giant=32768",
                    "tally.loop1: grain=9", "tally.loop1: serial=off"],
        "not_applicable": ["tally.loop1: giant=32768: no ForAll over a node's edges in this loop"],
    }


def test_statistics_leave_inf_and_none_out_and_show_nodes_by_their_file_ids(capfd: pytest.CaptureFixture[str]) -> None:
    assert as_json(capfd, "walk.irgl", "--graph", "path.gr")["result"] == {
        "seen": 3,
        "share": 0.5,
        "far": {"dtype": "int32", "min": 0, "max": 2, "sum": 3, "count": 3},
        "from": {"dtype": "int64", "min": 1, "max": 2, "sum": 3, "count": 2},
    }


def test_src_counts_as_the_file_does(capfd: pytest.CaptureFixture[str]) -> None:
    assert as_json(capfd, "walk.irgl", "--graph", "path.gr", "--src", "2")["result"]["seen"] == 2


def test_repeat_gives_one_time_each(capfd: pytest.CaptureFixture[str]) -> None:
    assert len(as_json(capfd, "walk.irgl", "--graph", "path.gr", "--repeat", "3")["kernel_ms"]) == 3


def test_repeat_starts_from_the_first_values_each_time(capfd: pytest.CaptureFixture[str]) -> None:
    assert as_json(capfd, "walk.irgl", "--graph", "path.gr", "--repeat", "3")["result"]["seen"] == 3


def test_threads_are_as_asked(capfd: pytest.CaptureFixture[str]) -> None:
    assert as_json(capfd, "walk.irgl", "--graph", "path.gr", "--threads", "3")["threads"] == 3


@pytest.mark.parametrize(("target", "remedy"), [
    ("simt", 'leave it out; --plan "block=128" sets how many threads a block has'),
    ("cuda", 'leave it out; --plan "block=128" sets how many threads a block has'),
    ("ref", "leave it out; --target cpu runs on several threads")])
def test_threads_are_refused_where_the_target_has_no_use_for_them(target: str, remedy: str,
                                                                  capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", "walk.irgl", "--graph", "path.gr", "--target", target, "--threads", "2"]) == 2
    said = capsys.readouterr().err
    assert f"--threads has no meaning for --target {target}: " in said
    assert said.endswith(f"  hint: {remedy}\n")


def test_worklist_capacity_makes_lists_grow(capfd: pytest.CaptureFixture[str]) -> None:
    star = "p sp 40 39\n" + "".join(f"a 1 {i} 1\n" for i in range(2, 41))
    Path("star.gr").write_text(star)
    found = as_json(capfd, "walk.irgl", "--graph", "star.gr", "--worklist-capacity", "1")
    assert found["stats"]["worklist_growths"] > 0


def test_a_worklist_capacity_beyond_all_memory_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    bytes_wrap_around = ["--worklist-capacity", str(2**62), "--plan", "none"]
    code = exit_code(["run", "walk.irgl", "--graph", "path:4", "--src", "0", *bytes_wrap_around])
    said = capfd.readouterr().err
    assert (code, "error: out of memory\n" in said) == (2, True), said


def test_the_interpreter_gives_the_same_result(capfd: pytest.CaptureFixture[str]) -> None:
    compiled = as_json(capfd, "walk.irgl", "--graph", "path.gr")
    interpreted = as_json(capfd, "walk.irgl", "--graph", "path.gr", "--target", "ref")
    assert interpreted["result"] == compiled["result"]


def test_the_interpreter_says_that_no_option_applies(capfd: pytest.CaptureFixture[str]) -> None:
    assert as_json(capfd, "walk.irgl", "--graph", "path.gr", "--target", "ref")["plan"]["applied"] == []


def test_wide_ids_give_the_same_result(capfd: pytest.CaptureFixture[str]) -> None:
    narrow = as_json(capfd, "walk.irgl", "--graph", "path.gr")["result"]
    assert as_json(capfd, "walk.irgl", "--graph", "path.gr", "--index-bits", "64")["result"] == narrow


def test_a_second_graph_is_given_by_its_name(capfd: pytest.CaptureFixture[str]) -> None:
    Path("small.gr").write_text("p sp 2 0\n")
    found = as_json(capfd, "pair.irgl", "--graph", "path.gr", "--h", "small.gr")
    assert {name: s["sum"] for name, s in found["result"].items()} == {"far": 28, "h.far": 18}


def test_a_parameter_named_like_an_option_is_given_with_param(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code(["run", "pair.irgl", "--help"])
    assert "--param-threads" in capsys.readouterr().out


def test_out_writes_properties_scalars_and_node_ids() -> None:
    assert exit_code(["run", "walk.irgl", "--graph", "path.gr", "--out", "done.npz"]) == 0
    with np.load("done.npz") as file:
        found = {name: file[name].tolist() for name in file.files}
    assert found == {"far": [0, 1, 2, 2**31 - 1], "from": [-1, 1, 2, -1], "node_ids": [1, 2, 3, 4], "seen": 3,
                     "share": 0.5}


def test_people_get_aligned_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", "walk.irgl", "--graph", "path.gr", "--threads", "1", "--verify"]) == 0
    lines = [re.sub(r"[\d.]+ (m?s)\b", r"_ \1", line) for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "program   walk on cpu, 1 thread",
        "graph     path.gr: 4 nodes, 2 edges",
        f"plan      {Plan()} (built in)",
        "time      load _ ms, build _ ms, kernel _ ms",
        "seen      3",
        "share     0.5",
        "far       int32, 0 to 2, sum 3 over 3 finite values",
        "from      int64, 1 to 2, sum 3 over 2 finite values",
        "verified  yes",
    ]


def test_a_pipe_gets_no_colours() -> None:
    assert "\x1b" not in irglc("run", "walk.irgl", "--help").stdout


def test_print_goes_to_stderr_beside_json() -> None:
    Path("loud.irgl").write_text('graph Graph { }\nProgram loud(Graph g) { print("nodes", g.num_nodes); }\n')
    done = irglc("run", "loud.irgl", "--graph", "path.gr", "--json")
    assert (json.loads(done.stdout)["program"], done.stderr) == ("loud", "nodes 4\n")


def test_src_for_a_program_without_one_is_only_noted(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", "faulty.irgl", "--graph", "path.gr", "--by", "1", "--src", "3"]) == 0
    assert capsys.readouterr().err == "note: faulty has no parameter src: --src 3 changes nothing\n"


def test_what_the_loader_changed_is_noted(capsys: pytest.CaptureFixture[str]) -> None:
    Path("both.irgl").write_text("graph Graph { node int far; }\nProgram both(undirected Graph g) { }\n")
    assert exit_code(["run", "both.irgl", "--graph", "path.gr"]) == 0
    assert capsys.readouterr().err == "note: added 2 reverse arcs\n"


# Verifying.


def test_a_right_answer_is_verified(capfd: pytest.CaptureFixture[str]) -> None:
    assert as_json(capfd, "walk.irgl", "--graph", "path.gr", "--verify")["verified"] is True


def test_without_verify_nothing_is_claimed(capfd: pytest.CaptureFixture[str]) -> None:
    assert as_json(capfd, "walk.irgl", "--graph", "path.gr")["verified"] is None


def test_a_wrong_answer_is_exit_code_1_and_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", "walk.irgl", "--graph", "path.gr", "--src", "2", "--verify"]) == 1
    assert capsys.readouterr().err == "wrong answer: far is [2147483647, 0, 1, 2147483647]\n"


def test_a_wrong_answer_is_false_in_json(capfd: pytest.CaptureFixture[str]) -> None:
    assert as_json(capfd, "walk.irgl", "--graph", "path.gr", "--src", "2", "--verify")["verified"] is False


def test_a_missing_verifier_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    Path("verifiers/walked.py").unlink()
    assert error(capsys, "run", "walk.irgl", "--graph", "path.gr", "--verify") == (
        "error: there is no verifier verifiers/walked.py\n"
        "  hint: write it, or take the `verify` clause out of the program\n")


def test_a_verifier_that_fails_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    Path("verifiers/walked.py").write_text("def verify(graph, claim, tolerance):\n    return 1 // 0\n")
    assert error(capsys, "run", "walk.irgl", "--graph", "path.gr", "--verify") == (
        "verifiers/walked.py: error: the verifier fails: ZeroDivisionError: integer division or modulo by zero\n"
        "  hint: mend the verifier; IRGL_DEBUG=1 shows where it happened\n")


def test_without_a_verifier_a_small_graph_is_compared_with_the_interpreter(capfd: pytest.CaptureFixture[str]) -> None:
    found = as_json(capfd, "faulty.irgl", "--graph", "path.gr", "--by", "1", "--verify")
    assert found["verified"] is True


def test_without_a_verifier_a_large_graph_cant_be_verified(capsys: pytest.CaptureFixture[str]) -> None:
    assert error(capsys, "run", "faulty.irgl", "--graph", "path:3000", "--by", "1", "--verify") == (
        "error: can't verify: the program names no verifier, and the graph is too large to compare with the "
        "interpreter (at most 2,000 nodes and 20,000 edges)\n"
        "  hint: write a verifier and add a `verify` clause to the program\n")


# Bad input.


def test_an_unknown_option_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert error(capsys, "run", "walk.irgl", "--graph", "path.gr", "--lmit", "3") == (
        "error: No such option '--lmit'. (Did you mean one of: '--limit', '--time-limit'?)\n"
        "  hint: irglc run --help shows what there is\n")


def test_an_unknown_command_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert error(capsys, "rum") == "error: No such command 'rum'.\n  hint: did you mean `irglc run`?\n"


@pytest.mark.parametrize(("words", "message"), [
    (["--src", "9"], "path.gr: error: there is no node 9: its 4 nodes are 1..4\n"),
    (["--src", "x"], "error: --src x: it takes the number of a node in the graph file, or `first`\n"),
    (["--limit", "1.5"], "error: --limit 1.5: it takes a whole number from -9223372036854775808 to "
                         "9223372036854775807\n"),
    (["--limit", "9223372036854775808"], "error: --limit 9223372036854775808: it takes a whole number from "
                                         "-9223372036854775808 to 9223372036854775807\n"),
    (["--all", "maybe"], "error: --all maybe: it takes true or false\n"),
    (["--plan", "serial"], "error: `serial` is no part of a plan\n"),
    (["--plan", "depth=3"], "error: no plan option is called `depth`\n"),
    (["--plan", "grain=0"], "error: `grain=0`: it takes a whole number from 1\n"),
    (["--plan", "grain=1 grain=2"], "error: the plan gives `grain` twice\n"),
    (["--plan", "spread.loop1.fuse=3"], "error: `fuse` holds for the whole run, and can't be set for "
                                        "`spread.loop1` alone\n"),
])
def test_a_bad_value_is_said(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = error(capsys, "run", "walk.irgl", "--graph", "path.gr", *words)
    assert said.splitlines(keepends=True)[0] == message


def test_a_missing_graph_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert error(capsys, "run", "walk.irgl") == (
        "error: no graph is given\n  hint: --graph FILE, or a generator: --graph rmat:16\n")


def test_a_missing_program_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert error(capsys, "run", "none.irgl", "--graph", "path.gr") == (
        "none.irgl: error: can't read it: No such file or directory\n"
        "  hint: `irglc programs` lists those that come with irgl, `irglc new` makes one\n")


def test_a_library_of_kernels_cant_be_run(capsys: pytest.CaptureFixture[str]) -> None:
    Path("part.irgl").write_text("graph Graph { node int far; }\n")
    assert error(capsys, "run", "part.irgl", "--graph", "path.gr").splitlines()[0] == (
        "part.irgl: error: there is no Program to run")


def test_a_mistake_in_the_program_is_shown_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path("walk.irgl").write_text(PROGRAM.replace("n.far != INF", "n.fra != INF"))
    assert error(capsys, "run", "walk.irgl", "--graph", "path.gr").startswith("walk.irgl:9:")


@pytest.mark.parametrize(("words", "message"), [
    (["run", "walk.irgl", "--graph", "path.gr", "--time-limit", "nan"], "error: a time limit of nan seconds: it takes"),
    (["run", "walk.irgl", "--graph", "path.gr", "--time-limit", "inf"], "error: a time limit of inf seconds: it takes"),
    (["run", "walk.irgl", "-g", "path.gr", "--graph", "path:3"], "error: --graph is given 2 times\n"),
    (["explain", "walk.irgl", "--json", "--dot", "-"], "error: --json and --dot - both go to stdout\n"),
])  # fmt: skip
def test_options_without_a_meaning_are_refused(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert exit_code(words) == 2
    said = capsys.readouterr()
    assert (said.out, said.err[: len(message)]) == ("", message)


@pytest.mark.parametrize("words", ["dump walk.irgl", "explain walk.irgl", "compile walk.irgl -o -"])
def test_a_full_stdout_is_said(here: Path, words: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "-m", "irgl", *words.split()], cwd=here, stdout=full,
                              stderr=subprocess.PIPE, text=True, check=False)  # fmt: skip
    assert (done.returncode, done.stderr) == (2, "error: can't write to stdout: No space left on device\n")


@pytest.mark.parametrize("graph", ["path.gr", "missing.gr"])
def test_out_to_a_folder_that_is_not_there_is_said_before_anything_is_done(
    capsys: pytest.CaptureFixture[str], graph: str
) -> None:
    exit_code(["run", "walk.irgl", "--graph", graph, "--out", "no/done.npz"])
    assert capsys.readouterr().err == "no/done.npz: error: can't write it: No such file or directory\n"


def test_a_fault_is_shown_at_its_expression(capsys: pytest.CaptureFixture[str]) -> None:
    said = error(capsys, "run", "faulty.irgl", "--graph", "path.gr")
    assert said.splitlines()[0].split(": ", 1) == ["faulty.irgl:2:66", "error: division by zero"]


# Interrupts, bugs.


@pytest.mark.parametrize("program", ["endless", "stuck"], ids=["endless rounds", "a round that never ends"])
def test_one_ctrl_c_ends_an_endless_program_with_130(program: str) -> None:
    process = subprocess.Popen([sys.executable, "-m", "irgl", "run", f"{program}.irgl", "--graph", "path.gr"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        loaded = Path(f"/proc/{process.pid}/maps")
        deadline = time.monotonic() + 60
        while not re.search(r"/build/[0-9a-f]{64}\.so", loaded.read_text()) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=10)
    finally:
        process.kill()
    assert (process.returncode, said) == (130, ("", "\ninterrupted\n"))


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_sigterm_ends_a_run_and_leaves_no_temporary_files(target: str, here: Path) -> None:
    (here / "tmp").mkdir()
    process = subprocess.Popen([sys.executable, "-m", "irgl", "run", "chatty.irgl", "--graph", "path:4", "--target",
                                target], stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(here / "tmp")})
    assert process.stderr is not None
    while b"round" not in process.stderr.readline():
        pass
    process.terminate()
    process.communicate(timeout=60)
    assert (process.returncode, list((here / "tmp").iterdir())) == (128 + signal.SIGTERM, [])


def test_a_bug_is_exit_code_70_without_a_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irgl.cli.check.front", lambda _: [][1])
    code = exit_code(["check", "walk.irgl"])
    assert (code, capsys.readouterr().err) == (70, (
        "irglc failed: IndexError: list index out of range\n"
        "This is a bug in irgl. Please report it with the command, the program and the graph;\n"
        "IRGL_DEBUG=1 shows where it happened.\n"))


def test_irgl_debug_shows_the_traceback_of_a_bug(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irgl.cli.check.front", lambda _: [][1])
    monkeypatch.setenv("IRGL_DEBUG", "1")
    exit_code(["check", "walk.irgl"])
    assert "Traceback" in capsys.readouterr().err


def test_a_reader_that_has_left_is_no_bug() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([sys.executable, "-m", "irgl", "dump", "walk.irgl"], stdout=writer, text=True,
                          stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


# The other commands.


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code(["--version"])
    assert capsys.readouterr().out == f"irglc, version {__version__}\n"


def test_check_is_silent_on_good_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["check", "walk.irgl", "pair.irgl"]) == 0
    assert capsys.readouterr() == ("", "")


def test_check_shows_a_mistake_of_each_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("one.irgl").write_text("graph Graph { node int far")
    Path("two.irgl").write_text("")
    said = error(capsys, "check", "one.irgl", "walk.irgl", "two.irgl")
    assert [line.split(":")[0] for line in said.splitlines() if ": error: " in line] == ["one.irgl", "two.irgl"]


def test_dump_shows_every_stage_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["dump", "walk.irgl"]) == 0
    names = re.findall(r"^==== (.*) ====$", capsys.readouterr().out, re.M)
    assert (names[:3], names[-1]) == (["tokens", "ast", "program"], "c++")


def test_dump_of_one_stage_is_that_stage_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["dump", "walk.irgl", "--stage", "program"]) == 0
    assert capsys.readouterr().out.startswith("graph Graph {")


def test_dump_of_an_unknown_stage_names_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    said = error(capsys, "dump", "walk.irgl", "--stage", "cuda")
    assert said.startswith("error: no stage is called `cuda`\n  hint: stages: tokens, ast, program, ")


def test_a_compiled_file_with_headers_builds_without_irgl(here: Path) -> None:
    assert exit_code(["compile", "walk.irgl", "-o", "out/../walk.cpp", "--headers"]) == 2  # no such folder
    assert exit_code(["compile", "walk.irgl", "-o", "walk.cpp", "--headers"]) == 0
    command = ["g++", "-std=c++17", "-fopenmp", "-fsyntax-only", "walk.cpp"]
    assert subprocess.run(command, cwd=here, capture_output=True, text=True, check=False).stderr == ""


def test_print_flags_lets_a_file_without_headers_build(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code(["compile", "walk.irgl", "-o", "walk.cpp"])
    capsys.readouterr()
    exit_code(["compile", "--print-flags"])
    command = ["g++", *capsys.readouterr().out.split(), "-fsyntax-only", "walk.cpp"]
    assert subprocess.run(command, capture_output=True, text=True, check=False).stderr == ""


def test_compile_to_stdout_is_the_program_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["compile", "walk.irgl", "-o", "-"]) == 0
    assert capsys.readouterr().out.startswith("// Program walk")


def test_no_command_is_help_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code([]) == 2
    assert "Usage: irglc" in capsys.readouterr().out


def test_graph_info_says_what_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["graph", "info", "path.gr"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:6] == ["source          path.gr", "nodes           4", "edges           2", "arcs            2",
                         "directed        yes", "weights         type int32, min 5, max 7"]


def test_graph_info_as_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["graph", "info", "path.gr", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nodes"] == 4


def test_graph_convert_keeps_the_graph(capfd: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["graph", "convert", "path.gr", "path.mtx"]) == 0
    capfd.readouterr()
    assert as_json(capfd, "walk.irgl", "--graph", "path.mtx", "--verify")["verified"] is True


def test_graph_convert_says_what_it_wrote(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["graph", "convert", "path.gr", "path.irglg", "--undirected"]) == 0
    assert capsys.readouterr().out == "wrote path.irglg: 4 nodes, 4 edges\n"


def test_graph_convert_drops_weights_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code(["graph", "convert", "path.gr", "path.mtx", "--weights", "none"])
    capsys.readouterr()
    exit_code(["graph", "info", "path.mtx", "--json"])
    assert json.loads(capsys.readouterr().out)["weights"] is None


def test_graph_generate_makes_the_same_graph_each_time() -> None:
    for name in ("one.gr", "two.gr"):
        assert exit_code(["graph", "generate", "rmat:6,seed=3", name]) == 0
    assert Path("one.gr").read_bytes() == Path("two.gr").read_bytes()


def test_graph_generate_wants_a_generator(capsys: pytest.CaptureFixture[str]) -> None:
    assert error(capsys, "graph", "generate", "path.gr", "out.gr") == (
        "error: `path.gr` names no generator\n  hint: such as rmat:16, grid:100x100, path:1000\n")


@pytest.mark.parametrize("files", [7, 10])
@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_too_few_open_files_are_told_as_such(files: int, target: str, here: Path) -> None:
    words = f"ulimit -n {files}; exec {sys.executable} -m irgl run walk.irgl --graph path.gr --target {target}"
    done = subprocess.run(["sh", "-c", words], env={**os.environ, "IRGL_CACHE_DIR": str(here / "cache")},
                          capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        2, "error: too many open files\n  hint: let the process have more: ulimit -n 1024\n")


def test_an_unknown_suffix_is_refused_before_any_work(capsys: pytest.CaptureFixture[str]) -> None:
    said = error(capsys, "graph", "convert", "none.gr", "out.foo")
    assert said.splitlines()[0] == "error: cannot tell the format of 'out.foo'"


def test_a_standalone_program_gives_the_same_answer(here: Path) -> None:
    exit_code(["compile", "walk.irgl", "-o", "walk.cpp", "--headers"])
    exit_code(["graph", "convert", "path.gr", "path.irglg"])
    subprocess.run(["g++", "-std=c++17", "-fopenmp", "-fwrapv", "walk.cpp", "-o", "walk"], cwd=here, check=True)
    said = subprocess.run([str(here / "walk"), "path.irglg"], capture_output=True, text=True, check=True).stdout
    assert "far: min 0 max 2 sum 3 count 3\n" in said
