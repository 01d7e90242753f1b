"""`grader compare`: measuring variants on puzzles and on endings of which everything is known."""

from __future__ import annotations

import csv
import shutil
from itertools import pairwise
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from support.grader_command import ROOT, grader
from support.judging import find_truth
from support.minimax import Minimax
from support.positions import board

from grader.grading.records import Verdict
from grader.lab.compare import (
    MINIMAX,
    TABLES,
    climb,
    compare,
    ending_problem,
    is_kept,
    measure,
    random_endings,
    rungs,
    sample_evenly,
)
from grader.lab.compare_results import Curve, Measurement, Problem, summarise
from grader.lab.variants import Player, Variant, variant_named
from grader.puzzles.evidence import tables_of, truth_of
from grader.puzzles.find import find_cases
from grader.puzzles.truth import JudgedMove, Truth, parse_value
from solver.games import game_named
from solver.search.alphabeta import Search
from solver.search.heuristic import NOTHING
from solver.search.limits import Limits
from solver.search.result import SearchResult
from solver.search.score import is_decisive
from solver.search.techniques import Techniques

SHOT = "checkers/shot-in-nine"
RACE = "twoflags/race-lone-pawns"
SAMPLE = (SHOT, "checkers/trap-do-not-crown-yet", "checkers/draw-one-of-eight", RACE)
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
    return grader("compare", *words, cwd=folder)


@pytest.mark.parametrize(
    "words",
    [
        ["default", "default"],
        pytest.param(["--ladder", "--sample", "2"], marks=pytest.mark.slow),
    ],
)
def test_results_are_the_same_for_any_number_of_processes(tmp_path: Path, words: list[str]) -> None:
    words += ["--depth", "2", "-o", "all.csv"]
    found = []
    for jobs in "1", "2":
        assert run_compare(tmp_path, *words, "-j", jobs).returncode == 0
        with open(tmp_path / "all.csv", newline="") as file:
            found.append([{**row, "cpu_s": ""} for row in csv.DictReader(file)])
    rows = found[0]
    assert rows == found[1]
    assert not any(cell.startswith(("+", "=")) for row in rows for cell in row.values())
    parts = [row["part"] for row in rows]
    counts = {part: parts.count(part) for part in parts}
    if "--ladder" in words:
        assert counts == {"rung": 10}
        return
    first, second, *_ = rows
    assert [each["variant"] for each in (first, second)] == ["default", "default#2"]
    assert second["visited"] == first["visited"]
    assert [second[f"nodes_{name}"] for name in ("value", "low", "high")] == ["1.0"] * 3
    assert counts == {"variant": 2, "depth": 4, "answer": 2 * len(SAMPLE)}
    assert {row["agreed"] for row in rows if row["part"] == "answer"} == {"True"}


def test_a_sample_is_evenly_spread() -> None:
    assert sample_evenly(PROBLEMS, 2) == [PROBLEMS[0], PROBLEMS[2]]
    assert sample_evenly(PROBLEMS, 9) == PROBLEMS


def test_tables_do_not_answer_for_a_heuristic(tmp_path: Path) -> None:
    """Unless that is asked for, or nothing but techniques differs."""
    for words, expected in (
        (["material", "centre"], False),
        (["material", "centre", "--tables"], True),
        (["centre", "centre+without=pvs"], True),
        (["centre", "--truth", "1"], False),
    ):
        done = run_compare(tmp_path, *words, "--depth", "1", "-j", "1")
        assert ("without endgame tables" not in done.stdout) == expected, words


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
    finished: list[SearchResult] = []
    limits = Limits(variant.depth, variant.nodes)
    result = Search(evaluate, variant.techniques, exact).run(position, limits, finished.append)
    assert found.curve == tuple((each.depth, each.counters.visited) for each in finished)
    assert (found.visited, found.depth) == (result.counters.visited, result.depth)
    assert found.move == rules.move_name(position, result.best, True)
    assert (found.settled is not None) == result.is_fact
    assert found.cpu_s > 0


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
    assert (wrong.value, wrong.settled) == ("+5 at depth 1", None)


def test_what_keeps_the_truth() -> None:
    for value, given, kept in (
        *(("win in 5", "win in 5", True), ("win in 5", "win in 9", True)),
        *(("win in 5", "win in at most 9", True), ("win in at most 5", "win in 9", True)),
        *(("win in 5", "draw", False), ("win in 5", "loss in 4", False)),
        ("win in 5", "+40 at depth 8", False),
        *(("draw", "draw", True), ("draw", "loss in 4", False)),
        ("draw", "-3 at depth 8", False),
        *(("loss in 8", "loss in 4", False), ("+3 at depth 8", "loss in 4", False)),
    ):
        best, move = (JudgedMove(words, "", parse_value(words)) for words in (value, given))
        truth = Truth(
            game="checkers", mover="red", value=best.value, best=(best.name,), moves=(best, move)
        )
        assert is_kept(move, truth) is kept


def case(name: str, value: str = "draw") -> Problem:
    truth = Truth(game="checkers", mover="red", value=parse_value(value), best=("11-15",))
    return Problem(name, "checkers", "", truth)


