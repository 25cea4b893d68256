"""Messages of the checker as the author of a Python program reads them: words for constructs, types, remedies."""

from __future__ import annotations

import re

from irgl.source import IrglError


def _params(text: str) -> str:
    """`Graph g, int by` as `g: Graph, by: int`."""
    return ", ".join("{2}: {0}".format(*part.rpartition(" ")) for part in text.split(", ")) if text else ""


#: Remedies whose form differs as a whole.
_REMEDIES = (
    (r"write racy if all store one value, relaxed if any will do, or a reduction(?: such as min=)?",
     "write X.p = irgl.racy(value) if all store one value, irgl.relaxed(value) if any will do, "
     "or irgl.reduce.min(X.p, value)"),
    (r"reduce into it:? \(?\+= min= max= \|= &=\)?, or write racy if all store one value",
     "update it: +=, |=, &=, irgl.reduce.min or .max, or irgl.racy(value) if all store one value"),
    (r"reduce into it:? \(?\+= min= max= \|= &=\)?", "update it: +=, |=, &=, irgl.reduce.min or irgl.reduce.max"),
    (r"write an update: .*", "write an update: X.p += v, irgl.reduce.min(X.p, v), or irgl.cas(X.p, old, new)"),
    (r"one of \+= -= \|= &= \^= min= max= xchg=", "one of += -= |= &= ^= irgl.reduce.min, .max, .xchg"),
    (r"(takes?) min= max= and xchg=", r"\1 irgl.reduce.min, .max and .xchg"),
    (r"take \+= -= min= max= and xchg=", "take += -= irgl.reduce.min, .max and .xchg"),
    (r"write relaxed before the store", "write X.p = irgl.relaxed(value)"),
    (r"write relaxed n\.property", "write irgl.relaxed.load(n.property)"),
    (r"write relaxed to take any value", "write irgl.relaxed.load(...) to take any value"),
    (r"write relaxed to declare the race", "write irgl.relaxed to declare the race"),
    (r"pop takes the variable of a loop over the list itself: .*",
     "pop takes a position: for i in wl.positions: n: irgl.node = wl.pop(i)"),
    (r"use g\.nodes, n\.edges, WL, list\.items or range\(n\)", "use g.nodes, n.edges, a list or range(n)"),
    (r"declare one in the Program: (\S+) NAME;", r"make one in the program: NAME = \1()"),
    (r"name the list: (\S+) front;", r"name the list: front = \1()"),
    (r"change a copy, the Program's own: (.+?) mine; (.*);", r"change a copy, the program's own: mine = \1(); \2"),
    (r"keep what it loads: node m = relaxed n\.p;", "keep what it loads: m: irgl.node = irgl.relaxed.load(n.p)"),
    (r"take a copy: auto (\w+) = (\w+);", r"take a copy: \1 = \2"),
    (r"declare it first: int (\w+) = 0;", r"give it a value first: \1: int = 0"),
    (r"write node src = first in the Program's head", "write src: irgl.node = irgl.first in the program's head"),
    (r"write undirected (\w+) (\w+) in the Program's head", r"write \2: \1[irgl.undirected] in the program's head"),
    (r"write Program (\w+)\(Graph g(?:, \.\.\.)?\)(?: \{ \.\.\. \})?", r"write @irgl.program before def \1(g: Graph):"),
    (r"write Graph h = oriented\(g\);(?: on a line of its own)?", "write h: Graph = irgl.oriented(g)"),
    (r"graph (\w+) \{ (node|edge) (\w+) (\w+); \}", r"\4: irgl.\2[irgl.\3] in class \1"),
    (r"declare a property: (node|edge) (\w+) (\w+);", r"declare a property: \3: irgl.\1[irgl.\2]"),
    (r"write Atomic \(n\.lock\) \{ \.\.\. \} Else \{ \.\.\. \}", "write if irgl.atomic(n.lock): ... else: ..."),
    (r"(write|take it) (?:by )?Atomic \(n\.lock\) \{ \.\.\. \}", r"\1 with irgl.atomic(n.lock):"),
    (r"in a sequential For\b", "in a loop over irgl.serial(...)"),
    (r"as a parameter: Graph g", "as a parameter: g: Graph"),
    (r"write Exclusive \(g, \[n, m\]\)", "write with irgl.exclusive(g, [n, m]):"),
    (r"write Pipe Initial \[\.\.\.\], or put it in a Pipe Once after a kernel that fills the list",
     "write irgl.pipe(initial=[...]), or put it in irgl.pipe(once=True) after a kernel that fills the list"),
    (r"write while \(\.\.\.\) or Pipe Once", "write while, or irgl.pipe(once=True)"),
    (r"write Iterate While Any", "write irgl.iterate_while(any(...))"),
    (r"single items stand in brackets: Initial \[(\w+)\]", r"single items stand in brackets: initial=[\1]"),
    (r"write Iterate (\w+)\(\.\.\.\) Initial \[\.\.\.\]", r"write with irgl.iterate(\1(...), initial=[...]):"),
    (r"\bsqrt\(x\)", "irgl.sqrt(x)"),
    (r"write Initial \(\.\.\.\)", "write initial=..."), (r"write Initial \[\.\.\.\]", "write initial=[...]"),
    (r"leave Initial out", "leave initial= out"),
    (r"Invoke (\w+)\(\.\.\.\) WL (\w+);", r"\1(..., wl=\2)"),
    (r"declare it: priority_queue<node>\(PROPERTY\) (\w+);",
     r'declare it: \1 = irgl.priority_queue[node, "PROPERTY"]()'),
    (r"write Invoke (\w+)\(\.\.\.\) in the Program", r"call \1(...) in the program"),
    (r"use For, or a condition", "write for ... in irgl.serial(...), or a condition"),
    (r"its iterations run at once: use For", "its iterations run at once: write for ... in irgl.serial(...)"),
    (r"iterate with ForAll", "write for n in g.nodes"),
    (r"write (?:For|ForAll) \((\w+) In (.*)\.items\)", r"write for \1 in \2"),
    (r"\bFor \((\w+) In (common\([^()]*\))\)", r"for \1 in irgl.serial(irgl.\2)"),
    (r"is (common\(n, m\));", r"is irgl.\1;"),
    (r"needs a ForAll \(\.\.\. In WL\) to go to", "needs a loop over wl to go to"),
    (r"(write|the kernel reads:) WL (\S+)( without unique)?", r"\1 wl: irgl.worklist[\2]\3"),
    (r"Kernel (\w+)\(\.\.\.\) WL (\S+)", r"def \1(..., wl: irgl.worklist[\2])"),
    (r"it reads: (\S+) (\w+)\((.*?)\)$", lambda m: f"it reads: def {m[2]}({_params(m[3])})"),
    (r"\((int|long|double|float)\)\(\.\.\.\)", r"\1(...)"), (r"\((int|long)\)INF", r"\1(irgl.INF)"),
    (r"\((\w+)\)\{\.\.\.\}", r"\1(...)"),
    (r"write return VALUE;", "write return VALUE"), (r"write tolerance 1e-6", "write irgl.tolerance(1e-6)"),
    (r"ForAll \((\w+) In (\S+)\) \{ \.\.\. \}", r"for \1 in \2:"),
    (r"call it: (.*);$", r"call it: \1"), (r"\bWL\.", "wl."),
)  # fmt: skip
#: The constructs by their names here, wherever they occur.
_WORDS = (
    (r"\b(a|an|the same|every|inner|nested|one|top-level|of the) ForAll\b", r"\1 parallel loop"),
    (r"\btwo ForAlls\b", "two loops"),
    (r"^ForAll stands\b", "a parallel loop stands"), (r"^(For|ForAll) can't", "a loop can't"),
    (r"\bForAll\b", "parallel loop"),
    (r"^Invoke stands in\b", "a kernel is called in"), (r"\bReduceAndReturn\b", "reduce_and_return"),
    (r"\bSyncRunningThreads\b", "sync_running_threads"),
    (r"\b(Atomic|Exclusive|Pipe|Iterate|Retry|Respawn|Initial)\b", lambda m: str(m[1]).lower()),
    (r"\bno Program\b", "no program"), (r"\bthe Program\b", "the program"), (r"\bpipe Once\b", "pipe(once=True)"),
    (r"\bNONE\b", "None"),
    (r"\ba Program\b", "a program"), (r"\bWL\b", "wl"), (r"'(min|max|xchg)='", r"reduce.\1"),
    (r"'&&'", "'and'"), (r"'\|\|'", "'or'"), (r"'!'", "'not'"), (r"'\?:'", "'if else'"),
)  # fmt: skip


def in_python(error: IrglError) -> IrglError:
    """The error in the words of the notation for Python, at the same place."""
    hint = None if error.hint is None else _types(_replaced(_replaced(_types(error.hint), _REMEDIES), _WORDS))
    return IrglError(_types(_replaced(error.message, _WORDS)), error.span, hint, file=error.file)


def _replaced(text: str, table: tuple[tuple[str, object], ...]) -> str:
    for pattern, new in table:
        text = re.sub(pattern, new, text)  # type: ignore[call-overload]
    return text


def _types(text: str) -> str:
    """`list<node<g>>` as `list[node["g"]]`."""
    before = ""
    while before != text:
        before = text
        text = re.sub(r"\b(node|edge)<(\w+)>", r'\1["\2"]', text)
        text = re.sub(r"\b(\w+)<([^<>=]+)>", r"\1[\2]", text)
    return re.sub(r"\bunique (\w+\[[^ ]*\])", r"unique[\1]", text)
