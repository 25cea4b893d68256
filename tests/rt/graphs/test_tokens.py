"""Numbers out of text are the very ones that Python reads."""

from __future__ import annotations

import random

import numpy as np
import pytest

from irgl.rt.graphs.readers import tokens
from irgl.rt.graphs.readers.text import PAD, Text
from irgl.rt.graphs.readers.tokens import chunks, integers, reals
from irgl.source import IrglError


def all_reals(words: list[str]) -> list[float]:
    text = Text("x", "\n".join(words).encode())
    return [value for chunk in chunks(text, PAD) for value in reals(chunk, slice(None), "weight").tolist()]


def all_integers(words: list[str]) -> list[int]:
    text = Text("x", " ".join(words).encode())
    return [value for chunk in chunks(text, PAD) for value in integers(chunk, slice(None), "weight").tolist()]


@pytest.mark.parametrize("digits", range(1, 26))
def test_integers_of_any_length_are_exact(digits: int) -> None:
    rng = random.Random(digits)
    values = [rng.randrange(min(10**digits, 2**63)) for _ in range(50)]
    words = [str(v).rjust(digits, "0") for v in values]
    assert all_integers([*words, "0"]) == [*values, 0]


def test_signs_belong_to_integers() -> None:
    assert all_integers(["-5", "+7", "-0", f"-{2**63 - 1}"]) == [-5, 7, 0, -(2**63) + 1]


@pytest.mark.parametrize("style", ["{!r}", "{:.3f}", "{:.25g}", "{:+.6e}", "{:.0f}."])
def test_reals_are_rounded_as_python_rounds_them(style: str) -> None:
    rng = random.Random(style)
    words = [style.format(rng.uniform(-1, 1) * 10.0 ** rng.randrange(-18, 18)) for _ in range(400)]
    assert all_reals(words) == [float(word) for word in words]


@pytest.mark.parametrize("word", [".5", "5.", "-.5", "1e5", "1E-5", "4.9e-324", "9007199254740993", "0.1", "-0.0"])
def test_every_way_to_write_a_real_is_read(word: str) -> None:
    assert all_reals([word]) == [float(word)]


BAD = ["1.2.3", "1-2", "1e", "e5", "-", "--1", "+-1", "1_0", "0x10", "1e5.5", ".", "1d5"]


@pytest.mark.parametrize("word", BAD)
@pytest.mark.parametrize("company", [0, 40], ids=["alone", "among many"])
def test_what_is_no_number_is_refused_with_its_line(word: str, company: int) -> None:
    with pytest.raises(IrglError) as caught:
        all_reals(["1e-30"] * company + [word])
    assert str(caught.value) == f"x:{company + 1}: error: weight '{word}' is not a number"


@pytest.mark.parametrize("word", ["nan", "inf", "-Infinity", "1e999"])
def test_what_is_not_finite_is_refused(word: str) -> None:
    with pytest.raises(IrglError, match=f"weight '{word}' is not finite"):
        all_reals(["1e-30"] * 40 + [word])


def test_chunks_end_at_line_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "CHUNK", 7)
    lines = [f"{k} {k * k}" for k in range(200)]
    text = Text("x", "\n".join(lines).encode())
    found = np.concatenate([integers(chunk, slice(None), "id") for chunk in chunks(text, PAD)])
    assert found.tolist() == [int(word) for line in lines for word in line.split()]
