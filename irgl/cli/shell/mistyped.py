"""What to type instead, where click can't make sense of a command line."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

import rich_click as click

_GPU = ("gpu", "nvidia", "cuda", "hip", "device")
_CPU = ("openmp", "omp", "c++", "host", "cpu")


def hint(error: click.ClickException, commands: Sequence[str], args: Sequence[str]) -> str:
    """What would have been right; else where it says what there is."""
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else "irglc"
    message = error.format_message()
    first = args[0] if args else ""
    if message.startswith("No such command"):
        found = _command(first, commands, args)
        return found if found is not None else f"{where} --help shows what there is"
    if message.startswith("Missing argument 'PROGRAM'"):
        return f"{where} PROGRAM, a file or one of those that `irglc programs` lists"
    extra = message.partition("unexpected extra argument")[2].strip(" s()").split()
    if extra and where in ("irglc run", "irglc tune"):
        return f"a graph is given by --graph: {where} PROGRAM --graph {extra[0]}"
    if message.startswith("Invalid value for '--target'"):
        return _target(message)
    if message.startswith("Invalid value for '--stats'"):
        return "--stats alone shows the counters of the whole run, --stats=rounds those of each round"
    if message.startswith("Invalid value for '--threads'"):
        return "a number, such as --threads 2; leave it out for all cores"
    return f"{where} --help shows what there is"


def _command(word: str, commands: Sequence[str], args: Sequence[str]) -> str | None:
    """What `irglc WORD ...` means."""
    if word == "help":
        return "irglc --help, or irglc COMMAND --help"
    if Path(word).suffix in (".irgl", ".gt", ".fal", ".py") or ".py:" in word or _is_program(word):
        return " ".join(["irglc run", *args])
    near = difflib.get_close_matches(word, commands, 1)
    return f"did you mean `irglc {near[0]}`?" if near else None


def _is_program(word: str) -> bool:
    # Loaded only where a command line is wrong.
    from irgl.frontends.shipped import names

    return word in names()


def _target(message: str) -> str:
    word = message.partition(": ")[2].split("'")[1].lower()
    if word in _GPU:
        return "a GPU is --target cuda; --target simt emulates one"
    if word in _CPU:
        return "the processor is --target cpu"
    if word == "simt":
        return "the emulator runs the code of --target cuda: irglc run PROGRAM --target simt"
    return "cpu is the processor, cuda a GPU, simt an emulated GPU, ref the interpreter"
