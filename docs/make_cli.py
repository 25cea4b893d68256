"""Makes docs/cli.md from the help of irglc's commands and the options of plans: `python docs/make_cli.py`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import rich_click as click

from irgl.cli.main import cli
from irgl.cli.plan_help import values_text
from irgl.options import OPTIONS, Option

PAGE = Path(__file__).resolve().parent / "cli.md"
HEAD = """# Command line

Every command of `irglc` with its options, as `irglc COMMAND --help` prints them, and every option of a plan. The
parameters of a program are options, too: `irglc run PROGRAM --help` lists them. `python docs/make_cli.py` generates this
page.
"""
PLANS = """## Plan options

The options that `--plan "default grain=256"` sets, by target. `irglc run PROGRAM --help` lists those that apply to a
program; `irglc explain PROGRAM --plan PLAN` reports where a plan applies and where it does not.
"""
#: The targets with plans of their own, and where these are explained.
TARGETS = (("cpu", "CPU", "cpu.md", "`cpu` and `ref`"), ("cuda", "GPU", "cuda.md", "`cuda` and `simt`"))


def commands(command: click.Command, name: str = "irglc", above: click.Context | None = None,
             ) -> Iterator[tuple[str, click.Command, click.Context]]:
    """A command and all below it: its words, itself, and its context."""
    context = click.Context(command, info_name=name.split()[-1], parent=above)
    yield name, command, context
    if isinstance(command, click.Group):
        for word in command.list_commands(context):
            inner = command.get_command(context, word)
            assert inner is not None
            yield from commands(inner, f"{name} {word}", context)


def page() -> str:
    """The text of docs/cli.md."""
    parts = [HEAD]
    for name, command, context in commands(cli):
        parts.append(f"{'#' * min(len(name.split()) + 1, 3)} {name}\n\n{_told(command, context)}")
    parts.append(PLANS)
    for target, title, where, words in TARGETS:
        parts.append(f"### Plans of the {title}\n\nFor `--target` {words}; [{where}]({where}) explains them.\n\n"
                     "| option | values | default | meaning |\n|---|---|---|---|\n"
                     + "".join(_plan_row(option) for option in OPTIONS[target]))
    return "\n".join(parts)


def _told(command: click.Command, context: click.Context) -> str:
    usage = command.get_usage(context).removeprefix("Usage: ")
    parts = [f"```console\n$ {' '.join(usage.split())}\n```\n"]
    for paragraph in re.split(r"\n{2,}", inspect.cleandoc(command.help or "")):
        lines = paragraph.removeprefix("\b\n").split("\n")
        if lines[0].rstrip() in ("Example:", "Examples:"):
            parts.append("```console\n" + "".join(f"$ {line.strip()}\n" for line in lines[1:]) + "```\n")
        else:
            parts.append(_text(" ".join(lines)) + "\n")
    rows = [_row(p, context) for p in command.params if isinstance(p, click.Option) and not p.hidden]
    if rows:
        parts.append("| option | meaning |\n|---|---|\n" + "".join(rows))
    return "\n".join(parts)


def _row(option: click.Option, context: click.Context) -> str:
    record = option.get_help_record(context)
    assert record is not None
    return f"| `{_cell(record[0])}` | {_cell(_text(record[1]))} |\n"


def _plan_row(option: Option) -> str:
    return (f"| `{option.name}` | {_cell(values_text(option, option.words))} | `{option.default}` | "
            f"{_cell(_text(option.meaning))} |\n")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _text(text: str) -> str:
    """Plain text as Markdown: what would be markup there stays as it is."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if at % 2 else re.sub(r"(\*|<(?=\w))", r"\\\1", part) for at, part in enumerate(parts))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
