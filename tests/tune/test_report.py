"""The report of a tuning: what the page says, that it says it safely, and that it needs nothing beside itself."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from support.tuned import DEFAULT, PLAIN, compiled, plan, trials, tuned

from irgl.tune.report import code as report_code
from irgl.tune.report import draw as report_draw
from irgl.tune.report import effects as report_effects
from irgl.tune.report import heat as report_heat
from irgl.tune.report import parallel as report_parallel
from irgl.tune.report.facts import Facts
from irgl.tune.report.page import failures, page, per_graph
from irgl.tune.report.plan import said
from irgl.tune.results.trial import Status, Trial

SECTIONS = ["speedup", "search", "options", "plans", "space", "failed", "plan", "code"]
VOID = {"meta", "path", "line", "circle", "rect"}
GRAPHS = ("road", "social")


class Page(HTMLParser):
    """What a page consists of; fails where its elements aren't nested well."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] not in ("style", "script"):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def all(self, name: str, **attributes: str) -> list[dict[str, str | None]]:
        return [a for tag, a in self.elements if tag == name and all(a.get(k) == v for k, v in attributes.items())]


def timed(p: str, graph: str, ms: float, reference: float = 100.0, status: Status = Status.OK) -> Trial:
    return Trial(p, graph, status, (ms,) * 5, (reference,) * 5)


HYBRID, SERIAL, BOTH = plan(direction="hybrid"), plan(serial="2048"), plan(direction="hybrid", serial="2048")
#: Plain takes 100 ms on each.
KNOWN = (
    timed(PLAIN, "road", 100), timed(PLAIN, "social", 100), timed(DEFAULT, "road", 80), timed(DEFAULT, "social", 80),
    timed(HYBRID, "road", 125), timed(HYBRID, "social", 20), timed(SERIAL, "road", 50), timed(SERIAL, "social", 80),
    timed(BOTH, "road", 62.5), timed(BOTH, "social", 16),
)  # fmt: skip


def facts(made: Any = KNOWN, **changed: Any) -> Facts:
    return Facts(tuned(made, **changed))


@pytest.mark.parametrize("count", [0, 1, 2, 40])
@pytest.mark.parametrize("graphs", [("one",), ("one", "two", "three")])
def test_elements_are_nested_well(count: int, graphs: tuple[str, ...]) -> None:
    assert Page(page(tuned(trials(count, graphs), compiled=compiled))).all("main")


def test_every_section_is_there() -> None:
    found = [a["id"] for a in Page(page(tuned(KNOWN))).all("section")]
    assert found == SECTIONS


def test_every_link_of_the_page_leads_to_a_section() -> None:
    links = [a["href"] for a in Page(page(tuned(KNOWN))).all("a")]
    assert links == [f"#{name}" for name in SECTIONS]


def test_rounds_of_a_plan_that_turns_loops_are_shown_for_each_graph() -> None:
    rounds = [{"loop": "bfs.iterate1", "round": k, "around": [2], "frontier": 1234, "edges": None, "direction": way,
               "ms": 2.0} for k, way in ((1, "push"), (2, "pull"))]
    made = Page(page(tuned(KNOWN, rounds={"social": rounds, "road": ()}, won={"social": HYBRID, "road": SERIAL})))
    assert [a["id"] for a in made.all("section")] == [*SECTIONS[:-1], "rounds", "code"]
    assert ("social direction=hybrid loop round direction nodes edges time bfs.iterate1 2.1 push 1,234 2.00 ms "
            "bfs.iterate1 2.2 pull 1,234 2.00 ms") in made.text


def test_the_page_asks_for_nothing_elsewhere() -> None:
    text = page(tuned(trials(300, GRAPHS), compiled=compiled))
    made = Page(text)
    asking = [(tag, a) for tag, a in made.elements if "src" in a or tag in ("link", "img", "iframe", "object", "use")]
    outward = [a for _, a in made.elements for v in a.values() if v is not None and "://" in v]
    assert (asking, outward, re.findall(r"@import|url\(|https?:|fetch\(", text)) == ([], [], [])


