"""Links and headings of Markdown pages, read as a repository browser reads them: nothing in code is one."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

_FENCED = re.compile(r"^(?P<indent> *)(?P<fence>`{3,})[^\n]*\n.*?^ *(?P=fence) *$", re.MULTILINE | re.DOTALL)
#: A code span, or the end of a link's text with its target. A span doesn't go beyond its paragraph.
_TARGET = re.compile(r"(?P<code>(?P<ticks>`+)(?!`)(?:(?!\n\n).)+?(?<!`)(?P=ticks)(?!`))|\]\((?P<target>[^()\s]+)\)",
                     re.DOTALL)
_HEADING = re.compile(r"^#{1,6} +(.+?) *#* *$", re.MULTILINE)
_NO_FILE = re.compile(r"[a-z][a-z0-9+.-]*:|#|//", re.IGNORECASE)


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """The text with all of it changed that stands in no fenced block."""
    parts, at = [], 0
    for block in _FENCED.finditer(text):
        parts += [change(text[at : block.start()]), block[0]]
        at = block.end()
    return "".join([*parts, change(text[at:])])


def with_targets(text: str, change: Callable[[str], str]) -> str:
    """The page with other targets of its links and pictures."""
    def changed(found: re.Match[str]) -> str:
        return found[0] if found["target"] is None else f"]({change(found['target'])})"

    return outside_code(text, lambda part: _TARGET.sub(changed, part))


def targets(text: str) -> Iterator[str]:
    """The targets of a page's links and pictures."""
    found: list[str] = []
    with_targets(text, lambda target: found.append(target) or target)
    yield from found


def is_file(target: str) -> bool:
    """Does a target name a file, rather than a place on the same page or on another host?"""
    return _NO_FILE.match(target) is None


def path_of(page: str, target: str) -> tuple[str, str]:
    """The file in the repository and the anchor that a target of `page`, a path from its root, leads to."""
    path, _, anchor = target.partition("#")
    return (posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page), anchor


def anchors(text: str) -> list[str]:
    """The anchors of a page's headings, in its order; of equal headings the second one gets a -1, as on GitHub."""
    heads: list[str] = []
    outside_code(text, lambda part: heads.extend(_HEADING.findall(part)) or part)
    found: list[str] = []
    for head in heads:
        slug = _slug(head)
        again = sum(other == slug for other in map(_slug, heads[: len(found)]))
        found.append(f"{slug}-{again}" if again else slug)
    return found


def _slug(head: str) -> str:
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", head)
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")
