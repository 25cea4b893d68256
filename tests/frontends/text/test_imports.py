"""Imports: what a file gets from others, in which order, and what is said where one is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.frontends.imports import LIBRARY, closure, read_source
from irgl.frontends.load import source_of
from irgl.frontends.text.load import load, load_text, parse
from irgl.source import IrglError


def write(folder: Path, **texts: str) -> None:
    for stem, text in texts.items():
        (folder / f"{stem}.irgl").write_text(text)


def names(program: A.Program) -> list[str]:
    return [getattr(d, "name", type(d).__name__) for d in program.decls]


def test_an_import_is_replaced_by_what_the_file_declares(tmp_path: Path) -> None:
    write(tmp_path, main='int a; import "other.irgl"; int d;', other="int b; int c;")
    assert names(load(tmp_path / "main.irgl")) == ["a", "b", "c", "d"]


def test_parsing_alone_keeps_the_import(tmp_path: Path) -> None:
    write(tmp_path, other="int b;")
    assert names(parse('import "other.irgl"; int a;', str(tmp_path / "main.irgl"))) == ["Import", "a"]


def test_types_of_an_import_are_known(tmp_path: Path) -> None:
    write(tmp_path, main='import "types.irgl"; Kernel k(Web g, Ring<int> r) {}',
          types='graph Web {} library Ring<T> "ring.hpp" {}')  # fmt: skip
    kernel = load(tmp_path / "main.irgl").decls[-1]
    assert dump(kernel) == "Kernel k(Web g, Ring<int> r) {}"


def test_types_of_an_imports_import_are_known(tmp_path: Path) -> None:
    write(tmp_path, main='import "middle.irgl"; Kernel k(Web g) {}', middle='import "far.irgl";', far="graph Web {}")
    assert names(load(tmp_path / "main.irgl")) == ["Web", "k"]


def test_a_file_imported_twice_is_put_in_once(tmp_path: Path) -> None:
    write(tmp_path, main='import "a.irgl"; import "b.irgl";', a='import "both.irgl"; int a;',
          b='import "both.irgl"; int b;', both="int both;")  # fmt: skip
    assert names(load(tmp_path / "main.irgl")) == ["both", "a", "b"]


def test_files_may_import_each_other(tmp_path: Path) -> None:
    write(tmp_path, main='import "other.irgl"; struct Left { int a; }; void f(Right r) {}',
          other='import "main.irgl"; struct Right { int b; }; void g(Left l) {}')  # fmt: skip
    assert names(load(tmp_path / "main.irgl")) == ["Right", "g", "Left", "f"]


def test_a_file_may_import_itself(tmp_path: Path) -> None:
    write(tmp_path, main='import "main.irgl"; int a;')
    assert names(load(tmp_path / "main.irgl")) == ["a"]


def test_the_entry_of_an_import_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, main='import "other.irgl"; Program mine(Web g) {}', other="graph Web {} Program other(Web g) {}")
    assert names(load(tmp_path / "main.irgl")) == ["Web", "mine"]


def test_a_file_beside_the_program_comes_before_the_library(tmp_path: Path) -> None:
    write(tmp_path, array="int mine;")
    assert names(load_text('import "array.irgl";', str(tmp_path / "main.irgl"))) == ["mine"]


@pytest.mark.parametrize("path", sorted(LIBRARY.glob("*.irgl")), ids=lambda p: p.stem)
def test_the_library_is_found_from_anywhere(path: Path, tmp_path: Path) -> None:
    assert load_text(f'import "{path.name}";', str(tmp_path / "main.irgl")).decls != ()


def test_an_import_in_a_comment_is_none(tmp_path: Path) -> None:
    text = '// import "nothing.irgl";\n/* import "none.irgl"; */ int a;'
    assert names(load_text(text, str(tmp_path / "main.irgl"))) == ["a"]


def library_names() -> str:
    return ", ".join(sorted(p.name for p in LIBRARY.glob("*.irgl")))


def test_a_missing_import_is_an_error_at_its_name() -> None:
    with pytest.raises(IrglError) as caught:
        load_text('int a;\nimport "nope.irgl";\nint b = ;', "main.irgl")
    assert str(caught.value) == f"""\
main.irgl:2:8: error: nothing to import at "nope.irgl"
    import "nope.irgl";
           ^^^^^^^^^^^
  hint: it is looked up beside this file, then in irgl's library: {library_names()}"""


def test_a_missing_import_of_an_import_is_an_error_there(tmp_path: Path) -> None:
    write(tmp_path, main='import "other.irgl";', other='import "nope.irgl";')
    with pytest.raises(IrglError) as caught:
        load(tmp_path / "main.irgl")
    assert str(caught.value.span) == f"{(tmp_path / 'other.irgl').resolve()}:1:8"


def test_a_mistake_in_an_import_is_an_error_there(tmp_path: Path) -> None:
    write(tmp_path, main='import "other.irgl";', other="int a\nint b;")
    with pytest.raises(IrglError) as caught:
        load(tmp_path / "main.irgl")
    assert str(caught.value.span) == f"{(tmp_path / 'other.irgl').resolve()}:1:6"


def test_a_type_of_an_import_is_not_declared_again(tmp_path: Path) -> None:
    write(tmp_path, other="struct Pair { int a; };")
    with pytest.raises(IrglError, match="'Pair' is a type already"):
        load_text('import "other.irgl"; struct Pair { int b; };', str(tmp_path / "main.irgl"))


def test_a_file_that_is_not_there_is_an_error() -> None:
    with pytest.raises(IrglError) as caught:
        load("no/such/file.irgl")
    assert str(caught.value) == "no/such/file.irgl: error: can't read it: No such file or directory" \
        "\n  hint: `irglc programs` lists those that come with irgl, `irglc new` makes one"


def test_a_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "bytes.irgl"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(IrglError) as caught:
        load(path)
    assert str(caught.value) == f"{path}: error: this is not UTF-8 text\n  hint: is it an .irgl, a .gt or a .fal file?"


def test_a_mark_of_utf_8_before_the_text_is_no_part_of_it(tmp_path: Path) -> None:
    mark = b"\xef\xbb\xbf"
    (tmp_path / "main.irgl").write_bytes(mark + b'import "other.irgl";')
    (tmp_path / "other.irgl").write_bytes(mark + b"int b; int 5;")
    with pytest.raises(IrglError) as caught:
        load(tmp_path / "main.irgl")
    assert str(caught.value).startswith(f"{tmp_path}/other.irgl:1:12: error: ")


@pytest.mark.parametrize("name", ["a.irgl", "a.py"])
def test_a_text_in_memory_may_have_the_mark_of_its_file(name: str) -> None:
    assert source_of(name, "\ufeffint b;").text == "int b;"


def test_the_closure_is_every_file_that_a_program_is_made_of(tmp_path: Path) -> None:
    write(tmp_path, main='import "a.irgl"; import "b.irgl";', a='import /* so */ "c.irgl";', b='// import "d.irgl";',
          c='import "main.irgl";', d="")  # fmt: skip
    found = closure(read_source(tmp_path / "main.irgl"))
    assert [Path(s.path).stem for s in found] == ["main", "a", "b", "c"]


def test_the_closure_leaves_out_what_is_missing(tmp_path: Path) -> None:
    write(tmp_path, main='import "nope.irgl";')
    assert len(closure(read_source(tmp_path / "main.irgl"))) == 1


def test_a_name_that_no_file_can_have_is_a_missing_import() -> None:
    with pytest.raises(IrglError, match="nothing to import at"):
        load_text(f'import "{"x" * 5000}";')
