"""The ways a run may end that a caller may want to tell from other errors: a tuner takes them for results."""

from __future__ import annotations

from irgl.source import IrglError


class OutOfTimeError(IrglError):
    """The program took longer than it may."""


class CrashedError(IrglError):
    """The program's process ended otherwise than programs do: by a signal, or for want of memory."""


class WrongCodeError(IrglError):
    """The emulator found a mistake in generated code."""


def out_of_time(limit: float | None) -> OutOfTimeError:
    return OutOfTimeError(f"the program has not ended after {limit:g} s", hint="--time-limit gives it more time")
