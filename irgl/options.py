"""The options that plans are made of, by target, and the values that each of them takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from irgl.forms.find import names, names_of
from irgl.switches import EDGES, NODES

#: The value of an option that is switched off.
OFF = "off"

#: What generated code says in place of what it is given when it runs.
RUN = "(as the run says)"

#: The schedulers of nested ForAlls, in the order in which a plan names them: those that it may join, those that stand
#: alone.
SCHEDULERS = ("tb", "wp", "fg")
WHOLE_SCHEDULERS = ("cut", "bins", "wf", "even", "weaver")


@dataclass(frozen=True, slots=True)
class Option:
    """One choice that a plan makes; `default` and `plain` are what `default` and `none` say.

    A number: `low` is its least value, `high` its largest, `step` what it is a multiple of; `word` is a value, too, and
    `off_value` the number that stands for OFF at run time. Words: `words` are its values, of which those in `joined`
    may be joined by `+`. Names: with `names` it takes `word`, or two names or more of the program's own, joined by `+`.
    Pieces: with `pieces` it takes `word`, auto, a number of pieces, or how large each is, a number with an n behind it.
    `scopes`: what it may be set for alone (loop, orchestration).
    `shares`: some words are one of these, a colon and a number from 0 to 1, of which `words` has those that are tried,
    or the name of a parameter of the Program (irgl/switches.py).
    `at_run`: a number or word that each run is given, of which the generated code knows nothing.
    `quiet`: a plan prints it only where it isn't at its default.
    `prepares`: another value wants the graph prepared anew.
    `tried`: the values of a number that a search tries (of words it tries all). `only_with`: another option and those
    of its values under which this one means anything; a search leaves it at its default under the others. `or_with`:
    one more such option, under which no search tries this one.
    `never_with`: another option and that value of it under which this one means nothing at a place.
    """

    name: str
    meaning: str
    default: str
    plain: str
    low: int = 0
    high: int = 10**18
    step: int = 1
    word: str = ""
    off_value: int = 0
    words: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    shares: tuple[str, ...] = ()
    names: bool = False
    pieces: bool = False
    scopes: tuple[str, ...] = ()
    at_run: bool = False
    quiet: bool = False
    prepares: bool = False
    tried: tuple[str, ...] = ()
    only_with: tuple[str, tuple[str, ...]] | None = None
    or_with: tuple[str, tuple[str, ...]] | None = None
    never_with: tuple[str, str] | None = None

    @property
    def needs(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Other options with those of their values of which one has to be said for this one to mean anything."""
        return tuple(pair for pair in (self.only_with, self.or_with) if pair is not None)


#: For all targets: the graphs are laid out before the program runs.
_ORDER = Option("order", "the order of nodes in memory: as given, by falling degree, neighbours near each other "
                "(reverse Cuthill-McKee), communities together, or the one of these with most edges inside clusters "
                "of 2^16 nodes (auto)",
                "given", "given", words=("given", "degree", "rcm", "community", "auto"), at_run=True,
                prepares=True)
#: How edges lie in memory, and what some forms leave open; who runs them.
FORM, ROWS, _NP = "format", "csr", "np"
_FORMATS = (
    Option(FORM, "the storage format of the edges that a nested ForAll runs over: rows (csr), or a format of "
           "irgl/forms", ROWS, ROWS, words=(ROWS, *names()), scopes=("loop",), prepares=True),
    Option("tile", "bits of a word that tell the far end of an edge in a block; the others tell the near one", "16",
           "16", low=13, high=18, scopes=("loop",), prepares=True, tried=("14", "16", "18"),
           only_with=(FORM, ("blocks", "shards"))),
    Option("inside", "how edges lie inside a block: by column, by row, as runs of a row, or as fits (auto)", "auto",
           "auto", words=("auto", "column", "row", "runs"), scopes=("loop",), prepares=True,
           only_with=(FORM, ("blocks",))),
    Option("chunk", "rows that stand side by side in sell", "16", "16", words=("16", "32"), scopes=("loop",),
           prepares=True, only_with=(FORM, ("sell",))),
    Option("sigma", "nodes in a row of which sell puts the longest rows first", "256", "256", low=1, high=1 << 20,
           scopes=("loop",), prepares=True, tried=("1", "256", "4096"), only_with=(FORM, ("sell",))),
    Option("split", "edges of a piece, at most, into which split cuts each node's", "32", "32", low=4, high=64,
           scopes=("loop",), prepares=True, tried=("8", "32"), only_with=(FORM, ("split",))),
    Option("cluster", "bits of an id inside a cluster of cr2, which has 2 to this power nodes", "16", "16",
           words=("16", "8"), scopes=("loop",), prepares=True, only_with=(FORM, ("cr2",))),
    Option("expand", "whether cr2 has a list from each node to its pieces; without it edges are taken part by part",
           "on", "on", words=("on", "off"), scopes=("loop",), prepares=True, only_with=(FORM, ("cr2",))),
    Option("width", "places that ell has for each node's edges, behind which further ones stand; as many as a third of "
           "the nodes fill (auto)", "auto", "auto", low=1, high=64, word="auto", scopes=("loop",), prepares=True,
           tried=("auto", "4"), only_with=(FORM, ("ell",))),
    Option("segments", "by what stretches of far ends coo's edges are taken one after the other: so many (K), of so "
           "many nodes (Nn, such as 65536n), or so that what edges use of a stretch's nodes fills half of the "
           "second-level cache (auto)", OFF, OFF, low=1, word=OFF, pieces=True,
           scopes=("loop",), prepares=True, tried=(OFF, "auto", "65536n"), only_with=(FORM, ("coo",))),
)
#: Of how many nodes a loop takes the rows at once.
LANES = "lanes"
#: Who has the values of vectors.
VEC = "vec"
#: A word that stands for others: what a loop over nodes and their edges is, one over nodes, or over edges.
BASIS, VERTEX, EDGE = "basis", "vertex", "edge"
BASIS_MEANS = ("a loop over nodes and their edges is one over nodes (vertex: format=csr), or over edges, each by "
               "itself (edge: format=coo; on GPUs, where its nodes are in a list, np=even)")
