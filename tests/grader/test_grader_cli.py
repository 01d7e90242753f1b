"""The `grader` command, from outside."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from command import BLOCKED
from grader_command import (
    BY_HEART,
    OWN,
    PUZZLES,
    ROOT,
    grader,
    hand_in,
    lay_out_mine,
    records,
    started,
    wait_until_journal_says,
)

REPEATS_THE_INPUT = "#!/bin/sh\ncp $1 $2\n"


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return lay_out_mine(tmp_path)


def test_our_own_solver_is_the_default(folder: Path) -> None:
    result = grader("run", cwd=folder)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert " ".join(lines[0].split()) == "puzzle verdict marks move best CPU s MB nodes"
    assert [line.split()[1] for line in lines[2 : 2 + len(PUZZLES)]] == ["exact"] * len(PUZZLES)
    assert lines[-1].startswith("4 of 4 marks (100.0%): 4 exact")
    assert result.stderr == ""


def test_one_wrong_answer_is_exit_code_1_and_says_why(folder: Path) -> None:
    (folder / "submissions/me/solve.sh").write_text(REPEATS_THE_INPUT)
    result = grader(*OWN, "-q", "take-one", cwd=folder)
    assert result.returncode == 1
    assert "illegal" in result.stdout
    assert "nothing was moved" in result.stdout
    assert "given" in result.stdout  # the boards side by side


@pytest.mark.parametrize(
    ("option", "puzzles"),
    [
        (["-q", "take-two"], ["take-two"]),
        (["-k", "right"], ["take-right"]),
        (["-k", "take"], sorted(PUZZLES)),
    ],
)
def test_puzzles_are_chosen(folder: Path, option: list[str], puzzles: list[str]) -> None:
    result = grader(*OWN, *option, "-o", "jsonl", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert [each["puzzle"] for each in records(result.stdout)] == puzzles


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["rnu"], 2, "Did you mean 'run'?"),
        (["run", "--nonsense"], 2, "unrecognized arguments: --nonsense"),
        (["run", "-o", "jsno"], 2, "'jsno' is not one of"),
        (["run", "-o", "csv", "-o", "md"], 2, "two results cannot both go to standard output"),
        (["run", "-o", "csv:"], 2, "the name of the file is missing"),
        (["run", "-o", "csv:missing/marks.csv"], 3, "No such file or directory"),
        (["run", "-q", "take-on"], 2, "Did you mean 'take-one'?"),
        (["run", "-k", "nothing"], 2, "No puzzle has 'nothing' in its name"),
        (["run", "--inputs", "nowhere"], 3, "nowhere"),
        (["run", "--sandbox", "sometimes"], 2, "'sometimes' is not one of require, auto, off"),
        (["run", "--timeout", "0"], 2, "is not a number of seconds above 0"),
        (["run", "--line", "--play"], 2, "not allowed with"),
        (["run", "--solver", "python3 missing.py"], 2, "missing.py"),
        (["run", "--solver", "'"], 2, "no closing quotation"),
        (["run", "--solver", ""], 2, "empty"),
        (["run", "--settings", "missing.toml"], 3, "missing.toml"),
        (["run", "--journal", "missing/grades.db"], 3, "the journal cannot be used"),
        (["class", "nowhere"], 3, "nowhere"),
        (["resume"], 3, "there is no journal here"),
        (["diff"], 3, "there is no journal here"),
        (["export", "csv"], 3, "there is no journal here"),
        (["validator", "inputs/take-one.txt"], 2, "the following arguments are required"),
    ],
)
def test_mistakes_are_explained(folder: Path, words: list[str], code: int, message: str) -> None:
    result = grader(*words, cwd=folder)
    assert message in result.stderr
    assert result.returncode == code
    assert result.stderr.startswith("grader: ")
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert not (folder / "grades.db").exists(), "nothing was graded"


def test_results_go_to_files_and_the_table_to_the_screen(folder: Path) -> None:
    result = grader(*OWN, "-o", "csv:marks.csv", "-o", "html:report.html", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert "4 of 4 marks" in result.stdout
    assert (folder / "marks.csv").read_text().count("take-") == 4
    assert (folder / "report.html").read_text().startswith("<!doctype html>")


def test_a_grading_can_be_exported_later(folder: Path) -> None:
    direct = grader(*OWN, "-o", "jsonl", cwd=folder)
    later = grader("export", "jsonl", cwd=folder)
    assert later.returncode == 0, later.stderr
    assert later.stdout == direct.stdout


def test_less_feedback_is_less(folder: Path) -> None:
    (folder / "submissions/me/solve.sh").write_text(REPEATS_THE_INPUT)
    full, own, verdict = (
        grader(*OWN, "-q", "take-one", "--feedback", level, cwd=folder).stdout
        for level in ("full", "own", "verdict")
    )
    assert "b4xd6" in full
    assert "nothing was moved" in full
    assert "b4xd6" not in own
    assert "nothing was moved" in own
    assert "nothing was moved" not in verdict
    assert "illegal" in verdict


def test_a_class_is_ranked_and_nobody_disturbs_anybody(folder: Path) -> None:
    hand_in(folder, "careless", REPEATS_THE_INPUT)
    hand_in(folder, "crashing", "#!/bin/sh\nkill -SEGV $$\n")
    (folder / "submissions/empty").mkdir()
    result = grader("class", "submissions", cwd=folder)
    assert result.returncode == 0, result.stderr
    ranked = [line.split()[:3] for line in result.stdout.splitlines()[2:6]]
    assert ranked[0] == ["1", "me", "4/4"]
    assert sorted(ranked[1:]) == [["2", name, "0/4"] for name in ("careless", "crashing", "empty")]


def test_a_class_may_have_to_reach_something(folder: Path) -> None:
    hand_in(folder, "careless", REPEATS_THE_INPUT)
    assert grader("class", "submissions", "--fail-under", "50", cwd=folder).returncode == 0
    result = grader("class", "submissions", "--fail-under", "50.1", cwd=folder)
    assert result.returncode == 1
    assert "50.0 % of the marks, less than 50.1 %" in result.stderr


def test_a_second_grading_is_compared_with_the_first(folder: Path) -> None:
    hand_in(folder, "other", BY_HEART)
    assert grader("class", "submissions", cwd=folder).returncode == 0
    (folder / "submissions/me/solve.sh").write_text(REPEATS_THE_INPUT)
    assert grader("class", "submissions", "--reuse", cwd=folder).returncode == 0
    result = grader("diff", cwd=folder)
    assert result.returncode == 1
    assert result.stdout.count("submission changed") == 4
    assert result.stdout.splitlines()[-1] == "4 marks changed, 4 as before; -4 in all"
    assert grader("diff", "1", "1", cwd=folder).returncode == 0
    listed = grader("journal", cwd=folder).stdout
    assert listed.count("8 of 8") == 2


def test_reuse_takes_over_what_has_not_changed(folder: Path) -> None:
    first = grader("class", "submissions", "-o", "jsonl", cwd=folder)
    again = grader("class", "submissions", "-o", "jsonl", "--reuse", cwd=folder)
    anew = grader("class", "submissions", "-o", "jsonl", cwd=folder)
    times = [[each["started_at"] for each in records(run.stdout)] for run in (first, again, anew)]
    assert times[0] == times[1] != times[2]


def test_resume_grades_what_was_handed_in_when_it_began(folder: Path) -> None:
    """Interrupted by the keyboard, with the program changed before it goes on."""
    (folder / "submissions/me/solve.sh").write_text(f"{BY_HEART}sleep 0.5\n")
    process = started(*OWN, "-j", "1", "-o", "jsonl:first.jsonl", cwd=folder)
    wait_until_journal_says("1 of 4", folder)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "of 4 gradings are in grades.db. Go on with: " in told
    assert "Traceback" not in told
    (folder / "submissions/me/solve.sh").write_text(REPEATS_THE_INPUT)
    result = grader("resume", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert "4 of 4 marks" in result.stdout
    assert len(records((folder / "first.jsonl").read_text())) == 4
    again = grader("resume", cwd=folder)
    assert again.stdout == result.stdout


def test_a_judge_error_is_exit_code_3_and_nobodys_marks(folder: Path) -> None:
    (folder / "expected/take-one.txt").write_text(PUZZLES["take-two"][1])
    result = grader(*OWN, "-o", "jsonl", cwd=folder)
    assert result.returncode == 3
    (wrong,) = [each for each in records(result.stdout) if each["verdict"] != "exact"]
    assert (wrong["puzzle"], wrong["verdict"], wrong["score"]) == ("take-one", "judge-error", 0.0)
    assert "judge error: solve on take-one" in result.stderr


def test_settings_are_found_and_the_command_line_comes_first(folder: Path) -> None:
    (folder / "grader.toml").write_text('points = 3\nfeedback = "own"\n[limits]\ncpu = 7\n')
    (each, *_) = records(grader(*OWN, "-o", "jsonl", "--timeout", "4", cwd=folder).stdout)
    assert each["max_score"] == 3.0
    assert each["best"] == []
    assert each["limits"]["cpu_s"] == 4.0


VALIDATIONS = {
    "right": (PUZZLES["take-one"][1], 42),
    "wrong": (PUZZLES["take-one"][0], 43),
    "empty": ("", 43),
}


@pytest.mark.parametrize("answer", VALIDATIONS)
def test_the_validator_speaks_kattis(folder: Path, answer: str) -> None:
    text, code = VALIDATIONS[answer]
    (folder / "feedback").mkdir()
    files = ["inputs/take-one.txt", "expected/take-one.txt", "feedback/"]
    result = grader("validator", *files, cwd=folder, text=text)
    assert result.returncode == code, result.stderr
    assert (folder / "feedback/judgemessage.txt").read_text()
    assert "b4xd6" not in (folder / "feedback/teammessage.txt").read_text()


def test_a_validator_that_cannot_judge_neither_accepts_nor_rejects(folder: Path) -> None:
    (folder / "feedback").mkdir()
    files = ["inputs/missing.txt", "expected/take-one.txt", "feedback/"]
    assert grader("validator", *files, cwd=folder).returncode not in (0, 42, 43)


# Neither text speaks of options, so that the style of the call must be found out by trying.
HIDES_ITS_STYLE = """
import argparse, shutil
parser = argparse.ArgumentParser()
for side in ("input", "output"):
    parser.add_argument(f"--{side}" + "file", required=True)
