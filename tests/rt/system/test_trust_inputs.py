"""The promises of docs/security.md about what a user is given: what each kind of file can do, and when."""

from __future__ import annotations

import ast
import io
import os
import pickle
import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from support.promises import keeps

import irgl
from irgl.cli.main import exit_code
from irgl.plan import Plan
from irgl.rt.graphs.load import load
from irgl.rt.graphs.loading import store as graph_store
from irgl.rt.graphs.writers import write
from irgl.source import IrglError
from irgl.tune.results.store import Key, Store

ROOT = Path(irgl.__file__).resolve().parent
PROGRAM = """graph Graph { node int p = 0; }
Kernel k(Graph g) { ForAll (n In g.nodes) { n.p += 1; } }
Program adding(Graph g) verify judge(found = p) { Invoke k(g); }
"""
MARK = "open({!r}, 'a').write('ran')\n"


class Ran:
    """A place that tells whether code of a given file has run."""

    def __init__(self, folder: Path) -> None:
        self.mark = folder / "ran"
        self.code = MARK.format(str(self.mark))

    def __bool__(self) -> bool:
        return self.mark.exists()


class Harm:
    """What runs code when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return open, (str(self.path), "w")


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ran:
    """A program given by somebody, whose verifier leaves a mark where it is run."""
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("IRGL_TUNE_DB", str(tmp_path / "db" / "tune.sqlite"))
    monkeypatch.chdir(tmp_path)
    found = Ran(tmp_path)
    (tmp_path / "given" / "verifiers").mkdir(parents=True)
    (tmp_path / "given" / "p.irgl").write_text(PROGRAM)
    (tmp_path / "given" / "verifiers" / "judge.py").write_text(found.code + "def verify(*_): return None\n")
    return found


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


@keeps("graph-is-data")
def test_a_matrix_with_pickled_objects_is_refused_unread(ran: Ran) -> None:
    for name in ("data", "indices", "format", "extra"):
        arrays = {"format": np.array(b"csr"), "shape": np.array([2, 2]), "indptr": np.array([0, 1, 1]),
                  "indices": np.array([1]), "data": np.array([5])}
        arrays[name] = np.array([Harm(ran.mark)], object)
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)  # type: ignore[arg-type]
        Path("g.npz").write_bytes(buffer.getvalue())
        with pytest.raises(IrglError, match=r"the .npz file is damaged"):
            load("g.npz", use_cache=False)
    assert not ran


@keeps("graph-is-data")
def test_a_graph_file_that_is_a_pickle_or_a_script_is_refused_unrun(ran: Ran) -> None:
    for content in (pickle.dumps(Harm(ran.mark)), ran.code.encode(), b"#!/bin/sh\ntouch ran\n", b"\x7fELF" + bytes(60)):
        for name in (None, "el", "npz", "irglg", "galois", "mtx"):
            Path("g").write_bytes(content)
            with pytest.raises(IrglError):
                load("g", format=name, use_cache=False)
    assert not ran


@keeps("graph-is-data")
@pytest.mark.parametrize("mode", [0o600, 0o666])
def test_a_graph_that_others_may_write_to_is_copied_before_it_is_checked(mode: int, tmp_path: Path) -> None:
    write(load("path:1000", use_cache=False), str(tmp_path / "g.irglg"))
    (tmp_path / "g.irglg").chmod(mode)
    graph = load(str(tmp_path / "g.irglg"), use_cache=False)
    before = graph.dst.tolist()
    with (tmp_path / "g.irglg").open("r+b") as file:
        file.seek(192)
        file.write(b"\xff" * 20_000)
    assert (graph.dst.tolist() == before) == (mode == 0o666)


@keeps("plan-is-data")
def test_what_is_no_plan_is_refused_and_runs_nothing(ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    def harm(*_: object, **__: object) -> None:
        ran.mark.touch()

    for name in ("eval", "exec", "compile", "__import__"):
        monkeypatch.setattr(f"builtins.{name}", harm)
    rng = random.Random(7)
    words = [*str(Plan()).split(), "__import__('os').system('touch ran')", "$(touch ran)", "`touch ran`", ";", "=", "@",
             "np=tb+wp", "outline=all", "block=256", "grain=-1", "grain=99999999999999999999", "\0", "\n", "k.1.2:",
             "auto", "ü", "grain=1e3", "x" * 5000]
    parsed = refused = 0
    for _ in range(3000):
        text = " ".join(rng.choice(words) for _ in range(rng.randrange(5)))
        if rng.random() < 0.5 and text:
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice("=+:.@ \0'\"()${}") + text[at + 1:]
        for target in ("cpu", "cuda"):
            try:
                assert Plan.parse(str(Plan.parse(text, target)), target) is not None
                parsed += 1
            except IrglError:
                refused += 1
    assert parsed > 100 and refused > 1000 and not ran


@keeps("database-is-data")
def test_what_a_database_holds_is_parsed_and_never_run(ran: Ran) -> None:
    key = Key("program", "cpu", "machine")
    with Store() as store:
        store._db.execute(
            "INSERT INTO trials (program, target, machine, threads, digest, plan, round, input, status, times, "
            "reference, build_ms, why, by, stats, at) VALUES ('program', 'cpu', 'machine', 0, 'd', 'p', 0, 'i', 'ok', "
            "?, '[]', 0, '', '', '{}', 0)", (ran.code,))
        with pytest.raises(IrglError, match="the tuner's database is damaged"):
            store.trials(key)
    assert not ran


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


@keeps("cache-is-checked")
def test_a_cached_graph_with_ends_outside_is_not_used(ran: Ran) -> None:
    load("grid:80x80")
    entry = next(Path("cache/graphs").iterdir())
    data = bytearray(entry.read_bytes())
    graph = graph_store.find(entry.stem)
    assert graph is not None
    at = data.index(graph.dst.tobytes())
    data[at:at + 4] = np.int32(6400).tobytes()
    body = len(data) - graph_store.TAIL.size
    _, _, places = graph_store.TAIL.unpack(data[body:])
    checksum = graph_store._checksum(np.frombuffer(data[:body], np.uint8))
    entry.unlink()
    entry.write_bytes(data[:body] + graph_store.TAIL.pack(graph_store.TAIL_MAGIC, checksum, places))
    assert graph_store.find(entry.stem) is None and not ran


@keeps("notebook-shows-text")
def test_what_stands_in_a_program_is_text_in_a_notebook(ran: Ran) -> None:
    Path("given/p.irgl").write_text(f"// <img src=x onerror=alert(1)>\n{PROGRAM}")
    shown = irgl.compile("given/p.irgl", target="cpu")._repr_html_()
    assert "&lt;img src=x" in shown and "<img" not in shown and not ran
