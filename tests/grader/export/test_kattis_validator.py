"""The exit codes and files of an output validator."""

from __future__ import annotations

from pathlib import Path

import pytest
from grading_examples import BEST

from grader.export.kattis import Validation, validation, write
from grader.judgement import Judgement
from grader.records import Feedback
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


def test_files_are_written_whole_and_links_are_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "feedback"
    folder.mkdir()
    precious = tmp_path / "precious.txt"
    precious.write_text("keep me")
    (folder / "teammessage.txt").symlink_to(precious)
    write(Validation(42, "for judges\n", "for teams\n", "0.5\n"), folder)
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "judgemessage.txt": "for judges\n",
        "teammessage.txt": "for teams\n",
        "score_multiplier.txt": "0.5\n",
    }
    assert precious.read_text() == "keep me"


def test_a_problem_without_scores_gets_no_multiplier(tmp_path: Path) -> None:
    write(Validation(43, "for judges\n", "for teams\n"), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "judgemessage.txt",
        "teammessage.txt",
    ]


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "judgemessage.txt").mkdir()
    with pytest.raises(OSError, match="directory"):
        write(Validation(42, "for judges\n", "for teams\n"), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["judgemessage.txt"]