arguments = vars(parser.parse_args())
shutil.copy(*arguments.values())
"""


def test_the_calling_style_is_found_out_by_trying(folder: Path) -> None:
    (folder / "me.py").write_text(HIDES_ITS_STYLE)
    result = grader("run", "--solver", "python3 me.py", "-q", "take-one", cwd=folder)
    assert "nothing was moved" in result.stdout


def test_modules_of_the_current_folder_are_never_imported(folder: Path) -> None:
    for name in ("copy", "json", "tabulate", "sqlite3", "solver"):
        (folder / f"{name}.py").write_text("raise SystemExit('imported')\n")
    result = grader("run", "--solver", "sh submissions/me/solve.sh {input} {output}", cwd=folder)
    assert result.returncode == 0, result.stderr


def test_our_own_solver_writes_lines_and_plays(folder: Path) -> None:
    for mode in ("--line", "--play"):
        result = grader("run", mode, "-q", "take-two", cwd=folder)
        assert result.returncode == 0, result.stderr + result.stdout
        assert "1 of 1 marks (100.0%): 1 exact" in result.stdout


def test_nobody_is_given_marks_for_a_game_that_is_over_and_cannot_be_played(folder: Path) -> None:
    for kind in ("inputs", "expected"):
        (folder / kind / "over.txt").write_text(BLOCKED)
    result = grader("run", "--play", "--solver", "false", "-q", "over", cwd=folder)
    assert (result.returncode, "0 of 1 marks (0.0%): 1 crash" in result.stdout) == (1, True)
    result = grader("run", "--play", "-q", "over", cwd=folder)
    assert (result.returncode, "1 of 1 marks (100.0%): 1 exact" in result.stdout) == (0, True)


def test_the_progress_bar_is_for_terminals_only(folder: Path) -> None:
    command = [sys.executable, "-m", "grader", *OWN]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    with open(ours, "rb", buffering=0) as screen:
        process = subprocess.run(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=theirs, check=True
        )
        os.close(theirs)
        assert b"4/4" in screen.read(100_000)
    assert b"4 of 4 marks" in process.stdout
    assert grader(*OWN, cwd=folder).stderr == ""
