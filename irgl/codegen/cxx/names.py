"""The user's names as C++ names: unchanged, unless C++ or the generated text needs the word itself."""

from __future__ import annotations

import re
from collections.abc import Collection

from irgl.analysis.names.symbols import Checked
from irgl.ast import types as T


def _words(text: str) -> list[str]:
    return text.split()


#: Words of C++, of what the generated text names by itself, and macros of C's headers that `_MACRO` does not tell.
_TAKEN = frozenset(
    _words("""
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t
    class compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield
    decltype default delete do double dynamic_cast else enum explicit export extern false float for friend
    goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private
    protected public register reinterpret_cast requires return short signed sizeof static static_assert
    static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned
    using virtual void volatile wchar_t while xor xor_eq int8_t int16_t int32_t int64_t uint8_t uint16_t
    uint32_t uint64_t size_t irgl irgl_host unit std c t wl at call any all value valid program initialise irgl_run
    irgl_run_args args Storage Scalars Device node_t edge_t Context Value main linux unix fprintf fflush
    part kth far place tile wanted copies errno stdin stdout stderr assert assert_perror offsetof alloca strdupa
    strndupa isascii toascii issubnormal
    math_errhandling sched_priority st_atime st_ctime st_mtime
""")
)

#: Variables that the generated text declares by itself, each with a number or with another name.
_MADE = re.compile(r"(again|argument|first|held|mine|operand|owned|stored)_[0-9_]+|owned_[0-9]+_in_*"
                   r"|(file|shared|kept|placed|copied|divisor)_.+|inner[0-9]*_*")

#: What macros are called in the headers of C, C++ and CUDA: mostly they have no small letter.
_MACRO = re.compile(r"[A-Z][^a-z]+|[A-Z][A-Z0-9]*_.+|cuda[A-Z].*|(be|le)[0-9]+toh_*|hto(be|le)[0-9]+_*"
                    r"|is[a-z]+_l_*|toascii_l_*|pthread_cleanup_.+")


def name(word: str) -> str:
    """`word`, with an underscore behind it where C++ or the generated text would misread it."""
    if re.match(r"_[_A-Z]", word):  # a macro may begin and end so
        return word + "_u_"
    stem = word.rstrip("_")
    reserved = stem in _TAKEN or word.startswith("_")
    reserved = reserved or _MADE.fullmatch(word) is not None or _MACRO.fullmatch(word) is not None
    return word + "_" if reserved else word


def made(word: str, taken: Collection[str]) -> str:
    """A name of the generated text's own, with an underscore behind it where a name in `taken` is the same."""
    while word in taken:
        word += "_"
    return word


def called(prefix: str, word: str) -> str:
    """A name of the generated text's own for something of `word`: no name of the program's is like it, which would end
    in an underscore."""
    return f"{prefix}_{word}{'v' * (re.search('_v*$', word) is not None)}"


def words_of(text: str) -> set[str]:
    """The names and keywords in a piece of C++."""
    return set(re.findall(r"[A-Za-z_]\w*", text))


def outside(text: str) -> str:
    """A type as it stands where C's names are met, too: a program's own with its namespace, if it begins small."""
    scalar = re.fullmatch(r"u?int[0-9]+_t|float|double|bool|(node|edge)_t|irgl::.*|[A-Z].*", text) is not None
    return text if scalar else f"unit::{text}"


def form_of(graph: str, incoming: bool) -> str:
    """The form of a graph's in- or out-edges, of which alone their places, ends and numbers are asked."""
    return f"{graph}.{'in' if incoming else 'out'}()"


#: Members of the graph view, of the context (cpu_rt) and of what a grid shares (SharedOf in cuda_rt/orchestrate.cuh),
#: which properties and program scalars must not hide.
_GRAPH_MEMBERS = frozenset(
    _words("""
    n m directed row cols in_row in_cols in_eid out in exclusive
""")
)
_CONTEXT_MEMBERS = frozenset(
    _words("""
    stop rounds seed drawn halted random clock began threads thread host fault faulted clear_fault worklist_capacity
    serial_work chunk_work giant fuse_limit stats sources team habits by_all worth_waking helped threads_ fault_
    records_ unhelped_ heap slots given kept most_threads evenly large worth_helpers least_shared forget_rows larger
    share most before failed copies
""")
)


def property_name(word: str) -> str:
    """The member of the graph view that holds the property `word`."""
    return word + "_" if word.rstrip("_") in _GRAPH_MEMBERS else name(word)


def type_name(word: str) -> str:
    """A struct or graph type: inside the graph view a member of that name would be found in its place."""
    return word + "_u_" if word.rstrip("_") in _GRAPH_MEMBERS else name(word)


def scalar_name(word: str) -> str:
    """The member of the context that holds the program scalar `word`."""
    return word + "_" if word.rstrip("_") in _CONTEXT_MEMBERS else name(word)


def inner(depth: int) -> str:
    """What the operator of the ForAll at `depth` calls the way its nested loops run."""
    return "inner" if depth <= 1 else f"inner{depth}"


def order_name(by: T.Priority) -> str:
    """What says in which order a priority queue runs its nodes (codegen/openmp/orders.py)."""
    first = f"{'_higher' * by.higher}{'_apart' * bool(by.delta)}_by"
    apart = str(len(by.property)) if "_of_" in by.property else ""  # so that two names are never one
    return f"{first}{apart}_{by.property}_of_{by.owner}"


def order_of(t: T.Worklist, viewed: str) -> str:
    """The order of a Pipe's queue, by the Program's variables; viewed: what stands behind the name of an array."""
    assert t.by is not None and isinstance(t.item, T.NodeT)
    ran = [f"{name(t.by.ran)}{viewed}" if viewed else f"&{name(t.by.ran)}"] if t.by.ran else []
    parts = [name(t.item.graph), *([name(t.by.delta)] if t.by.delta else []), *ran]
    return f"{order_name(t.by)}{{{', '.join(parts)}}}"


def pipe_type(t: T.Worklist, checked: Checked) -> str:
    """The C++ type of the lists that a Pipe makes. Without Respawn and Retry small rounds cost less."""
    if t.by is not None:
        return f"irgl::ordered<{cxx_type(t.item, checked)}, {order_name(t.by)}>"
    if t.kind == "buckets":
        return f"irgl::buckets<{cxx_type(t.item, checked)}>"
    respawns = any(facts.retries for facts in checked.facts.values())
    return f"irgl::Pipe<{cxx_type(t, checked)}{', true' if respawns else ', false'}>"


#: How a set knows that a node is in it, where that is no byte for each.
_DEDUPS = {"bitmap": "irgl::by_bit", "rounds": "irgl::by_round"}


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
        case T.Vector():
            return f"irgl::Several<{cxx_type(t.of, checked)}, {t.length}>"
        case T.Reduced():
            return "bool"
        case T.Position():
            return cxx_type(t.list.item, checked)
        case T.Worklist(kind="list", shared=True):
            return f"irgl::queue<{cxx_type(t.item, checked)}, {checked.buffer}>"
        case T.Worklist(kind="set") if checked.dedup in _DEDUPS:
            return f"irgl::set<{cxx_type(t.item, checked)}, {_DEDUPS[checked.dedup]}>"
        case T.Worklist():
            return f"irgl::{t.kind}<{cxx_type(t.item, checked)}>"
        case T.Named() if t.name in checked.libraries:
            args = ", ".join(cxx_type(a, checked) for a in t.args)
            return f"irgl::{t.name}<{args}>" if t.args else f"irgl::{t.name}"
        case T.Named():
            return type_name(t.name)
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
