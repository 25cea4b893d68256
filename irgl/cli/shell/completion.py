"""irglc completion: the script by which a shell completes irglc's commands, and the answers that the script asks for.

A script runs irglc with `_IRGLC_COMPLETE` set to its shell and `_IRGLC_LINE` to the line up to the cursor. The answer
is a line for each completion: its kind, the text and what it means, with tabs between. Kinds: plain, open (no space
follows), file and dir (the shell completes names of files, or folders, itself). To bash, `nospace` says that all are
open.
"""

from __future__ import annotations

import os
from pathlib import Path

import rich_click as click
from click.shell_completion import ShellComplete

from irgl.cli.shell.line import Word, with_values, words_of
from irgl.cli.shell.values import OPEN

_SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
def completion(shell: str) -> None:
    """Prints a completion script for SHELL: commands, options, programs, their parameters, graphs and plans.

    \b
    Examples:
      eval "$(irglc completion bash)"       in ~/.bashrc
      eval "$(irglc completion zsh)"        in ~/.zshrc, after compinit
      irglc completion fish > ~/.config/fish/completions/irglc.fish
    """
    print(Path(__file__).with_name(f"irglc.{shell}").read_text(encoding="utf-8"), end="")


def answer(cli: click.Command, shell: str) -> int:
    """Prints the completions of the line that the environment holds; the exit code."""
    given, last = words_of(os.environ.get("_IRGLC_LINE", ""))
    while given and "=" in given[0]:  # variables set for the command
        given = given[1:]
    words = given[1:]
    if words[:1] == ["run"]:
        words = with_values(words)
    found = ShellComplete(cli, {}, "irglc", "").get_completions(words, last.text)
    own = last.text[: last.text.index("=") + 1] if last.text.startswith("-") and "=" in last.text else ""
    lines = [(item.type, own + item.value, " ".join((item.help or "").split())) for item in found]
    if shell == "bash":
        breaks = os.environ.get("_IRGLC_BREAKS", "")
        if all(kind == OPEN for kind, _, _ in lines):
            print("nospace")
        lines = [(kind, _for_readline(value, last, breaks), "") for kind, value, _ in lines]
    for line in lines:
        if not any(c in value for value in line for c in "\t\n\r"):
            print(*line, sep="\t")
    return 0


def _for_readline(value: str, last: Word, breaks: str) -> str:
    """What of a completion takes the place of the part of the last word that bash's line editor looks at."""
    rest = value[last.cut(breaks):]
    if last.quote == "'":
        return rest
    special = '"$`\\' if last.quote else " \t\"'\\$`&;|<>()*?[]#!{}"
    return "".join(f"\\{c}" if c in special else c for c in rest)
