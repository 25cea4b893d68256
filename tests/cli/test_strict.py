"""irglc check --strict: what GraphIt's programs leave unsaid."""

from __future__ import annotations

from pathlib import Path

import pytest

from irgl.cli.main import main

TEXT = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex) = load(argv[1]);
const vertices : vertexset{Vertex} = edges.getVertices();
const x : vector{Vertex}(int) = 0;
const f : vector{Vertex}(float) = 0.5;

func relate(src : Vertex, dst : Vertex)
    x[dst] = src;
    f[dst] min= x[src] * 0.25;
end

func main()
    x[0] = 1.5;
    x[1] = vertices.size();
    print to_double(x[2]) - fabs(x[3]);
    edges.apply(relate);
end
"""


def told(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(words)
    said = capsys.readouterr()
    return ended.value.code, said.out, said.err


def test_losses_and_choices_are_listed_with_their_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.gt"
    file.write_text(TEXT)
    code, out, err = told(["check", "--strict", str(file)], capsys)
    assert (code, err) == (0, "")
    assert out.replace(str(file), "x.gt").splitlines() == [
        "x.gt:9:5: note: any one of several values may stay here, so that more than one answer is right",
        "x.gt:10:17: note: this double becomes a float, and may lose something",
        "x.gt:14:12: note: this double becomes an int, and may lose something",
    ]


def test_it_has_no_meaning_for_other_notations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.irgl"
    file.write_text("int a;")
    code, _, err = told(["check", "--strict", str(file)], capsys)
    assert code == 2
    assert "--strict lists what GraphIt's programs leave unsaid" in err
