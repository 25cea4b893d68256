"""Which iteration may touch a location, and so which updates need atomics and which accesses race.

A location belongs to an iteration when no other iteration of the same ForAll can reach it *by ownership*: the item of a
distinct range, the edges of an owned node, the node that an owned edge starts from, and names for these. Names such as
`dst` mean nothing here; only where an item comes from does.

Each top-level ForAll of a kernel, with the helpers that it calls, is a region. For every location in it:

    own     the innermost iteration around it owns it       plain access
    outer   an enclosing iteration owns it                  plain while the inner loop is serial, else atomic
    shared  anyone may touch it                             updates are atomic
    watched an iteration owns it, others read it            one load, one store
    locked  stored or loaded under Atomic or Exclusive      plain
    once    outside every ForAll, or in the Program         plain

Elements that iterations append themselves are places of their own, apart from all that were there before.
An owned location that other iterations also write is shared, and so is one that iterations own by different ways
(owners.py); one that they read is `concurrent`, as every shared location that the region writes: its loads and stores
are relaxed atomics, and so are the two that an update of it is, where nobody but its owner writes it (`watched`).
Whatever is left over is a race that nobody declared.
"""

from __future__ import annotations

from irgl.analysis.names.conversions import PACKED_HINT, packed_bytes
from irgl.analysis.names.symbols import Checked, Symbol, fail
from irgl.analysis.ownership.accesses import Access, Key, Push, Walker
from irgl.analysis.ownership.lists import if_unique
from irgl.analysis.ownership.owners import APPENDED, WHOLE, Owners
from irgl.ast import nodes as A


def check_ownership(checked: Checked) -> None:
    """Fills `checked.access` and `checked.concurrent`. Raises IrglError for an undeclared race."""
    owners = Owners(checked)
    known: dict[tuple[str, bool], list[Access]] = {}
    for function in checked.functions.values():
        _note(checked, Walker(checked, owners, known).collect(function.body, 0, "once"), "once")
    for kernel in checked.kernels.values():
        for region in _regions(kernel.body):
            walker = Walker(checked, owners, known)
            _judge(checked, walker.collect((region,), 0, ""))
            _judge_pushes(checked, region, walker.pushes)
    if checked.entry is not None:
        _note(checked, Walker(checked, owners, known).collect(checked.entry.body, 0, "once"), "once")


def _note(checked: Checked, accesses: list[Access], status: str) -> None:
    for a in accesses:
        checked.access.setdefault(a.expr, status)


def _regions(stmts: tuple[A.Stmt, ...]) -> list[A.Stmt]:
    """A kernel's top-level statements, those inside plain control flow one by one."""
    found: list[A.Stmt] = []
    for s in stmts:
        match s:
            case A.Block() | A.While() | A.DoWhile() | A.CFor() | A.For():
                found += _regions(s.body)
            case A.If():
                found += _regions(s.body) + _regions(s.orelse)
            case A.Labeled():
                found += _regions((s.body,))
            case _:
                found.append(s)
    return found


def _judge(checked: Checked, accesses: list[Access]) -> None:
    by_key: dict[Key, list[Access]] = {}
    for a in accesses:
        by_key.setdefault(a.key, []).append(a)
    for key, group in by_key.items():
        appended = [a for a in group if a.way == APPENDED]
        if all(a.status == "own" for a in appended):  # no index but its own leads another thread to such an element
            group = [a for a in group if a.way != APPENDED]
            _judge_key(checked, key, appended)
        _judge_key(checked, key, group)


def _judge_pushes(checked: Checked, region: A.Stmt, pushes: list[Push]) -> None:
    """Where all that goes to a list is the outermost item itself, no push meets another's: by its own thread, or in a
    loop below it, whose iterations may be run by several."""
    by_list: dict[Symbol | None, list[Push]] = {}  # WL has no symbol
    for p in pushes:
        by_list.setdefault(checked.symbols.get(p.list), []).append(p)
    for group in by_list.values():
        items = [checked.symbols.get(p.item) if p.item is not None else None for p in group]
        if all(s is not None and s.loop is region for s in items):
            checked.access.update((p.call, "own" if p.depth == 1 else "outer") for p in group)


def _share_by_way(group: list[Access]) -> None:
    """What iterations write by one way and reach by another is not theirs."""
    owned = [a for a in group if a.status in ("own", "outer") and a.way != WHOLE]
    written = {a.way for a in owned if a.kind != "load"}
    for a in owned:
        if len(written) > 1 or (written and a.way not in written):
            a.share()


