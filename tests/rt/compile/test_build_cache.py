"""The cache of compiled units: shared by processes, unharmed by kills, bounded, and never the wrong entry."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from irgl import driver
from irgl.plan import Plan
from irgl.rt.call import abi
from irgl.rt.compile import build, toolchain
from irgl.rt.emulate import emulate
from irgl.rt.manifests import program
from irgl.rt.system import child
from irgl.rt.system.endings import RefusedCodeError
from irgl.source import IrglError
from irgl.standalone import standalone

UNIT = '#include "cpu_rt/abi.hpp"\nextern "C" int irgl_run(irgl_run_args*) { return %d; }\n'
BUILD = "import sys; from irgl.rt.compile.build import build; print(build(sys.argv[1]).built)"
PROGRAM = """graph Graph { node int mark = 0; }
Kernel touch(Graph g) { ForAll (n In g.nodes) { n.mark = 1; } }
Program small(Graph g) { Invoke touch(g); }
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own: the folder of its entries."""
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("IRGL_BUILD_CACHE_MB", raising=False)
    return tmp_path / "cache" / "build"


def returned(text: str) -> int:
    library, _ = build.open_library(text)
    code: int = library.irgl_run(None)
    return code


def logging_compiler(tmp_path: Path, before: str) -> Path:
    """A compiler that notes each compilation in `log`, and runs `before` first."""
    real = shutil.which("g++")
    script = tmp_path / "cxx"
    work = f"echo run >> {tmp_path}/log; {before}"
    script.write_text(f'#!/bin/sh\n[ "$1" = --version ] || {{ {work}; }}\nexec {real} "$@"\n')
    script.chmod(0o755)
    return script


def entries(cache: Path) -> set[str]:
    return {p.name for p in cache.iterdir() if p.is_file()}


def test_ctypes_and_cpp_agree_on_the_layout() -> None:
    checks = []
    for record, name in ((abi.Graph, "irgl_graph"), (abi.RunArgs, "irgl_run_args")):
        checks.append(f"static_assert(sizeof({name}) == {ctypes.sizeof(record)});")
        for field, *_ in record._fields_:
            checks.append(f"static_assert(offsetof({name}, {field}) == {getattr(record, field).offset});")
    checks.append(f"static_assert(IRGL_STATS == {abi.STATS_SIZE} && IRGL_FAULTS == {abi.FAULT_SIZE});")
    checks += [f"static_assert(IRGL_STAT_{name.upper()} == {i});" for i, name in enumerate(abi.DEVICE_STATS)]
    checks.append(f"static_assert(IRGL_STAT_VARIANT == {abi.STAT_VARIANT});")
    assert returned("#include <stddef.h>\n" + UNIT % 7 + "\n".join(checks)) == 7


def test_a_second_build_comes_from_the_cache() -> None:
    assert [build.build(UNIT % 1).built for _ in range(2)] == [True, False]


def test_another_text_is_another_entry() -> None:
    assert [returned(UNIT % 1), returned(UNIT % 2)] == [1, 2]


def test_another_width_is_another_entry() -> None:
    build.build(UNIT % 1)
    assert build.build(UNIT % 1, edge_bits=64).built


def test_another_compiler_is_another_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build.build(UNIT % 1)
    script = tmp_path / "cxx"
    script.write_text('#!/bin/sh\n[ "$1" = --version ] && echo other 1.0 || exec g++ "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("CXX", str(script))
    assert build.build(UNIT % 1).built


def test_further_flags_are_another_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (7, 8):
        monkeypatch.setenv("IRGL_CXXFLAGS", f"-O0 '-DWHAT={number} + 0'")
        assert returned(UNIT.replace("%d", "WHAT")) == number


def test_further_flags_with_an_open_quote_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRGL_CXXFLAGS", "-DWHO='a user")
    with pytest.raises(IrglError) as e:
        build.build(UNIT % 1)
    assert str(e.value) == ("error: IRGL_CXXFLAGS is `-DWHO='a user`: No closing quotation\n"
                            "  hint: unset it, or name flags of the C++ compiler")


def test_a_changed_header_is_another_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    build.build(UNIT % 1)
    monkeypatch.setattr(build, "headers_digest", lambda: "changed")
    assert build.build(UNIT % 1).built


def test_processes_that_want_one_entry_compile_it_once(tmp_path: Path) -> None:
    env = {**os.environ, "CXX": str(logging_compiler(tmp_path, "sleep 0.5"))}
    running = [subprocess.Popen([sys.executable, "-c", BUILD, UNIT % 3], env=env, stdout=subprocess.PIPE, text=True)
               for _ in range(4)]
    said = sorted(p.communicate(timeout=120)[0].strip() for p in running)
    assert (said, (tmp_path / "log").read_text()) == (["False", "False", "False", "True"], "run\n")


def test_a_killed_build_leaves_no_entry(tmp_path: Path, cache: Path) -> None:
    env = {**os.environ, "CXX": str(logging_compiler(tmp_path, "sleep 60"))}
    process = subprocess.Popen([sys.executable, "-c", BUILD, UNIT % 4], env=env, start_new_session=True)
    deadline = time.monotonic() + 60
    while not (tmp_path / "log").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not [name for name in entries(cache) if not name.startswith(".tmp-")]


def test_after_a_killed_build_the_next_one_works(tmp_path: Path) -> None:
    env = {**os.environ, "CXX": str(logging_compiler(tmp_path, "kill -9 $PPID; kill -9 $$"))}
    subprocess.run([sys.executable, "-c", BUILD, UNIT % 4], env=env, check=False)
    assert returned(UNIT % 4) == 4


def test_a_damaged_entry_is_built_again() -> None:
    build.build(UNIT % 5).path.write_bytes(b"\x7fELF")
    assert returned(UNIT % 5) == 5


@pytest.mark.parametrize("damage", [
    lambda data: data[:-4000],
    lambda data: data[:2000] + data[2000:3000].translate(bytes(reversed(range(256)))) + data[3000:],
    lambda data: data[:-4000] + bytes(4000),
    lambda data: data[:data.rindex(b"\n// ")],  # as older versions left it
    lambda _: b"",
], ids=["cut", "other bytes", "lost end", "no seal", "empty"])
def test_an_entry_that_is_not_as_it_was_made_is_made_again(damage: Callable[[bytes], bytes]) -> None:
    path = build.build(UNIT % 5).path
    path.write_bytes(damage(path.read_bytes()))
    assert (build.known(path.stem, ".so"), build.build(UNIT % 5).built, returned(UNIT % 5)) == (None, True, 5)


@pytest.mark.parametrize("suffix", [".cu", ".emu", ".o"])
def test_a_damaged_part_of_a_cuda_unit_is_made_again(suffix: str) -> None:
    def make(path: Path) -> None:
        path.write_text("a whole file")

    build.cached("key", suffix, make).path.write_text("")
    assert build.cached("key", suffix, make).path.read_text().startswith("a whole file\n")


def test_over_its_limit_the_cache_drops_what_was_used_longest_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    old, used = build.build(UNIT % 1).path, build.build(UNIT % 2).path
    os.utime(old, (1, 1))
    os.utime(used, (2, 2))
    size = old.stat().st_size
    monkeypatch.setattr(build, "limit_bytes", lambda: 2 * size + size // 2)
    new = build.build(UNIT % 3).path
    assert [p.exists() for p in (old, used, new)] == [False, True, True]


def test_use_protects_an_entry_from_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = build.build(UNIT % 1).path, build.build(UNIT % 2).path
    for path in (first, second):
        os.utime(path, (1, 1))
    build.build(UNIT % 1)
    size = first.stat().st_size
    monkeypatch.setattr(build, "limit_bytes", lambda: 2 * size + size // 2)
    build.build(UNIT % 3)
    assert [first.exists(), second.exists()] == [True, False]


def test_old_temporary_files_are_removed(cache: Path) -> None:
    cache.mkdir(parents=True)
    (cache / ".tmp-1-left.so").write_bytes(b"x")
    os.utime(cache / ".tmp-1-left.so", (1, 1))
    build.build(UNIT % 1)
    assert ".tmp-1-left.so" not in entries(cache)


def test_a_folder_that_a_killed_build_left_goes_and_harms_no_later_one(cache: Path) -> None:
    returned(UNIT % 1)
    left = cache / ".tmp-1-folder"
    left.mkdir()
    (left / "unit.s").write_bytes(b"x")
    os.utime(left, (1, 1))
    assert returned(UNIT % 2) == 2
    assert left.name not in entries(cache)


def test_a_missing_compiler_is_said_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(IrglError) as e:
        build.build(UNIT % 1)
    assert str(e.value) == ("error: there is no C++ compiler\n"
                            "  hint: install g++ (on Debian or Ubuntu: apt install g++), or set CXX")


def test_a_wrong_cxx_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler -x")
    with pytest.raises(IrglError) as e:
        build.build(UNIT % 1)
    assert str(e.value) == ("error: CXX names `no-such-compiler`, which can't be run\n"
                            "  hint: unset CXX, or name a C++ compiler")


def test_a_cxx_that_fails_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    toolchain.version.cache_clear()
    monkeypatch.setenv("CXX", "false")
    with pytest.raises(IrglError) as e:
        build.build(UNIT % 1)
    assert str(e.value) == "error: `false --version` fails: exit code 1\n  hint: set CXX to a C++ compiler that runs"


def test_a_cxx_with_an_open_quote_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "g++ '-O1")
    with pytest.raises(IrglError) as e:
        build.build(UNIT % 1)
    assert str(e.value) == "error: CXX is `g++ '-O1`: No closing quotation\n  hint: unset CXX, or name a C++ compiler"


@pytest.mark.parametrize(("work", "message"), [
    ("echo \"cxx: error: unrecognized option '-std=c++17'\" >&2; exit 1",
     "`{cxx}` can't be used: cxx: error: unrecognized option '-std=c++17'"),
    ("exit 1", "`{cxx}` can't be used: it fails and gives no reason"),
    ("echo 'unit.s: fatal error: error writing to x.s: No space left on device' >&2; exit 1",
     "the C++ compiler can't do its work: unit.s: fatal error: error writing to x.s: No space left on device"),
    ("exit 0", "the C++ compiler `{cxx}` says that all went well, and wrote nothing"),
    ("kill -9 $$", "the C++ compiler can't do its work: it was ended by signal 9"),
])
def test_what_ails_the_compiler_is_no_bug_in_irgl(work: str, message: str, tmp_path: Path, cache: Path,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = logging_compiler(tmp_path, work)
    monkeypatch.setenv("CXX", str(compiler))
    with pytest.raises(IrglError) as e:
        build.build(UNIT % 1)
    assert (e.value.message, entries(cache)) == (message.format(cxx=compiler), set())


def test_a_compiler_that_may_open_no_more_files_needs_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = "echo 'ld: cannot find -lgcc_s: Too many open files' >&2; exit 1"
    monkeypatch.setenv("CXX", str(logging_compiler(tmp_path, work)))
    with pytest.raises(IrglError) as e:
        build.build(UNIT % 1)
    assert e.value.hint == "let the process have more: ulimit -n 1024"


def test_a_build_that_is_ended_lets_the_compiler_tidy_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = f"trap 'touch {tmp_path}/tidied; exit 1' TERM; touch {tmp_path}/begun; sleep 5 & wait"
    monkeypatch.setenv("CXX", str(logging_compiler(tmp_path, work)))

    def ended(*_: object) -> None:
        raise KeyError

    def end() -> None:
        while not (tmp_path / "begun").exists():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, ended)
    threading.Thread(target=end).start()
    with pytest.raises(KeyError):
        build.build(UNIT % 1)
    signal.signal(signal.SIGUSR1, before)
    assert (tmp_path / "tidied").exists()


@pytest.mark.parametrize("runs", [lambda p: child.run([str(p)]), emulate.run], ids=["unit", "emulated"])
@pytest.mark.parametrize(("mode", "why", "remedy"), [
    (0o644, "Permission denied", "does its file system let programs run"),
    (0o755, "Exec format error", "does the C++ compiler make programs for this machine?")])
def test_a_program_that_the_system_does_not_start_is_said(runs: Callable[[Path], object], mode: int, why: str,
                                                          remedy: str, tmp_path: Path) -> None:
    (tmp_path / "unit").write_bytes(b"\x7fELF of another processor")
    (tmp_path / "unit").chmod(mode)
    with pytest.raises(IrglError, match=f"can't run the compiled program: {why}\n  hint: {re.escape(remedy)}"):
        runs(tmp_path / "unit")


@pytest.mark.parametrize("folder", ["~nobody-of-this-name/cache", "-cache"])
def test_an_odd_name_of_the_cache_is_used_or_refused(folder: str, tmp_path: Path,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IRGL_CACHE_DIR", folder)
    if folder.startswith("~"):
        with pytest.raises(IrglError, match="can't make the cache folder: Could not determine home directory"):
            build.build(UNIT % 1)
    else:
        assert build.build(UNIT % 1).built


def test_code_that_the_compiler_refuses_is_a_bug_to_report_with_the_kept_text() -> None:
    text = UNIT % 1 + "int broken( { }\n"
    with pytest.raises(RefusedCodeError) as e:
        build.build(text)
    assert Path(e.value.file).read_text() == text
    assert e.value.message.startswith("the C++ compiler refuses the code that irgl made: ")
    assert e.value.hint.startswith("please report it with that file and what this prints: g++ ")


def test_a_refused_unit_leaves_no_library(cache: Path) -> None:
    with pytest.raises(RefusedCodeError):
        build.build("broken")
    assert not [name for name in entries(cache) if name.endswith(".so")]


def test_a_cache_that_cant_be_made_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path / "file"))
    with pytest.raises(IrglError) as e:
        build.build(UNIT % 1)
    assert str(e.value) == (f"{tmp_path}/file: error: can't make the cache folder: Not a directory\n"
                            "  hint: set IRGL_CACHE_DIR to a folder that you may write to")


def test_a_cache_limit_that_is_no_number_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRGL_BUILD_CACHE_MB", "lots")
    with pytest.raises(IrglError) as e:
        build.build(UNIT % 1)
    assert str(e.value) == "error: IRGL_BUILD_CACHE_MB is `lots`\n  hint: it takes a whole number of megabytes"


# Programs: what is known of one without parsing it again.


def test_a_program_from_the_cache_needs_no_compiler(tmp_path: Path) -> None:
    path = tmp_path / "small.irgl"
    path.write_text(PROGRAM)
    program.open_program(path)
    code = ("import sys; from irgl.rt.manifests.program import open_program; m = open_program(sys.argv[1]);"
            "print(m.program, [n for n in ('irgl.driver', 'pycparser', 'jinja2') if n in sys.modules])")
    said = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True).stdout
    assert said == "small []\n"


def test_threads_may_compile_one_program_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "small.irgl"
    path.write_text(PROGRAM)
    both_wrote = threading.Barrier(2)
    replace = Path.replace

    def replace_late(scratch: Path, entry: Path) -> Path:
        both_wrote.wait(120)
        return replace(scratch, entry)

    monkeypatch.setattr(Path, "replace", replace_late)
    with ThreadPoolExecutor(2) as threads:
        made = [threads.submit(program.open_program, str(path), Plan()) for _ in range(2)]
        assert made[0].result() == made[1].result()


def test_a_changed_program_is_compiled_again(tmp_path: Path) -> None:
    path = tmp_path / "small.irgl"
    path.write_text(PROGRAM)
    program.open_program(path)
    path.write_text(PROGRAM.replace("Program small", "Program other"))
    assert program.open_program(path).program == "other"


def test_a_changed_import_is_compiled_again(tmp_path: Path) -> None:
    path = tmp_path / "small.irgl"
    (tmp_path / "part.irgl").write_text("int two() { return 2; }\n")
    path.write_text('import "part.irgl";\n' + PROGRAM.replace("n.mark = 1", "n.mark = two()"))
    before = program.open_program(path)
    (tmp_path / "part.irgl").write_text("int two() { return 22; }\n")
    assert program.open_program(path).text != before.text


def test_a_damaged_manifest_is_made_again(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "small.irgl"
    path.write_text(PROGRAM)
    before = program.open_program(path)
    for entry in cache.glob("*.json"):
        entry.write_text('{"version": 1}')
    assert program.open_program(path) == before


def test_plans_that_differ_in_numbers_of_the_run_share_one_library(tmp_path: Path) -> None:
    path = tmp_path / "small.irgl"
    path.write_text(PROGRAM)
    texts = [program.open_program(path, Plan.parse(p)).text for p in ("default", "none", "grain=7 serial=off giant=9")]
    assert [build.build(t).built for t in texts] == [True, False, False]


def test_generated_code_says_of_a_plan_only_what_it_knows(tmp_path: Path) -> None:
    path = tmp_path / "small.irgl"
    path.write_text(PROGRAM)
    plan = Plan.parse("grain=7")
    assert "// Plan: grain=(as the run says) serial=" in driver.compile(path, plan=plan).text
    assert f"// Plan: {plan}\n" in standalone(driver.compile(path, plan=plan), plan)
