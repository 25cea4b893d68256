"""Damaged files of irgl's mapped forms by the thousand: seeds, mutants, and what must hold of each reader.

    python -m support.mapped FORM COUNT [SEED]     in tests/; prints how many were refused and how many accepted

A reader that crashes takes this process with it; whoever starts it looks at its exit code.
"""

from __future__ import annotations

import io
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

from irgl.forms.form import Built
from irgl.rt.forms import store as form_store
from irgl.rt.graphs import store as graph_store
from irgl.rt.graphs.kept import kept_graph
from irgl.rt.graphs.readers import binary
from irgl.rt.manifests import manifest as M
from irgl.rt.manifests import program
from irgl.rt.system.arrays_file import HEAD, checksum_of
from irgl.rt.system.seal import seal, unsealed
from irgl.source import IrglError
from support.mapped_mutants import mutant, twisted, walk
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


def resealed(rng: random.Random, data: bytes, magic: bytes) -> bytes:
    """A file of arrays (irgl/rt/system/arrays_file.py) with a damage, whose checksums fit it."""
    _, length, _ = HEAD.unpack(data[: HEAD.size])
    head = json.loads(data[HEAD.size : HEAD.size + length])
    begin = HEAD.size + length + -(HEAD.size + length) % 64
    body = data[begin:]
    if rng.random() < 0.6:
        body = mutant(rng, body, len(body))
    else:
        head = twisted(rng, head)
    at = 0
    for entry in head["arrays"] if isinstance(head, dict) and isinstance(head.get("arrays"), list) else ():
        try:
            size = entry[2] * int(entry[1][-1])
            entry[3] = checksum_of(np.frombuffer(body[at : at + size], np.uint8))
            at += size + -size % 64
        except (TypeError, ValueError, IndexError, KeyError):
            break
    text = json.dumps(head).encode()
    text += b" " * (-(HEAD.size + len(text)) % 64)
    return HEAD.pack(magic, len(text), zlib.crc32(text)) + text + body


def store(count: int, rng: random.Random, folder: Path) -> Iterator[bool]:
    """Entries of the cache of graphs, half of them with checksums that fit."""
    os.environ["IRGL_CACHE_DIR"] = str(folder / "cache")
    seeds = []
    for graph in graphs():
        file = io.BytesIO()
        kept_graph.write(file, graph)
        seeds.append(file.getvalue())
    place = graph_store.folder()
    assert place is not None
    path = place / "entry.irglg"
    for k in range(count + len(seeds)):
        data = seeds[k] if k < len(seeds) else rng.choice(seeds)
        if k >= len(seeds):
            data = resealed(rng, data, kept_graph.MAGIC) if rng.random() < 0.5 else mutant(rng, data, 600)
        path.unlink(missing_ok=True)
        path.write_bytes(data)
        path.chmod(0o600)
        found = graph_store.find("entry")
        try:
            if found is not None:
                walk(found, None, whole=False)
        except IrglError:
            found = None
        assert found is not None or k >= len(seeds)
        yield found is not None


def forms(count: int, rng: random.Random, folder: Path) -> Iterator[bool]:
    """Entries of the cache that are forms of edges, half of them with checksums that fit."""
    os.environ["IRGL_CACHE_DIR"] = str(folder / "cache")
    one = Built((3, -1), (np.arange(9, dtype=np.int32), np.arange(5, dtype=np.uint8)), np.arange(7, dtype=np.int64))
    form_store.keep("entry", "form", "", form_store.Kept(one, 2.5))
    place = graph_store.folder()
    assert place is not None
    path = next(place.glob("*.irglf"))
    seed = path.read_bytes()
    for k in range(count + 1):
        data = seed
        if k > 0:
            data = resealed(rng, seed, form_store.MAGIC) if rng.random() < 0.5 else mutant(rng, seed, 300)
        path.unlink(missing_ok=True)
        path.write_bytes(data)
        path.chmod(0o600)
        found = form_store.find("entry", "form", "")
        assert found is not None or k > 0
        if found is not None:
            for array in (*found.built.arrays, *([] if found.built.edge is None else [found.built.edge])):
                array.tobytes()
        yield found is not None


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
    "forms": forms,
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
