"""Kits: all that another system needs to grade submissions: Checkmark itself in pure Python with
the packages that it needs, puzzles with proofs, settings, and the scripts that the system calls."""

from __future__ import annotations

import io
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from grader.puzzles.evidence import truth_of
from grader.puzzles.find import Case, board_of, shipped_puzzles
from grader.puzzles.prove import NODES, PuzzleProof, as_json
from grader.puzzles.truth import read_truth
from solver.errors import UserError
from solver.games import game_named

SYSTEMS = {
    "gradescope": "a zip to upload",
    "autolab": "a folder with autograde-Makefile and autograde.tar",
    "github": "the folder of a repository, in which every push is then checked and graded",
}
PACKAGES = ("solver", "grader", "tabulate", "tqdm")
COLLECTION = "packages/grader/puzzles/collection"  # where it is in a wheel
COMPILED = {".so", ".pyd", ".pyc"}  # for this machine only; the sources are beside them
OWN_FEEDBACK = 'feedback = "own"  # nothing about the right answers\n'
EXECUTABLE = 0o100755  # a regular file
Kit = dict[str, bytes]  # files by their paths


def make_kit(system: str, cases: Iterable[Case], settings: str | None) -> Kit:
    """The files of one of `SYSTEMS`; that of Gradescope is a single zip without a name."""
    contents = {**_packages(), **_puzzles(cases)}
    contents |= {name: _script(name) for name in ("grader", "grade")}
    contents["grader.toml"] = _with_feedback(settings).encode()
    if system == "github":
        workflow = {".github/workflows/checkmark.yml": _script("checkmark.yml")}
        return workflow | _inside(".github/checkmark", contents)
    if system == "autolab":
        inside = _inside("checkmark", contents | {"autolab": _script("autolab")})
        makefile = "autograde-Makefile"
        return {makefile: _script(makefile), "autograde.tar": _tar(inside)}
    scripts = {name: _script(name) for name in ("setup.sh", "run_autograder")}
    return {"": _zip(scripts | _inside("checkmark", contents))}


def _inside(folder: str, contents: Kit) -> Kit:
    return {f"{folder}/{name}": content for name, content in contents.items()}


def _script(name: str) -> bytes:
    return (files("grader.report") / "kit_files" / name).read_bytes()


def _packages() -> Kit:
    """From wherever they are installed, with the licences of those that are not ours."""
    found = {}
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise UserError(f"A kit contains {name}, which is not installed here.")
        folder = Path(spec.origin).parent
        for part in (folder, *folder.parent.glob(f"{name}-*.dist-info")):
            for path in _sources(part):
                found[f"packages/{path.relative_to(folder.parent).as_posix()}"] = path.read_bytes()
    if (shipped := shipped_puzzles()) is not None:  # for `grader check`
        for path in (*_sources(shipped / "inputs"), *_sources(shipped / "expected")):
            found[f"{COLLECTION}/{path.relative_to(shipped).as_posix()}"] = path.read_bytes()
    return found


def _sources(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix not in COMPILED:
            yield path


def _puzzles(cases: Iterable[Case]) -> Kit:
    """Under the names that they have here, whatever their files are called.  What is not proven
    has no proof file: it is then searched again for every submission."""
    found = {}
    for case in cases:
        truth = case.truth or truth_of(case)
        expected = case.expected or f"{truth.board}\n".encode()
        found[f"inputs/{case.name}.txt"] = case.input
        found[f"expected/{case.name}.txt"] = expected
        proof = case.proof or as_json(PuzzleProof(truth, 0, NODES))
        with suppress(UserError):
            text, rules = expected.decode("utf-8", "replace"), game_named(case.game)
            read_truth(proof, rules, board_of(case).position, text, case.name)
            found[f"expected/{case.name}.json"] = proof.encode()
    return found


def _with_feedback(settings: str | None) -> str:
    """Students see the reports of a kit, so that right answers are shown on request only."""
    if settings is None:
        return _script("grader.toml").decode()
    return settings if "feedback" in tomllib.loads(settings) else OWN_FEEDBACK + settings


def _zip(contents: Kit) -> bytes:
    """The same bytes for the same contents."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = EXECUTABLE << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _tar(contents: Kit) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, content in contents.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), EXECUTABLE & 0o777
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()
