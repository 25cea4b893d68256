"""The options of commands that read graphs: how a file is to be understood."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import rich_click as click

from irgl.cli.shell.values import FILE
from irgl.rt.graphs.loading import Loading
from irgl.rt.graphs.readers.by_content import FORMATS

F = TypeVar("F", bound=Callable[..., Any])

_LOADING = (
    click.option("--undirected", is_flag=True, help="Treat the file's edges as undirected."),
    click.option("--format", "file_format", type=click.Choice(FORMATS),
                 help="The format of the file. [default: detected from its content]"),
    click.option("--index-bits", type=click.Choice(["32", "64"]), default="32", show_default=True,
                 help="Width of node and edge ids; 32 becomes 64 if the graph requires it."),
    click.option("--coordinates", type=FILE, metavar="FILE",
                 help="Node coordinates, for formats that store them in a separate file."),
    click.option("--no-compact", is_flag=True, help="Keep the file's node ids, including gaps."),
    click.option("--allow-empty", is_flag=True, help="Accept a file without nodes as an empty graph."),
)


def with_options(options: tuple[Callable[[F], F], ...]) -> Callable[[F], F]:
    """Gives a command these options, in their order."""
    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def loading_options(command: F) -> F:
    """Gives a command the options that `loading` reads."""
    return with_options(_LOADING)(command)


def loading(given: Mapping[str, Any], by_file_ids: bool = False) -> Loading:
    """What the options of a command say; by_file_ids: a program wants its nodes numbered as the file does."""
    return Loading(given["file_format"], given["undirected"], given["coordinates"], int(given["index_bits"]),
                   not (given["no_compact"] or by_file_ids), given["allow_empty"])
