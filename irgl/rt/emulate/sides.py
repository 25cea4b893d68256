"""Programs whose text asks for `__CUDA_ARCH__`: each unit is compiled for the host and for the device; all is linked.

What a kernel comes to is the device's, all else the host's. So all that a device's assembly defines is renamed, but for
what the host gives to or takes from a device, which is the device's for both: kernels, variables in the device's and in
shared memory. The host's own of these go, or are left under a name that nobody uses.

Kernels are known by the flag of their sections: they have the attribute `retain` (text.py, irgl_emu/parallel.h).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from irgl.rt.emulate.shared import place_of, plain_name
from irgl.source import IrglError

#: Behind the names of what is the device's; symbols.cpp of the runtime takes it off again.
_DEVICE = ".irgl_device"
_UNUSED = ".irgl_unused"
_PLACE = re.compile(r"^\t\.section\t([^\s,]+)(?:,\"(\w*)\")?|^\t\.(?:text|data|bss)$|^([A-Za-z_][\w.$]*):$", re.M)
_ALSO = re.compile(r"^\t\.(?:comm|set)\t([A-Za-z_][\w.$]*),", re.M)
_SEEN = re.compile(r"^\t\.(?:globl|weak)\t(\S+)$", re.M)
_OBJECT = re.compile(
    r"^(?:\t\.(?:globl|weak|hidden)\t\S+\n)*(?:\t\.align \d+\n)?\t\.type\t(\S+), [@%]\w+\n\t\.size\t\1, \d+\n\1:\n"
    r"(?:\t\.(?!section|text|data|bss|globl|weak|hidden|local|comm|set|type|align|size)[^\n]*\n)*", re.M)
_LINE = re.compile(
    r"^(?P<label>[A-Za-z_][\w.$]*)(?=:$)|^(?P<about>\t\.(?:type|globl|weak|size|hidden|local|section)\t)(?P<what>[^\n]*)"
    r"|^(?P<op>\t(?!\.(?:string|ascii|asciz|file|ident|loc)\b)[^\t\n]+\t)(?P<rest>[^\n]*)", re.M)
_NAME = re.compile(r'(?<![\w.%@"])[A-Za-z_][\w.$]*')
_INITIALISERS = re.compile(
    r"^\t\.section\t\.(?:init_array|fini_array|ctors|dtors)\b.*\n(?:\t\.(?!section|text|data|bss).*\n)*", re.M)


@dataclass(frozen=True, slots=True)
class _Symbols:
    """What an assembly defines: all, of these what other units see, and what is the device's for both sides."""

    all: frozenset[str]
    seen: frozenset[str]
    device: frozenset[str]
    kernels: frozenset[str]


def joined(host: Sequence[str], device: Mapping[int, str]) -> list[str]:
    """The assemblies that make a program of its units' own: `device` has those for the device, by unit.

    Raises IrglError where the host launches a kernel that the device has not.
    """
    of_device = {unit: _symbols(assembly) for unit, assembly in device.items()}
    seen = {name: name + _DEVICE for found in of_device.values() for name in found.seen}
    shared = {name: name + _DEVICE for found in of_device.values() for name in found.seen & found.device}
    made = []
    for unit, assembly in enumerate(host):
        own = of_device.get(unit)
        names = dict(shared)
        if own is not None:
            names |= {name: _local(name, unit) for name in own.device - own.seen}
            _check(assembly, names)
            assembly = _without_objects(assembly, names)
        made.append(_renamed(assembly, names, {name: name + _UNUSED for name in names}))
    for unit, assembly in device.items():
        own = of_device[unit]
        names = seen | {name: _local(name, unit) for name in own.all - own.seen}
        told = "".join(f"\t.globl\t{names[name]}\n" for name in sorted(own.device - own.seen))
        made.append(_renamed(_INITIALISERS.sub("", assembly), names, names) + told)
    return made


def _without_objects(assembly: str, names: Mapping[str, str]) -> str:
    return _OBJECT.sub(lambda m: "" if m[1] in names else m[0], assembly)


def _local(name: str, unit: int) -> str:
    return f"{name}{_DEVICE}{unit}"


def _symbols(assembly: str) -> _Symbols:
    flags: dict[str, str] = {}
    names, device, kernels, section = set(_ALSO.findall(assembly)), set(), set(), ""
    for m in _PLACE.finditer(assembly):
        if m[3] is None:
            section = m[1] or ""
            flags[section] = m[2] if m[2] is not None else flags.get(section, "")
            continue
        names.add(m[3])
        if "R" in flags.get(section, ""):
            kernels.add(m[3])
        elif "T" in flags.get(section, "") or section.startswith("irgl_"):
            device.add(m[3])
    return _Symbols(frozenset(names), frozenset(set(_SEEN.findall(assembly)) & names), frozenset(device | kernels),
                    frozenset(kernels))


def _check(host: str, names: Mapping[str, str]) -> None:
    """Every kernel that the host's assembly speaks of is the device's, too."""
    absent = _symbols(host).kernels - names.keys()
    if not absent:
        return
    spoken = {word for m in _LINE.finditer(host) if m["op"] is not None for word in _NAME.findall(m["rest"])}
    for kernel in sorted(absent & spoken):
        raise IrglError(f"the kernel {plain_name(kernel)} is launched, and is there for the host only: where "
                        "__CUDA_ARCH__ is defined, nothing makes it", file=place_of(host, kernel),
                        hint="define and launch it whether or not __CUDA_ARCH__ is defined")


def _renamed(assembly: str, names: Mapping[str, str], defined: Mapping[str, str]) -> str:
    """Under other names: what is spoken of, and what is defined."""
    def of(m: re.Match[str]) -> str:
        if m["label"] is not None:
            return defined.get(m["label"], m["label"])
        if m["about"] is not None:
            return m["about"] + _NAME.sub(lambda n: defined.get(n[0], n[0]), m["what"])
        return m["op"] + _NAME.sub(lambda n: names.get(n[0], n[0]), m["rest"])

    return _LINE.sub(of, assembly) if names else assembly