#: Which end of its edges a loop runs from, and what decides where that is left to each round.
WAY, SWITCH = "direction", "switch"
#: What lists are; and that they change what they are.
LISTS, EITHER = "frontier", "either"
#: How many buckets lie apart.
BUCKETS = "buckets"
_DIRECTION = Option(WAY, "a loop over nodes and their edges runs as written, over all nodes and their in-edges "
                    "(pull), or that way if its nodes have many edges (hybrid)", "written", "written",
                    words=("written", "pull", "hybrid"), scopes=("loop",))


def _switches(share: str) -> Option:
    """From where on hybrid loops pull; share: where nothing is said."""
    return Option(SWITCH, "from where on a hybrid loop pulls: more than this share of the graph's edges, and of half "
                  "of its nodes, are those of its nodes (edges:F), or its nodes are more than this share of the "
                  "graph's (nodes:F); F: a number from 0 to 1, or the name of a parameter that is given one. "
                  "beamer:A:B: from more than an Ath of the edges that no round had before on, until the nodes are no "
                  "more than a Bth. And from where on lists are bytes (frontier=either)", share, share,
                  words=("edges:1/20", "edges:1/5", "nodes:1/10", "nodes:1/50", "beamer:15:18"),
                  shares=(EDGES, NODES), scopes=("loop",), only_with=(WAY, ("hybrid",)),
                  or_with=(LISTS, (EITHER,)))


def _members(*words: str, more: str = "") -> Option:
    """What a pulling loop asks; words: the first is what it does where nothing is said."""
    return Option("member", "in what a pulling loop looks for the nodes that the loop ran over: a bit (bitmap) or a "
                  f"byte (bytemap) of each of the graph's{more}", words[0], words[0], words=words, scopes=("loop",),
                  only_with=(WAY, ("pull", "hybrid")))


def _dedup(default: str, *lists: str) -> Option:
    """How a set knows that a node is in it; lists: the words of `frontier` under which there are sets."""
    return Option("dedup", "how a set detects that it already contains a node: by a byte (flags), a bit (bitmap) or "
                  "the number of the last round in which it did (rounds) for each node; not at all, if that is "
                  "equivalent (off); auto: not at all if each node is pushed once, else flags", default, default,
                  words=("auto", OFF, "flags", "bitmap", "rounds"), only_with=(LISTS, lists), quiet=True)


#: Options for whose values others stand.
LEADING = (FORM, _NP, WAY)
_COLLECT = Option("collect", "nodes that a loop puts into a list are appended directly (push), or marked in a bit or "
                  "a byte for each node, and gathered in their order after the loop", "push", "push",
                  words=("push", "bitmap", "bytemap"), scopes=("loop",), quiet=True,
                  only_with=(LISTS, ("list", "queue", EITHER)))
_INTERSECT = Option("intersect", "how common(n, m) intersects the rows of two nodes: by merging them (merge), by "
                    "galloping (gallop) or binary search (binary) for each node of the shorter one, by marking the "
                    "row that is used again (hash, on CPUs), or by binary search of a whole warp for what its threads "
                    "ask (warp, on GPUs); by their lengths (auto)", "auto", "auto",
                    words=("auto", "merge", "gallop", "binary", "hash", "warp"), scopes=("loop",), quiet=True)
