"""The layout of cpu_rt/abi.hpp for ctypes, and what the numbers in it mean."""

from __future__ import annotations

import ctypes as C

GRAPH_DIRECTED, GRAPH_SIMPLE, GRAPH_SORTED, GRAPH_ON_DEVICE = 1, 2, 4, 8

#: Names of the counters, in the order of the IRGL_STAT_ values.
STATS = (
    "invocations",
    "rounds",
    "worklist_growths",
    "parallel_regions",
    "serial_rounds",
    "giant_items",
    "pushes",
)
#: Those of a CUDA device, which follow.
DEVICE_STATS = (
    *STATS,
    "launches",
    "grid_barriers",
    "transfers",
    "transfer_bytes",
    "run_ns",
)
#: Where a unit of several variants says which one ran, from 1.
STAT_VARIANT = 12
STATS_SIZE = 16
FAULT_SIZE = 5

FAULT_ACCESS, FAULT_STOPPED, FAULT_DEVICE, FAULT_STOP = 2, 3, 6, 7
#: What each fault is called to the user, and what to do about it.
FAULTS: dict[int, tuple[str, str | None]] = {
    1: ("division by zero", "test the divisor first"),
    2: ("access through NONE or outside of its bounds", "compare with NONE, or test the index, first"),
    3: ("interrupted", None),
    4: ("out of memory", "take a smaller graph, or a machine with more memory"),
    7: ("the program stopped itself", None),
    5: ("the limit on steps was reached", "the program seems to run for ever"),
    6: ("CUDA failed", "--target simt runs the same code without a GPU"),
}


#: What a form has room for: its own numbers, its own arrays, then the weights and the edges of its places.
FORM_NUMBERS, FORM_ARRAYS, FORM_WEIGHTS, FORM_EDGES = 8, 8, 6, 7


class Form(C.Structure):
    """struct irgl_form."""

    _fields_ = [
        ("numbers", C.c_int64 * FORM_NUMBERS),
        ("arrays", C.c_void_p * FORM_ARRAYS),
        ("bytes", C.c_int64 * FORM_ARRAYS),
    ]


class Graph(C.Structure):
    """struct irgl_graph."""

    _fields_ = [
        ("nodes", C.c_int64),
        ("edges", C.c_int64),
        ("row", C.c_void_p),
        ("cols", C.c_void_p),
        ("in_row", C.c_void_p),
        ("in_cols", C.c_void_p),
        ("in_eid", C.c_void_p),
        ("properties", C.POINTER(C.c_void_p)),
        ("flags", C.c_int64),
        ("num_forms", C.c_int64),
        ("forms", C.POINTER(Form)),
    ]


class Mesh(C.Structure):
    """struct irgl_mesh."""

    _fields_ = [
        ("points", C.c_int64),
        ("triangles", C.c_int64),
        ("segments", C.c_int64),
        ("xy", C.c_void_p),
        ("corners", C.c_void_p),
        ("across", C.c_void_p),
        ("sides", C.c_void_p),
        ("ends", C.c_void_p),
    ]


#: void* (*allocate)(int64_t bytes)
ALLOCATE = C.CFUNCTYPE(C.c_void_p, C.c_int64)


class RunArgs(C.Structure):
    """struct irgl_run_args."""

    _fields_ = [
        ("num_graphs", C.c_int64),
        ("graphs", C.POINTER(Graph)),
        ("params", C.POINTER(C.c_void_p)),
        ("globals", C.POINTER(C.c_void_p)),
        ("threads", C.c_int64),
        ("worklist_capacity", C.c_int64),
        ("serial", C.c_int64),
        ("grain", C.c_int64),
        ("giant", C.c_int64),
        ("fuse", C.c_int64),
        ("seed", C.c_int64),
        ("stats", C.POINTER(C.c_int64)),
        ("fault", C.POINTER(C.c_int64)),
        ("stop", C.POINTER(C.c_int32)),
        ("mesh", C.POINTER(Mesh)),
        ("allocate", ALLOCATE),
        ("devices", C.c_int64),
    ]
