"""Puzzles of a folder, and what the judge says about answers to them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.import_walk import ROOT
from support.web_host import Served, run, served, tab

from solver.errors import UserError
from solver.games import game_named
from solver.web import puzzles as collection
from solver.web.answers import Ask
from solver.web.server import Settings

INPUTS, EXPECTED = ROOT / "inputs", ROOT / "expected"
SETTINGS = Settings("1", compiled=False, puzzles=INPUTS)
DRAWN = "checkers/draw-first-position"
LAST_LONGEST = "twoflags/race-take-to-last-longer"


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served("--puzzles", str(INPUTS)) as server:
        yield server


def told(server: Served, kind: str, **fields: Any) -> dict[str, Any]:
    async def test() -> dict[str, Any]:
        async with tab(server.port) as one:
            return await one.answer(kind, **fields)

    return run(test())


def test_all_puzzles_are_listed_by_name(server: Served) -> None:
    puzzles = told(server, "puzzles")["puzzles"]
    files = [f"{path.parent.name}/{path.stem}" for path in INPUTS.glob("*/*.txt")]
    assert sorted(puzzle["name"] for puzzle in puzzles) == sorted(files)
    assert {puzzle["game"] for puzzle in puzzles} == {"checkers", "twoflags"}
    assert told(server, "hello")["puzzles"] is True


def test_a_puzzle_is_its_file_and_its_position(server: Served) -> None:
    puzzle = told(server, "puzzle", name=LAST_LONGEST)
    assert puzzle["file"] == (INPUTS / f"{LAST_LONGEST}.txt").read_text()
    assert puzzle["game"] == "twoflags"
    assert puzzle["moves"]


@pytest.mark.parametrize(
    "name",
    ["", "checkers", "checkers/", "../inputs/checkers/opening", "/etc/passwd", "checkers/\0"],
)
def test_no_name_leads_out_of_the_folder(name: str) -> None:
    with pytest.raises(UserError, match="There is no puzzle"):
        collection.puzzle(Ask({"name": name}), SETTINGS)


def test_a_misspelt_name_gets_a_hint() -> None:
    with pytest.raises(UserError, match="Did you mean 'checkers/opening'"):
        collection.puzzle(Ask({"name": "checkers/openning"}), SETTINGS)


def test_without_a_folder_there_are_no_puzzles() -> None:
    with pytest.raises(UserError, match="--puzzles"):
        collection.puzzles(Settings("1", compiled=False))


def test_a_file_that_is_no_puzzle_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "checkers"
    folder.mkdir()
    (folder / "large.txt").write_text("." * 5000)
    (folder / "bytes.txt").write_bytes(b"\xff" * 64)
    settings = Settings("1", compiled=False, puzzles=tmp_path)
    for name in ("checkers/large", "checkers/bytes"):
        with pytest.raises(UserError):
            collection.puzzle(Ask({"name": name}), settings)


@pytest.mark.parametrize("name", [DRAWN, LAST_LONGEST])
def test_the_judge_accepts_the_expected_answer_with_or_without_a_side(
    server: Served, name: str
) -> None:
    expected = (EXPECTED / f"{name}.txt").read_text()
    game = game_named(name.partition("/")[0])
    puzzle = game.read((INPUTS / f"{name}.txt").read_text(), "", True).position
    (best,) = [c for c in puzzle.children() if game.write(c, "board") == expected.rstrip("\n")]
    for answer in (expected, game.with_side(best)):
        verdict = told(server, "judge", name=name, answer=answer)
        assert (verdict["verdict"], verdict["accepted"]) == ("exact", True)


def test_the_judge_says_what_is_wrong_and_not_what_is_right(server: Served) -> None:
    puzzle = told(server, "puzzle", name=DRAWN)
    verdicts = [
        told(server, "judge", name=DRAWN, answer=move["text"]) for move in puzzle["moves"][:3]
    ]
    assert {verdict["verdict"] for verdict in verdicts} <= {"exact", "equal", "slower", "worse"}
    assert any(not verdict["accepted"] for verdict in verdicts)
    same = told(server, "judge", name=DRAWN, answer=puzzle["file"])
    assert (same["verdict"], same["accepted"]) == ("illegal", False)
    nothing = told(server, "judge", name=DRAWN, answer="")
    assert nothing["verdict"] == "missing"
    assert told(server, "judge", name=DRAWN, answer="hello")["verdict"] == "malformed"
    assert all("Best" not in str(each) for each in (*verdicts, same, nothing))


def test_nothing_is_judged_without_an_expected_answer(tmp_path: Path) -> None:
    folder = tmp_path / "inputs" / "checkers"
    folder.mkdir(parents=True)
    shutil.copy(INPUTS / "checkers" / "opening.txt", folder)
    with served("--puzzles", str(tmp_path / "inputs")) as server:
        answer = told(server, "judge", name="checkers/opening", answer="x")
    assert answer["error"].startswith("Nobody has said what is expected of checkers/opening")
