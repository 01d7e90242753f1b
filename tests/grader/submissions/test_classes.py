"""A class: who handed in what, as course systems pack it or as it comes, how it is started, and
hostile archives that cost only their own student.  More is in the transcript of submissions."""

from __future__ import annotations

import gzip
import io
import os
import stat
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.grading.records import Student
from grader.sandbox import job
from grader.submissions import archive as archive_module
from grader.submissions.find import FoundClass, Submission, find_submissions
from solver.errors import FileError, UserError

ARGV = b"import sys\nprint(sys.argv)\n"
BY_PLACE = ("{input}", "{output}")
METADATA = """---
submission_11:
  :submitters:
  - :name: Ada Lovelace
    :sid: '300'
    :email: ada@example.org
  :created_at: 2026-01-01 10:00:00.000000000 Z
  :results:
    tests:
    - name: 'Eve: not a student'
      output: |-
        some

        words
submission_12:
  :submitters:
  - :name: "Zo\\u00eb O'Hara"
    :email: zoe@example.org
  - :name: 'Bob ''B'' Smith'
    :sid: '302'
  :lateness: '01:10:00'
  :history:
  - :id: 9
    :name: nobody
"""


def pack_zip(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as zipped:
        for name, content in files.items():
            zipped.writestr(name, content)
    return buffer.getvalue()


def pack_tar(files: Mapping[str, bytes], *special: tarfile.TarInfo) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tarred:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tarred.addfile(entry, io.BytesIO(content))
        for entry in special:
            tarred.addfile(entry)
    return buffer.getvalue()


def hand_in(folder: Path, *names: str, text: bytes = ARGV) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def only(folder: Path, call: str | None = None) -> Submission:
    found = find_submissions(folder, call)
    assert found.warnings == ()
    (submission,) = found.submissions
    return submission


def find_everywhere(folder: Path, files: Mapping[str, bytes]) -> FoundClass:
    """The same from a folder, a .zip, one with a folder around everything, and a .tar.gz."""
    for name, content in files.items():
        hand_in(folder / "class", name, text=content)
    (folder / "class.zip").write_bytes(pack_zip(files))
    around = {f"Checkers 1/{name}": content for name, content in files.items()}
    (folder / "around.ZIP").write_bytes(pack_zip({"__MACOSX/x": b"", **around}))
    (folder / "class.tar.gz").write_bytes(pack_tar(files))
    sources = ("class", "class.zip", "around.ZIP", "class.tar.gz")
    first, *others = (find_submissions(folder / name) for name in sources)
    for each in others:
        assert (each.submissions, each.system) == (first.submissions, first.system)
    return first


def by_name(found: FoundClass) -> dict[str, Submission]:
    assert len({each.name for each in found.submissions}) == len(found.submissions)
    return {each.name: each for each in found.submissions}


def paths(submission: Submission) -> list[str]:
    return [file.path for file in submission.files]


def test_canvas(tmp_path: Path) -> None:
    """Files of one student are one submission, under the names that the student gave."""
    found = find_everywhere(
        tmp_path,
        {
            "smithbob_LATE_340_9001_checkers-1.py": ARGV,
            "smithbob_LATE_340_9002_my_util-3.py": b"",
            "smithbob_350_9003_7_main.py": ARGV,
            "lovelaceada_341_9004_project.zip": pack_zip(
                {"src/checkers.py": ARGV, "src/a.py": b""}
            ),
            "lovelaceada_341_9005_report.pdf": b"%PDF",
            "hoppergrace_342_text.html": b"<p>later</p>",
            "zuseko_343_9006_part-1.py": b"",
            "zuseko_343_9007_part-2.py": b"",
            "grades.csv": b"",
        },
    )
    class_ = by_name(found)
    assert found.system == "Canvas"
    assert [warning.split(": ")[1] for warning in found.warnings] == [
        "left out, not a program, an archive or a folder"
    ]
    assert class_["smithbob 340"].student == Student("smithbob", "340", late=True)
    assert paths(class_["smithbob 340"]) == ["checkers.py", "my_util.py"]
    assert class_["smithbob 350"].command[1] == "{submission}/7_main.py"
    assert class_["smithbob 350"].student == Student("smithbob", "350")
    assert paths(class_["lovelaceada"]) == ["a.py", "checkers.py", "report.pdf"]
    assert class_["hoppergrace"].fault == "there is no program among its 1 file"
    assert "not clear which file to start: part-1.py, part-2.py" in class_["zuseko"].fault


def test_moodle(tmp_path: Path) -> None:
    """Names in any script stay readable; equal ones are told apart; typed texts are left out."""
    names = ["Zoë Müller", "Zoë Müller", "李小龍", "Ольга Ш.", "محمد علی", "=cmd|x"]
    files = {
        f"{name}_{657730 + place}_assignsubmission_file_/checkers.py": ARGV
        for place, name in enumerate(names)
    }
    files["Ada Lovelace_657740_assignsubmission_file_/deep/er/main.py"] = ARGV
    files["Flat Name_657741_assignsubmission_file_main.py"] = ARGV
    files["Ada Lovelace_657740_assignsubmission_onlinetext_/onlinetext.html"] = b"hello"
    found = find_everywhere(tmp_path, files)
    class_ = by_name(found)
    assert found.system == "Moodle"
    assert set(class_) == {
        *("Zoë Müller 657730", "Zoë Müller 657731", "李小龍", "Ольга Ш.", "محمد علی", "=cmd|x"),
        *("Ada Lovelace", "Flat Name"),
    }
    assert not any(each.fault for each in found.submissions)
    assert class_["Ada Lovelace"].student == Student("Ada Lovelace", "657740")
    assert "_onlinetext_: left out" in found.warnings[0]


def test_gradescope(tmp_path: Path) -> None:
    """A group is one submission with all names."""
    found = find_everywhere(
        tmp_path,
        {
            "submission_metadata.yml": METADATA.replace("\n", "\r\n").encode(),
            "submission_11/checkers.py": ARGV,
            "submission_12/checkers.py": ARGV,
            "submission_13/checkers.py": ARGV,
        },
    )
    assert found.system == "Gradescope"
    assert [each.student for each in found.submissions] == [
        Student("Ada Lovelace", "300"),
        Student("Zoë O'Hara; Bob 'B' Smith", "zoe@example.org; 302", late=True),
        None,
    ]
    assert found.submissions[2].name == "submission_13"


def test_any_other_archive(tmp_path: Path) -> None:
    inner = pack_tar({"./bob/checkers.py": ARGV})
    files = {"ann/main.py": ARGV, "bob.tar.gz": inner, "cy.py": ARGV, "dan/x.tgz": inner}
    found = find_everywhere(tmp_path, files)
    assert [each.name for each in found.submissions] == ["ann", "bob", "cy", "dan"]
    assert not any(each.fault or each.student for each in found.submissions)
    assert found.system == ""


def zip_link() -> bytes:
    buffer = io.BytesIO()
    link = zipfile.ZipInfo("checkers.py")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(buffer, "w") as zipped:
        zipped.writestr(link, "/etc/passwd")
    return buffer.getvalue()


def change(content: bytes, *places: int) -> bytes:
    changed = bytearray(content)
    for place in places:
        changed[place] ^= 1
    return bytes(changed)


def link(kind: bytes) -> bytes:
    entry = tarfile.TarInfo("main.py")
    entry.type, entry.linkname = kind, "/etc/passwd"
    return pack_tar({}, entry)


ZIP = pack_zip({"checkers.py": ARGV * 50}, zipfile.ZIP_STORED)
BOMB = pack_zip({"checkers.py": b"\0" * (1 << 22)})
TOO_MUCH, OUT, LINK = (
    "more than 20 files or 1 MB",
    "leads out of it",
    "py in the archive is a link or",
)
HOSTILE = {
    "bomb.zip": (BOMB, TOO_MUCH),
    "bombed.tgz": (gzip.compress(b"\0" * (1 << 22)), TOO_MUCH),
    "nested.zip": (pack_zip({"a.zip": BOMB}), TOO_MUCH),
    "many.tar.gz": (pack_tar({f"{place}/": b"" for place in range(42)}), TOO_MUCH),
    "several.zip": (pack_zip({f"{place}.py": b"" for place in range(21)}), TOO_MUCH),
    "folders.zip": (pack_zip({"a/" * 1000 + "checkers.py": ARGV}), "too long or too deep"),
    "long.zip": (pack_zip({"n" * 300 + ".py": ARGV}), "too long or too deep"),
    "out.tar.gz": (pack_tar({"../../evil.py": ARGV}), f"'../../evil.py' in the archive {OUT}"),
    "up.zip": (pack_zip({"../../evil.py": ARGV}), OUT),
    "back.zip": (pack_zip({"..\\evil.py": ARGV}), f"'../evil.py' in the archive {OUT}"),
    "root.tar.gz": (pack_tar({"/etc/evil.py": ARGV}), OUT),
    "absolute.zip": (pack_zip({"/etc/cron.d/evil": ARGV}), OUT),
    "drive.zip": (pack_zip({"C:/evil.py": ARGV}), OUT),
    "both.zip": (pack_zip({"a": ARGV, "a/b.py": ARGV}), "a in the archive is a file and a folder"),
    "link.zip": (zip_link(), LINK),
    "soft.tar.gz": (link(tarfile.SYMTYPE), LINK),
    "hard.tar.gz": (link(tarfile.LNKTYPE), LINK),
    "device.tar.gz": (link(tarfile.CHRTYPE), LINK),
    "short.tar.gz": (pack_tar({"main.py": os.urandom(9000)})[:4000], "cannot be read"),
    "damaged.tar": (
        gzip.decompress(pack_tar({"a.txt": b"a", "b.txt": b"b"})).replace(b"b.txt", b"c.txt"),
        "cannot be read: a header is damaged",
    ),
    "nonsense.zip": (b"nonsense", "nonsense.zip: cannot be read: File is not a zip file"),
    "crc.zip": (change(ZIP, 100), "cannot be read: Bad CRC-32"),
    "locked.zip": (change(ZIP, 6, ZIP.index(b"PK\1\2") + 8), "password required"),
    "seven.7z": (b"7z", "seven.7z: cannot be unpacked. Only .zip, .tar.gz, .tgz, .tar can be."),
}


def test_hostile_archives_cost_only_their_own_student(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_module, "MOST_BYTES", 1 << 20)
    monkeypatch.setattr(archive_module, "MOST_FILES", 20)
    files = {name: content for name, (content, _) in HOSTILE.items()}
    found = find_everywhere(tmp_path, {**files, "right/main.py": ARGV})
    faults = {name: each.fault for name, each in by_name(found).items()}
    for name, (_, said) in HOSTILE.items():
        assert said in faults[name.split(".")[0]], name
    assert faults["right"] == ""


def test_odd_names_end_nothing(tmp_path: Path) -> None:
    """In Latin-1, with places of a command, with a line break, composed in two ways."""
    names = [b"M\374ller.py", b"{input}.py", b"a\nb.py", "Zoe\u0308.py".encode(), "Zoë.py".encode()]
    for name in names:
        (tmp_path / os.fsdecode(name)).write_bytes(ARGV)
    (tmp_path / "deep" / "/".join(["d"] * 60)).mkdir(parents=True)
    found = find_submissions(tmp_path)
    deep = next(each for each in found.submissions if each.name == "deep")
    assert "too deep" in deep.fault
    assert {each.name: each.command[1] for each in found.submissions if each is not deep} == {
        "Müller": "{submission}/Müller.py",
        "(input)": "{submission}/(input).py",
        "a b": "{submission}/a\nb.py",
        "Zoë.py": "{submission}/Zoe\u0308.py",
        "Zoë.py (2)": "{submission}/Zoë.py",
    }
    packed = job.as_plain(found.submissions[0])
    assert job.from_plain(Submission, packed) == found.submissions[0]


def test_a_student_cannot_pretend_to_be_a_download(tmp_path: Path) -> None:
    hand_in(tmp_path, "ann/main.py", "eve/main.py")
    (tmp_path / "eve" / "submission_metadata.yml").symlink_to("/etc/passwd")
    found = find_submissions(tmp_path)
    assert found.system == ""
    assert [bool(each.fault) for each in found.submissions] == [False, True]


@pytest.mark.parametrize("name", ["class.zip", "class.tar.gz", "class.rar", "nowhere.zip"])
def test_a_download_that_cannot_be_read(name: str, tmp_path: Path) -> None:
    if name != "nowhere.zip":
        (tmp_path / name).write_bytes(b"nonsense")
    with pytest.raises(FileError, match=name):
        find_submissions(tmp_path / name)


def test_damage_to_the_download_is_no_student_s_fault(tmp_path: Path) -> None:
    content = pack_zip({"ann/main.py": ARGV * 50}, zipfile.ZIP_STORED)
    (tmp_path / "class.zip").write_bytes(change(content, 100))
    with pytest.raises(FileError, match="Bad CRC-32"):
        find_submissions(tmp_path / "class.zip")


def test_folders_files_and_archives_in_the_order_of_their_names(tmp_path: Path) -> None:
    """Names that clash are told apart, and other files are left out with a warning."""
    hand_in(tmp_path, "s10/checkers.py", "s2/checkers.py", "s2.py", "s3.py", ".hidden/checkers.py")
    hand_in(tmp_path, "marks.csv")
    for name in ("s1.zip", "s2.zip"):
        (tmp_path / name).write_bytes(pack_zip({"checkers.py": ARGV}))
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


CALL = "sh {submission}/run.sh -q {input} {output}"


def test_a_call_for_all_overrides_guessing(tmp_path: Path) -> None:
    """A single file gets the name that the call asks for; places are added if it has none."""
    hand_in(tmp_path / "a" / "alice", "run.sh", "checkers.py")
    assert only(tmp_path / "a", CALL).command == ("sh", "{submission}/run.sh", "-q", *BY_PLACE)
    hand_in(tmp_path / "b", "alice_7731.sh")
    submission = only(tmp_path / "b", CALL)
    assert (submission.name, paths(submission)) == ("alice_7731", ["run.sh"])
    hand_in(tmp_path / "c" / "alice", "run.sh", text=b"python3 x.py --inputfile $2 --outputfile $4")
    assert only(tmp_path / "c", "sh {submission}/run.sh").command[2] == "--inputfile"


def test_a_class_without_submissions(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no submissions found"):
        find_submissions(tmp_path)
    with pytest.raises(FileError, match="No such file or directory"):
        find_submissions(tmp_path / "nowhere")


@pytest.mark.parametrize("target", ["/etc/passwd", "../expected/1.txt", "../expected", "nowhere"])
def test_links_are_not_followed_out_of_a_submission(target: str, tmp_path: Path) -> None:
    hand_in(tmp_path, "expected/1.txt", text=b"secret")
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
    files = {"alice/checkers.py": ARGV, **dict.fromkeys(names, b"")}
    (tmp_path / "alice.zip").write_bytes(pack_zip(files))
    submission = only(tmp_path)
    assert paths(submission) == ["checkers.py", "lib/a.py"]
    assert submission.files[0].content == ARGV