def test_the_page_forbids_the_browser_to_ask() -> None:
    policy = Page(page(tuned(()))).all("meta", **{"http-equiv": "Content-Security-Policy"})[0]["content"]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def test_a_thousand_trials_take_less_than_500_kb() -> None:
    graphs = [f"graph{k}" for k in range(2)]
    made = trials(1000, graphs)
    assert len(made) == 1000
    assert len(page(tuned(made, compiled=compiled)).encode()) < 500_000


def test_the_same_trials_give_the_same_bytes() -> None:
    assert page(tuned(trials(200, GRAPHS), compiled=compiled)) == page(tuned(trials(200, GRAPHS), compiled=compiled))


def test_names_are_text_whatever_stands_in_them() -> None:
    name = '<img src="x" onerror=alert(1)>&\'.irgl'
    made = [replace(t, input=name, why=name) for t in trials(200, ["g"])]
    found = Page(page(tuned(made, program=name, machine=name, reproducers={(made[0].plan, name): name})))
    assert found.all("img") == []
    assert found.text.count(name) > 10


def test_the_headline_has_the_speedup_of_the_one_plan_over_plain_and_default() -> None:
    text = Page(page(tuned(KNOWN))).text
    # The means of 100/62.5 and 100/16, and of 80/62.5 and 80/16.
    assert "3.16× as fast as the plain plan, with one plan for all 2 graphs" in text
    assert "95% interval 3.16× to 3.16×. Over the default plan: 2.53× (2.53× to 2.53×)." in text


def test_the_headline_has_the_command_that_runs_the_plan() -> None:
    made = [timed(PLAIN, "a b.gr", 4), timed(HYBRID, "a b.gr", 2)]
    text = Page(page(tuned(made, program="it's.irgl"))).text
    assert f"""irglc run 'it'"'"'s.irgl' --graph 'a b.gr' --target cpu --plan '{HYBRID}'""" in text


def test_the_headline_has_the_trials_the_space_and_the_time() -> None:
    text = Page(page(tuned(KNOWN))).text
    assert "Trials 10 Plans tried 5 of 648 Time spent 9 min 43 s Failed 0" in text


@pytest.mark.parametrize(
    ("made", "words"),
    [
        ((), "No trials yet."),
        (KNOWN[:2], "No plan is faster than the plain one."),
        ((Trial(PLAIN, "g", Status.CRASH, why="signal 11"),), "No plan has finished with a right answer."),
        ((Trial(HYBRID, "g", Status.OK, (3.0,)),), "A best plan, and nothing to compare it with"),
    ],
)
def test_a_page_without_a_speedup_says_why(made: tuple[Trial, ...], words: str) -> None:
    assert words in Page(page(tuned(made))).text


def test_a_slow_hour_of_the_machine_is_made_good() -> None:
    slow = timed(HYBRID, "social", 28, reference=140)  # everything takes 1.4 times as long
    assert facts([*KNOWN, slow]).speedup(HYBRID, PLAIN, ["social"]) == pytest.approx(5.0)


def test_a_reference_that_was_disturbed_makes_no_plan_ten_times_as_fast() -> None:
    odd = timed(HYBRID, "social", 20, reference=1000)
    assert facts([*KNOWN, odd]).ms(HYBRID, "social") == pytest.approx(20 / 1.5)


def test_what_ran_in_turn_is_compared_as_it_ran() -> None:
    made = facts([*KNOWN, timed(BOTH, "social", 40, reference=1000), timed(DEFAULT, "social", 80, reference=1000)])
    assert made.paired(BOTH, PLAIN, ["social"]) == pytest.approx(25.0)
    assert made.paired(BOTH, None, ["social"]) == pytest.approx(2.0)


def test_a_busy_machine_is_told_of() -> None:
    text = Page(page(tuned([*KNOWN, timed(BOTH, "social", 40, reference=1000)]))).text
    assert "The machine was not quiet: the plain plan, measured again beside the others, was up to 10.0 times" in text


