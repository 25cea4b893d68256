"""Shells that are installed complete irglc's lines, in a terminal: what they then run is what was meant."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pexpect = pytest.importorskip("pexpect", reason="no pexpect, which drives a terminal")

BIN = Path(sys.executable).parent
#: Stands for irglc but where it completes: it shows what it is given.
SHOW = ("irglc() { if [ -n \"$_IRGLC_COMPLETE\" ]; then command irglc; "
        "else printf 'GOT:'; printf '<%s>' \"$@\"; echo ':END'; fi; }")
BEGIN = {
    "bash": (["--norc", "--noprofile", "-i"], "bind 'set enable-bracketed-paste off'"),
    "zsh": (["-f", "-i"], "unset zle_bracketed_paste; autoload -Uz compinit; compinit -u -D"),
}
LINES = {
    "irglc expl": "<explain>",
    "irglc run bfs_d": "<run><bfs_do>",
    "irglc run own": "<run><own.irgl>",
    "irglc run bfs --sr": "<run><bfs><--src>",
    "irglc run bfs --graph road": "<run><bfs><--graph><roads.gr>",
    "irglc run bfs --graph=road": "<run><bfs><--graph=roads.gr>",
    "irglc run bfs --graph two": "<run><bfs><--graph><two words.gr>",
    "irglc run bfs --graph rma": "<run><bfs><--graph><rmat:>",
    "irglc run bfs --out road": "<run><bfs><--out><roads.gr>",
    "irglc run bfs --plan frontier=bitm": "<run><bfs><--plan><frontier=bitmap>",
    "irglc run bfs --plan=frontier=bitm": "<run><bfs><--plan=frontier=bitmap>",
    'irglc run bfs --plan "grain=256 direction=h': "<run><bfs><--plan><grain=256 direction=hybrid>",
    "irglc run bfs --plan 'grain=256 direction=h": "<run><bfs><--plan><grain=256 direction=hybrid>",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("shells")
    for name in ("own.irgl", "roads.gr", "two words.gr"):
        (made / name).write_text("")
    return made


def environment() -> dict[str, str]:
    return {**os.environ, "TERM": "dumb", "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture(scope="module", params=BEGIN)
def terminal(request: pytest.FixtureRequest, folder: Path) -> Iterator[Any]:
    """A shell in a terminal, ready for lines."""
    shell = request.param
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} is installed")
    words, first = BEGIN[shell]
    child = pexpect.spawn(shell, words, encoding="utf-8", timeout=60, env=environment(), cwd=str(folder),
                          dimensions=(40, 150))
    child.sendline(f'{first}; {SHOW}; eval "$(command irglc completion {shell})"; echo ready-$((1 + 1))')
    child.expect("ready-2")
    yield child
    child.close(force=True)


@pytest.mark.parametrize("line", LINES)
def test_a_line_in_a_terminal_is_completed(terminal: Any, line: str) -> None:
    terminal.send(f"{line}\t\n")
    terminal.expect("GOT:(.*?):END\r")
    assert terminal.match[1] == LINES[line]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh is installed")
def test_zsh_takes_the_script_from_a_folder_of_functions(folder: Path, tmp_path: Path) -> None:
    with (tmp_path / "_irglc").open("w") as script:
        subprocess.run([BIN / "irglc", "completion", "zsh"], stdout=script, check=True, timeout=60)
    child = pexpect.spawn("zsh", ["-f", "-i"], encoding="utf-8", timeout=60, env=environment(), cwd=str(folder),
                          dimensions=(40, 150))
    child.sendline(f"unset zle_bracketed_paste; fpath=({tmp_path} $fpath); autoload -Uz compinit; compinit -u -D; "
                   f"{SHOW}; echo ready-$((1 + 1))")
    child.expect("ready-2")
    for _ in range(3):  # the first time it is loaded
        child.send("irglc run bfs_d\t\n")
        child.expect("GOT:(.*?):END\r")
        assert child.match[1] == "<run><bfs_do>"
    child.close(force=True)


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish is installed")
@pytest.mark.parametrize("line", LINES)
def test_fish_offers_what_a_line_may_become(folder: Path, line: str) -> None:
    script = f"irglc completion fish | source; complete -C {_quoted(line)}"
    done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True, timeout=60, check=True,
                          env=environment(), cwd=folder)
    assert [found.split("\t")[0] for found in done.stdout.splitlines()] == [
        LINES[line].rpartition("<")[2].removesuffix(">")]


def _quoted(line: str) -> str:
    """For fish, in which only these two mean something between single quotes."""
    return "'" + line.replace("\\", "\\\\").replace("'", "\\'") + "'"
