"""Programs whose rounds may not have to wait for each other, and what is judged of them."""

from __future__ import annotations

from irgl import driver
from irgl.analysis.names.symbols import Checked
from irgl.passes.drive.merging import loops, why_not

HEAD = """graph Graph {
  node int p = INF; node int q = 0; node double far = INF; node long wide = INF; node bool on = false; node node least;
  node int told = INF;
  edge int w;
}
long total = 0;
int lowest = INF;
bool any = false;
"""
LIST = "Iterate k(g, by) Initial (g.nodes);"
ALL = "Iterate While Any k(g, by);"


def offered(body: str) -> str:
    """A loop over the edges of an iteration's node."""
    return f"ForAll (e In n.edges) {{ {body} }}"


def program(body: str, wl: str = "", host: str = LIST, over: str = "", more: str = "") -> str:
    """A program whose kernel's iterations are `body`; more: further kernels."""
    over = over or ("g.nodes" if host == ALL else "WL.items")
    return (f"{HEAD}Kernel k(Graph g, int by) {wl} {{ ForAll (n In {over}) {{ {body} }} }}\n{more}"
            f"Kernel begin(Graph g) {{ ForAll (n In g.nodes) {{ n.least = n; n.q = (int)(n.id % 5); }} }}\n"
            f"Program main(weighted Graph g, node src = first, int by = 2) {{ Invoke begin(g); "
            f"if (g.num_nodes > 0) {{ src.p = 0; src.far = 0; src.wide = 3; src.on = true; }} {host} }}\n")


PUSH = "WL.push(e.dst);"
LABELS = offered(f"if (e.dst.least min= n.least) {{ {PUSH} }}")
LENGTHS = "int here = n.p; " + offered(
    f"int there = here + e.w; if (there >= here && there < e.dst.p && (e.dst.p min= there)) {{ {PUSH} }}")
HOPS = f"if (n.p != INF) {{ {offered(f'if (e.dst.p min= n.p + 1) {{ {PUSH} }}')} }}"
NOTED = "int here = n.p; if (here < n.told) { n.told = here; " + LENGTHS.removeprefix("int here = n.p; ") + " }"
CLAIM = offered(f"if (!e.dst.on) {{ racy e.dst.on = true; {PUSH} }}")

#: Programs that end in the same whenever their nodes run.
FREE: dict[str, dict[str, str]] = {
    "labels": {"body": LABELS},
    "labels in a set": {"body": LABELS, "wl": "WL set<node>"},
    "lengths": {"body": LENGTHS, "wl": "WL bitmap<node>"},
    "lengths, asked around": {"body": "int here = n.p; " + offered(
        f"int there = here + e.w; if (there >= here) {{ if ((e.dst.p min= there).changed) {{ {PUSH} }} }}")},
    "hops": {"body": HOPS},
    "hops below a number": {"body": "int here = n.p; if (here < by + 40) {" + offered(
        f"if (here + 1 < e.dst.p && (e.dst.p min= here + 1)) {{ {PUSH} }}") + "}"},
    "real lengths": {"body": offered(f"double there = n.far + e.w * 0.5; if (e.dst.far min= there) {{ {PUSH} }}")},
    "widths": {"body": offered(f"if (e.dst.q max= min(n.q, e.w)) {{ {PUSH} }}")},
    "no sum that wraps": {"body": offered(f"if (e.dst.wide min= min(n.wide, 1000) + (e.w & 7)) {{ {PUSH} }}")},
    "bits": {"body": offered(f"if (e.dst.q |= n.q & (e.w | 3)) {{ {PUSH} }}")},
    "claims": {"body": CLAIM, "host": "Iterate k(g, by) Initial [src];"},
    "claims by cas": {"body": offered(f"if (cas(e.dst.p, INF, by)) {{ {PUSH} }}")},
    "claims of some": {"body": offered(f"if (e.w > by && e.dst.p != 7) {{ racy e.dst.p = 7; {PUSH} }}")},
    "offers that are noted": {"body": NOTED, "wl": "WL set<node>"},
    "offers that are noted, of all nodes": {"body": NOTED.replace(PUSH, "ReduceAndReturn(true);"), "host": ALL},
    "beside a scalar": {"body": "lowest min= n.p; if (n.p < 9) { racy any = true; } " + LENGTHS},
    "two properties": {"body": LABELS + offered(f"if (e.dst.q max= n.q) {{ {PUSH} }}")},
    "a Pipe": {"body": LABELS, "host": "Pipe Initial (g.nodes) { Invoke k(g, by); }"},
    "all nodes": {"body": offered("ReduceAndReturn(e.dst.least min= n.least);"), "host": ALL},
    "all nodes, told behind": {"body": HOPS.replace(PUSH, "ReduceAndReturn(true);"), "host": ALL},
}

