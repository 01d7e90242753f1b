"""`grader compare`: measuring variants on puzzles and on endings of which everything is known."""

from __future__ import annotations

import csv
import json
import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from support.grader_command import ROOT, grader
from support.judging import find_truth
from support.minimax import Minimax
from support.positions import board

from grader.lab.compare import (
    MINIMAX,
    TABLES,
    Problem,
    climb,
    compare,
    ending_problem,
    has_something_to_lose,
    is_kept,
    measure,
    measure_truth,
    plies_lost,
    random_endings,
    rungs,
    scan_values,
)
from grader.lab.compare_results import CaseFacts, Measurement, summarise
from grader.lab.variants import Player, Variant, variant_named
from grader.puzzles.evidence import tables_of, truth_of
from grader.puzzles.find import find_cases
from grader.puzzles.truth import JudgedMove, Truth, parse_value
from solver.games import game_named
from solver.search.alphabeta import Search
from solver.search.heuristic import NOTHING
from solver.search.limits import Limits
from solver.search.result import branching_factor
from solver.search.score import is_decisive
from solver.search.techniques import Techniques

SHOT = "checkers/shot-in-nine"
RACE = "twoflags/race-lone-pawns"
SAMPLE = (SHOT, "checkers/trap-do-not-crown-yet", "checkers/draw-one-of-eight", RACE)
TIMES = ("cpu_s", "seconds", "time", "warnings")
ENDINGS = 15
# The man on c3 is taken on b4, and safe on d4.
CHOICE = "........\n........\n........\nb.......\n........\n..r.....\n........\n........\n"
SAFE = "........\n........\n........\nb.......\n...r....\n........\n........\n........\n"


def problem(name: str) -> Problem:
    ((case,), _) = find_cases(ROOT / "inputs", name=name)
    return Problem(case.name, case.game, case.text, truth_of(case))


PROBLEMS = [problem(name) for name in SAMPLE]
RUNGS = [
    *(MINIMAX, "+ alpha-beta", "+ ordering", "+ cache", "+ deepening", "+ pvs"),
    *("+ aspiration", "+ mate-distance", "+ etc", TABLES),
]


def run_compare(folder: Path, *words: str) -> CompletedProcess[str]:
    """The command on a part of the collection."""
    for name in SAMPLE:
        for path in (f"inputs/{name}.txt", f"expected/{name}.txt", f"expected/{name}.json"):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, folder / path)
    return grader("compare", *words, *([] if "-j" in words else ["-j", "1"]), cwd=folder)


def untimed(value: Any) -> Any:
    """A JSON value without what differs from run to run."""
    if isinstance(value, dict):
        return {name: untimed(each) for name, each in value.items() if name not in TIMES}
    return [untimed(each) for each in value] if isinstance(value, list) else value


