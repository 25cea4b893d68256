"""The user's names as C++ names: unchanged, unless C++ or the generated text needs the word itself."""

from __future__ import annotations

import re

from irgl.analysis.symbols import Checked
from irgl.ast import types as T


def _words(text: str) -> list[str]:
    return text.split()


_TAKEN = frozenset(
    _words("""
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t
    class compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield
    decltype default delete do double dynamic_cast else enum explicit export extern false float for friend
    goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private
    protected public register reinterpret_cast requires return short signed sizeof static static_assert
    static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned
    using virtual void volatile wchar_t while xor xor_eq int8_t int16_t int32_t int64_t uint8_t uint16_t
    uint32_t uint64_t size_t NULL INT_MAX irgl unit c t wl any all value program initialise irgl_run args
    Storage inner inner1 inner2 inner3 inner4 node_t edge_t Context Value main linux unix errno stdin stdout
    stderr assert offsetof INFINITY NAN EOF BUFSIZ RAND_MAX
""")
)


#: Variables that the generated text declares by itself, each with a number or with another name.
_MADE = re.compile(r"(again|argument|first|owned|stored)_[0-9_]+|(file|shared)_.+")


def name(word: str) -> str:
    """`word`, with an underscore behind it where C++ or the generated text would misread it."""
    stem = word.rstrip("_")
    reserved = stem in _TAKEN or word.startswith("_") or (word.isupper() and word.startswith("IRGL_"))
    reserved = reserved or _MADE.fullmatch(word) is not None
    return word + "_" if reserved else word


#: Members of the graph view and of the context (cpu_rt), which properties and program scalars must not hide.
_GRAPH_MEMBERS = frozenset(
    _words("""
    n m directed row cols in_row in_cols in_eid degree in_degree in_edge exclusive
""")
)
_CONTEXT_MEMBERS = frozenset(
    _words("""
    stop rounds seed drawn halted random threads thread host fault faulted clear_fault worklist_capacity
    serial_work chunk_work giant fuse_limit stats threads_ fault_ records_ heap
""")
)


def property_name(word: str) -> str:
    """The member of the graph view that holds the property `word`."""
    return word + "_" if word.rstrip("_") in _GRAPH_MEMBERS else name(word)


def scalar_name(word: str) -> str:
    """The member of the context that holds the program scalar `word`."""
    return word + "_" if word.rstrip("_") in _CONTEXT_MEMBERS else name(word)


def inner(depth: int) -> str:
    """What the operator of the ForAll at `depth` calls the way its nested loops run."""
    return "inner" if depth <= 1 else f"inner{depth}"


def pipe_type(t: T.Worklist, checked: Checked) -> str:
    """The C++ type of the lists that a Pipe makes. Without Respawn and Retry small rounds cost less."""
    if t.kind == "buckets":
        return f"irgl::buckets<{cxx_type(t.item, checked)}>"
    respawns = any(facts.retries for facts in checked.facts.values())
    return f"irgl::Pipe<{cxx_type(t, checked)}{', true' if respawns else ', false'}>"


def cxx_type(t: T.Type, checked: Checked) -> str:
    """The C++ type of a value of type `t`."""
    match t:
        case T.Void():
            return "void"
        case T.Bool():
            return "bool"
        case T.Int():
            return f"{'' if t.signed else 'u'}int{t.bits}_t"
        case T.Id():
            return "int64_t"
        case T.Float():
            return str(t)
        case T.NodeT():
            return "node_t"
        case T.EdgeT():
            return "edge_t"
        case T.Lock():
            return "irgl::Locks"
        case T.Reduced():
            return "bool"
        case T.Position():
            return cxx_type(t.list.item, checked)
        case T.Worklist(kind="list") if checked.buffer:
            return f"irgl::queue<{cxx_type(t.item, checked)}, {checked.buffer}>"
        case T.Worklist():
            return f"irgl::{t.kind}<{cxx_type(t.item, checked)}>"
        case T.Named() if t.name in checked.libraries:
            args = ", ".join(cxx_type(a, checked) for a in t.args)
            return f"irgl::{t.name}<{args}>" if t.args else f"irgl::{t.name}"
        case T.Named():
            return name(t.name)
        case _:
            raise AssertionError(t)


def zero(t: T.Type, checked: Checked) -> str:
    """What a variable of type `t` holds that has no first value."""
    fields = checked.fields(t)
    if fields is not None:
        return f"{cxx_type(t, checked)}{{{', '.join(zero(f, checked) for f in fields.values())}}}"
    return f"{cxx_type(t, checked)}{'(-1)' if isinstance(t, T.NodeT | T.EdgeT) else '{}'}"


def starts_as_none(t: T.Type, checked: Checked) -> bool:
    """Is a `t` without a first value NONE, or has it a field that is?"""
    fields = checked.fields(t) or {}
    return isinstance(t, T.NodeT | T.EdgeT) or any(starts_as_none(f, checked) for f in fields.values())