#: Those that may not, or of which nobody can tell, with the reason.
BOUND: list[tuple[dict[str, str], str]] = [
    ({"body": offered(f"if (e.dst.p == INF) {{ racy e.dst.p = n.p + 1; {PUSH} }}")},
     "'p' may be set to several values, of which the order decides"),
    ({"body": offered(f"if (e.dst.p min= n.p + e.w) {{ {PUSH} }}")},
     "`n.p + e.w` may wrap around: have the node's value in a variable, and offer nothing that is less than that"),
    ({"body": offered(f"int there = n.p + e.w; if (there >= n.p && (e.dst.p min= there)) {{ {PUSH} }}")},
     "`there >= n.p` may hold, and no longer when its node's values have gone on"),
    ({"body": offered(f"if (e.dst.q |= max(n.q, 3)) {{ {PUSH} }}")},
     "which way `max(n.q, 3)` goes when its node's values go one way nobody can tell"),
    ({"body": LENGTHS.replace("here + e.w", "max(here + e.w, 5)")},
     "`there >= here` may hold, and no longer when its node's values have gone on"),
    ({"body": offered(f"if (e.dst.p min= 10 - n.p) {{ {PUSH} }}")},
     "'p' is to become less, and is offered ever less of that as its node's values go on"),
    ({"body": f"if (n.p > 7) {{ {LENGTHS} }}"},
     "`n.p > 7` may hold, and no longer when its node's values have gone on"),
    ({"body": "total += 1; " + LABELS}, "how often += changes something hangs on how often a node runs"),
    ({"body": f"if (n.p == INF) {{ continue; }} {LABELS}"},
     "it leaves off where a condition holds: put what follows under the opposite one"),
    ({"body": offered(f"if (e.dst.q max= n.q) {{ {PUSH} }} lowest min= e.dst.q;")},
     "it depends on 'q' of other nodes, which changes while the loop goes on"),
    ({"body": offered(f"if (e.dst.least min= n.least) {{ {PUSH} total += 1; }}")},
     "it does more behind an update than to push the node that this has moved, or not each time"),
    ({"body": offered(f"if (e.dst.least min= n.least) {{ if (e.w > 3) {{ {PUSH} }} }}")},
     "it does more behind an update than to push the node that this has moved, or not each time"),
    ({"body": offered("if (e.dst.least min= n.least) { WL.push(n); }")},
     "it pushes another node than the one whose value it has moved"),
    ({"body": offered("e.dst.least min= n.least;")},
     "a node doesn't run again when its 'least' has changed, on which it depends"),
    ({"body": offered(f"if (e.dst.least min= n.least) {{ {PUSH} }}") + offered("e.dst.least min= e.src;")},
     "a node runs again where 'least' is changed at one place, and not at another"),
    ({"body": NOTED.replace("here + e.w", "min(here, n.q)") + offered(f"if (e.dst.q min= n.q) {{ {PUSH} }}"),
      "wl": "WL set<node>"},
     "it notes which 'p' of its node it has offered, and depends on 'q', too"),
    ({"body": "int was = n.p; n.p min= 40; " + NOTED.replace("here + e.w", "was + e.w"), "wl": "WL set<node>"},
     "it notes which 'p' of its node it has offered, and offers by one that it read before"),
    ({"body": "For (e In n.edges) { if (n.p < n.told) { n.told = n.p; "
              f"if (e.dst.p min= n.p) {{ {PUSH} }} }} if (e.dst.p min= e.w) {{ {PUSH} }} }}", "wl": "WL set<node>"},
     "it depends on 'told' of its node, which is set, and goes no one way"),
    ({"body": NOTED + " lowest min= n.told;", "wl": "WL set<node>"},
     "it depends on 'told' of its node, which is set, and goes no one way"),
    ({"body": NOTED.replace("n.told = here", "n.told = by"), "wl": "WL set<node>"},
     "it depends on 'told' of its node, which is set, and goes no one way"),
    ({"body": LABELS + " WL.push(n);"}, "it pushes a node, and no update tells that this has something new to do"),
    ({"body": LABELS, "host": "Iterate k(g, by) Initial (g.nodes) { by++; }"},
     "something is done between its rounds (line 11): leave it out, or do it behind them"),
    ({"body": LENGTHS.replace("e.w", "by") + " lowest min= 3;", "host": "Iterate k(g, lowest) Initial (g.nodes);"},
     "'by' is another in each round"),
    ({"body": LABELS, "host": "Pipe Initial (g.nodes) { Invoke k(g, by); by++; }"},
     "it has no rounds: its kernel is not all of an Iterate or a Pipe"),
    ({"body": LABELS, "host": LIST + LIST}, "'k' is invoked elsewhere, too"),
    ({"body": LABELS.replace(PUSH, "Respawn e.dst;")}, "it says itself who comes back within a round"),
    ({"body": "ForAll (e In n.edges) { if (n.p > 3) { WL.push(e.dst, e.w); } }", "wl": "WL buckets<node>"},
     "its worklist has an order, by which its rounds go: see priority"),
    ({"body": offered("if (e.dst.least min= n.least) { ReduceAndReturn(n.q > 2); }"), "host": ALL},
     "it does more behind an update than to push the node that this has moved, or not each time"),
]


def judged(text: str) -> str | None:
    """Why the rounds of a program's first kernel have to wait for each other; None: they don't."""
    return of_first(driver.ready("p.irgl", text).checked)


def of_first(checked: Checked) -> str | None:
    """The same of a program that is checked."""
    return why_not(checked, next(iter(loops(checked).values())))
