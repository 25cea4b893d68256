"""What is wrong with how a front end takes a broken program: an error has a place, and nothing else may come."""

from __future__ import annotations

from collections.abc import Callable

from irgl.source import IrglError, Span

#: What the verifier finds in programs that can be read, and the analysis tells their users.
FOR_THE_ANALYSIS = ("leaves no sequential loop", "stands in no loop", "has a label twice")


def complaint(reads: Callable[[], bool], misplaced: Callable[[IrglError], bool]) -> str | None:
    """None where a program `reads`, and prints as itself, or is refused with an error that is not `misplaced`."""
    try:
        if not reads():
            return "it prints as something else"
    except IrglError as e:
        if misplaced(e):
            return f"an error without a place in the text: {e}"
    except AssertionError as e:
        if not any(known in str(e) for known in FOR_THE_ANALYSIS):
            return repr(e)
    except Exception as e:
        return repr(e)
    return None


def complaints(of: Callable[[str], str | None], mutant: Callable[[int], str], seeds: range) -> list[str]:
    """The complaints of many mutants, each with its seed."""
    return [f"mutant {seed}: {problem}" for seed in seeds if (problem := of(mutant(seed))) is not None]


def inside(span: Span | None, text: str) -> bool:
    """Does `span` begin in the text, or right behind one of its lines, and not end before it begins?"""
    if span is None:
        return False
    lines = text.split("\n")
    if not (1 <= span.line <= len(lines) and 1 <= span.column <= len(lines[span.line - 1]) + 1):
        return False
    return (span.line, span.column) < (span.end_line, span.end_column) and span.end_line <= len(lines)
