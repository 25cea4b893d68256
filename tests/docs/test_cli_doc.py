"""docs/cli.md is what docs/make_cli.py makes of the help of irglc, and has every option."""

from __future__ import annotations

import pytest
import rich_click as click
from support.docs import DOCS, script

from irgl.cli.main import cli
from irgl.options import OPTIONS

SCRIPT = script("make_cli")
PAGE = (DOCS / "cli.md").read_text(encoding="utf-8")
COMMANDS = {name: command for name, command, _ in SCRIPT.commands(cli)}


def test_the_page_is_up_to_date() -> None:
    assert SCRIPT.page() == PAGE, "run `python docs/make_cli.py`"


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_of_a_command_has_a_heading(name: str) -> None:
    options = [p for p in COMMANDS[name].params if isinstance(p, click.Option) and not p.hidden]
    missing = [p.opts for p in options if not any(f"\n#### `{name} {word}`\n" in PAGE for word in p.opts)]
    assert missing == []


@pytest.mark.parametrize(("target", "title"), [("cpu", "CPU"), ("cuda", "GPU")])
def test_each_option_of_plans_has_a_heading(target: str, title: str) -> None:
    assert [option.name for option in OPTIONS[target] if f"\n#### `{option.name}=` ({title})\n" not in PAGE] == []
