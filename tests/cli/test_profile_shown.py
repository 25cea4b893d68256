"""irglc run --profile and irglc explain --profile: the table, the files, and what is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.programs import PLACE

from irgl.cli.main import exit_code

BFS = str(PLACE / "bfs.irgl")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """run(word, ...) gives the exit code, stdout and stderr of `irglc word ...`."""
    def ran(*words: str) -> tuple[int, str, str]:
        code = exit_code(words)
        said = capsys.readouterr()
        return code, said.out, said.err

    return ran


@pytest.fixture
def written(run: Run, tmp_path: Path) -> Path:
    """The profile of a search with one thread, in a file."""
    file = tmp_path / "run.json"
    assert run("run", BFS, "--graph", "star:300", "--threads", "1", f"--profile={file}")[0] == 0
    return file


def test_the_table_has_a_line_for_each_loop(run: Run) -> None:
    code, out, _ = run("run", BFS, "--graph", "path:4", "--profile")
    table = [re.split(r" {2,}", line.strip()) for line in out.rpartition("\n\n")[2].splitlines()]
    assert code == 0
    assert table[0] == ["profile", "line", "ms", "share", "runs", "least", "median", "largest", "sum", "did something",
                        "waiting"]
    assert [row[0] for row in table[1:]] == [
        "bfs.iterate1", "advance_frontier.loop1 (nodes)", "advance_frontier.loop1.loop1 (edges)",
        "survey_hops.loop1 (nodes)", "elsewhere", "all"]
    assert table[3] == ["advance_frontier.loop1.loop1 (edges)", "21", "4", "1", "1", "2", "6", "3", "(50%)"]


def test_the_interpreter_counts_and_takes_no_times(run: Run) -> None:
    code, out, _ = run("run", BFS, "--graph", "path:4", "--target", "ref", "--profile")
    table = [re.split(r" {2,}", line.strip()) for line in out.rpartition("\n\n")[2].splitlines()]
    assert code == 0
    assert table[0] == ["profile", "line", "runs", "least", "median", "largest", "sum", "did something"]
    assert table[3] == ["advance_frontier.loop1.loop1 (edges)", "21", "4", "1", "1", "2", "6", "3", "(50%)"]


def test_json_has_the_profile_that_the_file_has(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    code, out, _ = run("run", BFS, "--graph", "path:4", f"--profile={file}", "--json")
    assert code == 0
    assert json.loads(out)["profile"] == json.loads(file.read_text())


def test_a_timeline_has_loops_in_each_other_and_frontiers_as_counters(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "run.trace.json"
    assert run("run", BFS, "--graph", "path:3", "--threads", "1", f"--profile={file}")[0] == 0
    events: list[dict[str, Any]] = json.loads(file.read_text())["traceEvents"]
    spans = [e for e in events if e["ph"] == "X" and e["cat"] != "part"]
    assert [e["name"] for e in spans] == [*["bfs.iterate1", "advance_frontier.loop1"] * 3, "survey_hops.loop1"]
    assert all(a["ts"] <= b["ts"] and b["ts"] + b["dur"] <= a["ts"] + a["dur"] + 1e-6  # us
               for a, b in zip(spans[:6:2], spans[1:6:2], strict=True))
    assert [e["args"] for e in events if e["ph"] == "C" and "advance" in e["name"]] == [
        {"iterations": 1, "edges": n} for n in (1, 2, 1)]
    assert {e["tid"] for e in events if e["ph"] == "X"} == {0}


def test_explain_has_the_numbers_beside_the_lines_and_says_what_could_gain(run: Run, written: Path) -> None:
    code, out, _ = run("explain", BFS, "--profile", str(written))
    assert code == 0
    row = next(line for line in out.splitlines() if line.endswith("ForAll (e In n.edges) {"))
    assert row.split()[:5] == ["2", "598", "50%", "21", "ForAll"]
    remedy = out.splitlines()[next(k for k, line in enumerate(out.splitlines()) if "changed nothing" in line) + 1]
    assert remedy == '    try --plan "advance_frontier.loop1.direction=hybrid"'


def test_a_profile_may_be_asked_for_as_json(run: Run, written: Path) -> None:
    code, out, _ = run("explain", BFS, "--profile", str(written), "--json")
    found = json.loads(out)["profile"]
    assert code == 0
    assert {key: found[key] for key in ("irgl_profile", "program", "target", "threads")} == {
        "irgl_profile": 1, "program": "bfs", "target": "cpu", "threads": 1}
    assert found["advice"][0]["remedy"] == 'try --plan "advance_frontier.loop1.direction=hybrid"'


REFUSED = [
    (("--profile=run.txt",), "--profile=run.txt: it writes JSON, and the name doesn't say so",
     "--profile=run.txt.json; alone, --profile shows a table"),
    (("--profile", "--repeat", "3"), "--profile tells of one run, and --repeat asks for 3", "leave one of them out"),
    (("--profile", "--stats=rounds"), "--profile and --stats=rounds each want the program built in a way of its own",
     "run it once with each"),
    (("--profile", "--target", "cuda"), "--profile has no meaning for --target cuda: nothing counts what a GPU's "
     "threads do", "--stats=rounds takes the times of its rounds, --target simt --profile counts what its code does"),
    (("--profile=a.trace.json", "--target", "ref"), "--profile=a.trace.json has no meaning for --target ref: the "
     "interpreter counts, and a timeline is of times",
     "--target cpu takes them; --profile=FILE.json has what is counted"),
]


@pytest.mark.parametrize(("words", "message", "hint"), REFUSED, ids=[" ".join(words) for words, _, _ in REFUSED])
def test_what_can_t_be_profiled_is_refused(run: Run, words: tuple[str, ...], message: str, hint: str) -> None:
    assert run("run", BFS, "--graph", "path:3", *words) == (2, "", f"error: {message}\n  hint: {hint}\n")


def test_the_program_itself_is_not_written_over(run: Run, tmp_path: Path) -> None:
    program = tmp_path / "own.json"
    program.write_text("")
    assert run("run", str(program), "--graph", "path:3", f"--profile={program}")[0] == 2


AGAIN = "run the program again with --profile=FILE.json"
GIVE = "give what `irglc run PROGRAM --profile=FILE.json` wrote"
FOREIGN = [
    ("nothing", "it is no profile: it is no JSON", GIVE),
    ("[" * 100_000, "it is no profile: it is no JSON", GIVE),
    ("[1]", "it is no profile: it is JSON of something else", GIVE),
    ('{"traceEvents": []}', "it is no profile: it is a timeline", GIVE),
    ('{"irgl_profile": 9}', "it is a profile in form 9, and this irgl reads form 1", AGAIN),
    ('{"irgl_profile": 1}', "it is a damaged profile: 'program' is missing", AGAIN),
]


@pytest.mark.parametrize(("text", "message", "hint"), FOREIGN, ids=[message for _, message, _ in FOREIGN])
def test_what_is_no_profile_is_refused(run: Run, tmp_path: Path, text: str, message: str, hint: str) -> None:
    file = tmp_path / "file.json"
    file.write_text(text)
    assert run("explain", BFS, "--profile", str(file)) == (2, "", f"{file}: error: {message}\n  hint: {hint}\n")


DAMAGED = [
    ("program", 3, "'program' is 3"), ("threads", -1, "'threads' is -1"), ("threads", True, "'threads' is true"),
    ("ms", "long", "'ms' is 'long', and no time"), ("places", {}, "'places' is {}"),
    ("places", [{"items": []}], "'kind' is missing"), ("graph", [], "'graph' is []"),
]


@pytest.mark.parametrize(("key", "value", "message"), DAMAGED, ids=[message for *_, message in DAMAGED])
def test_a_damaged_profile_is_refused(run: Run, written: Path, key: str, value: Any, message: str) -> None:
    written.write_text(json.dumps({**json.loads(written.read_text()), key: value}))
    code, out, err = run("explain", BFS, "--profile", str(written))
    assert (code, out, err) == (2, "", f"{written}: error: it is a damaged profile: {message}\n  hint: {AGAIN}\n")


def test_a_plan_that_a_damaged_profile_names_is_no_crash(run: Run, written: Path) -> None:
    written.write_text(json.dumps({**json.loads(written.read_text()), "plan": "grain=none", "target": "cpu"}))
    assert run("explain", BFS, "--profile", str(written))[0] == 2


def test_another_program_s_profile_is_refused(run: Run, written: Path) -> None:
    cc = str(PLACE / "cc.irgl")
    assert run("explain", cc, "--profile", str(written)) == (
        2, "", f"{written}: error: it is a profile of bfs, and {cc} is cc_hook\n"
        "  hint: irglc explain is to be given bfs, or a profile of cc_hook\n")


def test_a_profile_of_another_text_is_refused(run: Run, written: Path, tmp_path: Path) -> None:
    program = tmp_path / "bfs.irgl"
    program.write_text(Path(BFS).read_text() + "\n")
    assert run("explain", str(program), "--profile", str(written)) == (
        2, "", f"{written}: error: it is a profile of another text of bfs: the program was changed since\n"
        f"  hint: {AGAIN}\n")


def test_a_file_that_is_not_there_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "none.json"
    assert run("explain", BFS, "--profile", str(file)) == (
        2, "", f"{file}: error: can't read it: No such file or directory\n")
