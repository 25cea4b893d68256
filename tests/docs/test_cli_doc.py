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
def test_a_command_s_section_has_all_of_its_options(name: str) -> None:
    section = PAGE.partition(f"# {name}\n")[2].partition("\n##")[0]
    words = [word for p in COMMANDS[name].params if isinstance(p, click.Option) and not p.hidden for word in p.opts]
    assert [word for word in words if f"{word} " not in section and f"{word}`" not in section
            and f"{word}," not in section] == []


@pytest.mark.parametrize(("target", "title"), [("cpu", "CPU"), ("cuda", "GPU")])
def test_the_page_has_every_option_of_plans(target: str, title: str) -> None:
    section = PAGE.partition(f"### Plans of the {title}\n")[2].partition("\n##")[0]
    assert [option.name for option in OPTIONS[target] if f"\n| `{option.name}` |" not in section] == []
