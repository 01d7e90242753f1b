"""`grader tree`: a search is judged by its value, move and leaves, under either rule.

`python tests/grader/test_tree.py` writes the solutions of the twenty trees.
"""

from __future__ import annotations

import json
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.grader_command import ROOT, grader

from grader.judge.answer import Unreadable
from grader.judge.tree import Rule, find_faults, read_answer
from solver.games.tree import parse

TREES = sorted((ROOT / "inputs/trees").glob("*.tree"))
PROGRAM = """\
import json, sys
from math import inf

visited = []

def search(node, alpha, beta, is_max):
    if isinstance(node, int):
        visited.append(node)
        return node, 0
    best = None
    for number, child in enumerate(node, 1):
        value, _ = search(child, alpha, beta, not is_max)
        if best is None or (value > best if is_max else value < best):
            best, move = value, number
        alpha, beta = (max(alpha, value), beta) if is_max else (alpha, min(beta, value))
        if alpha >= beta:
            break
    return best, move

def answer(tree):
    visited.clear()
    return "value %d\\nmove %d\\n" % search(tree, -inf, inf, True) + f"leaves {visited}\\n"
"""
MAIN = "open(sys.argv[2], 'w').write(answer(json.load(open(sys.argv[1]))))\n"
TEXTBOOK: dict[str, Any] = {}
exec(PROGRAM, TEXTBOOK)
STRICT: dict[str, Any] = {}
exec(PROGRAM.replace("alpha >= beta", "alpha > beta"), STRICT)


def solution(path: Path) -> str:
    text: str = TEXTBOOK["answer"](json.loads(path.read_text()))
    return text.translate(str.maketrans("", "", "[],"))


def difference(tree: str, answer: str, rule: Rule = Rule.EQUAL) -> str:
    lines = "\n".join(answer.split(", "))
    found = find_faults(parse(tree, "test"), read_answer(lines.encode()), rule)
    return f"{'+'.join(found)}: {next(iter(found.values()))}" if found else ""


