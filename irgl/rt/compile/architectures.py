"""Which GPUs a stand-alone CUDA program is compiled for, as words for nvcc."""

from __future__ import annotations

import re

from irgl.rt.compile import nvcc
from irgl.source import IrglError

#: The GPUs of the machine that compiles.
NATIVE = "native"
#: The oldest GPUs that generated code runs on. Newer ones translate what nvcc makes for them as a program starts.
OLDEST = 75
_NAME = re.compile(r"sm_(\d+)[af]?")
#: What CUDA 13 makes code for, as `__CUDA_ARCH__` has it, in tenths.
_CAPABILITIES = (75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121)


def flags(asked: str | None) -> tuple[list[str], str | None]:
    """nvcc's words for `sm_90`, `sm_80,sm_90` or `native`, and what its user should know.

    None is native where there is a GPU, else the oldest, whose code all newer ones translate. Raises IrglError for
    what is no such name, and for native where no GPU can be used.
    """
    if asked is None:
        try:
            nvcc.architecture()
        except IrglError as e:
            return [f"-arch=sm_{OLDEST}"], (
                f"{e.message}, so the command is for all GPUs from sm_{OLDEST} on, which translate the code when the "
                "program starts; --arch sm_90 makes it for one kind of GPU, --target simt runs it without any")
        return [f"-arch={NATIVE}"], None
    names = [name.strip() for name in asked.split(",")]
    if names == [NATIVE]:
        try:
            nvcc.architecture()
        except IrglError as e:
            raise IrglError(f"--arch native: {e.message}",
                            hint="name the GPU that the program is for, such as --arch sm_90") from None
        return [f"-arch={NATIVE}"], None
    for name in names:
        _check(name)
    if len(names) == 1:
        return [f"-arch={names[0]}"], None
    numbers = [name.removeprefix("sm_") for name in dict.fromkeys(names)]
    newest = max(int(number.rstrip("af")) for number in numbers)  # which yet newer ones translate
    return [*(f"-gencode=arch=compute_{n},code=sm_{n}" for n in numbers),
            f"-gencode=arch=compute_{newest},code=compute_{newest}"], None


def capability(name: str) -> int:
    """The compute capability of `sm_90`, in tenths: 90. Raises IrglError for what is no name of one kind of GPU."""
    found = re.fullmatch(r"sm_(\d+)", name)
    if found is None or int(found[1]) not in _CAPABILITIES:
        names = ", ".join(f"sm_{n}" for n in _CAPABILITIES)
        raise IrglError(f"--arch {name}: that is no kind of GPU", hint=f"one of {names}")
    return int(found[1])


def _check(name: str) -> None:
    """Raises IrglError for what is no name of a GPU on which generated code can run."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise IrglError(f"--arch {name}: that is no kind of GPU",
                        hint="sm_ and a compute capability, such as sm_90, or several: sm_80,sm_90; or native, alone")
    if int(found[1]) < OLDEST:
        raise IrglError(f"--arch {name}: generated code needs sm_{OLDEST} or newer",
                        hint="--target cpu makes code for the processor")


def absent() -> str | None:
    """What to do where there is no nvcc for the printed command."""
    try:
        nvcc.compiler()
    except IrglError as e:
        return f"{e.message} here: {e.hint}; --headers puts the headers next to the file, for a machine that has one"
    return None
