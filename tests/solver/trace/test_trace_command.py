"""`solver trace` as a real process: golden files in every format, choices, mistakes.

`PYTHONPATH=tests python tests/solver/trace/test_trace_command.py` writes the golden files anew.
"""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from command import BLOCKED, SHOT, solver
from import_walk import ROOT

GOLDEN = ROOT / "tests" / "golden" / "trace"
TREE = "((3 12 8) (2 4 6) (14 5 2))"
ENDINGS = {"text": "txt", "json": "json", "dot": "dot", "html": "html"}
PAWNS = "Setup Wa4 Wc2 Bb6 Bd7 WHITE"
STORED = {
    **{f"textbook.{end}": (["--format", form], TREE) for form, end in ENDINGS.items()},
    **{
        f"shot.{end}": (["--depth", "2", "--heuristic", "centre", "--format", form], SHOT)
        for form, end in ENDINGS.items()
    },
    "shot-usual.txt": (["--with", "all", "--depth", "4", "--max-nodes", "60"], SHOT),
    "pawns.txt": (["--depth", "2", "--ordering", "static", "--cache", "sound"], PAWNS),
}


@pytest.mark.parametrize("name", STORED)
def test_the_golden_files_hold(name: str) -> None:
    words, text = STORED[name]
    done = solver("trace", "-", *words, text=text)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (GOLDEN / name).read_text("utf-8")


def test_the_counts_in_the_json_are_those_of_its_nodes() -> None:
    record = json.loads((GOLDEN / "shot.json").read_text("utf-8"))
    nodes = record["nodes"]
    cuts = [node for node in nodes if node["tag"] == "cut"]
    assert record["complete"]
    assert record["counts"]["visited"] == len(nodes) > 10
    assert record["counts"]["alpha_cuts"] + record["counts"]["beta_cuts"] == len(cuts) > 0
    assert record["steps"] == 2 * len(nodes)
    assert all(node["reason"] for node in cuts)


class Balanced(HTMLParser):
    """Fails at the first tag that closes another one than was opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole() -> None:
    page = Balanced()
    page.feed((GOLDEN / "shot.html").read_text("utf-8"))
    page.close()
    assert page.open == []


def test_a_node_by_number_and_by_name() -> None:
    by_number = solver("trace", "-", "--depth", "3", "--node", "2.1", text=SHOT)
    by_name = solver("trace", "-", "--depth", "3", "--node", "7-10.30x21", text=SHOT)
    assert by_number.stdout == by_name.stdout
    names = [line.split()[0] for line in by_name.stdout.splitlines()[6:]]
    assert names[0] == "2.1"
    assert len(names) > 1
    assert all(name.startswith("2.1.") for name in names[1:])


def test_only_the_line_or_only_cuts() -> None:
    line = solver("trace", "-", "--only", "pv", text=TREE).stdout.splitlines()[6:]
    assert [row.split()[0] for row in line] == ["Max", "1", "1.1"]
    cuts = solver("trace", "-", "--only", "cuts", text=TREE).stdout.splitlines()[6:]
    assert [row.split()[0] for row in cuts] == ["2", "3"]


def test_techniques_are_added_and_left_out() -> None:
    words = ["--depth", "2", "--with", "all", "--without", "tables,cache"]
    done = solver("trace", "-", *words, text=SHOT)
    assert (
        "alpha-beta to depth 2, ordering learned, "
        "with deepening, pvs, aspiration, mate-distance, etc, captures: "
    ) in done.stdout


def test_what_is_left_out_is_counted() -> None:
    done = solver("trace", "-", "--max-nodes", "4", text=TREE)
    assert "7 more nodes; --max-nodes, --node and --only choose others" in done.stdout
    record = json.loads(
        solver("trace", "-", "--max-nodes", "4", "--format", "json", text=TREE).stdout
    )
    assert (len(record["nodes"]), record["complete"]) == (4, False)


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    target = tmp_path / "tree.html"
    done = solver("trace", "-", "--format", "html", "-o", str(target), text=TREE)
    assert (done.returncode, done.stdout) == (0, "")
    assert target.read_text("utf-8") == (GOLDEN / "textbook.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "text", "told"),
    [
        (["--node", "9"], TREE, "--node 9: there is no move '9'. Here are 1, 2, 3."),
        (["--node", "2.3"], TREE, "--node 2.3: the search has not looked at it."),
        (["--depth", "1"], TREE, "A tree is searched to its leaves: this one has 2 plies."),
        (["--heuristic", "centre"], TREE, "it takes no --heuristic"),
        (["--with", "pv"], SHOT, "There is no technique 'pv'. Did you mean 'pvs'?"),
        (["--only", "pvs"], SHOT, "Did you mean 'pv'?"),
        (["--format", "svg"], SHOT, "'svg' is not one of text, json, dot, html"),
        (["--depth", "12", "--without", "alpha-beta"], SHOT, "too many to trace"),
        (["--tree"], SHOT, "standard input: line 1, column 1: '.' has no meaning here"),
        ([], "((3 12)", "standard input: line 1, column 1: this is never closed"),
        ([], BLOCKED, "There is nothing to search."),
        (["-o", "/nowhere/tree.txt"], TREE, "/nowhere/tree.txt: cannot write"),
    ],
)
def test_mistakes_are_told(words: list[str], text: str, told: str) -> None:
    done = solver("trace", "-", *words, text=text)
    assert done.returncode in (2, 3)
    assert done.stdout == ""
    assert told in done.stderr
    assert "Traceback" not in done.stderr


if __name__ == "__main__":
    for stored, (options, content) in STORED.items():
        output = solver("trace", "-", *options, text=content).stdout
        (GOLDEN / stored).write_text(output, "utf-8")
