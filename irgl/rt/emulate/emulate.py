"""Builds and runs CUDA programs in the SIMT emulator of cuda_rt/emu, and reads its report.

The unmodified text is preprocessed, rewritten to C++ (text.py), compiled by g++ with calls of the emulator at
every load, store and basic block, and linked to the emulator's runtime. Both are kept in the cache of builds.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any

from irgl.rt.compile import architectures
from irgl.rt.compile.build import cached, known
from irgl.rt.compile.compiling import compile_with
from irgl.rt.compile.toolchain import cache_dir, gcc, headers, headers_digest, scratch_for, version
from irgl.rt.emulate import sides
from irgl.rt.emulate.mentions import MACRO, asks_for_side
from irgl.rt.emulate.refusals import first_error, refusal
from irgl.rt.emulate.shared import MOST, excess
from irgl.rt.emulate.text import kernel_names, rewrite
from irgl.rt.system import child
from irgl.rt.system.cache_folder import copy_folder, is_copy
from irgl.rt.system.own_place import temporary
from irgl.rt.system.refused import start_refused
from irgl.source import IrglError

#: The exit code of a program in which the emulator found an error.
FOUND = 86
MODES = ("check", "lockstep", "fast")
STANDARDS = ("c++14", "c++17", "c++20")
#: The GPU that device code is compiled for, and that the pretended device is.
ARCH = "sm_90"

_ROOT = Path(__file__).resolve().parents[3]
_FOLDERS = (_ROOT / "cuda_rt", _ROOT / "irgl_cuda_rt")
_RUNTIME_FLAGS = ("-std=c++17", "-O2", "-g1", "-fno-pie", "-fno-omit-frame-pointer", "-U_FORTIFY_SOURCE")
_FLAGS = (
    "-O1", "-g1", "-w", "-fno-pie", "-ftls-model=local-exec", "-fno-stack-protector",
    "-fno-omit-frame-pointer", "-fstack-clash-protection", "-fsanitize=thread", "--param=tsan-distinguish-volatile=1",
    "--param=tsan-instrument-func-entry-exit=0",
    "-fsanitize=bounds,shift,signed-integer-overflow,integer-divide-by-zero,alignment",
    "-fsanitize-coverage=trace-pc", "-fno-reorder-blocks", "-fno-reorder-blocks-and-partition",
    "-fno-guess-branch-probability", "-fno-thread-jumps", "-ffp-contract=off",
    *(f"-fno-builtin-{name}" for name in ("memcpy", "memmove", "memset", "memcmp", "free")))
#: For code that irgl made: compiled in a third of the time. That an address fits its type, the runtime sees at each
#: load and store; the compiler's own check, which says so of casts too, is half of a unit's code.
_SLIM = ("-Og", "-fno-sanitize=alignment")
#: Bytes around variables of the device and of shared memory.
_LEAST_GAP, _GAP = 64, 4096
#: Calls of the C library that the runtime checks, since they touch memory without instrumentation.
_LIBRARY = {name: f"irgl_emu_{name}" for name in (
    "memcpy", "memmove", "memset", "memcmp", "malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc",
    "memalign", "valloc")} | {
    "__assert_fail": "irgl_emu_assert_fail", "_Znwm": "irgl_emu_malloc", "_Znam": "irgl_emu_malloc",
    "_ZdlPv": "irgl_emu_free", "_ZdaPv": "irgl_emu_free", "_ZdlPvm": "irgl_emu_free", "_ZdaPvm": "irgl_emu_free"}


class TimedOutError(IrglError):
    """A run took longer than it may."""


class Refused(IrglError):
    """What g++ or CUDA's rules refuse of a program."""


@dataclass(frozen=True, slots=True)
class Message:
    """One thing that the emulator found, in the order of a seed."""

    level: str
    kind: str
    place: str
    text: str
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.place}: {self.level}: [{self.kind}] {self.text}"


@dataclass(frozen=True, slots=True)
class Report:
    """What a run did: the program's exit code (86 where errors were found), its output, messages, counters."""

    code: int
    stdout: str
    stderr: str
    messages: tuple[Message, ...]
    counters: Mapping[str, Any]

    @property
    def errors(self) -> list[Message]:
        return [m for m in self.messages if m.level == "error"]

    @property
    def warnings(self) -> list[Message]:
        return [m for m in self.messages if m.level == "warning"]


