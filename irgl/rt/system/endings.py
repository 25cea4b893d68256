"""The ways a run may end that a caller may want to tell from other errors: a tuner takes them for results."""

from __future__ import annotations

from functools import partial

from irgl.source import IrglError


class OutOfTimeError(IrglError):
    """The program took longer than it may."""


class CrashedError(IrglError):
    """The program's process ended otherwise than programs do: by a signal, or for want of memory."""


class CodeError(AssertionError):
    """A mistake of irgl's in the code that it generates. `file`: where it is, or what keeps the code for a report."""

    def __init__(self, message: str, *, file: str, hint: str) -> None:
        super().__init__(f"{message}\n  in {file}\n  {hint}")
        self.message, self.file, self.hint = message, file, hint

    def __reduce__(self) -> tuple[object, ...]:  # a tuner's worker hands it on
        return partial(type(self), file=self.file, hint=self.hint), (self.message,)


class RefusedCodeError(CodeError):
    """A compiler refuses generated code."""


class WrongCodeError(CodeError):
    """The emulator found a mistake in generated code."""


def out_of_time(limit: float | None) -> OutOfTimeError:
    return OutOfTimeError(f"the program has not ended after {limit:g} s", hint="--time-limit gives it more time")
