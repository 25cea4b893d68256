"""From preprocessed CUDA text to C++ that g++ compiles for the emulator: launches, and what CUDA adds to declarations.

No line is added or removed, so that every message names the user's line. Only the user's text is looked at, not system
headers; strings and comments are left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from irgl.rt.emulate.kernels import ATTRIBUTE, CLOSE, KERNEL_NAME, OPEN, STRING, Kernels, matching, named_from
from irgl.rt.emulate.ptx import translated
from irgl.source import IrglError

_TOKEN = re.compile(
    rf"(?P<skip>{STRING}|'(?:\\.|[^'\\\n])+'|\b\d(?:[\w.]|'\w)*|//[^\n]*|/\*(?:.|\n)*?\*/)"
    r"|(?P<marker>^\#[^\n]*$)"
    r"|(?P<launch><<[ \t]*<)"
    r"|(?P<word>\b(?:__global__|__device__|__constant__|__managed__|__shared__|__noinline__|asm|__asm__)\b)"
    r"|(?P<cast>\(\s*(?:const\s+)?void\s*(?:const\s*)?\*\s*\)\s*&?\s*(?=[A-Za-z_])"
    r"|\breinterpret_cast\s*<\s*(?:const\s+)?void\s*(?:const\s*)?\*\s*>\s*(?=\())",
    re.MULTILINE)
_MARKER = re.compile(r'^# (\d+) "((?:[^"\\]|\\.)*)"((?: \d)*)$')
_COMPILERS_OWN = ("<built-in>", "<command-line>")  # a user's text may have such a name, too: <cell 1a2b3c>
_VARIABLE_HEAD = re.compile(rf"(?:{ATTRIBUTE}|alignas\s*\([^()]*\)|decltype\s*\([^()]*\)|[^;{{}}()=\[])*")
_ALIGNED = re.compile(r"((?:\s*\b(?:static|const|volatile)\b)*\s*)(alignas\s*\((?:[^()]|\([^()]*\))*\))")
_EXTERN = re.compile(r"(?:\b[A-Za-z_]\w*\s+)*\bextern\b")
_WRITE = "write kernel<<<grid, block>>>(...)"
_SECTION = '__attribute__((section("irgl_device")))'
_MANAGED = '__attribute__((section("irgl_managed")))'
_TABLE = '__attribute__((section("irgl_table")))'  # const, which can't share a section with others
#: What becomes of __global__. The flag that `retain` gives to a section marks kernels for sides.py; what the one side's
#: body does must not tell the compiler anything of the other's.
_KERNEL, _MARKED = "__attribute__((noinline, noclone))", "__attribute__((noinline, noclone, noipa, retain))"


def rewrite(text: str, *, marked: bool = False) -> str:
    """The text of one unit after `g++ -E`, as C++. `marked`: so that its assembly tells which functions are kernels."""
    stretches = list(_stretches(text))
    kernels = Kernels()
    for part, own, _, _ in stretches:
        if own:
            kernels.add_from(part)
    attributes = _MARKED if marked else _KERNEL
    parts = [_Part(part, file, line, kernels, attributes) for part, own, file, line in stretches if own]
    others = [part for part, own, _, _ in stretches if not own]
    for number, at, name in kernels.plain_calls([p.text for p in parts], others):
        raise parts[number].fault(at, f"the kernel {name} is called like a function", _WRITE)
    rewritten = iter(parts)
    return "".join(next(rewritten).rewritten() if own else part for part, own, _, _ in stretches)


def kernel_names(rewritten: str) -> set[str]:
    """The names of all kernels in a unit that has been rewritten."""
    kernel = re.compile(f"{re.escape(_KERNEL)}|{re.escape(_MARKED)}")
    found = (KERNEL_NAME.match(rewritten, m.end()) for m in kernel.finditer(rewritten))
    return {m[1] for m in found if m is not None}


def _stretches(text: str) -> list[tuple[str, bool, str, int]]:
    """The text cut where it goes from the user's files to system headers and back: part, is it the user's, where."""
    found: list[tuple[str, bool, str, int]] = []
    start, own, file, line = 0, True, "", 1
    for m in re.finditer(r'^# (\d+) "([^"\n]*)"([ \d]*)\n', text, re.MULTILINE):
        now = "3" not in m[3].split() and m[2] not in _COMPILERS_OWN and "/emu/include/" not in m[2]
        if now != own:
            found.append((text[start:m.start()], own, file, line))
            start, own, file, line = m.start(), now, m[2], int(m[1]) - 1
    found.append((text[start:], own, file, line))
    return found


@dataclass
class _Part:
    text: str
    file: str
    line: int
    kernels: Kernels
    attributes: str

    def rewritten(self) -> str:
        """The whole part."""
        return self._between(0, len(self.text))

    def _between(self, low: int, high: int) -> str:
        out: list[str] = []
        at = low
        while (m := _TOKEN.search(self.text, at, high)) is not None:
            if m["skip"] is not None or m["marker"] is not None:
                out.append(self.text[at:m.end()])
                at = m.end()
                continue
            if m["launch"] is not None:
                start = named_from(self.text, low, m.start())
                if start is None:
                    raise self.fault(m.start(), "this launch has no kernel's name before `<<<`", _WRITE)
                if start < at:  # numbers in the kernel's name, which were copied already
                    out[:] = ["".join(out)[:start - at]]
                else:
                    out.append(self.text[at:start])
                text, at = self._launch(start, m.start(), m.end())
            else:
                out.append(self.text[at:m.start()])
                text, at = self._cast(m) if m["cast"] is not None else self._word(m, out)
            out.append(text)
        out.append(self.text[at:high])
        return "".join(out)

    def fault(self, at: int, message: str, hint: str) -> IrglError:
        file, line = self.file, self.line
        for row in self.text[:at].split("\n"):
            if (m := _MARKER.match(row)) is not None:
                file, line = m[2], int(m[1]) - 1
            else:
                line += 1
        return IrglError(message, file=f"{file}:{line}", hint=hint)

    def _launch(self, start: int, angle: int, inside: int) -> tuple[str, int]:
        close, depth = -1, 0
        for m in re.compile(rf"{STRING}|[()\[\]{{}};]|>>[ \t]*>").finditer(self.text, inside):
            if m[0] in OPEN:
                depth += 1
            elif m[0] in CLOSE:
                depth -= 1
            elif m[0][0] == ">" and depth == 0:
                close, after = m.start(), m.end()
                break
        paren = re.compile(r"\s*\(").match(self.text, after) if close >= 0 else None
        if paren is None:
            raise self.fault(start, "this launch is not complete", _WRITE)
        end = matching(self.text, paren.end() - 1)
        kernel = self.text[start:angle].strip()
        config = self._between(inside, close)
        arguments = self._between(paren.end(), end)
        lead = self.text[start:angle][len(self.text[start:angle].rstrip()):] + self.text[after:paren.end() - 1]
        quoted = " ".join(kernel.split()).replace('"', "'")
        name = re.match(r"[\s(*&]*(?:(?:[A-Za-z_]\w*\s*)?::\s*)*([A-Za-z_]\w*)(?!.*(?:\.|->))", kernel, re.DOTALL)
        comma = ", " if arguments.strip() else ""
        one = name is None or name[1] not in self.kernels.parameters or (
            self.kernels.is_one_function(name[1]) and not self.kernels.leaves_to_defaults(name[1], arguments))
        if (one and "<" not in kernel) or "?" in kernel:  # a choice of kernels is made on the host
            call = f'::irgl_emu::launch(::irgl_emu::Config({config}), 0, "{quoted}", {kernel}{comma}'
        else:
            call = (f'::irgl_emu::launch_call(::irgl_emu::Config({config}), "{quoted}", [=](auto... irgl_emu_args) '
                    f"{{ {kernel}(irgl_emu_args...); }}{comma}")
        return call + lead + arguments + ")", end + 1

    def _cast(self, m: re.Match[str]) -> tuple[str, int]:
        at = m.end()
        wrapped = self.text[at] == "("
        name = re.compile(r"\s*&?\s*([A-Za-z_]\w*)\s*").match(self.text, at + wrapped)
        if name is None or name[1] not in self.kernels.parameters:
            return m[0], at
        end = name.end()
        if self.text[end:end + 1] == "<" and self.text[end:end + 2] != "<<":
            depth = 0
            for i in range(end, len(self.text)):
                depth += (self.text[i] == "<") - (self.text[i] == ">")
                if depth == 0:
                    end = i + 1
                    break
        kernel = self.text[at + wrapped:end].strip().lstrip("& ")
        quoted = " ".join(kernel.split())
        if wrapped:
            end = self.text.find(")", end) + 1
        return f'::irgl_emu::kernel_address<decltype(&{kernel}), &{kernel}>("{quoted}")', end

    def _word(self, m: re.Match[str], out: list[str]) -> tuple[str, int]:
        word, at = m["word"], m.end()
        if word == "__global__":
            return self.attributes, at
        if word == "__noinline__":
            inside = self.text[:m.start()].rstrip().endswith("((")
            return (word if inside else "__attribute__((noinline))"), at
        if word in ("asm", "__asm__"):
            paren = re.compile(r"\s*(?:volatile|__volatile__)?\s*\(").match(self.text, at)
            if paren is None:
                return word, at
            end = matching(self.text, paren.end() - 1)
            given = re.sub(r"^#[^\n]*$", "", self.text[paren.end():end], flags=re.MULTILINE)
            if (made := translated(given)) is None:
                raise self.fault(m.start(), "the emulator can't run this inline PTX (asm)",
                                 "use an intrinsic, or another branch under #ifdef __IRGL_EMU__")
            return made.replace("\n", " ") + self.text[at:end].count("\n") * "\n", end + 1
        if word == "__shared__":
            return self._shared(m, out)
        if word == "__managed__":
            return _MANAGED, at
        section, head = self._device(word, at, self._before(m.start()))
        if section == _TABLE and self.text[head:head + 1] == "[":  # an array: as no constant, its reads are seen
            return _SECTION + re.sub(r"\b(?:const|__device__|__constant__)\b", "", self.text[at:head]), head
        return section, at

    def _before(self, at: int) -> str:
        """What stands before a word in its declaration."""
        return self.text[max(self.text.rfind(c, 0, at) for c in ";}{") + 1:at]

    def _device(self, word: str, at: int, before: str) -> tuple[str, int]:
        """In which section a declaration's variable goes ("" for a function), and where its declarator ends."""
        head = _VARIABLE_HEAD.match(self.text, at)
        assert head is not None
        end, around = head.end(), before + head[0]
        function = word == "__device__" and re.compile(r"$|\((?!\s*\*)").match(self.text, end)
        lambda_ = word == "__device__" and self.text[end:end + 1] == "{" and re.search(r"\[\]|->|\]\s*$", before)
        other = re.search(r"\b(?:using|typedef|friend|constexpr|operator|__(?:managed|constant|shared)__)\b", around)
        if function or lambda_ or other:
            return "", end
        return (_TABLE if re.search(r"\bconst\b", around) and "*" not in head[0] else _SECTION), end

    def _shared(self, m: re.Match[str], out: list[str]) -> tuple[str, int]:
        before, at = self._before(m.start()), m.end()
        end = self.text.find(";", at)
        extern = re.search(r"\bextern\b", before + self.text[at:end])
        if extern is None:
            return self._static_shared(m.start(), at, end, out)
        declaration = re.sub(rf"{ATTRIBUTE}|alignas\s*\([^()]*\)|\bextern\b", "", self.text[at:end])
        ahead = re.sub(rf"^#[^\n]*$|{ATTRIBUTE}|alignas\s*\([^()]*\)|\bextern\b", "", before, flags=re.MULTILINE)
        shape = re.fullmatch(r"(.*?)\b([A-Za-z_]\w*)\s*\[\s*\]\s*", f"{ahead.strip()} {declaration}", re.DOTALL)
        if shape is None:
            raise self.fault(m.start(), "dynamic shared memory that is no array of unknown size",
                             "declare it as extern __shared__ type name[];")
        if re.search(r"\bextern\b", before):
            joined = "".join(out)
            begin = [m.start() for m in _EXTERN.finditer(joined)][-1]
            out[:] = [joined[:begin] + "".join(re.findall(r"^#[^\n]*$|\n", joined[begin:], re.MULTILINE))]
        kind, name = " ".join(shape[1].split()), shape[2]
        rows = "\n" * self.text.count("\n", at, end)
        return f"{kind} (&{name})[] = *({kind} (*)[])irgl_emu_dynamic_shared{rows}", end

    def _static_shared(self, start: int, at: int, end: int, out: list[str]) -> tuple[str, int]:
        before, plain = "", self.text[at:end]
        while before != plain:
            before, plain = plain, re.sub(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}", "", plain)
        if re.search(r"(?<![=!<>])=(?!=)", plain):
            raise self.fault(start, "a __shared__ variable can't have an initialiser", "assign to it in the kernel")
        aligned = _ALIGNED.match(self.text, at)
        if aligned is None:
            return "thread_local", at
        joined = "".join(out)  # C++ wants alignas before all other words
        words = re.search(r"(?:\b[A-Za-z_]\w*\s+)*\Z", joined)
        assert words is not None
        out[:] = [joined[:words.start()] + aligned[2] + " " + joined[words.start():]]
        return "thread_local" + aligned[1], aligned.end()
