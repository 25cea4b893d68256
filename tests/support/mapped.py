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
from pathlib import Path

import numpy as np

from irgl.rt.graphs import store as graph_store
from irgl.rt.graphs.readers import binary
from irgl.rt.manifests import manifest as M
from irgl.rt.manifests import program
from irgl.rt.system.seal import seal, unsealed
from irgl.source import IrglError
from support.mapped_mutants import mapping_of, mutant, twisted, walk
from support.mapped_seeds import call_seeds, graphs, irglg_seeds
from support.places import PROGRAMS, ROOT, TESTS

Form = Callable[[int, random.Random, Path], Iterator[bool]]



def irglg(count: int, rng: random.Random, _: Path) -> Iterator[bool]:
    """Graph files that a user names."""
    memory = os.memfd_create("irglg")
    seeds, path = irglg_seeds(), Path(f"/proc/self/fd/{memory}")
    for k in range(count + len(seeds)):
        content = seeds[k] if k < len(seeds) else mutant(rng, rng.choice(seeds), binary.HEADER.size)
        os.ftruncate(memory, 0)
        os.pwrite(memory, content, 0)
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
