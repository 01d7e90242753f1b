"""The exit codes and files of an output validator."""

from __future__ import annotations

import pytest
from grading_examples import BEST

from grader.judgement import Judgement
from grader.records import Feedback
from grader.report.grading.kattis import Validation, validation
from grader.verdicts import Verdict


def judgement(verdict: Verdict) -> Judgement:
    return Judgement(verdict, "the \x1b[31mreason", comparison="win in 9 not 7", best=(BEST,))


@pytest.mark.parametrize("verdict", Verdict)
@pytest.mark.parametrize("scoring", [False, True])
def test_exit_codes(verdict: Verdict, scoring: bool) -> None:
    share = {Verdict.EXACT: 1.0, Verdict.EQUAL: 1.0, Verdict.SLOWER: 0.5}.get(verdict, 0.0)
    found = validation(judgement(verdict), share, scoring)
    right = share > 0 if scoring else verdict.accepted
    if verdict is Verdict.JUDGE_ERROR:
        assert found.exit_code not in (0, 42, 43)
    else:
        assert found.exit_code == (42 if right else 43)
    assert found.score_multiplier == (f"{share:g}\n" if scoring and right else "")


def test_the_team_learns_less_than_the_judge() -> None:
    found = validation(judgement(Verdict.WORSE), 0.0)
    assert found.teammessage == "worse: the \\x1b[31mreason\n"
    assert BEST in found.judgemessage
    assert (
        validation(judgement(Verdict.WORSE), 0, feedback=Feedback.VERDICT).teammessage == "worse\n"
    )


def test_the_files_of_a_validation() -> None:
    assert Validation(42, "for judges\n", "for teams\n", "0.5\n").files() == {
        "judgemessage.txt": "for judges\n",
        "teammessage.txt": "for teams\n",
        "score_multiplier.txt": "0.5\n",
    }


def test_a_problem_without_scores_gets_no_multiplier() -> None:
    files = Validation(43, "for judges\n", "for teams\n").files()
    assert sorted(files) == ["judgemessage.txt", "teammessage.txt"]
