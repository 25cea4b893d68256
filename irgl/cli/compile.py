"""irglc compile."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path

import rich_click as click

from irgl.cli.inputs import note
from irgl.cli.shell.values import FILE, PLAN_OF_RUN, PROGRAM
from irgl.codegen.openmp.several import ALWAYS
from irgl.driver import emit, ready
from irgl.plan import Plan
from irgl.rt.compile import architectures, nvcc
from irgl.rt.compile.toolchain import FLAGS, compiler, headers, include_dir
from irgl.rt.emulate import emulate
from irgl.rt.manifests.library_headers import check_headers
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.manifests.program import open_program
from irgl.rt.system.whole_file import check_other, scratch_for, write_whole
from irgl.scheduling import Fitted, fitted
from irgl.source import IrglError
from irgl.standalone import standalone, standalone_of_several
from irgl.tune.choose.texts import meant
from irgl.tune.choose.variants import variants_for
from irgl.tune.inputs.rules import Rule

#: The plan that is looked up: one for each class of graphs.
AUTO = "auto"


@click.command()
@click.argument("program", type=PROGRAM, required=False)
@click.option("-o", "--output", type=FILE, metavar="FILE",
              help="The file to write; - is stdout. [default: PROGRAM.cpp or PROGRAM.cu in the current folder]")
@click.option("--target", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True,
              help="cpu: C++ with OpenMP, for g++; cuda: for nvcc.")
@click.option("--arch", metavar="sm_90[,...]",
              help="GPU architectures of the printed command, comma-separated. [default: native, else all from sm_75]")
@click.option("--headers", "copy_headers", is_flag=True, help="Copy the headers next to the file: cpu_rt/, cuda_rt/.")
@click.option("--plan", "plan_texts", type=PLAN_OF_RUN, multiple=True, metavar="[RULE:] PLAN",
              help="The plan to compile under; several, all but the last with a rule; or auto. [default: default]")
@click.option("--index-bits", type=click.Choice(["32", "64"]), default="32", show_default=True,
              help="Width of node and edge ids in the printed flags.")
@click.option("--print-flags", is_flag=True, help="Print the compiler flags and nothing else.")
@click.option("--schedule", type=FILE, metavar="FILE", help="The schedule of a GraphIt program, in place of its own.")
def compile(program: str | None, output: str | None, target: str, arch: str | None, copy_headers: bool,
            plan_texts: tuple[str, ...], index_bits: str, print_flags: bool, schedule: str | None) -> None:
    """Writes PROGRAM as one C++ or CUDA file with its own main function.

    The built executable takes a graph in irgl's binary format (irglc graph convert), or a mesh (X.ele, --poly, --out),
    and the program's parameters.

    \b
    Examples:
      irglc compile program.irgl -o program.cpp --headers
      g++ $(irglc compile --print-flags) program.cpp -o program
      irglc graph convert roads.gr roads.irglg
      ./program roads.irglg --threads 2
      irglc compile program.irgl --target cuda --plan "np=fg cc=block outline=all"
      irglc compile program.irgl --target cuda --arch sm_80,sm_90
      irglc compile program.irgl --plan "max_degree > 1000: giant=4096" --plan "serial=16384"
      irglc compile program.irgl --plan auto

    Given several plans, the executable selects by its graph the first plan whose rule holds. Rules compare nodes,
    edges, mean_degree, max_degree and dispersion. auto: the best known plan for each class of graphs. irglc run PROGRAM
    --help lists the options of a plan.
    """
    if program is None and not print_flags:
        raise IrglError("no program is given", hint="irglc compile PROGRAM.irgl -o PROGRAM.cpp")
    if arch is not None and target != "cuda":
        raise IrglError("--arch is for GPUs, and this is --target cpu", hint="say --target cuda, or leave --arch out")
    kinds, told = architectures.flags(arch) if target == "cuda" else ([], None)
    written = None
    if program is not None:
        path = _output(program, output, ".cu" if target == "cuda" else ".cpp")
        text = _compiled(program, plan_texts, target, schedule)
        written = _write(text, path)
        if copy_headers:
            if written is None:
                raise IrglError("--headers wants a file to put them next to", hint="give -o FILE")
            _copy_headers(headers(), written.parent / "cpu_rt", "*.hpp")
            if target == "cuda":
                _copy_headers(emulate.folder(), written.parent / "cuda_rt", "*.cuh")
    own = [*nvcc.FLAGS, *kinds, "-Xcompiler", "-fopenmp"] if target == "cuda" else FLAGS
    flags = [*own, f"-DIRGL_NODE_BITS={index_bits}", f"-DIRGL_EDGE_BITS={index_bits}"]
    if not copy_headers:
        flags.append(f"-I{emulate.folder().parent if target == 'cuda' else include_dir()}")
    if print_flags:
        print(shlex.join(flags))
    elif written is not None:
        command = [nvcc.name()] if target == "cuda" else compiler()
        build = [*command, *flags, str(written), "-o", str(written.with_suffix(""))]
        print(f"wrote {written}; build it with\n  {shlex.join(build)}", file=sys.stderr)
        for said in (told, architectures.absent() if target == "cuda" else None):
            if said is not None:
                note(said)


def _compiled(program: str, texts: tuple[str, ...], target: str, schedule: str | None) -> str:
    """The program's text under one plan or several."""
    given = ready(program, schedule=schedule)
    check_headers(given.checked, target)
    if texts == (AUTO,):
        def under(plan: Plan) -> Manifest:
            return open_program(program, plan, schedule=schedule)

        chosen = variants_for(under(Plan(target=target)), target, under)
    else:
        said = fitted(given.sources[0], given.checked, target)
        for line in said.not_applicable if said is not None else ():
            note(line)
        chosen = [_ruled(text, said, target) for text in texts] or [(ALWAYS, _meant(None, said, target))]
    if len(chosen) > 1:
        return standalone_of_several(given, chosen, target)
    rule, plan = chosen[0]
    if rule != ALWAYS:
        raise IrglError(f"nothing is said for graphs for which `{rule}` does not hold",
                        hint="give another --plan, without a rule")
    return standalone(emit(given, plan, target), plan)


