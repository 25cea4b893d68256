"""The promises of docs/security.md about programs: what runs, when, and where irgl runs code at all."""

from __future__ import annotations

import ast
import os
from functools import cache
from pathlib import Path

import pytest
from support.promises import keeps
from support.ran import Ran, given

import irgl
from irgl.cli.main import exit_code

ROOT = Path(irgl.__file__).resolve().parent


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ran:
    return given(tmp_path, monkeypatch)


@keeps("looking-runs-nothing")
@pytest.mark.parametrize("words", ["check", "dump --stage c++", "dump --target cuda", "explain", "run --help"])
def test_looking_at_a_program_runs_nothing_of_it(words: str, ran: Ran, capsys: pytest.CaptureFixture[str]) -> None:
    command, *more = words.split()
    code = exit_code([command, "given/p.irgl", *more])
    assert (code, bool(ran)) == (0, False), capsys.readouterr().err
    assert not list((Path("cache") / "build").glob("*.so"))


@keeps("looking-runs-nothing")
def test_looking_at_a_program_in_python_does_not_run_its_file(ran: Ran) -> None:
    Path("given/p.py").write_text(
        "import irgl\nfrom irgl import node\n@irgl.graph\nclass G:\n    p: node[int] = 0\n"
        "@irgl.kernel\ndef k(g: G):\n    for n in g.nodes:\n        n.p += 1\n"
        f"@irgl.program\ndef adding(g: G):\n    k(g)\nif True:\n    {ran.code}")
    for words in (["check", "given/p.py"], ["run", "given/p.py", "--graph", "path:5", "--target", "ref"]):
        assert (exit_code(words), bool(ran)) == (0, False)


@keeps("verifier-when-asked")
def test_a_verifier_runs_only_where_it_is_asked_for(ran: Ran) -> None:
    words = ["run", "given/p.irgl", "--graph", "path:5", "--threads", "1"]
    assert (exit_code(words), bool(ran)) == (0, False)
    assert (exit_code([*words, "--verify"]), bool(ran)) == (0, True)


@keeps("verifier-owner")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
@pytest.mark.parametrize("whose", ["verifiers/judge.py", "verifiers"])
def test_a_verifier_that_somebody_put_near_a_program_is_not_run(whose: str, ran: Ran,
                                                                capsys: pytest.CaptureFixture[str]) -> None:
    Path("given/deep").mkdir()
    Path("given/p.irgl").rename("given/deep/p.irgl")
    os.chown(Path("given") / whose, 65534, 65534)
    words = ["run", "given/deep/p.irgl", "--graph", "path:5", "--threads", "1", "--verify"]
    assert (exit_code(words), bool(ran)) == (2, False)
    assert capsys.readouterr().err == (
        f"{Path('given').absolute() / whose}: error: the verifier is not run: neither you nor the owner of the program "
        "owns it\n  hint: look at it, and copy it to where the program is\n")
    os.chown("given/deep/p.irgl", 65534, 65534)
    assert (exit_code(words), bool(ran)) == (0, True), "the program's author gave both"


@cache
def trees() -> dict[Path, list[ast.AST]]:
    """The syntax of all files of the package."""
    return {path: list(ast.walk(ast.parse(path.read_text()))) for path in sorted(ROOT.rglob("*.py"))}


@keeps("no-pickles-from-disk")
def test_pickles_are_only_what_the_tuner_and_its_worker_say_to_each_other() -> None:
    users = []
    for path, nodes in trees().items():
        for node in nodes:
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else \
                [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            called = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
            if {"pickle", "marshal", "shelve", "dill", "joblib"} & set(names) or called in ("read_pickle",):
                users.append(path.relative_to(ROOT).as_posix())
            if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
                assert isinstance(node.value, ast.Constant) and node.value.value is False, path
    assert users == ["tune/measure/worker.py"]


@keeps("code-runs-in-these-places")
def test_python_is_run_from_files_in_one_place() -> None:
    users = [(path.relative_to(ROOT).as_posix(), node.func.id)
             for path, nodes in trees().items() for node in nodes
             if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("exec", "eval")]
    assert users == [("frontends/python_files.py", "exec")]
