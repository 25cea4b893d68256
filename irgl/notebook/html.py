"""HTML for notebooks: elements whose text is escaped, in one style for light and dark themes, all of it in the page."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def tag(name: str, *children: str, **attributes: str) -> Html:
    """An element. Children that are not Html are text. `class_` is class, `view_box` is viewBox in SVG."""
    names = {"class_": "class", "view_box": "viewBox"}
    given = "".join(f' {names.get(n, n.replace("_", "-"))}="{escape(v)}"' for n, v in attributes.items())
    return Html(f"<{name}{given}>{joined(children)}</{name}>")


def joined(children: Iterable[str]) -> Html:
    """Several, one after the other."""
    return Html("".join(c if isinstance(c, Html) else escape(c) for c in children))


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Html:
    """A table, with a heading line where `head` says anything."""
    cells = tag("tbody", *(tag("tr", *(tag("td", c) for c in row)) for row in rows))
    heading = [tag("th", h) for h in head]
    return tag("table", tag("thead", tag("tr", *heading)), cells) if heading else tag("table", cells)


def folded(title: str, *children: str, is_open: bool = False) -> Html:
    """What opens at a click on its title."""
    attributes = {"open": ""} if is_open else {}
    return tag("details", tag("summary", title), *children, **attributes)


def page(*children: str) -> str:
    """What a notebook shows: the elements, with their style."""
    return str(tag("div", tag("style", Html(STYLE)), *children, class_="irgl"))


_LIGHT = ("--bg:#fff;--fg:#1b1f24;--soft:#57606a;--line:#d0d7de;--pane:#f6f8fa;--bad:#b3261e;--word:#0b57a4;"
          "--type:#7a3e9d;--name:#8a4600;--text:#0a6b3d;--mark:#dbe9f9;color-scheme:light")  # fmt: skip
_DARK = ("--bg:#16191d;--fg:#e2e6ea;--soft:#9aa5b1;--line:#3a424b;--pane:#1e2328;--bad:#ff8f85;--word:#79b8ff;"
         "--type:#d2a8ff;--name:#ffb877;--text:#7ddba3;--mark:#1f3a57;color-scheme:dark")  # fmt: skip
#: The reader's wish, but for notebooks that have a theme of their own.
STYLE = f"""
.irgl{{{_LIGHT};background:var(--bg);color:var(--fg);padding:.6em .8em;font-size:13px;line-height:1.45;\
border:1px solid var(--line);border-radius:6px;overflow-x:auto}}
@media (prefers-color-scheme:dark){{body:not([data-jp-theme-light]):not(.vscode-light) .irgl{{{_DARK}}}}}
body[data-jp-theme-light=false] .irgl,body.vscode-dark .irgl,html[theme=dark] .irgl{{{_DARK}}}
.irgl h4{{margin:0 0 .4em;font-size:14px;color:inherit}}
.irgl p{{margin:.3em 0;color:var(--soft)}}
.irgl code,.irgl pre{{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12px;background:none;color:inherit}}
.irgl .pair{{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(26em,100%),1fr));gap:.8em}}
.irgl pre{{margin:0;padding:.5em .7em;max-height:30em;overflow:auto;background:var(--pane);\
border:1px solid var(--line);border-radius:4px;white-space:pre}}
.irgl table{{border-collapse:collapse;margin:.3em 0;color:inherit;font-size:12px}}
.irgl th,.irgl td{{text-align:left;vertical-align:top;padding:.2em .8em .2em 0;border:0;\
border-bottom:1px solid var(--line);background:none;color:inherit}}
.irgl th{{color:var(--soft);font-weight:600}}
.irgl summary{{cursor:pointer;margin:.4em 0}}
.irgl .bad{{color:var(--bad)}}
.irgl .soft,.irgl .c1,.irgl .cm,.irgl .c,.irgl .cp,.irgl .ch,.irgl .cpf{{color:var(--soft)}}
.irgl .k,.irgl .kd,.irgl .kn,.irgl .kr,.irgl .nd{{color:var(--word)}}
.irgl .kt,.irgl .kc,.irgl .nb,.irgl .bp{{color:var(--type)}}
.irgl .nf,.irgl .nc,.irgl .fm{{color:var(--name)}}
.irgl .s,.irgl .s1,.irgl .s2,.irgl .sc,.irgl .sd,.irgl .mi,.irgl .mf,.irgl .mh{{color:var(--text)}}
.irgl svg{{display:block;margin:.3em 0}}
.irgl svg text{{fill:var(--fg);font:12px ui-monospace,Menlo,Consolas,monospace}}
.irgl svg text.soft{{fill:var(--soft)}}
.irgl svg text.bad{{fill:var(--bad)}}
.irgl svg rect{{fill:var(--mark);stroke:var(--word)}}
.irgl svg rect.bad{{fill:none;stroke:var(--bad);stroke-dasharray:4 3}}
.irgl svg path{{fill:none;stroke:var(--soft)}}
"""
