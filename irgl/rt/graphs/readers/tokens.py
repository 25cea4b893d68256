"""Numbers out of text, many at a time: tokens of a stretch of bytes and their values, by NumPy on whole arrays.

Integers are read 8 digits at a time from one 64-bit word (the well-known arithmetic on packed digits); decimals up
to 2**53 as integer mantissa over a power of ten, which is exactly rounded; the rest goes through Python's own parser.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.readers.text import Text, quoted
from irgl.source import IrglError

Array = NDArray[Any]
CHUNK = 1 << 21
BLANK, NEWLINE, DIGIT, OTHER = 0, 1, 2, 3
LARGEST = 2**63 - 1


def _classes(extra_blanks: bytes) -> Array:
    table = np.full(256, OTHER, np.uint8)
    table[list(b" \t\r\v\f" + extra_blanks)] = BLANK
    table[ord("\n")] = NEWLINE
    table[list(b"0123456789")] = DIGIT
    return table


_PLAIN, _COMMAS = _classes(b""), _classes(b",")


@dataclass(slots=True)
class Chunk:
    """Some whole lines: offsets in `text.data` of tokens (start, end), of line ends, of bytes that are no digits."""

    text: Text
    starts: Array
    ends: Array
    newlines: Array
    strange: Array

    def counts(self) -> Array:
        """How many tokens each line has, (lines,)."""
        return np.diff(np.searchsorted(self.starts, self.newlines), prepend=0)

    def token(self, index: int) -> bytes:
        return bytes(self.text.data[int(self.starts[index]) : int(self.ends[index])])


def chunks(text: Text, start: int, commas: bool = False, stop: int | None = None) -> Iterator[Chunk]:
    """The lines from offset `start` (the beginning of a line, at least PAD) to `stop` in chunks of a few megabytes."""
    everything = np.frombuffer(text.data, np.uint8)
    table = _COMMAS if commas else _PLAIN
    last = len(text.data) if stop is None else stop
    while start < last:
        end = text.line_end(min(start + CHUNK, last - 1)) + 1
        kinds = table[everything[start - 1 : end]]
        kinds[0] = BLANK  # the byte before: a line end or a blank of the padding
        inside = kinds >= DIGIT
        borders = np.flatnonzero(inside[1:] != inside[:-1]) + start
        newlines = np.flatnonzero(kinds == NEWLINE) + (start - 1)
        strange = np.flatnonzero(kinds == OTHER) + (start - 1)
        yield Chunk(text, borders[0::2], borders[1::2], newlines, strange)
        start = end


def _digits(text: Text, starts: Array, ends: Array) -> Array:
    """The values, int64, of tokens of 0..18 digits."""
    words = np.ndarray((len(text.data) - 7,), "<u8", text.data, strides=(1,))
    lengths = ends - starts
    longest = int(lengths.max(initial=0))
    total = np.zeros(len(starts), np.int64)
    for done in range(0, longest, 8):
        part = words[ends - 8 - done]
        present = np.clip(lengths - done, 0, 8).astype(np.uint64)
        # Keep the last `present` bytes; shifting by 64 is undefined, so an absent part is multiplied away.
        cut = (np.uint64(8) - np.maximum(present, 1)) * np.uint64(8)
        part = ((part ^ np.uint64(0x3030303030303030)) >> cut) << cut
        part = (part * np.uint64(10)) + (part >> np.uint64(8))
        low = (part & np.uint64(0x000000FF000000FF)) * np.uint64(0x000F424000000064)
        high = ((part >> np.uint64(16)) & np.uint64(0x000000FF000000FF)) * np.uint64(0x0000271000000001)
        value = ((low + high) >> np.uint64(32)).astype(np.int64)
        total += np.where(present > 0, value, 0) * 10**done
    return total


def integers(chunk: Chunk, pick: slice, what: str) -> Array:
    """The values, int64, of the integer tokens `pick` of the chunk, with or without a sign.

    IrglError, naming `what` was expected, for the first that is no integer or does not fit 64 bits.
    """
    text, starts, ends = chunk.text, chunk.starts[pick], chunk.ends[pick]
    negative = None
    bodies = starts
    if len(chunk.strange):
        first = np.frombuffer(text.data, np.uint8)[starts]
        negative = first == ord("-")
        bodies = starts + (negative | (first == ord("+")))
        bad = (bodies >= ends) | (np.searchsorted(chunk.strange, ends) > np.searchsorted(chunk.strange, bodies))
        if bad.any():
            raise _not_a(text, starts, ends, int(np.argmax(bad)), what, "an integer")
    lengths = ends - bodies
    values: Array
    if int(lengths.max(initial=0)) <= 18:
        values = _digits(text, bodies, ends)
    else:
        long = np.flatnonzero(lengths > 18)
        values = _digits(text, np.where(lengths > 18, ends, bodies), ends)
        for index in long.tolist():
            value = int(bytes(text.data[int(bodies[index]) : int(ends[index])])[-5000:])
            if value > LARGEST or lengths[index] > 4000:
                token = bytes(text.data[int(starts[index]) : int(ends[index])])
                raise text.fail(f"{what} {quoted(token)} does not fit 64 bits", int(starts[index]))
            values[index] = value
    if negative is not None and negative.any():
        values = np.where(negative, -values, values)
    return values


def _not_a(text: Text, starts: Array, ends: Array, index: int, what: str, kind: str) -> IrglError:
    token = bytes(text.data[int(starts[index]) : int(ends[index])])
    return text.fail(f"{what} {quoted(token)} is not {kind}", int(starts[index]))


def reals(chunk: Chunk, pick: slice, what: str) -> Array:
    """The values, float64, exactly rounded, of the tokens `pick`, such as -1.5 or 2e-3. No infinities, no NaN."""
    text, starts, ends = chunk.text, chunk.starts[pick], chunk.ends[pick]
    if not len(starts):
        return np.empty(0, np.float64)
    data = np.frombuffer(text.data, np.uint8)
    first = data[starts]
    negative = first == ord("-")
    bodies = starts + (negative | (first == ord("+")))
    dots = chunk.strange[data[chunk.strange] == ord(".")]
    before = np.searchsorted(dots, bodies)
    one = np.searchsorted(dots, ends) - before == 1
    dot = np.where(one, dots[np.minimum(before, max(0, len(dots) - 1))] if len(dots) else ends, ends)
    strange = chunk.strange[data[chunk.strange] != ord(".")]
    clean = np.searchsorted(strange, ends) == np.searchsorted(strange, bodies)
    clean &= one | (np.searchsorted(dots, ends) == before)
    fraction = np.minimum(dot + 1, ends)
    digits = (dot - bodies) + (ends - fraction)
    simple = clean & (digits > 0) & (digits <= 18)
    values = np.zeros(len(starts), np.float64)
    chosen = np.flatnonzero(simple)
    places = (ends - fraction)[chosen]
    mantissa = _digits(text, bodies[chosen], dot[chosen]) * (10 ** np.arange(19, dtype=np.int64))[places]
    mantissa += _digits(text, fraction[chosen], ends[chosen])
    exact = mantissa < 2**53
    values[chosen] = mantissa / (10.0 ** np.arange(19))[places]
    values[negative] *= -1
    rest = np.ones(len(starts), np.bool_)
    rest[chosen[exact]] = False
    left = np.flatnonzero(rest)
    if len(left):
        many = _parsed_together(data, starts[left], ends[left]) if len(left) > 16 else None
        if many is None:
            many = np.array([_slow_real(text, starts, ends, index, what) for index in left.tolist()])
        values[left] = many
    return values


def _parsed_together(data: Array, starts: Array, ends: Array) -> Array | None:
    """The values of tokens by NumPy's parser of blank-separated numbers; None where one of them is no finite number.

    A token that is no number ends the parse or is taken for two, so the count tells.
    """
    sizes = ends - starts + 1
    last = np.cumsum(sizes)
    joined = data[np.repeat(starts - (last - sizes), sizes) + np.arange(last[-1])]
    joined[last - 1] = ord(" ")
    if bytes(joined).strip(b" ").translate(None, b"0123456789+-.eE "):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            values = np.fromstring(bytes(joined).decode("ascii"), np.float64, sep=" ")
        except ValueError:
            return None
    return values if len(values) == len(starts) and bool(np.isfinite(values).all()) else None


def _slow_real(text: Text, starts: Array, ends: Array, index: int, what: str) -> float:
    token = bytes(text.data[int(starts[index]) : int(ends[index])])
    try:
        value = float(token) if not token.strip(b"0123456789+-.eE") or token.strip(b"+-").isalpha() else None
    except ValueError:
        value = None
    if value is None or b"_" in token:
        raise _not_a(text, starts, ends, index, what, "a number")
    if not np.isfinite(value):
        raise _not_a(text, starts, ends, index, what, "finite")
    return value


def ragged(text: Text, start: int, comments: bytes, what: str) -> tuple[Array, Array, Array]:
    """Lines of any number of integers: (all values, int64; how many each line has; the offset of each line).

    Comment lines are left out; empty lines count, with 0 values.
    """
    skipped = text.blank_comments(start, comments)
    values, counts, ends = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for chunk in chunks(text, start):
        values.append(integers(chunk, slice(None), what))
        counts.append(chunk.counts())
        ends.append(chunk.newlines)
    line_ends = np.concatenate(ends)
    keep = np.ones(len(line_ends), np.bool_)
    keep[np.searchsorted(line_ends, skipped)] = False
    begins = np.concatenate([[start], line_ends[:-1] + 1]) if len(line_ends) else line_ends
    return np.concatenate(values), np.concatenate(counts)[keep], begins[keep]