@cache
def folder() -> Path:
    """The folder of the CUDA headers, the emulator's among them: `cuda_rt`, with `cpu_rt` beside it."""
    found = next((p for p in _FOLDERS if (p / "emu" / "runtime" / "runtime.cpp").is_file()), None)
    assert found is not None, "irgl is installed without its CUDA headers"
    if found.name == "cuda_rt":
        return found
    # Installed, the headers stand under other names: the cache holds a copy under those that units include.
    copy = cache_dir() / "include" / f"{headers_digest()[:16]}-{_contents(found)[:16]}"
    if not is_copy(copy):
        scratch = scratch_for(copy)
        copy_folder(headers(), scratch / "cpu_rt")
        copy_folder(found, scratch / "cuda_rt")
        with contextlib.suppress(OSError):  # another process was faster
            scratch.rename(copy)
        shutil.rmtree(scratch, ignore_errors=True)
    return copy / "cuda_rt"


def _contents(path: Path) -> str:
    """A hash of all files in a folder."""
    digest = hashlib.sha256()
    for file in sorted(path.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(str(file.relative_to(path)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def _digest() -> str:
    return _contents(folder() / "emu")


def _hash(*parts: str) -> str:
    digest = hashlib.sha256()
    for part in (*parts, _digest(), version(tuple(gcc()))):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


def runtime() -> Path:
    """The emulator's compiled runtime."""
    words = [*gcc(), *_RUNTIME_FLAGS]

    def make(path: Path) -> None:
        done = compile_with([*words, "-c", str(folder() / "emu" / "runtime" / "runtime.cpp"), "-o", str(path)])
        if done.returncode != 0:
            raise IrglError(f"g++ can't build the emulator: {first_error(done.stderr)}",
                            hint="it needs g++ 12 or newer on Linux")

    return cached(_hash("runtime", *words[1:]), ".o", make).path


def build(source: Path, *, more: Sequence[Path] = (), include: Sequence[Path] = (), defines: Sequence[str] = (),
          slim: bool = False, std: str = "c++17", arch: str = ARCH) -> Path:
    """The executable of a CUDA file with its own main, from the cache or built now.

    `more`: the program's other files, each compiled by itself; .cu as CUDA, .c as C, others as C++ for the host.
    `slim`, for generated code, leaves out the C headers that nvcc includes by itself, and compiles faster.
    `arch`: the GPU whose `__CUDA_ARCH__` device code sees. Where a text asks for it, either side is compiled by itself.
    Raises IrglError with file and line for what g++ refuses or the emulator does not cover.
    """
    if any(d.split("=")[0] == MACRO for d in defines):
        raise IrglError(f"-D {MACRO} would define it for host code, too",
                        hint="leave it out: device code has it, and --arch sm_75 says another one's")
    level = architectures.capability(arch) * 10
    own = [f"-I{p}" for p in include] + [f"-D{d}" for d in defines] + (["-DIRGL_EMU_SLIM"] if slim else [])
    files = (source, *more)
    units = [_Unit(file, "cuda" if file is source or file.suffix == ".cu" else "c" if file.suffix == ".c" else "c++")
             for file in files]
    given = [unit.preprocessed(own, std, level, on_device=False) for unit in units]
    seen = _on_device(units, given, own, std, level)
    texts = [unit.rewritten(text, marked=bool(seen)) for unit, text in zip(units, given, strict=True)]
    device_texts = {k: units[k].rewritten(text, marked=True) for k, text in seen.items()}
    flags = (f"-std={std}", *_FLAGS, *(_SLIM if slim else ()))
    key = _hash(*texts, *device_texts.values(), *flags)
    found = known(key, ".emu")
    if found is not None:
        return found
    library = runtime()

    def make(path: Path) -> None:
        with tempfile.TemporaryDirectory(prefix=f".tmp-{os.getpid()}-", dir=path.parent) as scratch:
            output = Path(scratch) / "program"
            work = [(units[k], flags, text, Path(scratch) / f"{k}.s", k not in seen, "")
                    for k, text in enumerate(texts)]
            note = f", where {MACRO} is {level}"
            work += [(units[k], flags, text, Path(scratch) / f"{k}.device.s", True, note)
                     for k, text in device_texts.items()]
            if len(work) > 1:
                with ThreadPoolExecutor(os.cpu_count()) as pool:
                    made = list(pool.map(lambda one: _compiled(*one), work))
            else:  # here, so that what interrupts us ends the compiler at once
                made = [_compiled(*work[0])]
            if seen:
                made = _sides_joined(made[:len(texts)], dict(zip(device_texts, made[len(texts):], strict=True)), source)
            assemblies = [Path(scratch) / f"of_all_{k}.s" for k in range(len(made))]
            for file, assembly in zip(assemblies, made, strict=True):
                file.write_text(_with_redzones(_with_library(assembly)), encoding="utf-8")
            done = compile_with([*gcc(), "-no-pie", str(library), *map(str, assemblies), "-Wl,--as-needed", "-lgomp",
                                 "-o", str(output)])
            if done.returncode != 0:
                raise _refused(done.stderr, source)
            output.replace(path)

    return cached(key, ".emu", make).path


@dataclass(frozen=True, slots=True)
class _Unit:
    """A file of a program: CUDA, C or C++."""

    file: Path
    language: str

    def preprocessed(self, own: Sequence[str], std: str, level: int, *, on_device: bool) -> str:
        """What the preprocessor makes of it for one side. level: the value of `__CUDA_ARCH__`."""
        if not self.file.is_file():
            raise IrglError("there is no such file", file=str(self.file))
        emu = folder() / "emu" / "include"
        cuda = ["-DIRGL_EMU_HOST"]
        if self.language == "cuda":
            cuda = ["-include", str(emu / "cuda_runtime.h"), f"-D__CUDA_ARCH_LIST__={level}"]
        side = [f"-D{MACRO}={level}"] if on_device else []
        read_as = ["-x", "c"] if self.language == "c" else [f"-std={std}", "-x", "c++"]
        done = compile_with([*gcc(), "-E", "-U_FORTIFY_SOURCE", *read_as, *own, f"-I{emu}", f"-I{folder().parent}",
                             *cuda, *side, str(self.file.resolve())])
        if done.returncode != 0:
            raise _refused(done.stderr, self.file)
        return done.stdout

    def rewritten(self, text: str, *, marked: bool) -> str:
        """As C++, or as the C that it is."""
        if self.language == "c":
            return text
        try:
            return rewrite(text, marked=marked)
        except IrglError as e:
            raise IrglError(e.message, file=_shown(e.file or str(self.file), self.file), hint=e.hint) from None


def _on_device(units: Sequence[_Unit], given: Sequence[str], own: Sequence[str], std: str,
               level: int) -> dict[int, str]:
    """By unit, what those in CUDA are on the device; none, where all are there what they are on the host."""
    cuda = [k for k, unit in enumerate(units) if unit.language == "cuda"]
    asked = any(MACRO in word for word in own)
    if not asked and not any(asks_for_side(given[k], units[k].file, folder().parent) for k in cuda):
        return {}
    seen = {k: units[k].preprocessed(own, std, level, on_device=True) for k in cuda}
    return seen if any(seen[k] != given[k] for k in cuda) else {}


def _sides_joined(host: Sequence[str], device: Mapping[int, str], source: Path) -> list[str]:
    try:
        return sides.joined(host, device)
    except IrglError as e:
        raise Refused(e.message, file=_shown(e.file or str(source), source), hint=e.hint) from None


def _compiled(unit: _Unit, flags: Sequence[str], text: str, assembly: Path, has_kernels: bool, note: str) -> str:
    """The assembly of one unit. has_kernels: those that it has are run. note: its side, for what is refused."""
    words, read_as = flags, "c++-cpp-output"
    if unit.language == "c":
        words, read_as = [f for f in flags if not f.startswith("-std=")], "cpp-output"
    done = compile_with([*gcc(), *words, "-x", read_as, "-S", "-o", str(assembly), "-"], text)
    if done.returncode != 0:
        raise _refused(done.stderr, unit.file, note)
    made = assembly.read_text(encoding="utf-8")
    if has_kernels and (found := excess(made, kernel_names(text))) is not None:
        raise Refused(f"kernel {found.kernel} has {found.size} bytes of static shared memory, and CUDA gives a "
                      f"block {MOST}", file=_shown(found.place, unit.file), hint="docs/emulate.md says what counts")
    return made


def _with_library(assembly: str) -> str:
    names = "|".join(map(re.escape, _LIBRARY))
    return re.sub(rf"^(\t(?:call|jmp|bl|b)\t)({names})$", lambda m: m[1] + _LIBRARY[m[2]], assembly, flags=re.MULTILINE)


def _with_redzones(assembly: str) -> str:
    """A gap around each shared array and device variable, so that running over its end is seen: as long as itself, and
    _GAP at most."""
    parts = re.split(r"(?m)^(?=\t\.(?:section|text|data|bss)\b)", assembly)
    symbol = re.compile(r"^(?=(?:\t\.(?:globl|weak)\t\S+\n)?(?:\t\.align \d+\n)?\t\.type\t\S+, @object\n)", re.M)
    for i, part in enumerate(parts):
        header = part.split("\n", 1)[0]
        if ".tbss" in header or "irgl_device" in header or "irgl_table" in header:
            body = part[len(header):]
            at = [m.start() for m in symbol.finditer(body)]
            kept = [p for k, p in enumerate(at) if k == 0 or body[at[k - 1]:p].count("\n") > 2]
            each = [body[p:end] for p, end in zip(kept, [*kept[1:], len(body)], strict=False)]
            around = "".join(f"{one}\t.zero\t{_gap(one)}\n" for one in each)
            parts[i] = header + (body[:kept[0]] + f"\t.zero\t{_LEAST_GAP}\n" + around if kept else body)
    closing = [f'\t.section\t.tbss,"awT",@nobits\n\t.zero\t{_GAP}\n']
    closing += {m[0] + f"\n\t.zero\t{_LEAST_GAP}\n"
              for m in re.finditer(r"^\t\.section\tirgl_(?:device|table)\b.*$", assembly, re.M)}
    return "".join(parts) + "".join(sorted(closing))


def _gap(definition: str) -> int:
    """Behind a variable, a multiple of the least, so that what follows lies as it would."""
    size = re.search(r"^\t\.size\t\S+, (\d+)$", definition, re.MULTILINE)
    return min(_GAP, _LEAST_GAP * max(1, -(-int(size[1]) // _LEAST_GAP))) if size is not None else _LEAST_GAP


def run(executable: Path, args: Sequence[str] = (), *, source: Path | None = None, mode: str = "check", seed: int = 0,
        timeout: float | None = None, environment: Mapping[str, str] | None = None, capture: bool = True,
        output: int | None = None, stdin: IO[bytes] | int | None = None) -> Report:
    """Runs a built program. Without `capture` its output goes to `output`, or where ours goes."""
    stream = subprocess.PIPE if capture else output
    with _reported(mode, seed, source, environment) as (env, told):
        try:
            done = subprocess.run([str(executable), *args], stdin=stdin, stdout=stream, stderr=stream, text=True,
                                  errors="replace", check=False, env=env, timeout=timeout)
        except OSError as e:
            raise start_refused(e, str(executable)) from None
        except subprocess.TimeoutExpired:
            raise TimedOutError(f"the program has not ended after {timeout:g} s") from None
        raw = told()
    code = done.returncode if done.returncode >= 0 else 128 - done.returncode  # as a shell tells of a signal
    return _report(raw, code, done.stdout or "", done.stderr or "", seed)


def pretending(l1: int, l2: int, weaver: bool) -> dict[str, str]:
    """The environment in which the pretended device has caches of so many bytes: of a multiprocessor, and of all, 0: as
    it has by itself; and SparseWeaver's unit."""
    caches = {name: str(-(-size >> 10)) for name, size in (("IRGL_EMU_L1", l1), ("IRGL_EMU_L2", l2)) if size}
    return {**caches, **({"IRGL_EMU_WEAVER": "1"} if weaver else {})}


def run_unit(executable: Path, args: Sequence[str], *, mode: str, seed: int, limit: float | None,
             environment: Mapping[str, str] | None = None) -> Report:
    """Runs a built unit of irgl's: what it prints goes to our stderr as it comes; `stderr` has what else was said."""
    with _reported(mode, seed, more=environment) as (env, told):
        ended = child.run([str(executable), *args], limit=limit, environment=env)
        return _report(told(), ended.code, "", "\n".join(ended.said))


@contextlib.contextmanager
def _reported(mode: str, seed: int, source: Path | None = None,
              more: Mapping[str, str] | None = None) -> Iterator[tuple[dict[str, str], Callable[[], dict[str, Any]]]]:
    """The environment of a run, and what reads its report once it has ended."""
    assert mode in MODES
    with temporary("irgl-emulate-") as scratch:
        path = Path(scratch) / "report.json"
        env = {**os.environ, **(more or {}), "IRGL_EMU_MODE": mode, "IRGL_EMU_SEED": str(seed),
               "IRGL_EMU_REPORT": str(path)}
        if source is not None:
            env["IRGL_EMU_SOURCE"] = f"{source.resolve()}={source}"

        def told() -> dict[str, Any]:
            try:
                found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            except (FileNotFoundError, ValueError):  # killed before its end
                return {}
            return found

        yield env, told


def _report(raw: dict[str, Any], code: int, stdout: str, stderr: str, seed: int = 0) -> Report:
    messages = tuple(Message(**m, seed=seed) for m in raw.pop("messages", []))
    return Report(code, stdout, stderr, messages, raw)


def _shown(place: str, source: Path) -> str:
    full = str(source.resolve())
    return str(source) + place[len(full):] if place.startswith(full) else place


def _refused(stderr: str, source: Path, note: str = "") -> Refused:
    place, message = refusal(stderr)
    return Refused(message + note, file=str(source) if place is None else _shown(place, source),
                   hint=None if message.startswith("expected ") else "docs/emulate.md lists what the emulator covers")