def test_results_are_the_same_for_any_number_of_processes(tmp_path: Path) -> None:
    words = ["default", "centre-report", "--cases", "--scan", "depth", "1", "2", "--truth", "4"]
    words += ["--ladder", "--depth", "2", "--sample", "2"]
    words += ["-o", "json:all.json", "-o", "csv:all.csv"]
    found = []
    for jobs in "1", "2":
        assert run_compare(tmp_path, *words, "-j", jobs).returncode == 0
        found.append(json.loads((tmp_path / "all.json").read_text()))
    assert untimed(found[0]) == untimed(found[1])
    assert found[0]["schema"] == 1
    assert [each["name"] for each in found[0]["variants"]] == ["default", "centre-report"]
    assert [each["at"] for each in found[0]["scan"]["steps"]] == [1, 2, 1, 2]
    assert len(found[0]["truth"]["cases"]) == 4
    assert len(found[0]["ladder"]["rungs"]) == 10
    assert found[0]["ladder"]["cases"] == [SAMPLE[2], SAMPLE[1]]  # evenly spread
    assert all(each["cpu_s"] for each in found[0]["comparison"]["measurements"])
    with open(tmp_path / "all.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    parts = [row["part"] for row in rows]
    expected = {"case": 4, "scan depth": 4, "ending": 8, "truth": 4, "rung": 10}
    assert {part: parts.count(part) for part in parts} == expected
    assert not any(cell.startswith(("+", "=")) for row in rows for cell in row.values())


def test_the_same_variant_twice_has_two_names_and_one_answer(tmp_path: Path) -> None:
    done = run_compare(
        tmp_path, "default", "default", "--depth", "3", "--repeat", "2", "-o", "json"
    )
    first, second = json.loads(done.stdout)["comparison"]["summaries"]
    assert (first["variant"], second["variant"]) == ("default", "default#2")
    assert second["nodes"] == {"ratio": 1.0, "low": 1.0, "high": 1.0}
    assert second["visited"] == first["visited"]
    assert second["time"]["low"] <= second["time"]["ratio"] <= second["time"]["high"]


@pytest.mark.parametrize("name", [SHOT, RACE])
@pytest.mark.parametrize(
    "words", ["default+depth=4", "default+without=tables,cache,pvs+depth=3", "default+nodes=90"]
)
def test_counters_are_those_of_the_search(name: str, words: str) -> None:
    here = problem(name)
    variant = variant_named(words)
    (found,) = measure(here, [variant])
    rules, position = game_named(here.game), here.position()
    exact = rules.tables() if variant.techniques.has("tables") else NOTHING
    evaluate = rules.evaluator(rules.DEFAULT_HEURISTIC, position)
    limits = Limits(variant.depth, variant.nodes)
    result = Search(evaluate, variant.techniques, exact).run(position, limits)
    counters = result.counters
    assert (found.expanded, found.evaluated, found.visited, found.hits, found.known) == (
        *(counters.expanded, counters.evaluated, counters.visited, counters.hits, counters.known),
    )
    assert found.cutoffs == counters.alpha_cuts + counters.beta_cuts
    assert (found.score, found.depth) == (result.score, result.depth)
    assert found.move == rules.move_name(position, result.best, True)
    assert found.branching_factor == branching_factor(counters.visited, result.depth)


def test_rounds_repeat_the_same_search() -> None:
    variants = [variant_named(f"{name}+depth=3") for name in ("material", "centre")]
    once = measure(problem(SHOT), variants)
    thrice = measure(problem(SHOT), variants, repeat=3)
    assert [len(each.cpu_s) for each in thrice] == [3, 3]
    assert [replace(each, cpu_s=()) for each in thrice] == [
        replace(each, cpu_s=()) for each in once
    ]
    assert thrice[0].seconds == min(thrice[0].cpu_s) > 0


def test_an_answer_is_judged_by_the_truth(tmp_path: Path) -> None:
    def own(name: str, row: str) -> str:
        """A heuristic that prefers a board with this row."""
        path = tmp_path / name
        path.write_text(f"def evaluate(position):\n    return -5 * ({row!r} in str(position))\n")
        return f"{path}:evaluate+depth=1+without=tables,captures"

    truth = find_truth("checkers", CHOICE, SAFE)
    good, bad = own("good.py", "...r...."), own("bad.py", ".r......")
    here = Problem("choice", "checkers", CHOICE, truth)
    right, wrong = measure(here, [variant_named(good), variant_named(bad)])
    assert (right.move, right.verdict, right.kept) == (truth.best[0], "exact", True)
    assert (wrong.verdict, wrong.worth, wrong.kept) == ("worse", "loss in 2", False)
    assert (wrong.value, wrong.score) == ("+5 at depth 1", 5)


def test_what_keeps_the_truth() -> None:
    for value, given, kept, lost in (
        *(("win in 5", "win in 5", True, 0), ("win in 5", "win in 9", True, 4)),
        ("win in 5", "win in at most 9", True, None),
        ("win in at most 5", "win in 9", True, None),
        *(("win in 5", "draw", False, None), ("win in 5", "loss in 4", False, None)),
        ("win in 5", "+40 at depth 8", None, None),
        *(("draw", "draw", True, None), ("draw", "loss in 4", False, None)),
        ("draw", "-3 at depth 8", None, None),
        ("loss in 8", "loss in 4", None, None),
        ("+3 at depth 8", "loss in 4", None, None),
    ):
        best, move = (JudgedMove(words, "", parse_value(words)) for words in (value, given))
        truth = Truth("checkers", "", "red", best.value, "", (best.name,), (best, move), "")
        assert is_kept(move, truth) is kept
        assert not kept or plies_lost(move, truth) == lost


def test_deeper_steps_are_compared_with_those_before() -> None:
    """One case is decided at depth 3; after that it does not count for growth."""
    problems = [problem(SHOT), problem("checkers/win-by-taking-the-last-two")]
    variant = variant_named("default+without=tables")
    found = compare(problems, [variant], "depth", scan_values("depth", 1, 4))
    assert [step.at for step in found.summaries] == [1, 2, 3, 4]
    assert [step.reached for step in found.summaries] == [2, 2, 2, 1]
    one, two, three, _ = (step.visited for step in found.summaries)
    alone = compare(problems[:1], [variant], "depth", (3, 4))
    near, far = (summary.visited for summary in alone.summaries)
    growths = [None, two / one, three / two, far / near]
    assert [step.growth for step in found.summaries] == pytest.approx(growths)

    # A step of two plies has the growth of one.
    first, second = compare([problem(SHOT)], [variant_named("default")], "depth", (2, 4)).summaries
    assert second.growth is not None
    assert second.growth**2 == pytest.approx(second.visited / first.visited)


def test_a_scan_of_nodes_doubles_them_and_has_no_other_limit() -> None:
    assert scan_values("nodes", 100, 850) == [100, 200, 400, 800]
    assert scan_values("depth", 3, 3) == [3]
    found = compare([problem(SHOT)], [variant_named("default+depth=1")], "nodes", (50, 400))
    few, many = found.summaries
    assert 1 < few.depth < many.depth
    assert few.visited <= 50 < many.visited <= 400


CASES = [
    CaseFacts(name, "checkers", "", "red", value, "all", ("11-15",))
    for name, value in (("a", "win in 5"), ("b", "win in 9"), ("c", "draw"), ("d", "loss in 4"))
]


def measurement(
    variant: str,
    name: str,
    verdict: str = "exact",
    *,
    visited: int = 100,
    kept: bool | None = None,
    lost: int | None = None,
    cpu_s: tuple[float, ...] = (1.0,),
) -> Measurement:
    return Measurement(
        *(variant, name, "11-15", "", "+1 at depth 4", 1, 4, verdict, "draw", kept, lost),
        *(10, 20, visited, 3, 4, 5, 6, 0, 2.0, cpu_s),
    )


def test_measurements_are_added_up() -> None:
    """Half as many nodes and twice as many cancel, whatever the sums are."""
    one = [
        measurement("one", "a", kept=True, lost=0),
        measurement("one", "b", "slower", kept=True, lost=6),
        measurement("one", "c", "worse", kept=False),
        measurement("one", "d", "equal"),
    ]
    two = [
        measurement("two", "a", "worse", kept=False, visited=50),
        measurement("two", "b", "slower", visited=200),  # unknown whether it is kept
        measurement("two", "c", kept=True, visited=50),
        measurement("two", "d", visited=200),
    ]
    found = summarise(CASES, [list(zip(one, two, strict=True))])
    first, second = found.summaries
    assert (first.exact, first.equal, first.slower, first.worse, first.right) == (1, 1, 1, 1, 2)
    assert (first.kept.wins.kept, first.kept.wins.of, first.kept.plies_lost) == (2, 2, 6)
    assert (first.kept.draws.kept, first.kept.draws.of, first.kept.unknown) == (0, 1, 0)
    assert first.kept.mean_plies_lost == 3
    assert (second.kept.wins.kept, second.kept.wins.of, second.kept.unknown) == (0, 2, 1)
    assert (second.kept.draws.kept, second.kept.draws.of) == (1, 1)
    assert second.kept.mean_plies_lost is None
    assert (first.visited, first.cutoffs, first.hits, first.seconds) == (400, 28, 20, 4.0)
    assert first.nodes is None
    assert second.nodes is not None
    assert second.nodes.ratio == pytest.approx(1.0)
    assert second.nodes.low < 1 < second.nodes.high
    assert second.time is None  # measured once: noise is unknown


@pytest.mark.parametrize(
    ("first", "second", "ratio", "warning"),
    [
        ((2.0, 2.02, 2.01), (1.01, 1.0, 1.02), 0.5, ""),
        ((2.0, 3.0, 2.5), (1.9, 2.9, 2.6), 0.95, "b: the same search differs by 21% in time"),
    ],
)
def test_times_are_those_of_the_fastest_round_and_noise_is_reported(
    first: tuple[float, ...], second: tuple[float, ...], ratio: float, warning: str
) -> None:
    rows = [
        (measurement("a", case.name, cpu_s=first), measurement("b", case.name, cpu_s=second))
        for case in CASES
    ]
    found = summarise(CASES, [rows], repeat=3)
    assert found.summaries[1].time is not None
    assert found.summaries[1].time.ratio == pytest.approx(ratio)
    assert warning in "\n".join(found.warnings)
    assert bool(found.warnings) == bool(warning)


def test_endings_are_the_same_for_the_same_seed_and_have_something_to_lose() -> None:
    first, _ = random_endings(7, ENDINGS)
    assert random_endings(7, 3)[0] == first[:3] != random_endings(8, 3)[0]
    assert len({each.text for each in first}) == ENDINGS
    exact = tables_of("checkers")
    for each in first:
        results = {move.value.result for move in each.truth.moves}
        value, score = each.truth.value, exact.score(each.position())
        assert value is not None
        assert len(results) > 1
        assert value.result == max(results) == (score > 0 if is_decisive(score) else 0)
        assert value.score == score
        assert all(move.value.proven for move in each.truth.moves)
        assert sum(letter in "rRbB" for letter in each.text) == 4


def test_where_all_moves_are_equal_nothing_can_be_lost() -> None:
    exact = tables_of("checkers")
    assert has_something_to_lose(board(CHOICE), exact)
    assert not has_something_to_lose(board("B:WK14:BK18"), exact)  # taking it wins
    assert not has_something_to_lose(board("B:WK14,K18:BK1"), exact)  # it loses anyway


def test_a_search_keeps_what_it_can_see() -> None:
    """By hand: one ply deep without tables, material sees no difference and takes the first move;
    two plies deep it sees that the man would be taken."""
    losing = "........\n........\n........\n....b...\n........\n..r.....\n........\n........"
    here = ending_problem("choice", game_named("checkers"), board(losing))
    first, second = measure(
        here, [variant_named(f"material+without=tables,captures+depth={depth}") for depth in (1, 2)]
    )
    assert (first.kept, second.kept) == (False, True)
    assert first.worth == "loss in 2"


def test_truth_is_counted_without_tables_at_every_step() -> None:
    variants = [variant_named("material+depth=2"), variant_named("material+depth=2+without=tables")]
    found = measure_truth(5, ENDINGS, variants)
    with_tables, without = found.summaries
    assert (with_tables.kept, with_tables.visited) == (without.kept, without.visited)
    assert {each.known for each in found.measurements} == {0}
    wins = sum(parse_value(case.value).result > 0 for case in found.cases)
    assert (without.kept.wins.of, without.kept.draws.of) == (wins, ENDINGS - wins)
    both = [variant_named("centre"), variant_named("material")]
    steps = measure_truth(5, ENDINGS, both, "depth", (1, 2)).summaries
    assert [(each.variant, each.at) for each in steps] == [
        *(("centre", 1), ("centre", 2), ("material", 1), ("material", 2)),
    ]
    assert (steps[-1].kept, steps[-1].visited) == (without.kept, without.visited)


def test_rungs_go_from_nothing_to_the_usual_search_by_one_technique_at_a_time() -> None:
    found = rungs(Variant("default"), 4)
    assert [rung.name for rung in found] == RUNGS
    assert found[-1].techniques.as_dict() == Techniques().as_dict()
    nothing = found[0].techniques.as_dict()
    assert nothing.pop("extension") is True
    assert nothing.pop("terminal") == "distance"
    assert set(nothing.values()) == {False, "none"}
    for last, here in pairwise(found):
        before, after = last.techniques.as_dict(), here.techniques.as_dict()
        assert sum(after[name] != before[name] for name in after) == 1


def test_every_value_is_as_it_must_be() -> None:
    """And those of the first and the last rung are those of the textbook."""
    ladder = climb(PROBLEMS, variant_named("default"), (1, 3))
    assert ladder.faults == ()
    assert [rung.name for rung in ladder.rungs] == RUNGS * 2
    assert not any(rung.changed for rung in ladder.rungs)
    leaves = 0
    for here in PROBLEMS:
        rules, position = game_named(here.game), here.position()
        evaluate = rules.evaluator(rules.DEFAULT_HEURISTIC, position)
        plain = Minimax(evaluate, extend=True)
        knowing = Minimax(evaluate, extend=True, exact=rules.tables())
        first, *_, last = (
            Player(rung, rules).search(position).score
            for rung in rungs(variant_named("default"), 3)
        )
        assert first == plain.value(position, 3)
        assert last == knowing.value(position, 3)
        leaves += plain.leaves
    assert ladder.rungs[len(RUNGS)].evaluated == leaves


def test_nodes_are_added_up_and_compared() -> None:
    few = PROBLEMS[:2]
    alone = [climb([each], variant_named("default"), [4]) for each in few]
    ladder = climb(few, variant_named("default"), (4,))
    first = ladder.rungs[0].visited
    for at, rung in enumerate(ladder.rungs):
        assert rung.visited == sum(each.rungs[at].visited for each in alone)
        assert rung.to_minimax == rung.visited / first
        assert rung.to_last == (rung.visited / ladder.rungs[at - 1].visited if at else None)
    assert ladder.rungs[1].visited < first
