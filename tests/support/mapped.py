"""Damaged files of irgl's mapped forms by the thousand: seeds, mutants, and what must hold of each reader.

    python -m support.mapped FORM COUNT [SEED]     in tests/; prints how many were refused and how many accepted

A reader that crashes takes this process with it; whoever starts it looks at its exit code.
"""

from __future__ import annotations

import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.call import Call
from irgl.rt.call.process import CallFile
from irgl.rt.call.renumber import Order
from irgl.rt.graphs import store as graph_store
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.graphs.readers import binary
from irgl.rt.manifests import manifest as M
from irgl.rt.manifests import program
from irgl.rt.meshes.meshes import load_mesh
from irgl.rt.system.seal import seal, unsealed
from irgl.source import IrglError
from support.places import PROGRAMS, ROOT, TESTS

Form = Callable[[int, random.Random, Path], Iterator[bool]]

WORDS = (0, 1, 2, 7, 63, 64, 2**31 - 1, 2**31, 2**32, 2**61 - 1, 2**61, 2**62, 2**63 - 1, 2**63, 2**64 - 64, 2**64 - 1)


def mutant(rng: random.Random, data: bytes, head: int) -> bytes:
    """One to four damages; half of them in the first `head` bytes, where lengths and places stand."""
    made = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        if len(made) < 16:
            break
        reach = min(head, len(made)) if rng.random() < 0.5 else len(made)
        match rng.randrange(8):
            case 0:
                made[rng.randrange(reach)] ^= 1 << rng.randrange(8)
            case 1:
                made[rng.randrange(reach)] = rng.randrange(256)
            case 2:  # a field becomes extreme
                size = rng.choice((4, 8))
                at = rng.randrange(reach // size) * size
                near = len(made) + rng.choice((-64, -8, -1, 0, 1, 8, 64))
                word = rng.choice((*WORDS, near, near // 4, near // 8))
                made[at:at + size] = (word % 2 ** (8 * size)).to_bytes(size, "little")
            case 3:  # two fields, or two sections, change places
                size = rng.choice((8, 16, 64))
                a, b = (rng.randrange(max(1, reach // size)) * size for _ in "ab")
                made[a:a + size], made[b:b + size] = made[b:b + size], made[a:a + size]
            case 4:
                del made[rng.randrange(len(made)):]
            case 5:
                made += rng.choice((bytes(rng.randrange(1, 200)), made[:rng.randrange(1, 200)]))
            case 6:  # a field takes the value of another, moved a little
                a, b = (rng.randrange(reach // 8) * 8 for _ in "ab")
                word = int.from_bytes(made[b:b + 8], "little") + rng.choice((-64, -1, 0, 1, 64))
                made[a:a + 8] = (word % 2**64).to_bytes(8, "little")
            case _:
                at = rng.randrange(len(made))
                del made[at:at + rng.choice((1, 4, 8, 64))]
    return bytes(made)


def walk(graph: Graph, data: Any, whole: bool) -> None:
    """All arrays of a graph lie in the bytes that it was made from, and lead nowhere else."""
    begin = data.ctypes.data
    n, m = graph.num_nodes, graph.num_edges
    arrays = [graph.row, graph.dst, graph.weight, graph.node_ids, graph.coordinates, *(graph._transpose or ())]
    for array in arrays:
        if array is not None and array.nbytes:
            assert begin <= array.ctypes.data <= array.ctypes.data + array.nbytes <= begin + len(data)
            array.tobytes()
    rows = [(graph.row, graph.dst)]
    if graph._transpose is not None:
        in_row, in_src, in_edge = graph._transpose
        rows.append((in_row, in_src))
        assert len(in_edge) == m and all(0 <= e < m for e in in_edge.tolist())
    for row, ends in rows:
        offsets = row.tolist()
        assert len(offsets) == n + 1 and offsets[0] == 0 and offsets[-1] == m == len(ends)
        assert all(a <= b for a, b in pairwise(offsets))
        assert all(0 <= v < n for v in ends.tolist())
    assert graph.coordinates is None or graph.coordinates.shape == (n, 2)
    if whole and graph._transpose is not None:
        assert sorted(graph._transpose[2].tolist()) == list(range(m))


def graphs() -> list[Graph]:
    """Small graphs with all that the form can hold."""
    made = [load(spec, use_cache=False) for spec in (
        "path:6,weights=int", "rmat:3,degree=2,weights=float", "grid:3x3", "star:5", "uniform:3,degree=1")]
    for graph in made[:4]:
        graph.transpose()
    made[1].node_ids = np.arange(5, 5 + 3 * made[1].num_nodes, 3, dtype=np.int64)
    wide = load("rmat:3,degree=2,weights=int", index_bits=64, use_cache=False)
    wide.transpose()
    return [*made, wide]


def irglg_seeds() -> list[bytes]:
    return [b"".join(map(bytes, binary.encode(g))) for g in graphs()]


def irglg(count: int, rng: random.Random, folder: Path) -> Iterator[bool]:
    """Graph files that a user names."""
    seeds, path = irglg_seeds(), folder / "graph.irglg"
    for k in range(count + len(seeds)):
        path.write_bytes(seeds[k] if k < len(seeds) else mutant(rng, rng.choice(seeds), binary.HEADER.size))
        data = np.memmap(path, np.uint8, "r") if path.stat().st_size else np.empty(0, np.uint8)
        try:
            walk(binary.decode(str(path), data), data, whole=True)
            yield True
        except IrglError:
            assert k >= len(seeds)
            yield False


def store(count: int, rng: random.Random, folder: Path) -> Iterator[bool]:
    """Entries of the cache of graphs, half of them with a checksum that fits."""
    os.environ["IRGL_CACHE_DIR"] = str(folder / "cache")
    seeds = []
    for graph in graphs():
        pieces = b"".join(map(bytes, binary.encode(graph)))
        pieces += bytes(-len(pieces) % 64)
        places = b"" if graph.coordinates is None else graph.coordinates.tobytes()
        seeds.append((pieces + places, len(places)))
    place = graph_store.folder()
    assert place is not None
    path = place / "entry.irglg"
    for k in range(count + len(seeds)):
        body, places = seeds[k] if k < len(seeds) else rng.choice(seeds)
        sealed = k < len(seeds) or rng.random() < 0.5
        if k >= len(seeds) and sealed:
            body = mutant(rng, body, binary.HEADER.size)
            body += bytes(-len(body) % 8)
            places = rng.choice((places, places, places, 0, 16, 2**63, len(body), places + 16))
        check = graph_store._checksum(np.frombuffer(body, np.uint8)) if body else 0
        whole = body + graph_store.TAIL.pack(graph_store.TAIL_MAGIC, check, places)
        path.unlink(missing_ok=True)
        path.write_bytes(whole if sealed else mutant(rng, whole, binary.HEADER.size))
        path.chmod(0o600)
        graph = graph_store.find("entry")
        assert graph is not None or k >= len(seeds)
        if graph is not None:
            walk(graph, mapping_of(graph.row), whole=False)
        yield graph is not None


def mapping_of(array: Any) -> Any:
    while not isinstance(array, np.memmap) or isinstance(array.base, np.memmap):
        array = array.base
    return array


ODD = (None, True, False, 0, -1, 1.5, 2**70, "", "x", [], {}, [[]], ["name", "x"], ["const"], ["call", "f", [], "int"],
       ["not", ["not"]], {"x": 1}, [["x", "y"]], "\ud800")


def twisted(rng: random.Random, data: Any) -> Any:
    """JSON with one of its parts replaced, taken away, doubled or put elsewhere."""
    copy = json.loads(json.dumps(data))
    at, key = None, None
    here = copy
    while isinstance(here, dict | list) and here and (at is None or rng.random() < 0.8):
        at, key = here, rng.choice(list(here) if isinstance(here, dict) else range(len(here)))
        here = at[key]
    assert at is not None
    match rng.randrange(4):
        case 0:
            del at[key]
        case 1 if isinstance(at, list):
            at.append(rng.choice((here, *ODD)))
        case _:
            at[key] = rng.choice(ODD)
    return copy


def manifests(count: int, rng: random.Random, folder: Path) -> Iterator[bool]:
    """Manifests in the cache of programs, half of them with a seal that fits."""
    os.environ["IRGL_CACHE_DIR"] = str(folder / "cache")
    texts = [json.dumps(M.to_json(program.open_program(PROGRAMS / f"{name}.irgl")))
             for name in ("sssp_delta", "dmr", "pr")]
    path = folder / "entry.json"
    for k in range(count + len(texts)):
        text = (texts[k] if k < len(texts) else rng.choice(texts)).encode()
        sealed = k < len(texts) or rng.random() < 0.5
        if k >= len(texts) and sealed:
            plain = rng.random() < 0.3
            text = mutant(rng, text, 2000) if plain else json.dumps(twisted(rng, json.loads(text))).encode()
        path.unlink(missing_ok=True)
        path.write_bytes(text)
        path.chmod(0o600)
        seal(path)
        if not sealed:
            path.write_bytes(mutant(rng, path.read_bytes(), 2000))
        found = program._read(path)
        assert found is not None or k >= len(texts)
        if found is not None:
            assert unsealed(path) is not None and M.from_json(json.loads(json.dumps(M.to_json(found)))) == found
        yield found is not None


def call_seeds(folder: Path) -> list[bytes]:
    """Call files as a run makes them."""
    (folder / "m.node").write_text("4 2 0 0\n0 0 0\n1 1 0\n2 1 1\n3 0 1\n")
    (folder / "m.ele").write_text("2 3 0\n0 0 1 2\n1 0 2 3\n")
    made = []
    for name, spec in (("sssp_nf", "path:6,weights=int"), ("bc", "rmat:3,degree=2"), ("dmr", None)):
        plan = Plan(target="simt")
        manifest = program.open_program(PROGRAMS / f"{name}.irgl", plan)
        given = {g.name: prepare(load(str(spec), use_cache=False), requirements(g)) for g in manifest.graphs}
        order = Order(manifest, given, bind(manifest, given, {}), plan)
        mesh = load_mesh(str(folder / "m.ele")) if manifest.mesh else None
        call = Call(manifest, order.graphs, order.values, (32, 32), mesh)
        call.set_knobs(plan, 1, 0, 0)
        CallFile(call, folder / f"call-{name}", 2)
        made.append((folder / f"call-{name}").read_bytes())
    return made


def kept(folder: Path, said: str, files: list[bytes]) -> str:
    """Keeps the file that a harness tells of, for whoever looks into it."""
    if not said.startswith("number "):
        return ""
    bad = folder.parent / "irgl-bad-file"
    bad.write_bytes(files[int(said.split()[1].rstrip(":"))])
    return f"kept as {bad}"


def in_cxx(unit: str, options: list[str], seeds: Callable[[Path], list[bytes]], head: int) -> Form:
    """The same of a reader in C++: tests/sweeps/mapped/UNIT, which reads each file in a process of its own."""

    def reads(count: int, rng: random.Random, folder: Path) -> Iterator[bool]:
        os.environ["IRGL_CACHE_DIR"] = str(folder / "cache")
        here = TESTS / "sweeps" / "mapped"
        subprocess.run(["g++", "-std=c++17", "-O1", "-fopenmp", "-fwrapv", f"-I{ROOT}", f"-I{here}", *options,
                        "-o", str(folder / "harness"), str(here / unit)], check=True)
        good = seeds(folder)
        for begin in range(0, count, 500):
            files = good + [mutant(rng, rng.choice(good), head) for _ in range(min(500, count - begin))]
            (folder / "files").write_bytes(b"".join(struct.pack("<Q", len(f)) + f for f in files))
            (folder / "file").unlink(missing_ok=True)
            done = subprocess.run([folder / "harness", folder / "files", folder / "file"], capture_output=True,
                                  text=True, check=False)
            if done.returncode != 0:
                said = f"{done.stdout}{kept(folder, done.stdout, files)}"
                raise AssertionError(f"{unit}: exit code {done.returncode}, {said}")
            refused, accepted = map(int, done.stdout.split())
            assert refused + accepted == len(files) and accepted >= len(good)
            yield from [False] * refused + [True] * (accepted - len(good))

    return reads


FORMS: dict[str, Form] = {
    "irglg": irglg,
    "store": store,
    "manifests": manifests,
    "call files": in_cxx("call_file.cpp", [], call_seeds, 600),
    "irglg in C++": in_cxx("graph_file.cpp", [], lambda _: irglg_seeds()[:5], 184),
    "wide irglg in C++": in_cxx("graph_file.cpp", ["-DIRGL_NODE_BITS=64", "-DIRGL_EDGE_BITS=64"],
                                lambda _: irglg_seeds()[5:], 184),
}


def main() -> None:
    form, count, seed = sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "1"
    accepted = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        rng = random.Random(zlib.crc32(f"{form} {seed}".encode()))
        for good in FORMS[form](count, rng, Path(folder)):
            accepted, refused = accepted + good, refused + (not good)
    print(f"{form}, seed {seed}: {refused} refused, {accepted} accepted")


if __name__ == "__main__":
    main()
