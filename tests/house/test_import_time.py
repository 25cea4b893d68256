"""`import irgl` is light: what it needs is loaded when it is first used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import irgl

HEAVY = ("numpy", "scipy", "networkx", "pyarrow", "pycparser", "jinja2", "rich", "click", "filelock", "platformdirs")


def loaded_after(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after `code`."""
    command = [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_import_irgl_loads_no_library() -> None:
    assert loaded_after("import irgl") & set(HEAVY) == set()


def test_import_irgl_loads_nothing_else_of_irgl() -> None:
    assert {m for m in loaded_after("import irgl") if m.startswith("irgl.")} == set()


def test_compiling_from_python_loads_no_reader_of_graphits_notation() -> None:
    assert loaded_after("import irgl.api") & {"irgl.frontends.gt.load", "irgl.frontends.gt.grammar"} == set()


def test_the_command_line_loads_no_numbers_before_a_command_asks() -> None:
    assert loaded_after("import irgl.cli.main") & {"numpy", "scipy", "networkx", "pyarrow", "pycparser"} == set()


def test_running_a_program_loads_neither_scipy_nor_networkx() -> None:
    assert loaded_after("import irgl.cli.run") & {"scipy", "networkx", "pyarrow", "pycparser", "jinja2"} == set()


@pytest.mark.parametrize("name", [n for n in irgl.__all__ if n not in ("__version__", "programs")])
def test_every_public_name_can_be_used(name: str) -> None:
    assert callable(getattr(irgl, name))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'irgl' has no attribute 'nothing'"):
        _ = irgl.nothing
