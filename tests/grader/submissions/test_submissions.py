"""Programs by their command lines: what travels into the sandbox, and how it is called there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.grading.grade import nodes_claimed
from grader.sandbox.job import File
from grader.submissions import archive
from grader.submissions.find import Submission, check_mounts, from_command, own_solver
from solver.errors import UserError

BY_PLACE = ("{input}", "{output}")
BY_OPTION = ("--inputfile", "{input}", "--outputfile", "{output}")
ROOT = Path(__file__).parent.parent.parent.parent


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A student's folder in a course's folder."""
    (tmp_path / "my" / "data").mkdir(parents=True)
    (tmp_path / "my" / "checkers.py").write_text("import sys\nprint(sys.argv[1:])\n")
    (tmp_path / "my" / "newer.py").write_text("parser.add_argument('--inputfile')\n")
    (tmp_path / "my" / "silent.py").write_text("import newer\n")
    (tmp_path / "my" / "data" / "book.txt").write_text("1. e4\n")
    (tmp_path / "inputs").mkdir()
    (tmp_path / "expected").mkdir()
    (tmp_path / "expected" / "1.txt").write_text("secret")
    return tmp_path


def paths(submission: Submission) -> list[str]:
    return [file.path for file in submission.files]


def test_the_folder_of_the_program_travels_and_words_lead_into_it(desk: Path) -> None:
    submission = from_command(
        f"{sys.executable} my/checkers.py my/data/book.txt my/data --x {{output}}.tmp {{input}}",
        desk,
    )
    assert submission.command == (
        *(sys.executable, "{submission}/checkers.py", "{submission}/data/book.txt"),
        *("{submission}/data", "--x", "{output}.tmp", "{input}"),
    )
    assert paths(submission) == ["checkers.py", "data/book.txt", "newer.py", "silent.py"]
    assert (submission.name, submission.guessed, submission.fault) == ("checkers", False, "")


def test_two_folders_travel_as_their_common_one(desk: Path) -> None:
    (desk / "weights.bin").write_bytes(b"\0")
    submission = from_command(
        f"{sys.executable} my/checkers.py weights.bin", desk, [desk / "expected"]
    )
    assert submission.command[1:3] == ("{submission}/my/checkers.py", "{submission}/weights.bin")
    assert "my/data/book.txt" in paths(submission)


@pytest.mark.parametrize(
    ("script", "style", "guessed"),
    [
        ("checkers.py", BY_PLACE, False),
        ("newer.py", BY_OPTION, False),
        ("silent.py", BY_OPTION, True),
    ],
)
def test_both_styles_of_calling_are_recognised(
    script: str, style: tuple[str, ...], guessed: bool, desk: Path
) -> None:
    submission = from_command(f"{sys.executable} my/{script}", desk)
    assert submission.command[2:] == style
    assert submission.guessed == guessed
    other = submission.in_other_style()
    assert other.command[2:] == (BY_OPTION if style == BY_PLACE else BY_PLACE)
    assert other.sha256 != submission.sha256
    assert other.in_other_style().command == submission.command


def test_a_module_travels_as_its_package(desk: Path) -> None:
    (desk / "my" / "__main__.py").write_text("parser.add_argument('--inputfile')\n")
    submission = from_command(f"{sys.executable} -m my", desk)
    assert submission.command == (sys.executable, "-m", "my", *BY_OPTION)
    assert "my/data/book.txt" in paths(submission)
    assert all(path.startswith("my/") for path in paths(submission))


def test_a_program_of_its_own_and_one_of_the_machine(desk: Path) -> None:
    program = desk / "my" / "solve"
    program.write_bytes(b"\x7fELF\0")
    program.chmod(0o755)
    submission = from_command("./my/solve", desk)
    assert submission.command == ("{submission}/solve", *BY_PLACE)
    assert next(file for file in submission.files if file.path == "solve").executable
    assert not next(file for file in submission.files if file.path == "newer.py").executable
    machine = from_command("cp {input} {output}", desk)
    assert machine == Submission("cp", (), ("cp", *BY_PLACE))


def test_a_virtual_environment_beside_the_program_is_used_where_it_is(desk: Path) -> None:
    python = desk / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    (desk / ".venv" / "pyvenv.cfg").write_text("")
    submission = from_command(".venv/bin/python my/checkers.py", desk)
    assert submission.command == (str(python), "{submission}/checkers.py", *BY_PLACE)
    assert "checkers.py" in paths(submission)


