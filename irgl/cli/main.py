"""irglc: the command line. Each command's file is loaded only when it is asked for."""

from __future__ import annotations

import errno
import importlib
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import rich_click as click
from click.shell_completion import CompletionItem

from irgl import __version__
from irgl.rt.system.refused import short_of_files
from irgl.source import IrglError

#: Exit codes beside 0 and the 1 of a wrong answer: bad input, a bug in irgl, and the shell's for Ctrl-C and SIGPIPE.
BAD_INPUT, BUG, INTERRUPTED, READER_LEFT = 2, 70, 130, 141
#: What the system says where stdout is a file that can't grow.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

_COMMANDS = {
    "check": ("irgl.cli.check", "check"),
    "dump": ("irgl.cli.check", "dump"),
    "explain": ("irgl.cli.explaining.explain", "explain"),
    "compile": ("irgl.cli.compile", "compile"),
    "run": ("irgl.cli.run", "run"),
    "graph": ("irgl.cli.graph", "graph"),
    "emulate": ("irgl.cli.emulate", "emulate"),
    "tune": ("irgl.cli.tuning.tune", "tune"),
    "report": ("irgl.cli.tuning.report", "report"),
    "cache": ("irgl.cli.cache", "cache"),
    "programs": ("irgl.cli.programs", "programs"),
    "new": ("irgl.cli.new", "new"),
    "lsp": ("irgl.editor.command", "lsp"),
    "completion": ("irgl.cli.shell.completion", "completion"),
}


#: Set by the script of `irglc completion`: its shell.
_COMPLETE = "_IRGLC_COMPLETE"


class _Commands(click.RichGroup):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        # No command has algebra for several threads, and such threads look for work on cores that a run wants.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        module, name = _COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        # By their names alone: what they do is said in their files.
        found = [CompletionItem(name) for name in _COMMANDS if name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="irglc")
def cli() -> None:
    """Compiles graph programs written in IrGL, and runs them.

    \b
    Examples:
      irglc run program.irgl --graph roads.gr --src 1 --verify
      irglc run program.irgl --graph rmat:18 --repeat 5 --json
      irglc run program.irgl --help        the program's own parameters
      irglc graph info roads.gr
      irglc check program.irgl
    """


def main(args: Sequence[str] | None = None) -> None:
    """Runs irglc and exits: 0 fine, 1 wrong answer, 2 bad input, 70 a bug in irgl, 130 interrupted, 141 reader left.

    SIGTERM and SIGHUP end it as Ctrl-C does, with the shell's codes for them: nothing half done stays behind.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # not where nohup has it ignored
            signal.signal(number, _told_to_end)
    code = exit_code(args)
    run = sys.modules.get("irgl.rt.system.interruptible")
    if run is not None and run.still_running():  # interrupted, or told to end for its time was over
        os._exit(code)  # what still runs would be pulled the ground from under its feet
    sys.exit(code)


def _told_to_end(number: int, _: object) -> None:
    signal.signal(number, signal.SIG_DFL)  # a second one ends at once
    raise SystemExit(128 + number)


def exit_code(args: Sequence[str] | None = None) -> int:
    """Runs irglc; every error becomes its message on stderr and its exit code."""
    try:
        if args is None and _COMPLETE in os.environ:
            answer: Any = importlib.import_module("irgl.cli.shell.completion").answer
            done: int = answer(cli, os.environ[_COMPLETE])
            return done
        code = cli.main(args=None if args is None else list(args), prog_name="irglc", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except IrglError as e:
        print(e, file=sys.stderr)
        return BAD_INPUT
    except click.ClickException as e:
        told: Any = importlib.import_module("irgl.cli.shell.mistyped").hint
        words = sys.argv[1:] if args is None else list(args)
        print(f"error: {e.format_message()}\n  hint: {told(e, list(_COMMANDS), words)}", file=sys.stderr)
        return BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except MemoryError:
        print("error: out of memory\n  hint: take a smaller graph, or a machine with more memory", file=sys.stderr)
        return BAD_INPUT
    except SystemExit as e:
        # click ends with 1 when who reads our output has left; all else it says with its own code.
        return _reader_left() if e.code == 1 else e.code if isinstance(e.code, int) else 0
    except BrokenPipeError:
        return _reader_left()
    except OSError as e:
        short = short_of_files(e)
        if short is not None:
            print(short, file=sys.stderr)
            return BAD_INPUT
        if e.errno not in _FULL or e.filename is not None:
            return _bug(e)
        _drop_stdout()
        print(f"error: can't write to stdout: {e.strerror}", file=sys.stderr)
        return BAD_INPUT
    except Exception as e:
        return _bug(e)


def _reader_left() -> int:
    _drop_stdout()
    return READER_LEFT


def _drop_stdout() -> None:
    # Nothing more can be said there, not even what Python would flush at its end.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _bug(error: Exception) -> int:
    if os.environ.get("IRGL_DEBUG") == "1":
        traceback.print_exception(error)
    print(f"irglc failed: {type(error).__name__}: {error}\n"
          "This is a bug in irgl. Please report it with the command, the program and the graph;\n"
          "IRGL_DEBUG=1 shows where it happened.", file=sys.stderr)
    return BUG


if __name__ == "__main__":
    main()
