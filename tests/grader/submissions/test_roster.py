"""A class's submissions: each understood, or kept with the reason why not.  More of the reasons
are in the transcript of submissions."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from grader.submissions.find import Submission, find_submissions
from solver.errors import FileError, UserError

ARGV = "import sys\nprint(sys.argv)\n"
BY_PLACE = ("{input}", "{output}")


def hand_in(folder: Path, *names: str, text: str = ARGV) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def only(folder: Path, call: str | None = None) -> Submission:
    found = find_submissions(folder, call)
    assert found.warnings == ()
    (submission,) = found.submissions
    return submission


def paths(submission: Submission) -> list[str]:
    return [file.path for file in submission.files]


def archive(path: Path, *entries: tuple[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as zipped:
        for name, text in entries:
            zipped.writestr(name, text)
    return path


def test_folders_files_and_archives_in_the_order_of_their_names(tmp_path: Path) -> None:
    """Names that clash are told apart, and other files are left out with a warning."""
    hand_in(tmp_path, "s10/checkers.py", "s2/checkers.py", "s2.py", "s3.py", ".hidden/checkers.py")
    hand_in(tmp_path, "marks.csv")
    for name in ("s1.zip", "s2.zip"):
        archive(tmp_path / name, ("checkers.py", ARGV))
    found = find_submissions(tmp_path)
    (warning,) = found.warnings
    assert warning == f"{tmp_path / 'marks.csv'}: left out, not a program, an archive or a folder"
    submissions = found.submissions
    names = [submission.name for submission in submissions]
    assert names == ["s1", "s2", "s2.py", "s2.zip", "s3", "s10"]
    assert not any(submission.fault for submission in submissions)
    assert submissions[4].command == ("python3", "{submission}/s3.py", *BY_PLACE)


@pytest.mark.parametrize(
    ("names", "program"),
    [
        (["checkers.py", "main.py", "other.py"], "checkers.py"),
        (["Checkers.py", "other.py"], "Checkers.py"),
        (["twoflags.py", "a.py"], "twoflags.py"),
        (["main.py", "a.py"], "main.py"),
        (["__main__.py", "a.py"], "__main__.py"),
        (["mine.py", "notes.txt", "lib/a.py", "lib/b.py"], "mine.py"),
        (["wrapped/twice/checkers.py", "wrapped/twice/lib/a.py"], "checkers.py"),
        (["solve", "notes.txt"], "solve"),
    ],
)
def test_the_program_is_found_by_its_name_or_because_it_is_alone(
    names: list[str], program: str, tmp_path: Path
) -> None:
    hand_in(tmp_path / "alice", *names)
    if program == "solve":
        (tmp_path / "alice" / "solve").chmod(0o755)
    python = ["python3"] if program.endswith(".py") else []
    assert only(tmp_path).command == (*python, f"{{submission}}/{program}", *BY_PLACE)


def test_each_may_be_called_in_its_own_style(tmp_path: Path) -> None:
    hand_in(tmp_path, "a/checkers.py")
    hand_in(tmp_path, "b/checkers.py", text="add_argument('--inputfile')")
    older, newer = find_submissions(tmp_path).submissions
    assert older.command[2:] == BY_PLACE
    assert newer.command[2:] == ("--inputfile", "{input}", "--outputfile", "{output}")


CALL = "sh {submission}/run.sh -q {input} {output}"


def test_a_call_for_all_overrides_guessing(tmp_path: Path) -> None:
    """A single file gets the name that the call asks for; places are added if it has none."""
    hand_in(tmp_path / "a" / "alice", "run.sh", "checkers.py")
    assert only(tmp_path / "a", CALL).command == ("sh", "{submission}/run.sh", "-q", *BY_PLACE)
    hand_in(tmp_path / "b", "alice_7731.sh")
    submission = only(tmp_path / "b", CALL)
    assert (submission.name, paths(submission)) == ("alice_7731", ["run.sh"])
    hand_in(tmp_path / "c" / "alice", "run.sh", text="python3 x.py --inputfile $2 --outputfile $4")
    assert only(tmp_path / "c", "sh {submission}/run.sh").command[2] == "--inputfile"


def test_a_class_without_submissions(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no submissions found"):
        find_submissions(tmp_path)
    with pytest.raises(FileError, match="No such file or directory"):
        find_submissions(tmp_path / "nowhere")


@pytest.mark.parametrize("target", ["/etc/passwd", "../expected/1.txt", "../expected", "nowhere"])
def test_links_are_not_followed_out_of_a_submission(target: str, tmp_path: Path) -> None:
    hand_in(tmp_path, "expected/1.txt", text="secret")
    hand_in(tmp_path / "class" / "eve", "checkers.py")
    (tmp_path / "class" / "eve" / "data").symlink_to(
        target if target.startswith("/") else Path("..", target)
    )
    submission = only(tmp_path / "class")
    assert submission.fault == "data is a link that leads nowhere or out of the folder"
    assert submission.files == ()


@pytest.mark.parametrize("name", ["eve", "eve.py"])
def test_a_submission_is_no_link_itself(name: str, tmp_path: Path) -> None:
    hand_in(tmp_path, "secrets/checkers.py")
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / name).symlink_to(tmp_path / "secrets")
    assert only(tmp_path / "class").fault == "it is a link, and links are not followed"


def test_a_link_inside_a_submission_is_read(tmp_path: Path) -> None:
    hand_in(tmp_path / "alice", "checkers.py", "data/v1.txt")
    (tmp_path / "alice" / "latest.txt").symlink_to("data/v1.txt")
    (tmp_path / "alice" / "same").symlink_to("data")
    assert paths(only(tmp_path)) == ["checkers.py", "data/v1.txt", "latest.txt"]


def test_an_archive_is_unwrapped(tmp_path: Path) -> None:
    names = ("alice/", "alice/lib/a.py", "__MACOSX/alice/._checkers.py", "alice/.DS_Store")
    entries = [("alice/checkers.py", ARGV), *((name, "") for name in names)]
    archive(tmp_path / "alice.zip", *entries)
    submission = only(tmp_path)
    assert paths(submission) == ["checkers.py", "lib/a.py"]
    assert submission.files[0].content.decode() == ARGV