def test_modelled_times_are_called_so() -> None:
    words = "Nothing ran on a GPU: the times come from a model of one"
    assert [words in Page(page(tuned(KNOWN, target=t))).text for t in ("simt", "cpu")] == [True, False]


def test_an_option_that_hangs_on_another_comes_with_it() -> None:
    made = [timed(f"frontier={f} buffer={b}", "g", ms) for f, b, ms in (
        ("list", "64", 100), ("queue", "16", 50), ("list", "64", 100))]  # fmt: skip
    queue = report_effects.alone_and_left_out(facts(made, plain=made[0].plan, default=made[0].plan))
    assert queue is not None
    assert [(r.label, r.note, *r.numbers) for r in queue.rows] == [
        ("frontier", "alone: queue buffer=16", "2.00×", "2.00×")]  # fmt: skip


def test_the_last_measurement_of_a_plan_counts() -> None:
    assert facts([*KNOWN, timed(BOTH, "road", 90)]).ms(BOTH, "road") == 90


def test_the_plan_that_the_search_chose_is_the_best_though_another_looks_faster() -> None:
    assert facts(won=dict.fromkeys(GRAPHS, SERIAL)).best == SERIAL


def test_a_plan_for_each_class_has_its_speedup_and_its_rows() -> None:
    won = {"road": SERIAL, "social": BOTH}
    assert "With a plan for each class of graphs: 3.54×." in Page(page(tuned(KNOWN, won=won))).text  # 100/50, 100/16
    assert "chosen for road; fastest on road" in [r.note for r in report_heat.plans_by_graphs(facts(won=won)).rows]


def test_one_that_failed_on_a_graph_is_not_the_best_for_all() -> None:
    wrong = Trial(BOTH, "social", Status.WRONG, why="off by one")
    assert facts([*KNOWN, wrong]).best == HYBRID


def test_the_reference_stands_for_the_plain_plan_where_that_has_no_trial() -> None:
    assert facts(KNOWN[2:]).speedup(SERIAL, PLAIN, ["road"]) == pytest.approx(2.0)


def test_every_graph_has_its_speedups() -> None:
    table = per_graph(facts())
    assert table is not None
    assert [(r.label, *r.numbers) for r in table.rows] == [
        ("road", "1.60×", "1.60–1.60", "2.00×", "100 ms"),
        ("social", "6.25×", "6.25–6.25", "6.25×", "100 ms"),
    ]


def test_a_graph_s_own_default_plan_is_what_it_is_compared_with() -> None:
    assert facts(defaults={"road": SERIAL}).speedup(BOTH, None, ["road"]) == pytest.approx(50 / 62.5)


def test_an_option_alone_and_left_out_of_the_best() -> None:
    table = report_effects.alone_and_left_out(facts())
    assert table is not None
    assert [(r.label, r.note, *r.numbers) for r in table.rows] == [
        ("direction", "alone: hybrid", "2.00×", "2.00×"),  # 100/125 and 100/20; 50/62.5 and 80/16
        ("serial", "alone: 2048", "1.58×", "1.58×"),
    ]


def test_options_together_show_every_combination_on_every_graph() -> None:
    found = report_effects.together(facts())
    assert found is not None
    chosen, table = found
    assert chosen == ("serial", "direction")
    assert [(r.label, *(c.words for c in r.cells)) for r in table.rows] == [
        ("none of them", "1.00×", "1.00×"),
        ("serial", "2.00×", "1.25×"),
        ("direction", "0.80×", "5.00×"),
        ("serial + direction", "1.60×", "6.25×"),
    ]


def test_on_a_gpu_the_three_options_of_its_plan_stand_together() -> None:
    made = [timed(f"np={np} cc={cc} outline={outline} block=256", "g", ms) for np, cc, outline, ms in (
        ("serial", "off", "off", 100), ("wp+fg", "off", "off", 50), ("serial", "block", "off", 80),
        ("serial", "off", "all", 40), ("wp+fg", "block", "all", 10))]  # fmt: skip
    found = report_effects.together(facts(made, target="cuda", plain=made[0].plan, default=made[-1].plan))
    assert found is not None
    assert [(r.label, r.cells[0].words) for r in found[1].rows] == [
        ("none of them", "1.00×"), ("cc", "1.25×"), ("np", "2.00×"), ("outline", "2.50×"), ("cc + np", "–"),
        ("cc + outline", "–"), ("np + outline", "–"), ("cc + np + outline", "10.0×"),
    ]  # fmt: skip