#: A text that ends in the value of an option.
_SET = re.compile(r"\w=(?!=)\S*$")
#: A word of a plan whose place is a path of labels, and what stands before a graph's property in a rule.
_LABELLED = re.compile(r"(?<![\w.:])(?!always:)[A-Za-z_]\w*(?::[A-Za-z_]\w*)+\.[\w.]+=")
_OPERATOR = re.compile(r"([<>=*/+(-]|\band|\bor)\s*$")


def _meant(text: str | None, said: Fitted | None, target: str) -> Plan:
    """The plan that is meant by a text; said: what the program's schedule comes to."""
    return meant(text, None, target) if said is None else meant(text, said.plan, target, said.labels)


def _ruled(text: str, said: Fitted | None, target: str) -> tuple[str, Plan]:
    """`RULE: PLAN`; a plan alone is for all graphs."""
    labels = [m for m in _LABELLED.finditer(text) if not _OPERATOR.search(text[:m.start()])]
    for colon in re.finditer(":", text):
        rule = text[:colon.start()]
        if any(m.start() < colon.start() < m.end() for m in labels):
            continue
        if not _SET.search(rule):  # the colon of `switch=edges:1/5` belongs to the option's value
            return str(Rule.parse(rule)), _meant(text[colon.end():], said, target)
    return ALWAYS, _meant(text, said, target)


def _output(program: str, output: str | None, suffix: str) -> Path | None:
    """Where to write; None is stdout."""
    if output == "-":
        return None
    path = Path(output) if output is not None else Path(f"{Path(program).stem}{suffix}")
    check_other(path, program)
    return path


def _write(text: str, path: Path | None) -> Path | None:
    if path is None:
        print(text, end="")
    else:
        write_whole(path, text)
    return path


def _copy_headers(source: Path, folder: Path, pattern: str) -> None:
    """Puts the headers into `folder`, which is made; a header that is there already is replaced whole."""
    try:
        folder.mkdir(exist_ok=True)
        for header in source.glob(pattern):
            with scratch_for(folder / header.name) as scratch:
                shutil.copyfile(header, scratch)
    except OSError as e:
        raise IrglError(f"can't copy the headers: {e.strerror}", file=str(folder)) from None