def test_answers_and_links_that_lead_out_never_travel(desk: Path) -> None:
    """Nor does what is not needed."""
    for name in (".git/config", "__pycache__/a.pyc", "node_modules/a.js", "env/pyvenv.cfg", ".x"):
        path = desk / "my" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    os.mkfifo(desk / "my" / "pipe")
    for name, target in (("lib", desk / "inputs"), ("passwd", "/etc/passwd"), ("no", "nowhere")):
        (desk / "my" / name).symlink_to(target)
    (desk / "my" / "book.txt").symlink_to("data/book.txt")
    (desk / "my" / "same").symlink_to(desk / "expected" / "1.txt")
    mine = ["book.txt", "checkers.py", "data/book.txt", "newer.py", "silent.py"]
    assert paths(from_command(f"{sys.executable} my/checkers.py", desk)) == mine
    (desk / "run.py").write_text("")
    secret = [desk / "inputs", desk / "expected"]
    all_of_it = from_command(f"{sys.executable} run.py", desk, secret)
    assert paths(all_of_it) == [*(f"my/{name}" for name in mine), "run.py"]


@pytest.mark.parametrize(("name", "most"), [("MOST_BYTES", 100), ("MOST_FILES", 3)])
def test_a_folder_with_too_much_in_it_is_refused(
    name: str, most: int, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, name, most)
    (desk / "my" / "large").write_bytes(b"\0" * 60)
    with pytest.raises(UserError, match="Put the program into a folder of its own"):
        from_command(f"{sys.executable} my/checkers.py", desk)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("", "The command is empty"),
        ("python3 'x", "quotation mark is not closed"),
        ("no-such-program x", "no-such-program: there is no such program."),
        ("run.sh", r"there is no such program. Did you mean './run.sh'\?"),
        ("cp {input} out", r"has \{input\} only"),
        ("cp {inputs} {output}", r"\{inputs\} is unknown. Did you mean '\{input\}'\?"),
    ],
)
def test_commands_that_cannot_work(call: str, said: str, desk: Path) -> None:
    (desk / "run.sh").write_text("")
    with pytest.raises(UserError, match=said):
        from_command(call, desk)


def test_a_needed_folder_must_not_hold_the_answers(desk: Path) -> None:
    tool = desk / "bin" / "tool"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    (desk / "other").mkdir()
    (desk / "other" / "x.py").write_text("")
    submission = from_command(f"{tool} x.py", desk / "other")
    check_mounts([submission], [desk / "expected"])
    with pytest.raises(UserError, match="every submission could read it"):
        check_mounts([submission], [desk / "bin" / "expected"])
    with pytest.raises(UserError, match="needs /usr"):
        check_mounts([submission], [Path("/usr/share/expected")])


def test_a_hash_depends_on_content_and_call_only(desk: Path, tmp_path: Path) -> None:
    files = (File("a", b"1"), File("b", b"2"))
    one = Submission("x", files, ("a",))
    assert one.sha256 == Submission("y", files[::-1], ("a",)).sha256
    others = [
        Submission("x", files, ("b",)),
        Submission("x", files[:1], ("a",)),
        Submission("x", (File("a", b"2"), File("b", b"1")), ("a",)),
        Submission("x", (File("a", b"1", executable=True), files[1]), ("a",)),
    ]
    assert len({one.sha256, *(other.sha256 for other in others)}) == 5


def test_our_own_solver_runs_from_its_files_alone_and_tells_its_nodes(tmp_path: Path) -> None:
    submission = own_solver()
    for file in submission.files:
        path = tmp_path / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
    given, output = ROOT / "inputs/checkers/shot-in-nine.txt", tmp_path / "answer.txt"
    words = [word.format(input=given, output=output) for word in submission.command]
    finished = subprocess.run(words, cwd=tmp_path, capture_output=True, check=True, timeout=60)
    assert output.read_text() == (ROOT / "expected/checkers/shot-in-nine.txt").read_text()
    assert (nodes_claimed(finished.stderr) or 0) > 100
    assert all(file.path.startswith(("solver/", "checkmark__mypyc")) for file in submission.files)
    assert own_solver("--line").command[-3:] == ("--line", *BY_PLACE)


@pytest.mark.parametrize(
    ("said", "nodes"),
    [
        (b"red plays 3-7, proven win in 29; 82600 nodes, 0.49 s\nline: 3-7\n", 82600),
        (b"1,234 nodes\n", 1234),
        (b"depth 1: 10 nodes\ndepth 2: 200 nodes\n", 200),
        (b"Nodes: 77", 77),
        (b"nodes=5\xff", 5),
        (b"nothing to say", None),
        (b"1.5 nodes per second", None),
        (b"9" * 400 + b" nodes", None),
    ],
)
def test_claims_of_nodes(said: bytes, nodes: int | None) -> None:
    assert nodes_claimed(said) == nodes