def test_each_value_of_an_option_has_its_median_and_best() -> None:
    table = report_effects.over_all(facts())
    assert table is not None
    assert ("direction = hybrid", "2 plans", "2.58×", "3.16×") in [(r.label, r.note, *r.numbers) for r in table.rows]


def test_plans_by_graphs_are_multiples_of_each_graph_s_best() -> None:
    table = report_heat.plans_by_graphs(facts())
    assert [(r.label, r.whole.words, *(c.words for c in r.cells)) for r in table.rows] == [
        ("direction=hybrid serial=2048", "1.12", "1.25", "1.00"),
        ("direction=hybrid", "1.77", "2.50", "1.25"),
        ("serial=2048", "2.24", "1.00", "5.00"),
        ("serial=2048 giant=32768", "2.83", "1.60", "5.00"),
        ("plain", "3.54", "2.00", "6.25"),
    ]


def test_the_best_has_the_darkest_shade_and_failures_have_none() -> None:
    gone = Trial(HYBRID, "road", Status.TIME_OUT, why="no answer")
    rows = {r.label: r for r in report_heat.plans_by_graphs(facts([*KNOWN, gone])).rows}
    assert (rows["serial=2048"].cells[0].shade, rows["plain"].cells[1].shade) == (report_heat.SHADES - 1, 0)
    assert rows["direction=hybrid"].cells[0] == report_heat.Cell("time-out", None)


def test_what_was_stopped_early_is_at_least_so_slow_and_never_the_best() -> None:
    cut = timed(HYBRID, "road", 40, status=Status.CUT)
    made = facts([*KNOWN, cut])
    cells = {r.label: r.cells for r in report_heat.plans_by_graphs(made).rows}["direction=hybrid"]
    assert (cells[0].words, made.fastest["road"]) == ("≥\u20090.80", SERIAL)


def test_the_line_of_the_best_so_far_never_rises() -> None:
    made = Page(page(tuned(trials(200, ["g"]))))
    for line in made.all("path", **{"class": "best"}):
        heights = [float(y) for y in re.findall(r"V([\d.]+)", line["d"] or "")]
        assert heights == sorted(heights) and len(heights) > 2  # down the page is less time


def test_every_plan_with_times_is_a_line_through_its_values() -> None:
    shown = report_parallel.space(facts())
    assert shown is not None
    lines = Page(str(shown.picture)).all("path")
    # The axes are serial, giant, direction: what matters most stands next to the speed. The fastest is drawn last.
    assert [(a["data-v"], a["data-s"]) for a in lines] == [
        ("0 0 0", "1.00"), ("1 1 0", "1.25"), ("1 0 0", "1.58"), ("0 0 1", "2.00"), ("1 0 1", "3.16")]  # fmt: skip
    assert (shown.lines, shown.of) == (5, 5)


def test_every_value_of_the_space_is_a_button_for_the_keyboard() -> None:
    shown = report_parallel.space(facts())
    assert shown is not None
    buttons = Page(str(shown.picture)).all("g", role="button")
    assert [(a["aria-label"], a["tabindex"], a["aria-pressed"], a["data-a"], a["data-k"]) for a in buttons] == [
        ("serial = off", "0", "false", "0", "0"), ("serial = 2048", "0", "false", "0", "1"),
        ("giant = off", "0", "false", "1", "0"), ("giant = 32768", "0", "false", "1", "1"),
        ("direction = written", "0", "false", "2", "0"), ("direction = hybrid", "0", "false", "2", "1"),
    ]  # fmt: skip


