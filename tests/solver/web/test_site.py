"""The page as a static folder, where the browser runs the solver itself."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest
from support.analysis_page import AnalysisPage
from support.command import SHOT, SHOT_ANSWER, solver
from support.import_walk import ROOT
from support.web_host import START, Served

from solver.cli import main, site
from solver.games.puzzle import start_puzzle

if TYPE_CHECKING:
    from playwright.sync_api import Page

PYODIDE = os.environ.get("CHECKMARK_PYODIDE", "")
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
HOMEWORK = "((3 12 8) (2 4 6) (14 5 2))"
PUZZLE = "checkers/shot-in-nine"
ASK = """([kind, fields]) => import("/connection.js").then(async ({ Connection }) => {
  const answers = [];
  const connection = new Connection(() => {}, () => {});
  await connection.begin(kind, fields, (one) => answers.push(one)).done;
  return answers;
})"""


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files that pass for Pyodide's."""
    folder = tmp_path / "package"
    folder.mkdir()
    monkeypatch.setattr(site, "CHECKSUMS", re.sub(r"\w{64}", EMPTY, site.CHECKSUMS))
    for line in site.CHECKSUMS.splitlines():
        (folder / line.split()[1]).write_bytes(b"")
    return folder


def hear(folder: Path, kind: str, **fields: Any) -> list[dict[str, Any]]:
    """What the worker's Python would say, with the files of a site only."""
    code = folder.parent / "code"
    with ZipFile(folder / site.CODE) as archive:
        archive.extractall(code)
    program = "import sys; from solver.cli.site import hear; hear(*sys.argv[1:], print)"
    words = [sys.executable, "-S", "-c", program, kind, json.dumps(fields)]
    done = subprocess.run(words, cwd=code, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("with_judge", [False, True])
def test_answers_are_published_only_for_the_judge(
    tmp_path: Path, runtime: Path, with_judge: bool
) -> None:
    target = tmp_path / "public"
    words = ["--with-judge"] if with_judge else []
    for _ in range(2):  # a site may be replaced
        assert main(["site", str(target), "--pyodide", str(runtime), *words]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["package", "public"]
    with ZipFile(target / site.CODE) as archive:
        names = archive.namelist()
        known = json.loads(archive.read(f"expected/{PUZZLE}.json"))
    assert (f"expected/{PUZZLE}.txt" in names) == ("grader/__init__.py" in names) == with_judge
    assert bool(known["best"]) == with_judge
    (page,) = hear(target, "puzzles")
    assert page["puzzles"][0]["goal"]
    answer = {"name": PUZZLE, "answer": SHOT_ANSWER}
    (verdict,) = hear(target, "judge", **answer)
    assert verdict.get("accepted", "--with-judge" not in verdict.get("error", "")) == with_judge
    (refused,) = hear(target, "watch")
    assert "serve --watch" in refused["error"]
    found, last = hear(target, "trace", tree=HOMEWORK)
    assert (found["trace"]["value"], last) == (3, {"done": True})


def test_what_stops_a_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runtime, target = tmp_path / "package", tmp_path / "public"
    runtime.mkdir()
    for words in ("No such file", "not that of version"):
        assert main(["site", str(target), "--pyodide", str(runtime)]) == 3
        said = capsys.readouterr().err
        assert f"{words}" in said
        assert f"npm pack pyodide@{site.PYODIDE}" in said
        (runtime / "pyodide.mjs").write_text("another version")
    target.mkdir()
    (target / "thesis.txt").write_text("mine")
    assert main(["site", str(target), "--pyodide", str(runtime)]) == 3
    assert "is not a site" in capsys.readouterr().err
    assert [path.name for path in target.iterdir()] == ["thesis.txt"]


class Site(Served):
    """`python3 -m http.server` with a site."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout is not None
        self.url = process.stdout.readline().partition("(")[2].partition(")")[0]


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    if not PYODIDE:
        pytest.skip("CHECKMARK_PYODIDE does not name a folder of the npm package pyodide")
    target = str(tmp_path_factory.mktemp("site") / "public")
    assert solver("site", target, "--pyodide", PYODIDE, "--with-judge").returncode == 0
    words = ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", target]
    process = subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    yield Site(process)
    process.kill()
    process.communicate()


@pytest.fixture
def visit(page: Page, public: Site) -> Iterator[AnalysisPage]:
    visit = AnalysisPage(page, public)
    yield visit
    assert not visit.watch.complaints
    assert all(url.startswith((public.url, "data:")) for url in visit.watch.requests)


def test_a_site_solves_judges_and_steps(visit: AnalysisPage) -> None:
    visit.go(text=SHOT.strip().replace("\n", "/"))
    assert "in this browser" in visit.text("#about")
    visit.click(".search .main")
    assert "c5-d6" in visit.until(".lines li:first-child", "Red wins in 9")
    visit.change(text=START)  # which is searched by the spare worker
    visit.until(".search .badge", "searching")
    visit.wait("document.querySelectorAll('.lines li').length === 3")
    visit.click(".search .main")
    assert visit.text(".search .badge") == "stopped"
    visit.change(mode="puzzles", puzzle=PUZZLE)
    visit.until("#verdict", "Red to move and win")
    visit.squares("c5", "d6")
    visit.until("#verdict", "Right: c5-d6")
    visit.change(mode="tree", tree=HOMEWORK)
    visit.until("#step-number", "step 1 of 22")
    visit.click("#step-last")
    assert "The best move is 1" in visit.text("#step-words")
    visit.change(mode="watch")
    visit.until("#notices", "solver serve --watch")


def test_a_site_plays_a_game(visit: AnalysisPage) -> None:
    visit.lose_two_flags()


def test_a_site_finds_what_cpython_finds(visit: AnalysisPage) -> None:
    visit.go()
    options = {"depth": 7}
    double = (ROOT / "inputs/checkers/double-jump.txt").read_text()
    won = "B:W15,18,23,31:B1,9,K12,16,27"
    for board in (START, SHOT, double, won, start_puzzle("twoflags").write()):
        found = visit.page.evaluate(ASK, ["analyse", {"text": board, "options": options}])
        here = solver("analyse", "-", "--json", "--depth", "7", text=board).stdout
        expected = [json.loads(line) for line in here.splitlines()]
        same = ("depth", "proof", "nodes", "effort")
        assert [[one[key] for key in same] for one in found] == [
            [one[key] for key in same] for one in expected
        ]
        assert found[-1]["lines"][0]["texts"] == expected[-1]["lines"][0]["texts"]
        assert found[-1]["lines"][0]["score"] == expected[-1]["lines"][0]["score"]
