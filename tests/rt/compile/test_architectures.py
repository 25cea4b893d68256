"""irglc compile --arch: the GPUs that the printed command is for, and what is said where there is no GPU or no nvcc."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from irgl.cli.main import exit_code
from irgl.rt.compile import architectures, nvcc
from irgl.source import IrglError


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refuse(message: str) -> object:
    def refused(_: int = 0) -> str:
        raise IrglError(message, hint="install the CUDA toolkit, or set NVCC")
    return refused


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvcc, "architecture", refuse("there is no NVIDIA driver"))


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvcc, "architecture", lambda: "sm_90")


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert exit_code(["compile", "--target", "cuda", "--print-flags", *words]) == 0
    return capsys.readouterr().out.split()  # as a shell splits what $(...) gives


def test_the_machines_own_gpu_is_the_default(gpu: None, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: ARG001
    assert "-arch=native" in printed(capsys)


def test_without_a_gpu_the_command_is_for_all_of_them(no_gpu: None,  # noqa: ARG001
                                                      capsys: pytest.CaptureFixture[str]) -> None:
    assert "-arch=sm_75" in printed(capsys)
    assert exit_code(["compile", "bfs", "--target", "cuda"]) == 0
    told = capsys.readouterr().err
    assert "note: there is no NVIDIA driver, so the command is for all GPUs from sm_75 on" in told
    assert "--arch sm_90 makes it for one kind" in told


def test_one_kind_of_gpu_is_named(no_gpu: None, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: ARG001
    assert "-arch=sm_90a" in printed(capsys, "--arch", "sm_90a")


def test_several_kinds_are_in_one_file_and_later_ones_translate_the_newest(capsys: pytest.CaptureFixture[str]) -> None:
    words = [w for w in printed(capsys, "--arch", "sm_80,sm_120,sm_90") if "arch" in w]
    assert words == [*(f"-gencode=arch=compute_{n},code=sm_{n}" for n in (80, 120, 90)),
                     "-gencode=arch=compute_120,code=compute_120"]


def test_the_flags_of_a_command_need_no_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    words = printed(capsys, "--arch", "sm_80,sm_90")
    assert [shlex.quote(word) for word in words] == words


def test_a_checkout_and_a_wheel_have_both_folders_of_headers(capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(next(w for w in printed(capsys) if w.startswith("-I")).removeprefix("-I"))
    assert (folder / "cuda_rt" / "unit.cuh").is_file()
    assert (folder / "cpu_rt" / "abi.hpp").is_file()


@pytest.mark.parametrize(("words", "cause", "remedy"), [
    (["--target", "cuda", "--arch", "90"], "--arch 90: that is no kind of GPU", "such as sm_90"),
    (["--target", "cuda", "--arch", "native,sm_90"], "--arch native: that is no kind", "native, alone"),
    (["--target", "cuda", "--arch", "sm_52"], "generated code needs sm_75 or newer", "--target cpu"),
    (["--target", "cuda", "--arch", "native"], "--arch native: there is no NVIDIA driver", "--arch sm_90"),
    (["--arch", "sm_90"], "--arch is for GPUs, and this is --target cpu", "--target cuda"),
])
def test_what_is_no_gpu_is_refused(no_gpu: None, capsys: pytest.CaptureFixture[str],  # noqa: ARG001
                                   words: list[str], cause: str, remedy: str) -> None:
    assert exit_code(["compile", "bfs", *words]) == 2
    said = capsys.readouterr().err
    assert cause in said
    assert remedy in said.split("hint: ")[1]


def test_without_nvcc_the_command_comes_with_what_to_install(monkeypatch: pytest.MonkeyPatch,
                                                             capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(nvcc, "compiler", refuse("there is no nvcc"))
    assert exit_code(["compile", "bfs", "--target", "cuda", "--arch", "sm_90"]) == 0
    told = capsys.readouterr().err
    assert "\n  nvcc -std=c++17" in told
    assert re.search(r"note: there is no nvcc here: install .*--headers", told)
    assert architectures.absent() is not None
