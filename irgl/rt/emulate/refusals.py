"""What g++ says of a program that the emulator can't build, in the words and at the line of the program."""

from __future__ import annotations

import re

from irgl.rt.emulate.gaps import ERROR, name_of


def first_error(stderr: str) -> str:
    lines = [line for line in stderr.splitlines() if re.search(r"\berror:|undefined reference", line)]
    return lines[0].strip() if lines else (stderr.strip().splitlines() or ["it gives no reason"])[-1]


def refusal(stderr: str) -> tuple[str | None, str]:
    """The user's line, where one is named, and what is wrong there."""
    first = first_error(stderr)
    m = ERROR.match(first)
    if m is None:
        return None, first
    place, message = m[1], m[2]
    gap = name_of(stderr, place)
    if gap is None and message.endswith("declared void"):  # a function with a parameter of an unknown type
        there = [text for at, text in ERROR.findall(stderr) if at == place]
        message = there[1] if len(there) > 1 else message
    message = _plain(message) if gap is None else f"{gap}: {_plain(message)}"
    if "/emu/include/" in place:  # an error inside our headers: the line that used them says more
        user = re.search(r"^([^\s:][^:\n]*:\d+):\d+:\s+required from here", stderr, re.MULTILINE)
        place = user[1] if user is not None else _includer(stderr) or place
    return place, message


def _includer(stderr: str) -> str | None:
    """The user's line that included the header of the first error."""
    chain = re.match(r"In file included from [^\n]*\n(?:\s+from [^\n]*\n)*", stderr)
    places = re.findall(r"from ([^\s:][^:\n]*:\d+)", chain[0]) if chain is not None else []
    return next((place for place in places if "/emu/include/" not in place), None)


def _plain(message: str) -> str:
    """Without what a launch is made of."""
    message = re.sub(r"'irgl_emu::identity<.*?>::type' \{aka ('.*?')\}", r"\1", message)
    launch = re.match(r"(too (?:few|many) arguments) to function '.*irgl_emu::launch\(.*\[with Params = \{(.*?)\}",
                      message)
    if launch is not None:
        return f"{launch[1]} in the launch of a kernel that takes ({launch[2]})"
    if re.match(r"no matching function for call to '(?:irgl_emu::)?launch(?:_call)?\(", message):
        return "this launch has no kernel, or arguments that do not fit it"
    return message