def test_a_place_s_own_setting_is_an_axis_with_the_rest_as_elsewhere() -> None:
    made = [timed(PLAIN, "g", 10), timed(f"{PLAIN} walk.loop1.np=fg", "g", 5)]
    assert facts(made).varied == [("walk.loop1.np", ["", "fg"])]


def test_every_picture_says_what_it_shows() -> None:
    pictures = Page(page(tuned(KNOWN))).all("svg")
    assert [a for a in pictures if not a.get("aria-label") and a.get("aria-hidden") != "true"] == []


def test_failures_alike_stand_together_wrong_answers_first_with_their_reproducer() -> None:
    late = [Trial(plan(grain=g), "road", Status.TIME_OUT, why="no answer after 9 s") for g in ("512", "32768")]
    wrong = Trial(HYBRID, "social", Status.WRONG, why="node 3: 4, not 5")
    found = failures(facts([*late, wrong], reproducers={(HYBRID, "social"): "mistakes/1"}))
    assert [(f.status, f.why, f.shown_by, f.trials, f.plans) for f in found] == [
        ("wrong", "node 3: 4, not 5", "mistakes/1", 1, (("direction=hybrid", "social"),)),
        ("time-out", "no answer after 9 s", "", 2, (("grain=512", "road"), ("grain=32768", "road"))),
    ]


def test_a_wrong_answer_is_called_the_compiler_s_mistake() -> None:
    text = Page(page(tuned([*KNOWN, Trial(PLAIN, "g", Status.WRONG, why="no")]))).text
    assert "1 trial of 11 did not end well." in text
    assert "A wrong answer is a mistake of the compiler: please report it with its reproducer." in text


def test_without_failures_the_page_says_so() -> None:
    assert "Nothing: 10 trials, each with the right answer." in Page(page(tuned(KNOWN))).text


def test_code_side_by_side_marks_what_differs_in_a_line() -> None:
    left = "a;\n" * 9 + "int way = written;\n" + "z;\n" * 2
    blocks = report_code.beside(left, left.replace("written", "hybrid"))
    assert [(b.folded, len(b.lines)) for b in blocks] == [(True, 6), (False, 6)]
    changed = [line for b in blocks for line in b.lines if line.changed]
    assert [re.findall(r"<mark>(.*?)</mark>", str(side)) for line in changed for side in (line.left, line.right)] == [
        ["written"], ["hybrid"]]  # fmt: skip


def test_a_line_on_one_side_alone_has_nothing_on_the_other() -> None:
    lines = [line for b in report_code.beside("a\nb", "a\nnew\nb") for line in b.lines]
    assert [(line.left_number, line.right_number, line.changed) for line in lines] == [
        ("1", "1", False), ("", "2", True), ("2", "3", False)]  # fmt: skip


def test_code_is_text_whatever_stands_in_it() -> None:
    line = report_code.beside('x<y> = "&";', 'x<z> = "&";')[0].lines[0]
    assert re.sub(r"</?(span|mark)[^>]*>", "", str(line.left)) in ("x&lt;y&gt; = &#34;&amp;&#34;;",
                                                                  "x&lt;y&gt; = &quot;&amp;&quot;;")  # fmt: skip


def test_code_is_coloured_where_pygments_is_there() -> None:
    pytest.importorskip("pygments")
    assert '<span class="ck">return</span>' in str(report_code.beside("return 1;", "return 2;")[0].lines[0].left)


def test_code_is_plain_where_pygments_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygments.lexers", None)
    assert str(report_code.beside("return 1;", "return 1;")[0].lines[0].left) == "return 1;"


def test_the_page_shows_the_code_of_plain_and_best() -> None:
    text = Page(page(tuned(KNOWN, compiled=compiled))).text
    assert "The plain plan’s code on the left, the best plan’s on the right: 1 line differs." in text
    assert "intway='written';2intway='hybrid';" in text.replace(" ", "")


def test_plans_of_the_same_code_are_said_to_be() -> None:
    text = Page(page(tuned([t for t in KNOWN if t.plan in (PLAIN, SERIAL)], compiled=compiled))).text
    assert "The plain and the best plan have the same code" in text


