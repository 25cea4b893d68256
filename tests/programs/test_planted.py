"""A program with a mistake in it is told from a right one by its verifier, on the command line, with exit code 1."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.planted import VERIFIERS, Planted
from support.programs import PLACE

from irgl.cli.main import exit_code

# Triangles in a chain of rings, two ways of the same length from 1 to 5, weights that make detours short, self-loops,
# parallel arcs, a sink, a node by itself but for a loop (13), and a part (20..22) that the rest does not reach.
GRAPH = """\
1 2 7
1 3 1
3 2 2
2 4 9
4 3 1
2 5 4
4 5 2
5 6 3
6 7 1
7 5 8
6 8 9
7 8 1
8 9 6
8 10 1
10 9 2
9 11 12
11 12 1
10 12 20
5 5 4
1 3 6
13 13 5
20 21 3
21 22 4
22 20 1
21 8 2
4 1 3
3 5 3
"""
ALL = [(verifier, what) for verifier, planted in VERIFIERS.items() for what in planted]
FIRST = {verifier: next(iter(planted)) for verifier, planted in VERIFIERS.items()}


def _run(folder: Path, program: str, text: str, *args: str, target: str) -> int:
    (folder / "verifiers").symlink_to(PLACE / "verifiers")
    (folder / "graph.txt").write_text(GRAPH, encoding="utf-8")
    path = folder / f"{program}.irgl"
    path.write_text(text, encoding="utf-8")
    return exit_code(["run", str(path), "--graph", str(folder / "graph.txt"), "--verify", "--target", target, *args])


def _with_mistake(planted: Planted) -> str:
    program, old, new, _ = planted
    text = (PLACE / f"{program}.irgl").read_text(encoding="utf-8")
    assert text.count(old) >= 1, f"{program}.irgl has no text {old!r} any more"
    return text.replace(old, new)


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_programs_are_right_before_a_mistake_is_planted(verifier: str, tmp_path: Path) -> None:
    for number, (program, args) in enumerate({(p[0], p[3]) for p in VERIFIERS[verifier].values()}):
        folder = tmp_path / str(number)
        folder.mkdir()
        text = (PLACE / f"{program}.irgl").read_text(encoding="utf-8")
        assert _run(folder, program, text, *args, target="ref") == 0


@pytest.mark.parametrize(("verifier", "what"), ALL)
def test_planted_mistake_is_found_out(
    verifier: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    planted = VERIFIERS[verifier][what]
    assert _run(tmp_path, planted[0], _with_mistake(planted), *planted[3], target="ref") == 1
    assert "wrong answer: " in capsys.readouterr().err


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_planted_mistake_is_found_out_in_compiled_code(verifier: str, tmp_path: Path) -> None:
    planted = VERIFIERS[verifier][FIRST[verifier]]
    assert _run(tmp_path, planted[0], _with_mistake(planted), *planted[3], target="cpu") == 1


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_each_verifier_has_at_least_eight_mistakes_to_find(verifier: str) -> None:
    assert len(VERIFIERS[verifier]) >= 8