def test_a_right_search_is_right_on_twenty_trees(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PROGRAM + MAIN)
    done = grader("tree", "mine.py", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "20 of 20 trees right, by the rule: cut where alpha ≥ beta" in done.stdout


def prunings(tree: Any, leaves: list[int]) -> list[list[int]]:
    """Of all searches that leave out the last children of some nodes and visit these leaves first,
    the leaves that come then."""
    if isinstance(tree, int):
        return [leaves[1:]] if leaves[:1] == [tree] else []
    found, rests = [], [leaves]
    for child in tree:
        rests = [after for rest in rests for after in prunings(child, rest)]
        found += rests
    return found


@pytest.mark.parametrize("path", TREES, ids=lambda path: path.stem)
def test_no_other_cuts_have_the_same_leaves(path: Path) -> None:
    tree = json.loads(path.read_text())
    for textbook in (TEXTBOOK, STRICT):
        textbook["answer"](tree)
        assert prunings(tree, textbook["visited"]).count([]) == 1


@pytest.mark.parametrize("path", TREES, ids=lambda path: path.stem)
def test_solutions_are_those_of_a_textbook_search(path: Path) -> None:
    assert (ROOT / "expected/trees" / f"{path.stem}.out").read_text() == solution(path)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (
            PROGRAM.replace("alpha >= beta", "False") + MAIN,
            "you visited all 8 leaves: no cut was made",
        ),
        (
            PROGRAM.replace("inf, True", "inf, False") + MAIN,
            "leaves, value, move: you visited leaf 2.2 (value 4)",
        ),
        (PROGRAM, "missing: there is no output file"),
        (PROGRAM + MAIN.replace("answer(", "repr("), "malformed: there is no line 'value'"),
        ("raise ValueError('no')", "last stderr line: ValueError: no (mine.py, line 1)"),
    ],
)
def test_a_wrong_search_is_told_why(program: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(program)
    (tmp_path / "a.tree").write_text("[[[3, 5], [6, 9]], [[1, 2], [0, -1]]]")
    (tmp_path / "b.tree").write_text("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]")
    done = grader("tree", "--solver", "python3 mine.py {input} {output}", ".", cwd=tmp_path)
    assert done.returncode == 1
    assert words.partition(": ")[2] in done.stdout
    assert words.partition(": ")[0] in done.stdout


T3 = "((3 12 8) (2 4 6) (14 5 2))"
NAMED = "(A(a=3 b=7) B(c=2 d=9) C(e=5 f=2))"


@pytest.mark.parametrize(
    ("tree", "answer", "words"),
    [
        (T3, "value 3, move 1, leaves 3 12 8 2 14 5 2", ""),
        (T3, "Value: 3.0, MOVE = 1, leaves [3;12;8]".replace(";", " "), "leaves: you left out "
         "leaf 2.1 (value 2), but alpha 3 < beta inf at the root"),
        (T3, "value 3, move 1, leaves 3 12 8 2 4 14 5 2", "leaves: you visited leaf 2.2 (value 4) "
         "though alpha 3 ≥ beta 2 at node 2"),
        (T3, "value 3, move 1, leaves 3 12 8 2 14 2", "leaves: you left out leaf 3.2 (value 5), "
         "but alpha 3 < beta 14 at node 3"),
        (T3, "value 3, move 1, leaves 12 8", "leaves: you left out leaf 1.1 (value 3), the first "
         "leaf of all"),
        (T3, "value 3, move 1, leaves 3 8 12", "leaves: your leaf number 3 is '12', which does not "
         "come after leaf 1.3 (value 8): each leaf is visited once, from left to right"),
        (T3, "value 3, move 1, leaves 3 12 8 2 4 6 14 5 2", "leaves: you visited all 9 leaves: no "
         "cut was made, though alpha 3 ≥ beta 2 at node 2"),
        (T3, "value 8, move 2, leaves 3 12 8 2 14 5 2", "value+move: your value is 8, but the root "
         "is worth 3"),
        (T3, "value 3, move 3, leaves 3 12 8 2 14 5 2", "move: your move 3 is worth 2, the best is "
         "1; the value of a node that was cut is only a bound: take a move only if it is better"),
        (T3, "value 3, move 0, leaves 3 12 8 2 14 5 2", "move: your move '0' is not a child of the "
         "root; the best is 1"),
        # The leaf 14 that was visited too much is not taken for the one that is due.
        ("((3) (2 14 6) (14 5))", "value 5, move 3, leaves 3 2 14 6 14 5", "leaves: you visited all"
         " 6 leaves: no cut was made, though alpha 3 ≥ beta 2 at node 2"),
        (NAMED, "value 3, move A, leaves a b c e f", ""),
        (NAMED, "value 3, move B, leaves a b c d e f", "leaves+move: you visited all 6 leaves: no "
         "cut was made, though alpha 3 ≥ beta 2 at B"),
        (NAMED, "value 3, move a, leaves a b c d e", "leaves: you visited d (value 9) though alpha "
         "3 ≥ beta 2 at B"),
        ("min ((3 12) (5 1))", "value 5, move 2, leaves 3 12 5 1", ""),
    ],
)  # fmt: skip
def test_the_first_difference_in_words(tree: str, answer: str, words: str) -> None:
    assert difference(tree, answer) == words


trees = st.recursive(
    st.integers(-4, 4), lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=25
).filter(lambda tree: isinstance(tree, list))
tokens = st.sampled_from(["3", "-1", "0", "value", "move", "leaves", "\n", "\ufeff", "x", "nan"])


@given(trees)
def test_either_rule_is_right_by_itself(tree: Any) -> None:
    for rule, textbook in ((Rule.EQUAL, TEXTBOOK), (Rule.STRICT, STRICT)):
        answer = textbook["answer"](tree).encode()
        assert find_faults(parse(repr(tree), "test"), read_answer(answer), rule) == {}
    plain = STRICT["search"](tree, -inf, inf, True)[0]
    assert TEXTBOOK["search"](tree, -inf, inf, True)[0] == plain


@given(trees, st.lists(tokens, max_size=30), st.sampled_from(Rule))
def test_any_answer_is_refused_or_compared(tree: Any, words: list[str], rule: Rule) -> None:
    leaves = " ".join(word for word in words if word != "\n")
    for text in (" ".join(words), f"value 1\nmove 1\nleaves {leaves}"):
        with suppress(Unreadable):
            found = find_faults(parse(repr(tree), "test"), read_answer(text.encode()), rule)
            assert all(found.values())


if __name__ == "__main__":
    for tree_file in TREES:
        (ROOT / "expected/trees" / f"{tree_file.stem}.out").write_text(solution(tree_file))