def test_a_plan_that_no_longer_compiles_leaves_the_rest_of_the_page() -> None:
    assert "The program could not be compiled again to show it." in Page(page(tuned(KNOWN))).text


def test_places_with_the_same_reason_stand_together() -> None:
    found = said(["a.loop1: giant=off: no edges", "b.loop1: giant=off: no edges", "c.loop1: grain=512"])
    assert [(s.words, s.reason, s.places) for s in found] == [
        ("giant=off", "no edges", ("a.loop1", "b.loop1")), ("grain=512", "", ("c.loop1",))]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.0123, "12.3 µs"), (0.5, "0.500 ms"), (12.34, "12.3 ms"), (999.6, "1,000 ms"), (65432.0, "65.4 s"),
     (float("inf"), "–")],
)  # fmt: skip
def test_times_have_three_digits_and_a_unit(value: float, words: str) -> None:
    assert report_draw.ms(value) == words


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0.5, 3, [0.5, 1, 2, 3]), (1, 1000, [1, 10, 100, 1000]), (0.95, 1.12, [0.95, 1.0, 1.05, 1.1]), (90, 97, None)],
)
def test_ticks_are_round_and_inside(low: float, high: float, ticks: list[float] | None) -> None:
    found = report_draw.Log(low, high).ticks(5)
    assert found == pytest.approx(ticks) if ticks is not None else 2 <= len(found) <= 5
    assert all(low <= t * 1.0001 and t <= high * 1.0002 for t in found)


def test_labels_stand_apart_in_their_order() -> None:
    assert report_draw.spread([10.0, 12.0, 11.0, 90.0], 10, 0, 100) == [10.0, 30.0, 20.0, 90.0]


def test_labels_stay_inside() -> None:
    assert report_draw.spread([98.0, 99.0], 10, 0, 100) == [90.0, 100.0]


# Figures of the search and final ones

FIVE, SIX = plan(grain="512"), plan(grain="32768")


def noisy() -> Facts:
    """A search that saw 1.78 times for the plan that is 1.44 times as fast, and a lucky 2.62 for another."""
    plain = (100.0,) * 5
    seen = (("tpe", FIVE, 178.0), ("tpe", SIX, 262.0), ("final", FIVE, 144.0), ("final", SIX, 101.0))
    found = [Trial(text, "road", Status.OK, (10000 / gain,) * 5, plain, by=by) for by, text, gain in seen]
    found.append(Trial(DEFAULT, "road", Status.OK, (90.0,) * 5, plain, by="final, default"))
    return Facts(replace(tuned(tuple(found)), won={"road": FIVE}))


def test_the_headline_and_the_speedups_are_final() -> None:
    text = Page(page(noisy().tuned)).text
    assert "1.44× as fast as the plain plan" in text
    assert "These figures, and those of the next section, are final" in text
    rows = per_graph(noisy().final)
    assert rows is not None
    assert [r.numbers[0] for r in rows.rows] == ["1.44×"]


def test_all_other_figures_are_those_of_the_search() -> None:
    searched = noisy().searched
    assert searched.ms(SIX, "road") == pytest.approx(100 / 2.62)
    assert searched.ms(FIVE, "road") == pytest.approx(100 / 1.78)
    rows = report_heat.plans_by_graphs(searched).rows
    assert Page(page(noisy().tuned)).text.count("Figures of the search") == 2
    assert {r.note for r in rows} >= {"chosen", "fastest in the search"}


def test_best_is_best_by_the_figure_that_is_shown() -> None:
    for facts in (noisy().searched, noisy().final):
        best = [p for p in facts.plans if report_heat.note(facts, p).startswith("best")]
        assert all(facts.lag(p) == 1.0 for p in best)
    assert report_heat.note(noisy().final, FIVE) == "best"


def test_a_search_without_final_figures_has_one_kind() -> None:
    facts = Facts(tuned(trials(30, GRAPHS)))
    assert facts.final is facts
    assert "Figures of the search" not in Page(page(facts.tuned)).text
