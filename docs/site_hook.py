"""What mkdocs needs beside mkdocs.yml to make a site of docs/, whose pages are written for a repository browser.

README.md becomes the first page; sources to which pages lead become pages, too. So every link works on the site as it
does in a checkout, and the site needs no other host.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from pymdownx.slugs import slugify
from site_links import is_file, outside_code, path_of, targets, with_targets

ROOT = Path(__file__).resolve().parent.parent
#: Pages that lie outside docs/.
OUTSIDE = {"README.md": "index.md", "ARCHITECTURE.md": "architecture.md", "CHANGELOG.md": "changelog.md"}
#: Sources that are shown as pages, by suffix, and how they are coloured. Others are copied.
SHOWN = {".irgl": "irgl", ".gt": "graphit", ".fal": "c", ".schedule": "text", ".py": "python", ".hpp": "c++",
         ".cuh": "cuda", ".cu": "cuda", ".md": "markdown"}
_INFO = re.compile(r"^( *`{3,}\w*\+*) [^\n`]*$", re.MULTILINE)
_CELL_PIPE = re.compile(r"`[^`\n]*\\\|[^`\n]*`")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Headings have the anchors that a repository browser gives them."""
    config.mdx_configs.setdefault("toc", {})["slugify"] = slugify(case="lower")
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that lie outside docs/, and the sources that pages lead to."""
    for outside, page in OUTSIDE.items():
        files.append(File.generated(config, page, content=(ROOT / outside).read_text(encoding="utf-8")))
    wanted = {source for file in files.documentation_pages() for source in _sources(file)}
    for path in sorted({below for source in wanted for below in _below(ROOT / source)}):
        uri = _page(path.relative_to(ROOT).as_posix())
        if path.is_dir() or path.suffix in SHOWN:
            files.append(File.generated(config, uri, content=_shown(path)))
        else:
            files.append(File.generated(config, uri, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """The page with links as they are on the site, and with code as mkdocs reads it."""
    uri = page.file.src_uri
    if uri.startswith("source/"):
        return markdown
    if uri == "cli.md":  # which says what an option is; other pages only use it
        page.meta["search"] = {"boost": 4}
        page.meta["hide"] = ["toc"]  # the page begins with a table of commands
    path = _path(uri)
    text = with_targets(markdown, lambda target: _on_site(path, uri, target))
    # A bar in code needs no backslash in the tables of Python's Markdown, which would show it.
    text = outside_code(text, lambda part: _CELL_PIPE.sub(lambda m: m[0].replace("\\|", "|"), part))
    return _INFO.sub(r"\1", text)  # what tests know of a block


def _path(uri: str) -> str:
    """Where a page's text is in the repository."""
    return next((path for path, page in OUTSIDE.items() if page == uri), f"docs/{uri}")


def _page(path: str) -> str:
    """Where the site has a file or folder of the repository."""
    if path in OUTSIDE:
        return OUTSIDE[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    is_page = (ROOT / path).is_dir() or Path(path).suffix in SHOWN
    return f"source/{path}.md" if is_page else f"source/{path}"


def _on_site(path: str, uri: str, target: str) -> str:
    if not is_file(target):
        return target
    to, anchor = path_of(path, target)
    return posixpath.relpath(_page(to), posixpath.dirname(uri) or ".") + (f"#{anchor}" if anchor else "")


def _sources(file: File) -> Iterator[str]:
    """What a page leads to that lies outside the documentation."""
    path = _path(file.src_uri)
    for target in targets(file.content_string):
        if is_file(target):
            to = path_of(path, target)[0]
            if to not in OUTSIDE and not to.startswith("docs/") and (ROOT / to).exists():
                yield to


def _below(path: Path) -> Iterator[Path]:
    """A file; or a folder with all in it that can be shown."""
    yield path
    if path.is_dir():
        for inner in sorted(path.iterdir()):
            if inner.is_dir() and inner.name != "__pycache__":
                yield from _below(inner)
            elif inner.suffix in SHOWN:
                yield inner


def _shown(path: Path) -> str:
    """The page of a source, or of a folder, which lists what is in it. Search leaves both out."""
    head = f"---\nsearch:\n  exclude: true\n---\n\n# {path.relative_to(ROOT).as_posix()}\n\n"
    if path.is_dir():
        return head + "\n".join(_listed(path)) + "\n"
    return f"{head}``````{SHOWN[path.suffix]}\n{path.read_text(encoding='utf-8')}\n``````\n"


def _listed(folder: Path) -> Iterator[str]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "__")):
            continue
        name = f"{path.name}/" if path.is_dir() else path.name
        has_page = path.is_dir() or path.suffix in SHOWN
        yield f"- [{name}]({folder.name}/{path.name}.md)" if has_page else f"- {name}"
