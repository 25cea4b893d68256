"""`irglc lsp` without what it needs."""

from __future__ import annotations

import sys

import pytest

from irgl.cli.main import exit_code


def test_without_pygls_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch,
                                               capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "pygls", None)
    assert exit_code(["lsp"]) == 2
    assert capsys.readouterr().err == "error: the language server needs pygls: pip install 'irgl[lsp]'\n"
