"""Inline PTX that programs often have, as C++: special registers, loads and stores that name their cache level or
order, fences, atomic operations, bit and number instructions."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from irgl.rt.emulate.kernels import STRING, split

_TYPES = {"8": "char", "16": "short", "32": "int", "64": "long long"}
_SPECIAL = {
    "laneid": "irgl_emu::ptx_lane()", "warpid": "(irgl_emu::ptx_thread() / 32)", "smid": "irgl_emu_processor(0)",
    "nsmid": "irgl_emu_processor(1)", "WARP_SZ": "32u", "clock": "(unsigned)irgl_emu_clock()",
    "clock64": "(unsigned long long)irgl_emu_clock()", "globaltimer": "(unsigned long long)irgl_emu_clock()",
    "lanemask_eq": "(1u << irgl_emu::ptx_lane())", "lanemask_lt": "((1u << irgl_emu::ptx_lane()) - 1)",
    "lanemask_le": "((2u << irgl_emu::ptx_lane()) - 1)", "lanemask_gt": "~((2u << irgl_emu::ptx_lane()) - 1)",
    "lanemask_ge": "~((1u << irgl_emu::ptx_lane()) - 1)",
} | {f"{ptx}.{d}": f"{name}.{d}" for d in "xyz" for ptx, name in (
    ("tid", "threadIdx"), ("ntid", "blockDim"), ("ctaid", "blockIdx"), ("nctaid", "gridDim"))}
#: Instructions that compute a value of their operands, converted to the instruction's type.
_VALUES = {
    "add": "{0} + {1}", "sub": "{0} - {1}", "and": "{0} & {1}", "or": "{0} | {1}", "xor": "{0} ^ {1}", "not": "~{0}",
    "neg": "-{0}", "mul.lo": "{0} * {1}", "mad.lo": "{0} * {1} + {2}", "min": "min({0}, {1})", "max": "max({0}, {1})",
    "popc": "irgl_emu::ptx_popc({0})", "clz": "irgl_emu::ptx_clz({0})", "brev": "irgl_emu::ptx_brev({0})",
    "bfe": "irgl_emu::ptx_bfe({0}, {1}, {2})", "bfi": "irgl_emu::ptx_bfi({0}, {1}, {2}, {3})",
    "prmt": "__byte_perm({0}, {1}, {2})", "mul.hi": "irgl_emu::ptx_mul_hi({0}, {1})",
}  # fmt: skip
_REAL = {
    "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}", "div": "{0} / {1}", "neg": "-{0}", "abs": "fabs({0})",
    "fma": "fma({0}, {1}, {2})", "mad": "fma({0}, {1}, {2})", "rcp": "1 / {0}", "sqrt": "sqrt({0})", "min":
    "fmin({0}, {1})", "max": "fmax({0}, {1})", "rsqrt": "rsqrt({0})", "ex2": "exp2({0})", "lg2": "log2({0})",
    "sin": "sin({0})", "cos": "cos({0})", "tanh": "tanh({0})",
}  # fmt: skip
_WRAPS = ("add", "sub", "neg", "mul.lo", "mad.lo")  # whatever the sign
_ATOMIC = {"add": "Add", "min": "Min", "max": "Max", "and": "And", "or": "Or", "xor": "Xor", "exch": "Exch",
           "cas": "CAS", "inc": "Inc", "dec": "Dec"}
_PLAIN = {"weak", "ca", "cs", "lu", "wb", "nc", "global"}
_MARKED = {"volatile", "relaxed", "acquire", "release", "cg", "cv", "wt", "mmio"}
_OTHER = {"cta", "gpu", "sys", "L1::no_allocate", "L1::evict_last", "L2::128B", "L2::256B", "acq_rel", "sc"}
_OPERANDS = re.compile(r"\{[^}]*\}|\[[^\]]*\]|[^,\s]+")


class _NotCoveredError(Exception):
    pass


def translated(inside: str) -> str | None:
    """What stands between the parentheses of `asm(...)`, as an expression; None: it is not covered."""
    parts = [p.strip() for p in _sections(inside)]
    literals = re.fullmatch(rf"(?:\s*(?:{STRING.replace('?P<mark>', '').replace('(?P=mark)', '')}))+\s*", parts[0])
    if literals is None or 'R"' in parts[0] or len(parts) > 4:
        return None
    template = "".join(ast.literal_eval(m[0]) for m in re.finditer(r'"(?:\\.|[^"\\\n])*"', parts[0]))
    if not template.strip():  # for the compiler alone, of whatever constraints: host code has those of its processor
        return "((void)0)"
    operands: list[str] = []
    for section in parts[1:3]:
        for one in split(section):
            m = re.fullmatch(r'\s*"[=+&]*[hrlfdnq]"\s*\((.*)\)\s*', one, re.DOTALL)
            if m is None:
                return None
            operands.append(f"({m[1]})")
    template = re.sub(r"//[^\n]*", "", template).strip().replace("%%", "%")
    if re.fullmatch(r"\{(?:[^{}]|\{[^{}]*\})*\}", template) is not None:  # a block
        template = template[1:-1]
    try:
        made = [_instruction(i.strip(), operands) for i in template.split(";") if i.strip()]
    except _NotCoveredError:
        return None
    return f"({', '.join(['(void)0', *made])})"


def _sections(inside: str) -> list[str]:
    """Cut at colons that stand alone."""
    found, depth, last = [], 0, 0
    for m in re.finditer(rf"{STRING}|::|[()\[\]{{}}:]", inside):
        if m[0] in "([{":
            depth += 1
        elif m[0] in ")]}":
            depth -= 1
        elif depth == 0 and m[0] in (":", "::"):
            found.append(inside[last:m.start()])
            found += [""] * (len(m[0]) - 1)
            last = m.end()
    return [*found, inside[last:]]


def _type(name: str) -> str:
    if name in ("f32", "f64"):
        return "float" if name == "f32" else "double"
    if name[1:] not in _TYPES or name[0] not in "usb":
        raise _NotCoveredError
    return ("signed " if name[0] == "s" else "unsigned ") + _TYPES[name[1:]]


def _value(text: str, operands: Sequence[str]) -> str:
    if re.fullmatch(r"-?\d+|0[xX][0-9a-fA-F]+", text):
        return text
    if (m := re.fullmatch(r"%(\d+)", text)) is not None and int(m[1]) < len(operands):
        return operands[int(m[1])]
    special = text.removeprefix("%")
    if special not in _SPECIAL or text.startswith("%") == (text == "WARP_SZ"):
        raise _NotCoveredError
    return _SPECIAL[special]


def _typed(kind: str, text: str, operands: Sequence[str]) -> str:
    return f"irgl_emu::ptx_get<{kind}>({_value(text, operands)})"


def _instruction(text: str, operands: Sequence[str]) -> str:
    name, _, rest = text.partition(" ") if " " in text else text.partition("\t")
    parts, args = name.split("."), _OPERANDS.findall(rest)
    base, last = parts[0], parts[-1]
    if base in ("membar", "fence"):
        return "__threadfence()"
    if base in ("prefetch", "prefetchu", "nanosleep", "trap"):
        return {"nanosleep": "__nanosleep(0)", "trap": "__trap()"}.get(base, "(void)0")
    if base in ("bar", "barrier") and parts[1:] in (["sync"], ["sync", "aligned"]) and args == ["0"]:
        return "__syncthreads()"
    if parts == ["bar", "warp", "sync"] and len(args) == 1:
        return f"__syncwarp({_typed('unsigned', args[0], operands)})"
    if base in ("ld", "ldu", "st"):
        return _memory(parts, args, operands)
    if base in ("atom", "red"):
        return _atomic(parts, args, operands)
    if not args or not args[0].startswith("%"):
        raise _NotCoveredError
    target = _value(args[0], operands)
    if base == "mov" and len(args) == 2:
        return f"irgl_emu::ptx_set({target}, {_value(args[1], operands)})"
    if name == "activemask.b32":
        return f"irgl_emu::ptx_set({target}, __activemask())"
    key = f"{base}.{parts[1]}" if parts[1] in ("lo", "hi") else base
    kind = _type(last.replace("s", "u") if key in _WRAPS else last)
    form = (_REAL if kind in ("float", "double") else _VALUES).get(key)
    if form is None or set(parts) & {"sat", "cc", "wide", "rm", "rp", "rz"} or len(args) - 1 != 1 + max(
            int(d) for d in re.findall(r"\{(\d)\}", form)):
        raise _NotCoveredError
    return f"irgl_emu::ptx_set({target}, ({kind})({form.format(*(_typed(kind, a, operands) for a in args[1:]))}))"


def _address(text: str, operands: Sequence[str]) -> str:
    m = re.fullmatch(r"\[\s*(%\d+)\s*(?:\+\s*(-?\d+)\s*)?\]", text)
    if m is None:
        raise _NotCoveredError
    return f"((char*){_value(m[1], operands)} + {m[2] or 0})"


def _memory(parts: list[str], args: list[str], operands: Sequence[str]) -> str:
    wide = [p for p in parts[1:-1] if p in ("v2", "v4")]
    said = set(parts[1:-1]) - {"v2", "v4"}
    if not said <= _PLAIN | _MARKED | _OTHER or len(args) != 2:
        raise _NotCoveredError
    kind, marked = _type(parts[-1]), "true" if said & _MARKED else "false"
    data, place = (args[1], args[0]) if parts[0] == "st" else (args[0], args[1])
    each = data.strip("{} ").replace(" ", "").split(",")
    if len(each) != (int(wide[0][1]) if wide else 1):
        raise _NotCoveredError
    at, out = _address(place, operands), []
    for i, one in enumerate(each):
        where = f"({kind}*){at} + {i}"
        if parts[0] == "st":
            out.append(f"irgl_emu::ptx_store<{marked}>({where}, {_typed(kind, one, operands)})")
        else:
            out.append(f"irgl_emu::ptx_set({_value(one, operands)}, irgl_emu::ptx_load<{marked}>({where}))")
    out = ["__threadfence()", *out] if "release" in said else out
    return ", ".join([*out, "__threadfence()"] if "acquire" in said else out)


def _atomic(parts: list[str], args: list[str], operands: Sequence[str]) -> str:
    operation = next((p for p in parts[1:-1] if p in _ATOMIC), None)
    if operation is None or not set(parts[1:-1]) - {operation} <= _OTHER | {"global", "relaxed", "acquire", "release"}:
        raise _NotCoveredError
    kind = "unsigned long long" if (parts[-1], operation) == ("s64", "add") else _type(parts[-1])
    target, given = (_value(args[0], operands), args[1:]) if parts[0] == "atom" else (None, args)
    if len(given) != (3 if operation == "cas" else 2):
        raise _NotCoveredError
    values = ", ".join(_typed(kind, a, operands) for a in given[1:])
    scope = "_block" if "cta" in parts else "_system" if "sys" in parts else ""
    call = f"atomic{_ATOMIC[operation]}{scope}(({kind}*){_address(given[0], operands)}, {values})"
    call = call if target is None else f"irgl_emu::ptx_set({target}, {call})"
    before = ["__threadfence()"] if set(parts) & {"release", "acq_rel"} else []
    after = ["__threadfence()"] if set(parts) & {"acquire", "acq_rel"} else []
    return ", ".join([*before, call, *after])
