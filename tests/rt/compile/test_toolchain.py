"""Which compiler does what: CXX makes the code of the CPU; the emulator works on GCC's assembly, and takes GCC."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from irgl.rt.compile import toolchain
from irgl.rt.emulate import emulate
from irgl.source import IrglError
from irgl.tune.results import keys

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")

PROGRAM = '#include <cstdio>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); return 3; }\n'


def compiler(tmp_path: Path, text: str) -> str:
    script = tmp_path / "cxx"
    script.write_text(f"#!/bin/sh\n{text}\n")
    script.chmod(0o755)
    return str(script)


@pytest.fixture
def another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """CXX is a compiler that is not GCC."""
    path = compiler(tmp_path, '[ "$1" = --version ] && echo "clang version 19.1.7" || exit 1')
    monkeypatch.setenv("CXX", path)
    return path


@pytest.mark.usefixtures("another")
def test_the_emulator_takes_gcc_where_cxx_is_another_compiler(tmp_path: Path) -> None:
    (tmp_path / "p.cu").write_text(PROGRAM)
    assert emulate.run(emulate.build(tmp_path / "p.cu")).code == 3


def test_gcc_may_have_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = compiler(tmp_path, f'exec {shutil.which("g++")} "$@"')
    monkeypatch.setenv("CXX", f"{path} -DX")
    assert toolchain.gcc() == [path, "-DX"]


def test_an_emulator_without_gcc_is_refused_with_its_remedy(another: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(IrglError) as e:
        toolchain.gcc()
    assert str(e.value) == (f"error: the emulator is built by GCC, and `{another}` is another compiler\n"
                            "  hint: install g++ 12 or newer (Debian, Ubuntu: apt install g++), or let CXX name it")


def test_times_of_another_compiler_are_kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.delenv("IRGL_CXXFLAGS", raising=False)
    ours = keys.processor()
    monkeypatch.setenv("CXX", compiler(tmp_path, 'echo "clang version 19.1.7"; echo "Target: x86_64-linux-gnu"'))
    assert keys.processor() == re.sub("(?=, [0-9a-f]{8}$)", ", clang version 19.1.7", ours)


def test_times_of_other_flags_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("IRGL_CXXFLAGS", raising=False)
    ours = keys.processor()
    monkeypatch.setenv("IRGL_CXXFLAGS", "-O1 -g")
    assert keys.processor() == re.sub("(?=, [0-9a-f]{8}$)", ", -O1, -g", ours)
