"""irglc programs lists what comes with irgl, for people and for scripts."""

from __future__ import annotations

import json

import pytest
from support.programs import PLACE, SHIPPED

from irgl.cli.main import exit_code
from irgl.frontends.shipped import about
from irgl.rt.manifests.program import open_program


def listed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert exit_code(("programs", *words)) == 0
    return capsys.readouterr().out


def test_every_program_has_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert [line.split()[0] for line in listed(capsys).splitlines()] == SHIPPED


def test_a_line_says_what_the_program_does_its_parameters_and_its_verifier(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [" ".join(line.split()) for line in listed(capsys).splitlines()]
    assert "bfs Breadth-first search from a worklist, level by level. (--src; checked by shortest_hops)" in lines


@pytest.mark.parametrize("name", SHIPPED)
def test_what_a_program_does_is_one_whole_sentence(name: str) -> None:
    said = about(name)
    assert said[0].isupper() and said.endswith(".") and ". " not in said and "//" not in said


def test_a_sentence_of_two_lines_is_read_whole() -> None:
    assert about("bfs_do").endswith("pulls along incoming arcs while it is large.")


def test_json_has_what_a_script_needs(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(listed(capsys, "--json"))
    assert found["folder"] == str(PLACE)
    assert [p["name"] for p in found["programs"]] == SHIPPED
    for program in found["programs"]:
        manifest = open_program(program["file"])
        assert program["verifier"] == manifest.verifier
        assert [p["name"] for p in program["parameters"]] == [p.name for p in manifest.params]
        assert (program["graphs"] == []) == (program["mesh"] is not None)
    assert next(p for p in found["programs"] if p["name"] == "bfs")["parameters"] == [
        {"name": "src", "type": "node", "default": "first"}]


def test_the_folder_is_printed_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert listed(capsys, "--folder") == f"{PLACE}\n"


def test_json_and_folder_together_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(("programs", "--json", "--folder")) == 2
    assert "--json and --folder both say what is printed" in capsys.readouterr().err
