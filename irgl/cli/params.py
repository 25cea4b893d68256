"""A command whose options depend on its PROGRAM argument: one option for each parameter of the program."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import rich_click as click

from irgl.cli.running.arguments import with_arguments
from irgl.cli.running.constants import with_constants
from irgl.cli.shell.values import FILE, GRAPH_SPEC, TRUE_OR_FALSE
from irgl.frontends.constants import values_in
from irgl.frontends.load import has_schedule, open_source
from irgl.options import OPTIONS
from irgl.plan import factor_in
from irgl.rt.manifests.manifest import Manifest, Param, inputs
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError
from irgl.tune.choose.texts import before_graph, text_for

#: Prefixes of the Python names under which a command gets the program's own options.
VALUE, GRAPH = "value_of_", "graph_of_"
#: Where the program's manifest is found in the context, under the plan that is meant as long as no graph is known.
MANIFEST = "irgl.manifest"
#: And the plan's text that is meant.
PLAN_TEXT = "irgl.plan"
#: Of parameters' options, where they are not just texts.
_TYPES = {"bool": TRUE_OR_FALSE}
#: The program's constants, with their values.
_CONSTANTS = "irgl.constants"
#: Where the program and the target are, for the help.
_PROGRAM = "irgl.program"


class ProgramCommand(click.RichCommand):
    """Reads the program first, then its own options and those of the program's parameters."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        path, said, target, schedule = self.scan(ctx, args)
        try:
            if path is not None:
                taken = {word for p in super().get_params(ctx) for word in p.opts}
                found = {n: v for n, v in values_in(open_source(path)).items() if f"--{n}" not in taken}
                ctx.meta[_CONSTANTS] = found
                if found:
                    path, args = with_constants(path, self._place(ctx, args, path), args, found)
            text = text_for(said, scheduled=path is not None and has_schedule(path, schedule))
            ctx.meta[PLAN_TEXT] = text
            plan = before_graph(text, target if target in OPTIONS else "cpu")
            if path is not None:
                ctx.meta[MANIFEST] = open_program(path, plan, schedule=schedule)
                ctx.meta[_PROGRAM] = path, target if target in OPTIONS else "cpu"
        except IrglError:
            if not ctx.resilient_parsing:  # while a shell completes, what is typed so far may be wrong
                raise
        rest: list[str] = super().parse_args(ctx, self.rewritten(ctx, args))
        return rest

    def _place(self, ctx: click.Context, args: Sequence[str], path: str) -> int:
        """Which word of a command line is the program."""
        return next(i for i, word in enumerate(args) if word == path
                    and self.scan(ctx, [*args[:i], "\0", *args[i + 1:]])[0] == "\0")

    def rewritten(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The words of the command line, in which every value is that of an option: those behind `--`, too, once the
        program is known."""
        end = args.index("--") if "--" in args else len(args)
        before, behind = args[:end], args[end + 1 :]
        if MANIFEST not in ctx.meta or self.scan(ctx, before)[0] is None or {"-h", "--help"} & {*before}:
            return args
        return with_arguments(ctx.meta[MANIFEST], before, behind)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = super().get_params(ctx)
        manifest = ctx.meta.get(MANIFEST)
        if not isinstance(manifest, Manifest):
            return own
        constants = [click.RichOption([f"--{n}", f"constant_{n}"], metavar="INT", expose_value=False,
                                      panel=f"Parameters of {manifest.program}",
                                      help=f"A constant of the program. [default: {value}]")
                     for n, value in ctx.meta.get(_CONSTANTS, {}).items()]
        return [*own, *_options(manifest, _taken(self)), *constants]

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        # Once the program is there, nothing but options can follow.
        return super().shell_complete(ctx, incomplete or "--")

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        super().format_epilog(ctx, formatter)
        if _PROGRAM in ctx.meta:
            lines = importlib.import_module("irgl.cli.plan_help").plan_lines(*ctx.meta[_PROGRAM])
            formatter.console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)

    def scan(self, ctx: click.Context, args: Sequence[str]) -> tuple[str | None, str | None, str, str | None]:
        """The first argument that is neither an option nor an option's value, the plan, the target and the schedule.
        All options that this command doesn't know are the program's, and take a value."""
        flags = {word for p in super().get_params(ctx) if isinstance(p, click.Option) and (p.is_flag or p.count)
                 for word in p.opts}
        path, plan, target, schedule = None, None, "cpu", None
        words = iter(args)
        for word in words:
            if word == "--":
                return path if path is not None else next(words, None), plan, target, schedule
            if not word.startswith("-") or word == "-":
                path = word if path is None else path
                continue
            name, equals, value = word.partition("=")
            whole = not equals if name.startswith("--") else len(name) == 2
            if whole and name not in flags:
                value = next(words, "")
            if name == "--plan":
                plan = value
            elif name == "--target":
                target = value
            elif name == "--schedule":
                schedule = value
        return path, plan, target, schedule


def _options(manifest: Manifest, taken: set[str]) -> Iterator[click.Option]:
    panel = f"Parameters of {manifest.program}"
    for g in manifest.graphs[1:]:
        yield click.RichOption(_words(g.name, taken, GRAPH), type=GRAPH_SPEC, metavar="FILE", required=True,
                               panel=panel, help="A further graph: a file or a generator.")
    for p in manifest.params:
        if p.item:
            shown = "Nodes of the graph file" if p.item == "node" else f"Numbers ({p.item})"
            shape = f" {' x '.join(map(str, p.shape))} of them, row behind row." if p.shape else ""
            each = "" if p.default is None else f" [default: {p.shown} for each]"
            yield click.RichOption(_words(p.name, taken, VALUE), type=FILE, metavar="1,5,9|FILE",
                                   required=p.default is None, multiple=True, callback=_once, panel=panel,
                                   help=f"{shown}: 1,5,9, or a file of them.{shape}{each}")
            continue
        yield click.RichOption(_words(p.name, taken, VALUE), type=_TYPES.get(p.type), metavar=p.type.upper(),
                               required=p.default is None, panel=panel, help=_help(p, factor_in(manifest.plan)))
    for name, (_, of) in inputs(manifest).items():
        shown = "Values of every node: a file." if of.owner == "node" else "Values of every edge: a file."
        shown = shown if of.axis is None else f"{shown} [default: the graph's coordinate {of.axis}]"
        yield click.RichOption(_words(name, taken, VALUE), type=FILE, metavar="FILE",
                               required=of.default is None and of.axis is None, multiple=True, callback=_once,
                               panel=panel, help=shown)
    if all(p.name != "src" for p in manifest.params) and "src" not in inputs(manifest):
        # A script may give --src to every program alike; run says that this one has no use for it.
        yield click.RichOption(["--src", "unused_src"], hidden=True)


def _once(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> str | None:  # noqa: ARG001
    if len(given) > 1:
        raise IrglError(f"{param.opts[0]} is given {len(given)} times", hint="give all values at once")
    return given[0] if given else None


def _help(p: Param, factor: Fraction) -> str:
    what = [p.variable] if p.variable else []
    what += ["The number of a node in the graph file."] if p.type == "node" else []
    if p.default is not None:
        scaled = f"{factor} * " if factor != 1 and p.default[0] == "tuned" else ""
        what.append(f"[default: {scaled}{p.shown}]")
    return " ".join(what)


def spelt(name: str, command: click.Command) -> str:
    """The option of `command` (a ProgramCommand) for a program's parameter."""
    return _words(name, _taken(command), VALUE)[0]


def _taken(command: click.Command) -> set[str]:
    return {word for p in command.params for word in (*p.opts, *p.secondary_opts)} | {"--help", "-h"}


def _words(name: str, taken: set[str], prefix: str) -> list[str]:
    """The option's spellings: --name, also with dashes; --param-name where irglc has a --name of its own."""
    stem = f"param-{name}" if f"--{name}" in taken else name
    words = [f"--{stem}"]
    dashed = f"--{stem.replace('_', '-')}"
    if dashed not in (words[0], *taken):
        words.append(dashed)
    return [*words, prefix + name]