def measurement(
    variant: str,
    name: str,
    move: str = "11-15",
    verdict: Verdict = Verdict.EXACT,
    *,
    kept: bool = True,
    settled: int | None = None,
    curve: Curve = ((1, 10), (2, 100)),
) -> Measurement:
    depth, visited = curve[-1]
    return Measurement(
        *(variant, name, move, "", "+1 at depth 2", settled, depth, verdict, "draw"),
        *(kept, visited, curve, 0.5),
    )


def test_boards_on_which_all_agree_are_set_aside() -> None:
    """Half as many nodes and twice as many cancel, whatever the sums are."""
    one = [
        measurement("one", "same", settled=1),
        measurement("one", "other move", "12-16", Verdict.WORSE, kept=False),
        measurement("one", "other kind", settled=0),
        measurement("one", "lost"),
    ]
    two = [
        measurement("two", "same", settled=1, curve=((1, 20), (2, 200))),
        measurement("two", "other move", curve=((1, 5), (2, 50))),
        measurement("two", "other kind", curve=((1, 20), (2, 200))),
        measurement("two", "lost", "12-16", Verdict.EQUAL, kept=False, curve=((1, 5), (2, 50))),
    ]
    cases = [case("same"), case("other move"), case("other kind"), case("lost", "loss in 4")]
    found = summarise(cases, list(zip(one, two, strict=True)))
    assert (found.agreed, found.settled) == (("same",), ("same",))
    first, second = found.summaries
    assert [(each.best.kept, each.best.of) for each in (first, second)] == [(2, 3), (3, 3)]
    assert [(each.kept.kept, each.kept.of) for each in (first, second)] == [(1, 2), (2, 2)]
    assert (first.visited, first.cpu_s, first.curve) == (400, 2.0, ((1, 40), (2, 400)))
    assert (first.more_best, first.more_kept, first.nodes) == (None, None, None)
    assert second.more_best is not None
    assert second.more_best.value == pytest.approx(100 / 3)
    assert second.nodes is not None
    assert second.nodes.value == pytest.approx(1.0)
    assert second.nodes.low < 1 < second.nodes.high
    assert summarise(cases, [(each,) for each in one]).agreed == ()


def test_nodes_by_depth_end_where_a_search_was_cut_off() -> None:
    """One that is settled needs no more nodes."""
    early = measurement("a", "early", settled=1, curve=((1, 7),))
    far = measurement("a", "far", curve=((1, 10), (2, 100), (3, 1000)))
    near = measurement("a", "near", curve=((1, 1), (2, 2)))
    cases = [case("early"), case("far"), case("near")]
    (found,) = summarise(cases, [(early,), (far,), (near,)]).summaries
    assert found.curve == ((1, 18), (2, 109))
    (found,) = summarise(cases[:2], [(early,), (far,)]).summaries
    assert found.curve == ((1, 17), (2, 107), (3, 1007))


def test_endings_are_the_same_for_the_same_seed_and_have_something_to_lose() -> None:
    variants = [variant_named("material")]
    first, about = random_endings(7, ENDINGS, variants)
    assert random_endings(7, 3, variants)[0] == first[:3] != random_endings(8, 3, variants)[0]
    assert {each.game for each in first} == {"checkers"}
    assert len({each.text for each in first}) == ENDINGS
    assert about.startswith("random endings of 4 pieces")
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


def test_endings_of_a_game_without_tables_are_proven_by_search() -> None:
    endings, _ = random_endings(1, 2, [variant_named("race")])
    for each in endings:
        assert each.game == "twoflags"
        assert all(move.value.certain for move in each.truth.moves)
        assert len({move.value.result for move in each.truth.moves}) > 1


def test_where_all_moves_are_equal_nothing_can_be_lost() -> None:
    assert ending_problem("a", "checkers", board(CHOICE))
    assert not ending_problem("a", "checkers", board("B:WK14:BK18"))  # taking it wins
    assert not ending_problem("a", "checkers", board("B:WK14,K18:BK1"))  # it loses anyway


def test_a_search_keeps_what_it_can_see() -> None:
    """By hand: one ply deep without tables, material sees no difference and takes the first move;
    two plies deep it sees that the man would be taken."""
    losing = "........\n........\n........\n....b...\n........\n..r.....\n........\n........"
    here = ending_problem("choice", "checkers", board(losing))
    assert here is not None
    variants = [variant_named(f"material+without=tables,captures+depth={at}") for at in (1, 2)]
    found = compare([here], variants)
    assert [each.kept for each in found.measurements] == [False, True]
    assert [each.kept.kept for each in found.summaries] == [0, 1]
    assert found.measurements[0].worth == "loss in 2"


def test_rungs_go_from_nothing_to_the_usual_search_by_one_technique_at_a_time() -> None:
    found = rungs(Variant("default"), 4)
    assert [rung.name for rung in found] == RUNGS
    assert found[-1].techniques == Techniques()
    nothing = dict(found[0].techniques.values)
    assert nothing.pop("captures") is True
    assert nothing.pop("terminal") == "distance"
    assert set(nothing.values()) == {False, "none"}
    for last, here in pairwise(found):
        before, after = last.techniques.values, here.techniques.values
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
