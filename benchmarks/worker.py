"""One Python peer in a process of its own: `worker.py PEER FOLDER THREADS`, then a line of JSON for each request.

Request: {"algorithm", "source", "trials", "answer": a file or null}. Reply: {"ms": [..]} and, where asked for,
{"answer": {..}, "note": "..."}, its vector left in the file; {"missing": true} where the library lacks the algorithm;
{"error": text}.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np


def main() -> None:
    name, folder, threads = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a library prints is no reply
    peer = importlib.import_module(f"peers.{name}").PEER(folder, threads)
    print(json.dumps({"version": peer.version()}), file=replies, flush=True)
    for line in sys.stdin:
        try:
            reply = _serve(peer, json.loads(line))
        except Exception as e:
            reply = {"error": f"{type(e).__name__}: {e}"}
        print(json.dumps(reply), file=replies, flush=True)


def _serve(peer: Any, request: dict[str, Any]) -> dict[str, Any]:
    job = peer.job(request["algorithm"], request["source"])
    if job is None:
        return {"missing": True}
    times, result = peer.times(job, request["trials"])
    reply: dict[str, Any] = {"ms": times}
    if request["answer"] is not None:
        answer = job[1](result)
        vector = answer.pop("vector", None)
        if vector is not None:
            np.save(request["answer"], vector)
            answer["vector"] = request["answer"]
        reply |= {"answer": answer, "note": peer.notes.get(request["algorithm"], "")}
    return reply


if __name__ == "__main__":
    main()
