"""What nvcc is told."""

from __future__ import annotations

import shlex

import pytest

from irgl.cli import exit_code
from irgl.rt import toolchain


def test_the_hosts_code_is_compiled_as_for_the_cpu(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code(["compile", "--target", "cuda", "--print-flags"])
    words = shlex.split(capsys.readouterr().out)
    passed = {flag for at, word in enumerate(words[:-1]) if word == "-Xcompiler" for flag in words[at + 1].split(",")}
    assert passed == {flag for flag in toolchain.FLAGS if flag.startswith("-f")}
    assert "-arch=native" in words
