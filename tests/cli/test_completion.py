"""What irglc answers a shell that completes a line: commands, options, programs, parameters, graphs, plans, files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.programs import SHIPPED

from irgl.cli.main import cli, exit_code
from irgl.cli.shell.completion import answer
from irgl.cli.shell.line import words_of
from irgl.options import LEADING, OPTIONS
from irgl.rt.graphs.generators import NAMES

OWN = "graph Graph { }\nlong seen = 0;\nKernel count(Graph g, Graph h) { ForAll (n In g.nodes) { seen += 1; } }\n" \
      "Program own(Graph g, Graph other, bool loud = false, int first_number = 3) { Invoke count(g, other); }\n"
Ask = Callable[..., list[tuple[str, str]]]
#: What bash breaks words at.
BREAKS = " \t\n\"'><=;|&(:"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program, graphs and a folder; the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.irgl").write_text(OWN)
    (tmp_path / "broken.irgl").write_text("Kernel (")
    (tmp_path / "two words.gr").write_text("p sp 1 0\n")
    (tmp_path / "roads.gr").write_text("p sp 1 0\n")
    (tmp_path / ".hidden.gr").write_text("p sp 1 0\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inner.irgl").write_text(OWN)
    return tmp_path


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """ask(line, shell) gives the (kind, text) of each completion; nothing may be said on stderr."""
    def completions(line: str, shell: str = "fish") -> list[tuple[str, str]]:
        monkeypatch.setenv("_IRGLC_LINE", line)
        monkeypatch.setenv("_IRGLC_BREAKS", BREAKS)
        capsys.readouterr()
        assert answer(cli, shell) == 0
        said = capsys.readouterr()
        assert said.err == ""
        split = [found.split("\t") for found in said.out.splitlines()]
        return [(words[0], words[1] if len(words) > 1 else "") for words in split]

    return completions


def plain(*texts: str) -> list[tuple[str, str]]:
    return [("plain", text) for text in texts]


def texts(found: list[tuple[str, str]]) -> list[str]:
    return [text for _, text in found]


def test_commands(ask: Ask) -> None:
    assert {"check", "run", "tune", "programs", "new", "completion"} <= set(texts(ask("irglc ")))
    assert ask("irglc comp") == plain("compile", "completion")
    assert ask("irglc --ver") == plain("--version")


def test_commands_below_a_command(ask: Ask) -> None:
    assert texts(ask("irglc graph ")) == ["convert", "generate", "info"]
    assert ask("irglc cache cl") == plain("clear")


def test_the_value_of_an_option_that_may_go_without(ask: Ask) -> None:
    assert ask("irglc run own.irgl --stats=") == plain("--stats=totals", "--stats=rounds")
    assert ask("irglc run own.irgl --stats --thr") == plain("--threads")
    assert "totals" not in texts(ask("irglc run own.irgl --stats "))


@pytest.mark.parametrize("command", ["run", "tune", "check", "dump", "explain", "compile", "report"])
def test_programs_that_come_with_irgl_and_files_of_programs(ask: Ask, command: str) -> None:
    found = ask(f"irglc {command} ")
    assert found == [*plain(*SHIPPED), ("plain", "broken.irgl"), ("open", "folder/"), ("plain", "own.irgl")]
    assert ask(f"irglc {command} folder/") == plain("folder/inner.irgl")
    assert ask(f"irglc {command} bfs_d") == plain("bfs_do")


def test_a_program_s_own_parameters_are_options(ask: Ask) -> None:
    assert ask("irglc run bfs --sr") == plain("--src")
    assert ask("irglc run own.irgl --o") == plain("--out", "--other")
    assert ask("irglc tune own.irgl --first") == plain("--first_number", "--first-number")


def test_options_follow_a_program_without_a_dash_being_typed(ask: Ask) -> None:
    assert {"--graph", "--plan", "--src"} <= set(texts(ask("irglc run bfs ")))


def test_an_option_that_is_given_once_is_offered_no_more(ask: Ask) -> None:
    assert "--seed" not in texts(ask("irglc run bfs --seed 3 --"))


@pytest.mark.parametrize("program", ["nothing", "broken.irgl", "folder", "roads.gr"])
def test_a_program_that_can_t_be_read_leaves_irglc_s_own_options(ask: Ask, program: str) -> None:
    assert ask(f"irglc run {program} --see") == plain("--seed")
    assert ask(f'irglc run {program} --plan "nowhere.') == []


def test_values_of_choices_and_truths(ask: Ask) -> None:
    assert ask("irglc run bfs --target c") == plain("cpu", "cuda")
    assert ask("irglc run bfs --target=c") == plain("--target=cpu", "--target=cuda")
    assert ask("irglc run own.irgl --loud ") == plain("true", "false")


@pytest.mark.parametrize("line", ["irglc run bfs --graph ", "irglc tune bfs -g ", "irglc run own.irgl --other ",
                                  "irglc graph info ", "irglc report bfs --graph "])
def test_graphs_are_generators_and_files(ask: Ask, line: str) -> None:
    found = ask(line)
    assert [text for kind, text in found if kind == "open" and text.endswith(":")] == [f"{n}:" for n in sorted(NAMES)]
    assert ("plain", "roads.gr") in found and ("open", "folder/") in found and ("plain", ".hidden.gr") not in found
    assert ask(f"{line}rm") == [("open", "rmat:")]
    assert ask(f"{line}.h") == plain(".hidden.gr")


def test_names_of_files_below_home(ask: Ask, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(here))
    assert ask("irglc run bfs --graph ~/ro") == plain("~/roads.gr")
    assert ask("irglc run ~nobody-of-that-name/x") == []


def test_other_files_are_the_shell_s_own_matter(ask: Ask) -> None:
    assert ask("irglc run bfs --out ro") == [("file", "ro")]
    assert ask("irglc emulate ro") == [("file", "ro")]


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_a_plan_begins_with_a_word_or_an_option_of_its_target(ask: Ask, target: str) -> None:
    found = ask(f'irglc run bfs --target {target} --plan "')
    assert found == [*plain("default", "auto", "none"), *(("open", f"{o.name}=") for o in OPTIONS[target])]


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_every_option_of_a_plan_is_completed_with_values_that_it_takes(ask: Ask, target: str) -> None:
    for option in OPTIONS[target]:
        name, values = option.only_with if option.only_with is not None else ("", ())
        other = f"{name}={values[0]} " if name in LEADING and "csr" not in values else ""
        found = ask(f'irglc explain bfs --target {target} --plan "{other}{option.name}=')
        assert found
        for text in texts(found):
            assert exit_code(("explain", "bfs", "--target", target, "--plan", text)) == 0


def test_what_stands_in_front_of_a_plan_s_last_word_stays(ask: Ask) -> None:
    assert ask('irglc run bfs --plan "grain=256 direction=h') == plain("grain=256 direction=hybrid")
    assert ask('irglc compile bfs --plan "max_degree > 9: direction=h') == plain("max_degree > 9: direction=hybrid")


def test_the_only_option_that_is_left_comes_with_its_values(ask: Ask) -> None:
    assert ask("irglc run bfs --plan dir") == plain("direction=written", "direction=pull", "direction=hybrid")


def test_an_option_that_a_plan_has_is_not_offered_again(ask: Ask) -> None:
    assert ask('irglc run bfs --plan "direction=pull dir') == []


def test_joined_words_go_on(ask: Ask) -> None:
    assert ask("irglc run bfs --target cuda --plan np=wp+") == plain("np=wp+tb", "np=wp+fg")


def test_places_of_a_program_are_offered_where_no_option_is_called_so(ask: Ask) -> None:
    inner = ("np", "prefetch", "format", "split", "cluster", "expand", "width")
    outer = ("grain", "serial", "threads", "giant", "share", "direction", "switch", "member")
    assert ask("irglc run bfs --plan adv") == [*(("open", f"advance_frontier.loop1.{o}=") for o in outer),
                                               *(("open", f"advance_frontier.loop1.loop1.{o}=") for o in inner),
                                               ("open", "advance_frontier.loop1.frontier=")]
    assert ask("irglc explain bfs --plan advance_frontier.loop1.direction=h") == plain(
        "advance_frontier.loop1.direction=hybrid")


@pytest.mark.parametrize(("line", "found"), [
    ("irglc run bfs --plan frontier=bitm", ["plain\tbitmap\t"]),
    ("irglc run bfs --plan=frontier=bitm", ["plain\tbitmap\t"]),
    ("irglc run bfs --plan 'grain=256 frontier=bitm", ["plain\tgrain=256 frontier=bitmap\t"]),
    ('irglc run bfs --plan="frontier=bitm', ["plain\tfrontier=bitmap\t"]),
    ("irglc run bfs --graph rma", ["nospace", "open\trmat:\t"]),
    ("irglc run bfs --graph two", ["plain\ttwo\\ words.gr\t"]),
    ("irglc run bfs --graph two\\ w", ["plain\ttwo\\ words.gr\t"]),
    ('irglc run bfs --graph "two', ["plain\ttwo words.gr\t"]),
    ("IRGL_X=1 irglc run bfs_d", ["plain\tbfs_do\t"]),
])
def test_bash_gets_what_stands_behind_the_last_break(line: str, found: list[str], capsys: pytest.CaptureFixture[str],
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_IRGLC_LINE", line)
    monkeypatch.setenv("_IRGLC_BREAKS", BREAKS)
    assert answer(cli, "bash") == 0
    assert capsys.readouterr().out.splitlines() == found


def test_a_name_with_a_tab_or_a_line_s_end_is_left_out(ask: Ask, here: Path) -> None:
    (here / "x\ty.gr").write_text("")
    (here / "x\nz.gr").write_text("")
    (here / "xx.gr").write_text("")
    assert ask("irglc run bfs --graph x") == plain("xx.gr")


@pytest.mark.parametrize("line", ["", "irglc", "irglc nothing x", "irglc run", "irglc run bfs --nothing ", "irglc 'run",
                                  "irglc run bfs --plan", "irglc run -- bfs --s",
                                  "irglc run bfs --target nowhere --plan x",
                                  'irglc run bfs --plan "np=', "irglc run bfs --plan nothing=", "irglc run bfs --src=",
                                  "irglc run bfs -g", "irglc \\", "irglc run bfs --plan 'a b=c ", "irglc new "])
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_nothing_that_is_typed_makes_it_fail(ask: Ask, line: str, shell: str) -> None:
    ask(line, shell)


@pytest.mark.parametrize(("line", "whole", "last", "quote"), [
    ("", [], "", ""),
    ("a b", ["a"], "b", ""),
    ("a b ", ["a", "b"], "", ""),
    ("a 'b c", ["a"], "b c", "'"),
    ('a "b c" d', ["a", "b c"], "d", ""),
    ('a "b\\"c', ["a"], 'b"c', '"'),
    ("a 'b\\", ["a"], "b\\", "'"),
    ("a b\\ c", ["a"], "b c", ""),
    ("a '' b", ["a", ""], "b", ""),
    ("a x'y z'", ["a"], "xy z", ""),
])
def test_a_line_is_read_as_a_shell_reads_it(line: str, whole: list[str], last: str, quote: str) -> None:
    words, word = words_of(line)
    assert (words, word.text, word.quote) == (whole, last, quote)
    assert len(word.bare) == len(word.text)


def loaded_for(line: str) -> set[str]:
    """The modules that irglc has loaded when it has answered."""
    code = ("import sys\nfrom irgl.cli.main import exit_code\ncode = exit_code()\n"
            "print(code, *sys.modules, file=sys.stderr)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60,
                          env={**os.environ, "_IRGLC_COMPLETE": "fish", "_IRGLC_LINE": line})
    assert done.stdout
    first, *modules = done.stderr.split()
    assert first == "0"
    return set(modules)


def test_completing_a_command_loads_none() -> None:
    assert loaded_for("irglc ru") & {"numpy", "irgl.cli.run", "irgl.rt.manifests.program"} == set()


@pytest.mark.parametrize("line", ["irglc run b", "irglc run bfs --s", 'irglc run bfs --plan "gr'])
def test_completing_what_follows_run_loads_no_compiler_and_no_library_but_numpy(line: str) -> None:
    loaded_for(line)  # so that the program is known
    heavy = {"scipy", "networkx", "pyarrow", "pycparser", "jinja2", "irgl.driver", "irgl.ast.nodes"}
    assert loaded_for(line) & heavy == set()