def _judge_key(checked: Checked, key: Key, group: list[Access]) -> None:
    if not group:
        return
    _share_by_way(group)
    writes = [a for a in group if a.kind != "load"]
    for a in [a for a in writes if a.kind == "update" and any(_reaches(b, a) for b in group)]:
        a.status = "shared"
    shared_writes = [a for a in writes if a.status == "shared"]
    shared_loads = [a for a in group if a.kind == "load" and a.status == "shared"]
    owned_stores = [a for a in writes if a.status == "own" and a.kind == "store" and a.how == "plain"]
    name = key[2]
    for a in writes:
        if a.kind == "store" and a.how == "plain" and a.status in ("shared", "outer"):
            _refuse_store(checked, key, a)
    if owned_stores:
        if shared_writes or any(_meets(a, s) for a in writes for s in owned_stores):
            fail(
                f"other iterations also write '{name}': this plain store races with them",
                owned_stores[0].where,
                "write relaxed before the store, or make both reductions",
            )
        inside = [a for a in group if a.kind == "load" and any(_meets(a, s) for s in owned_stores)]
        for a in shared_loads + inside:
            if a.how == "plain":
                span = owned_stores[0].where.span
                what = "another element of" if key[1] == "element" else ""
                fail(
                    f"{what} '{name}' is read while the iteration that owns it stores it".strip()
                    if what
                    else f"'{name}' of another item is read while its own iteration stores it",
                    a.where,
                    "write relaxed to declare the race, or keep the new value "
                    f"in a second {'array' if what else 'property'}{f': line {span.line} stores it' if span else ''}",
                )
    _judge_locks(key, group)
    if key[1] == "scalar" and shared_writes:
        for a in shared_loads:
            if a.how == "plain":
                fail(
                    f"'{name}' is read while the same ForAll updates it",
                    a.where,
                    "read it after the ForAll, or write relaxed to take any value",
                )
    concurrent = bool(writes) and any(a.status in ("shared", "locked", "outer") for a in group)
    if concurrent and not _is_unit(checked, group[0]):  # then every access is a plain one, where that is enough
        concurrent = any(a.status in ("shared", "locked") or any(_meets(a, s) for s in writes) for a in group)
    locked = [a for a in group if a.status == "locked"]
    mixed = any(not a.under_lock and (b.kind != "load" or _disturbs(a, b)) for a in group for b in locked)
    for a in group:
        if (shared_writes or mixed) and a.status in ("own", "outer"):
            a.status = "shared"
        if shared_loads and a.kind == "update" and a.status in ("own", "outer"):
            checked.watched.add(a.expr)
        previous = checked.access.get(a.expr)
        order = ("once", "own", "locked", "outer", "shared")
        if previous is None or order.index(previous) < order.index(a.status):
            checked.access[a.expr] = a.status
        if concurrent and (a.status != "locked" or mixed):
            checked.concurrent.add(a.expr)
            _refuse_torn(checked, key, a)
        elif a.how != "plain" and not isinstance(a.where, A.CBlock):
            _refuse_torn(checked, key, a)


def _meets(a: Access, s: Access) -> bool:
    """Does an iteration of an inner ForAll touch by `a`, what an outer one owns, while others write it by `s`?"""
    return a.status == "outer" and len(s.loops) > a.owner and a.loops[: len(s.loops)] == s.loops


def _reaches(b: Access, a: Access) -> bool:
    """Does every iteration of a loop reach by `b` what by `a` each has for itself?"""
    return b.status == "outer" and a.owner > b.owner and a.loops[: b.owner + 1] == b.loops[: b.owner + 1]


def _disturbs(a: Access, load: Access) -> bool:
    """May an iteration load while another writes by `a`? What one owns it writes before its loops, or behind them."""
    return a.kind != "load" and not (a.status == "own" and a.owner == load.owner)


def _is_unit(checked: Checked, a: Access) -> bool:
    """Can an atomic load or store touch all of the location at once?"""
    fields = checked.fields(checked.types[a.expr])
    return fields is None or packed_bytes(fields) is not None


def _judge_locks(key: Key, group: list[Access]) -> None:
    """What iterations store under a lock is not touched without one, nor stored where others read it under a lock.

    Either may be declared; updates need not be kept apart from a store that is.
    """
    done = {"load": "read", "store": "stored", "update": "updated"}
    locked = [a for a in group if a.status == "locked"]
    free = [a for a in group if a.how == "plain" and not a.under_lock and a.status != "once"]
    for a in free:
        for b in locked:
            stored = b.kind == "store" and (a.kind != "update" or b.how == "plain")
            read = b.kind == "load" and b.how == "plain" and a.kind == "store" and _disturbs(a, b)
            if stored or read:
                line = f" (line {b.where.span.line})" if b.where.span else ""
                instead = "update there, too" if a.kind == "update" else "write relaxed to declare the race"
                fail(
                    f"{_called(key)} is {done[a.kind]} here without the lock under which other iterations "
                    f"{'store' if stored else 'read'} it{line}",
                    a.where,
                    f"take the lock here too, or {instead}",
                )


def _refuse_torn(checked: Checked, key: Key, a: Access) -> None:
    """A struct that several iterations touch at once must be one atomic unit."""
    if not _is_unit(checked, a):
        fail(
            f"several iterations touch {_called(key)} at once, "
            f"and {checked.types[a.expr]} is no unit of an atomic load or store",
            a.where,
            PACKED_HINT,
        )


def _called(key: Key) -> str:
    return f"an element of '{key[2]}'" if key[1] == "element" else f"'{key[2]}'"


def _refuse_store(checked: Checked, key: Key, a: Access) -> None:
    what = _called(key)
    if isinstance(a.where, A.Assign) and a.where in checked.compound:
        fail(f"several iterations update {what} by '{checked.compound[a.where]}=', which is no atomic update", a.where,
             "use one of += -= |= &= ^= min= max= xchg=" + (", or do it under a lock" if key[1] != "scalar" else ""))
    if key[1] == "scalar":
        fail(
            f"a ForAll stores into the program scalar {what}",
            a.where,
            "reduce into it: += min= max= |= &=, or write racy if all store one value",
        )
    of = "" if key[1] == "element" else f" of this {key[1]}"
    if a.status == "outer":
        same = f"{what} of the same {key[1]}" if of else f"the same element of '{key[2]}'"
        fail(
            f"every iteration of the inner ForAll stores {same}",
            a.where,
            "write racy if all store one value, relaxed if any will do, or a reduction",
        )
    fail(
        f"several iterations may store {what}{of}: the race is not declared",
        a.where,
        "write racy if all store one value, relaxed if any will do, or a reduction such as min="
        + if_unique(checked, a.expr),
    )
