"""What an attack on the grader has found, each as a test."""

from __future__ import annotations

import os
import random
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from support.grader_command import (
    BY_HEART,
    OWN,
    PUZZLES,
    ROOT,
    grader,
    hand_in,
    lay_out,
    lay_out_mine,
    records,
    started,
    wait_until_journal_says,
)

from grader.grading.journal import open_journal


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return lay_out_mine(tmp_path, ["take-one", "take-two"])


def broken_lzma(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("main.py", "print()\n" * 1000)
    content = bytearray(path.read_bytes())
    content[60:90] = b"\xff" * 30
    path.write_bytes(content)


def broken_name(path: Path) -> None:
    """The flag says that the name is UTF-8, which it is not."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("m\u00e4in.py", "print()\n")
    path.write_bytes(path.read_bytes().replace("\u00e4".encode(), b"\xff\xfe"))


def test_what_cannot_be_read_stops_nobody_else(folder: Path) -> None:
    """Nor does a folder with a name that is no text."""
    odd = os.fsdecode(b"sub\xff missions")
    (folder / "submissions").rename(folder / odd)
    broken_lzma(folder / odd / "lzma.zip")
    broken_name(folder / odd / "name.zip")
    result = grader("class", odd, "-q", "take-one", "-o", "records", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert "grader: lzma: cannot be run: " in result.stderr
    assert "grader: name: cannot be run: " in result.stderr
    verdicts = {each["submission"]: each["verdict"] for each in records(result.stdout)}
    assert verdicts == {"me": "exact", "lzma": "missing", "name": "missing"}


LATIN = os.fsdecode(b"M\xfcller.sh")
STARTED = '#!/bin/sh\necho "$0" >&2\n'


def zipped(name: str) -> bytes:
    """With the name as Latin-1, which zip files do not declare."""
    with zipfile.ZipFile(content := BytesIO(), "w") as archive:
        plain = zipfile.ZipInfo(name.replace("\udcfc", "!"))
        plain.external_attr = 0o755 << 16
        archive.writestr(plain, STARTED + BY_HEART)
    return content.getvalue().replace(b"M!ller", b"M\xfcller")


def tarred(name: str) -> bytes:
    with tarfile.open(
        fileobj=(content := BytesIO()), mode="w", format=tarfile.GNU_FORMAT
    ) as archive:
        member = tarfile.TarInfo(name)
        member.size, member.mode = len(STARTED + BY_HEART), 0o755
        archive.addfile(member, BytesIO((STARTED + BY_HEART).encode()))
    return content.getvalue()


# What is handed in, and the file that is started, or why there is none.
ODD_NAMES = {
    "a file in Latin-1": (LATIN, (STARTED + BY_HEART).encode(), "/M\xfcller.sh"),
    "in a folder": (f"folder/{LATIN}", (STARTED + BY_HEART).encode(), "/M\xfcller.sh"),
    "in a zip": ("a.zip", zipped(LATIN), "ller.sh"),  # read as the zip's own code page
    "in a tar": ("a.tar", tarred(LATIN), "/M\xfcller.sh"),
    "a place of the command": ("{input}.sh", (STARTED + BY_HEART).encode(), "/(input).sh"),
    "a place in a zip": ("b.zip", zipped("{output}.sh"), "/(output).sh"),
    "a thousand folders": ("deep.zip", zipped("d/" * 1000 + "a.sh"), "too long or too deep"),
    "a long name": ("long.zip", zipped("x" * 300 + ".sh"), "too long or too deep"),
}
EVERY_FORMAT = (
    *("records:r.jsonl", "records:r.csv", "marks:m.csv", "html:r.html", "md:r.md", "junit:r.xml"),
    *("gradescope:scope/", "canvas:canvas.csv", "moodle:moodle.csv", "feedback:pages"),
)


@pytest.mark.parametrize("odd", ODD_NAMES)
def test_odd_names_end_no_class(tmp_path: Path, odd: str) -> None:
    """Nor do those of puzzles: graded, resumed, written in every format, and run alone."""
    name, content, wanted = ODD_NAMES[odd]
    folder = lay_out(tmp_path, 1, ["take-one", "take-two"])
    for kind in ("inputs", "expected"):
        (folder / kind / "take-one.txt").rename(folder / kind / os.fsdecode(b"\xe4rger.txt"))
        (folder / kind / "take-two.txt").rename(folder / kind / "{output}.txt")
    path = folder / "submissions" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o755)
    (folder / "moodle.txt").write_text("Identifier,Full name,Grade,Maximum Grade\n")
    forms = [word for form in EVERY_FORMAT for word in ("-o", form)]
    words = ("--worksheet", "moodle.txt", *forms)
    assert grader("class", "submissions", *words, cwd=folder).returncode == 0
    with open_journal(folder / "grades.db") as journal:
        journal.repeat(1, lambda record: record.puzzle == "\xe4rger")
    assert grader("resume", *words, cwd=folder).returncode == 0
    words = ("export", *EVERY_FORMAT, "--worksheet", "moodle.txt")
    assert grader(*words, cwd=folder).returncode == 0
    found = [
        each
        for each in records((folder / "r.jsonl").read_text())
        if each["submission"] != "student0"
    ]
    assert [each["puzzle"] for each in found] == ["(output)", "\xe4rger"]
    if wanted.startswith("too"):
        assert all(each["verdict"] == "missing" and wanted in each["reason"] for each in found)
    else:
        assert [each["verdict"] for each in found] == ["exact", "exact"]
        assert all(each["staff"].endswith(wanted) for each in found)
    if path.suffix == ".sh":
        program = str(path.relative_to(folder))
        assert grader("run", program, "--journal", "own.db", cwd=folder).returncode == 0
        assert grader("resume", "--journal", "own.db", cwd=folder).returncode == 0


def test_journals_and_results_do_not_travel_with_a_program(folder: Path) -> None:
    program = folder / "submissions" / "me" / "solve.sh"
    program.write_text("#!/bin/sh\nls > $2\n")
    mine = program.parent
    lay_out(mine, names=["take-one"])
    command = ["run", "--solver", "./solve.sh {input} {output}", "-o", "html:report.html"]
    for journal in ("one.db", "two.db"):
        words = [*command, "-o", "records", "--journal", journal]
        (told,) = records(grader(*words, cwd=mine).stdout)
        assert "'s' is not one of" in told["reason"], "the first file is solve.sh, and the only one"


def test_the_journal_is_no_place_for_results(folder: Path) -> None:
    result = grader(*OWN, "-o", "marks:grades.db", cwd=folder)
    assert result.returncode == 2
    assert "is the journal" in result.stderr
    assert not (folder / "grades.db").exists()


def test_a_journal_that_is_removed_is_no_silent_loss(folder: Path) -> None:
    (folder / "submissions/me/solve.sh").write_text(f"{BY_HEART}sleep 1\n")
    process = started(*OWN, "-j", "1", cwd=folder)
    wait_until_journal_says("1 of 2", folder)
    for path in folder.glob("grades.db*"):
        path.unlink()
    _, told = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "the journal has been removed or replaced" in told


def run_in_shell(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command.replace("grader", f"{sys.executable} -m grader")],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_closed_standard_error_changes_nothing(folder: Path) -> None:
    assert run_in_shell(f"grader {shlex.join(OWN)} -q take-one 2>&-", folder).returncode == 0
    assert "1 of 1" in grader("journal", cwd=folder).stdout


def test_a_spoilt_journal_is_told(folder: Path) -> None:
    assert grader(*OWN, "-q", "take-one", cwd=folder).returncode == 0
    result = grader("diff", "0", "1", cwd=folder)
    assert result.returncode == 2
    assert "there is no grading 0. There are: 1." in result.stderr
    for change in ("records SET record = '{bad'", "gradings SET plan = x'7878'"):
        shutil.copy(folder / "grades.db", folder / "spoilt.db")
        with closing(sqlite3.connect(folder / "spoilt.db")) as connection:
            connection.execute(f"UPDATE {change}")
            connection.commit()
        result = grader("export", "marks", "--journal", "spoilt.db", cwd=folder)
        assert result.returncode == 3
        assert "cannot be read" in result.stderr
        assert "Traceback" not in result.stderr


def spoil(content: bytes, dice: random.Random) -> bytes:
    """Some bytes changed, a block of zeros, or the end missing."""
    spoilt, place = bytearray(content), dice.randrange(len(content))
    match dice.randrange(4):
        case 0:
            del spoilt[place:]
        case 1:
            spoilt[place : place + 512] = bytes(min(512, len(content) - place))
        case _:
            for _ in range(dice.choice((1, 1, 4, 30))):
                spoilt[dice.randrange(len(content))] = dice.randrange(256)
    return bytes(spoilt)


@pytest.mark.parametrize(
    "seeds", [range(15), pytest.param(range(15, 300), marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_a_journal_with_random_damage(folder: Path, seeds: range) -> None:
    """It is refused with a message, or has every record after a resume; never a traceback."""
    hand_in(folder, "you", BY_HEART)
    assert grader("class", "submissions", cwd=folder).returncode == 0
    content = (folder / "grades.db").read_bytes()
    wanted = {(name, puzzle) for name in ("me", "you") for puzzle in ("take-one", "take-two")}
    ends = Counter[str]()
    for seed in seeds:
        (folder / "grades.db").write_bytes(spoil(content, random.Random(seed)))
        for words in (["journal"], ["diff", "1", "1"], ["export", "html:page.html"]):
            assert grader(*words, cwd=folder).returncode in (0, 2, 3), (seed, words)
        result = grader("resume", "-o", "records", cwd=folder)
        assert result.returncode in (0, 2, 3), seed
        if result.returncode:
            assert result.stderr.startswith("grader: grades.db: "), seed
        else:
            found = {(each["submission"], each["puzzle"]) for each in records(result.stdout)}
            assert found == wanted, seed
            assert {each["verdict"] for each in records(result.stdout)} == {"exact"}, seed
        again = "is damaged and graded again" in result.stderr
        ends["refused" if result.returncode else "graded again" if again else "as it was"] += 1
        for path in folder.glob("grades.db*"):
            path.unlink()
    assert len(ends) == 3, ends


def test_a_validator_refuses_what_comes_after_a_megabyte(folder: Path) -> None:
    (folder / "feedback").mkdir()
    files = ["inputs/take-one.txt", "expected/take-one.txt", "feedback/"]
    text = PUZZLES["take-one"][1] + "\n" * 1_000_000 + "junk\n"
    assert grader("validator", *files, cwd=folder, text=text).returncode == 43


def test_a_folder_that_is_gone(folder: Path) -> None:
    gone = folder / "gone"
    gone.mkdir()
    result = run_in_shell("rmdir ../gone; grader run", gone)
    assert result.returncode == 3
    assert "the current folder" in result.stderr


def test_a_full_disk_is_told_and_what_was_graded_is_kept(folder: Path) -> None:
    """On a file system of its own, too small for the journal to grow."""
    small = folder / "small"
    small.mkdir()
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=150k", "tmpfs", small], capture_output=True
    )
    if not mounted or mounted.returncode:
        pytest.skip("needs the right to mount")
    try:
        for number in range(10):
            hand_in(folder, f"student{number}", BY_HEART)
        words = ["class", "submissions", "--journal", "small/grades.db"]
        result = grader(*words, cwd=folder)
        assert result.returncode == 3
        assert "disk is full" in result.stderr or "disk I/O error" in result.stderr
        assert "Traceback" not in result.stderr
        assert re.search(r"[1-9] of 22 gradings are in small/grades.db", result.stderr)
        subprocess.run(["mount", "-o", "remount,size=10m", small], check=True)
        words = ["resume", "--journal", "small/grades.db", "-o", "records"]
        found = records(grader(*words, cwd=folder).stdout)
        assert [each["verdict"] for each in found] == ["exact"] * 22
    finally:
        subprocess.run(["umount", small], check=True)