#: Whether what doesn't depend on each other waits for each other.
SYNC = "sync"
_DRIVE = Option("drive", "a loop of the Program over rounds runs as written, over a list of the nodes that have work "
                "(data-driven: data), or over all nodes, of which some have work (topology-driven: topology)",
                "written", "written",
                words=("written", "data", "topology"), scopes=("orchestration",), quiet=True)
_SYNC = Option(SYNC, "whether a statement of the Program that runs kernels waits for the one before it (on), or runs "
               "beside it if neither accesses what the other changes (off); and whether there are barriers between "
               "the rounds of a loop, or the rounds run as one if the result is the same",
               "on", "on", words=("on", OFF),
               scopes=("orchestration", "loop"), quiet=True)
_PACK = Option("pack", "node properties of one graph that lie side by side in memory", OFF, OFF, word=OFF, names=True)
_CPU = (
    Option(_NP, "a loop over nodes and their edges is one loop (serial), or three by the degree of nodes: fewer than "
           "32 edges, fewer than 256, more (bins)", "serial", "serial", words=("serial", "bins"), scopes=("loop",),
           quiet=True, only_with=(FORM, (ROWS, *names_of("rows")))),
    Option("grain", "work, in edges, that a thread takes at a time", "4096", "4096", low=1, at_run=True,
           scopes=("loop",), tried=("256", "1024", "4096", "16384", "65536")),
    Option("serial", "a round with less work, in edges, runs on one thread", "2048", OFF, word=OFF,
           at_run=True, scopes=("loop",), tried=(OFF, "2048", "16384", "131072")),
    Option("giant", "an item with more edges is shared by all threads", "32768", OFF, low=1, word=OFF,
           off_value=2**63 - 1, at_run=True, scopes=("loop",), tried=(OFF, "1024", "4096", "32768"),
           never_with=("share", "nodes")),
    Option("share", "how a loop is divided among threads: by chunks of nodes with equally many edges, of equally many "
           "nodes, or by one part with equally many edges for each thread (even)",
           "edges", "edges", words=("edges", "nodes", "even"),
           scopes=("loop",), quiet=True),
    Option("threads", "the maximum number of threads that run a loop",
           "all", "all", low=1, high=4096, word="all", scopes=("loop",),
           quiet=True),
    Option("prefetch", "how many edges ahead a nested ForAll prefetches what it uses at the far ends", OFF, OFF,
           low=4, high=64, word=OFF, scopes=("loop",), tried=(OFF, "8", "24"),
           only_with=(FORM, (ROWS,))),
    Option(LANES, "the number of nodes whose edges a nested ForAll processes at once, by vector instructions, if the "
           "edges only combine into variables of their node's iteration; auto: as many as pay off on this machine",
           OFF, OFF,
           words=(OFF, "auto", "4", "8", "16"), scopes=("loop",), quiet=True, only_with=(FORM, (ROWS,)),
           never_with=(_NP, "bins")),
    _INTERSECT,
    _DRIVE,
    _DIRECTION,
    _switches("edges:1/20"),
    _members("auto", "bitmap", "bytemap", more="; the set that they are in, if they are, else a byte (auto)"),
    Option("fuse", "bucket fusion: a thread with fewer items that came back to it runs them by itself, without a round",
           "1000",
           "1000", low=1, at_run=True, tried=("1", "100", "1000", "10000")),
    Option("priority", "how nodes of a priority queue are filed when their priority changes: at once (eager), once "
           "each after the others of their round have run (lazy), as a count of the sums that change it (lazy_sum), "
           "or not at all: threads take them in an order of their own (relaxed)", "eager", "eager",
           words=("eager", "lazy", "lazy_sum", "relaxed"), scopes=("loop",), quiet=True),
    Option(BUCKETS, "buckets of a priority queue that are kept apart, behind which nodes wait unsorted: 1,024, or 4 "
           "at first if priorities change by sums only (auto)", "auto", "auto",
           words=("auto", "2", "4", "16", "32", "128", "1024", "8192"), quiet=True),
    Option(LISTS, "the representation of lists: an array for each thread, one that all threads fill from buffers "
           "(queue) or, if they are declared unique, a bit or a byte for each node (bitmap, bytemap), or a list while "
           "it is short and bytes else (either)", "list", "list",
           words=("list", "queue", "bitmap", "bytemap", EITHER), scopes=("loop",)),
    Option("buffer", "items that a thread buffers before it appends them to a queue", "64", "64",
           words=("64", "16", "256", "1024"), only_with=(LISTS, ("queue",))),
    _COLLECT,
    _dedup("auto", "list", "queue", EITHER),
    _PACK,
    _SYNC,
    Option("auto", "a factor for the values of parameters that the program leaves to tuning: auto(...)", "1",
           "1", words=("1", *(w for k in range(1, 9) for w in (f"1/{1 << k}", str(1 << k)))), at_run=True),
    *_FORMATS,
    _ORDER,
)
_CUDA = (
    Option(_NP, "schedulers of a nested ForAll: serial, or tb, wp, fg joined by +; cut splits each range into parts "
           "for the block, for warps and for fewer threads; bins first sorts the items into those for one thread, for "
           "a warp and for the block; wf has each warp share the edges of all its items; even gives all blocks of the "
           "grid equal shares; weaver has the warps of a block fetch 32 edges of all its items at a time",
           "tb+wp+fg", "serial",
           words=("serial", *SCHEDULERS, *WHOLE_SCHEDULERS), joined=SCHEDULERS, scopes=("loop",),
           only_with=(FORM, (ROWS, *names_of("rows"))), never_with=("expand", "off")),
    Option("stage", "threads that run what cut leaves of a range: fewer edges than a warp has lanes", "8", "8",
           words=("1", "2", "4", "8", "16"), scopes=("loop",), only_with=(_NP, ("cut",))),
    Option(VEC, "the values of vectors are distributed over lanes of a warp, as many for each iteration as its "
           "longest vector has values (lanes), or over a whole warp, which takes several edges at once (warp); or "
           "one thread has all of them (thread)", "lanes", "thread", words=("thread", "lanes", "warp"),
           scopes=("loop",)),
    _INTERSECT,
    _DRIVE,
    _DIRECTION,
    _switches("nodes:1/10"),  # which a list knows without a barrier
    _members("bytemap", "bitmap"),  # which takes no atomics
    Option(LISTS, "the representation of lists that are declared unique: arrays of their items, a bit or a byte for "
           "each node (bitmap, bytemap), or an array while it is short and bytes else (either)", "list", "list",
           words=("list", "bitmap", "bytemap", EITHER), scopes=("loop",)),
    _COLLECT,
    _dedup("flags", "list", EITHER),  # a list's appends bring all threads of a block together
    _PACK,
    Option("cc", "aggregation: atomics of appends and reductions are combined per thread, warp or block; auto: those "
           "of appends per warp, of reductions per block", "auto", OFF, words=(OFF, "thread", "warp", "block", "auto"),
           scopes=("loop",)),
    Option("outline", "loops of the Program on the GPU: all (one persistent kernel each), graph (a CUDA graph that "
           "loops), off",
           "all", OFF, words=(OFF, "all", "graph"), scopes=("orchestration",)),
    Option("unroll", "how many copies of the round of a Pipe or Iterate on the GPU its kernel contains", "1", "1",
           words=("1", "2", "4"), scopes=("orchestration",), only_with=("outline", ("all",))),
    Option("blocks", "the maximum number of blocks of a loop's kernel on the GPU: as many as the ranges of its "
           "kernels fill (auto)",
           "auto", "auto", low=1, high=1 << 20, word="auto", scopes=("orchestration",),
           tried=("auto", "2", "16", "1024"), only_with=("outline", ("all",))),
    Option("priority", "how nodes of a priority queue are filed when their priority changes: at once (eager), once "
           "each after the others of their round have run (lazy), as a count of the sums that change it (lazy_sum), "
           "or at once where following buckets join the running one while they hold less than the grid has threads "
           "for (relaxed)",
           "relaxed", "eager", words=("eager", "lazy", "lazy_sum", "relaxed"), scopes=("loop",), quiet=True),
    Option(BUCKETS, "lists that hold the waiting items of buckets and priority queues: one for the running bucket, "
           "one for each of the following buckets, and one for all others, which are inspected when the rest is empty",
           "16",
           "16", low=2, high=64, tried=("16", "2", "8", "64"), quiet=True),
    _SYNC,
    Option("retry", "how retried items come back: backoff (neighbours one after the other, the last few on one "
           "thread), plain",
           "plain", "plain", words=("plain", "backoff"), scopes=("loop",)),
    Option("block", "threads of a block", "256", "256", low=32, high=1024, step=32, tried=("64", "128", "256", "512")),
    Option("bounds", "the minimum number of resident blocks per multiprocessor", OFF, OFF, low=1, high=32,
           word=OFF, tried=(OFF, "2", "4")),
    Option("regs", "the maximum number of registers per thread", OFF, OFF, low=24, high=255, word=OFF,
           tried=(OFF, "32", "64")),
    *_FORMATS,
    _ORDER,
)

#: The options of each target, in the order in which a plan prints them.
OPTIONS = {"cpu": _CPU, "ref": _CPU, "cuda": _CUDA, "simt": _CUDA}


@cache
def by_name(target: str) -> Mapping[str, Option]:
    """The options of a target."""
    return {o.name: o for o in OPTIONS[target]}
