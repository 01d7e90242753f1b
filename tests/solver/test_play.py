"""`solver play` as a real process, driven through pipes as by a person who types ahead."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from command import solver

PLAIN = ["--depth", "1"]
SOLVER = [sys.executable, "-m", "solver"]


def play(*words: str, typed: str = "") -> tuple[int, list[str], list[str]]:
    """Exit code, standard output and standard error."""
    done = solver("play", *words, *PLAIN, text=typed)
    return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()


def test_the_board_has_ranks_and_files() -> None:
    code, out, words = play("--game", "twoflags")
    assert (code, words) == (0, [])
    assert out == [
        "8  . . . . . . . .",
        "7  b b b b b b b b",
        "6  . . . . . . . .",
        "5  . . . . . . . .",
        "4  . . . . . . . .",
        "3  . . . . . . . .",
        "2  w w w w w w w w",
        "1  . . . . . . . .",
        "",
        "   a b c d e f g h",
        "the game is left unfinished",
    ]


def test_the_board_of_checkers_has_its_numbers_too() -> None:
    _, out, _ = play("--game", "checkers")
    assert out[0] == "8  . b . b . b . b   32 31 30 29"
    assert out[7] == "1  r . r . r . r .    4  3  2  1"


def test_numbers_on_light_squares_are_where_its_moves_go(tmp_path: Path) -> None:
    board = tmp_path / "light.txt"
    board.write_text("b.......\n" + "........\n" * 6 + ".......r\n")
    _, out, _ = play(str(board), typed="moves\n")
    assert out[7].endswith("r    1  2  3  4")
    assert out[6].endswith(" 5  6  7  8")
    (legal,) = [line for line in out if line.startswith("legal:")]
    assert legal == "legal: 4-8"


@pytest.mark.parametrize("typed", ["e2e4", "E2E4", "e2-e4", "e2 e4", "  e2e4  "])
def test_a_move_of_two_flags_is_understood(typed: str) -> None:
    _, out, words = play("--game", "twoflags", typed=f"{typed}\n")
    assert out[10] == "white plays e2e4"
    assert words == []
    assert any(line.startswith("black plays ") for line in out)


@pytest.mark.parametrize("typed", ["11-15", "11 15", "11x15", "c3-d4", "c3d4"])
def test_a_move_of_checkers_is_understood(typed: str) -> None:
    _, out, words = play("--game", "checkers", typed=f"{typed}\n")
    assert (out[10], words) == ("red plays 11-15", [])


def test_a_jump_may_be_named_by_its_ends(tmp_path: Path) -> None:
    board = tmp_path / "jumps.txt"
    board.write_text("B:W14,22,23:B9")
    _, out, _ = play(str(board), typed="?\n9 x 18\nquit\n")
    assert "legal: 9x18x25 9x18x27" in out
    _, out, words = play(str(board), typed="9-25\n")
    assert "red plays 9x18x25" in out
    assert words == []


def test_ends_that_fit_two_jumps_are_asked_for(tmp_path: Path) -> None:
    board = tmp_path / "diamond.txt"
    board.write_text("B:W6,7,14,15,32:B2")
    _, out, words = play(str(board), typed="2x18\n2x9x18\n")
    assert words == ["2x18 could be 2x9x18 or 2x11x18."]
    assert "red plays 2x9x18" in out


@pytest.mark.parametrize(
    ("game", "typed", "said"),
    [
        ("twoflags", "e2e5", "e2e5 is not legal. From e2: e2e4, e2e3."),
        (
            "twoflags",
            "e4e5",
            "e4e5 is not legal: no move of white begins on e4. '?' lists all.",
        ),
        (
            "twoflags",
            "movs",
            "'movs' is not a legal move. Did you mean 'moves'? '?' lists the legal moves, "
            "'help' everything else.",
        ),
        (
            "twoflags",
            "\N{SNOWMAN}",
            "'\\u2603' is not a legal move. '?' lists the legal moves, 'help' everything else.",
        ),
        ("twoflags", "undo", "There is nothing to take back."),
        ("checkers", "11-14", "11-14 is not legal. From 11: 11-15, 11-16."),
    ],
)
def test_a_mistake_is_told_and_the_game_goes_on(game: str, typed: str, said: str) -> None:
    code, out, words = play("--game", game, typed=f"{typed}\n\nresign\n")
    assert (code, words) == (0, [said])
    assert out[-1].endswith("has resigned")


def test_a_jump_is_compulsory(tmp_path: Path) -> None:
    board = tmp_path / "jump.txt"
    board.write_text("B:W14,32:B9,1")
    _, _, words = play(str(board), typed="1-5\n")
    assert words == ["1-5 is not legal: a jump is compulsory. Legal: 9x18."]


def test_questions_are_answered() -> None:
    _, out, words = play("--game", "twoflags", "--files", "2", typed="moves\nhint\nboard\nhelp\n")
    assert "legal: a2a4 b2b4 a2a3 b2b3" in out
    assert any(line.startswith("hint: ") and " at depth 1" in line for line in out)
    assert out.count("   a b c d e f g h") == 2
    assert [line.split()[0] for line in words] == [
        *("moves", "hint", "undo", "board", "resign", "quit", "help")
    ]


def test_a_move_and_its_answer_are_taken_back() -> None:
    _, out, words = play("--game", "checkers", typed="11-15\nundo\n10-15\nundo\nundo\n")
    boards = "\n".join(out).split("   a b c d e f g h")
    assert boards[0].strip() == boards[3].strip() == boards[6].strip()
    assert words == ["There is nothing to take back."]


def test_black_has_the_second_move() -> None:
    _, out, _ = play("--game", "twoflags", "--side", "black", typed="resign\n")
    assert sum(line.startswith("white plays") for line in out) == 1
    assert out[-1] == "white has won: black has resigned"


def test_a_promotion_may_be_named_and_ends_the_game(tmp_path: Path) -> None:
    board = tmp_path / "last.txt"
    board.write_text("Setup Wa7 Bh6")
    code, out, _ = play(str(board), typed="a7a8q\nmore\n")
    assert code == 0
    assert out[-1] == "white has won: a white pawn has reached the last rank"


def test_a_game_that_is_over_is_told(tmp_path: Path) -> None:
    board = tmp_path / "over.txt"
    board.write_text("Setup Wa2")
    code, out, _ = play(str(board))
    assert (code, out[-1]) == (0, "white has won: black has no pawn left")


def test_the_third_repetition_is_a_draw(tmp_path: Path) -> None:
    """Two kings in opposite double corners, which nobody can drive out."""
    board = tmp_path / "corners.txt"
    board.write_text("B:WK32:BK1")
    _, out, words = play(str(board), typed="1-5\n5-1\n" * 20)
    assert words == []
    assert out[-1] == "a draw: the same position for the third time"


def test_the_side_must_be_one_of_the_game() -> None:
    code, out, words = play("--game", "checkers", "--side", "white")
    assert (code, out) == (2, [])
    assert words == ["solver: --side white: one of red and black in this game."]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Which board? Give a file, or a game: --game checkers or twoflags."),
        (["-"], "Standard input is for your moves; give the board as a file."),
        (["--server", "9999", "--side", "white"], "With --server, board and side are given"),
        (["--server", "9999", "--game", "checkers"], "Servers are for Two Flags"),
        (["--server", "127.0.0.1:99999"], "'127.0.0.1:99999' is not like 127.0.0.1:9999"),
        (["--server", "here", "--dialect", "sed"], "'here' is not like 127.0.0.1:9999"),
    ],
)
def test_wrong_usage(words: list[str], said: str) -> None:
    code, out, told = play(*words)
    assert (code, out) == (2, [])
    assert told[0].startswith("solver: ")
    assert said in told[0]


def test_no_server_is_told() -> None:
    code, _, words = play("--server", "127.0.0.1:1")
    assert code == 3
    assert words[0].startswith("solver: 127.0.0.1:1: cannot connect: ")


def test_an_interrupt_is_130() -> None:
    with subprocess.Popen(
        [*SOLVER, "play", "--game", "twoflags"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "8  . . . . . . . .\n"
        process.send_signal(signal.SIGINT)
        _, words = process.communicate(timeout=20)
    assert (process.returncode, words) == (130, "solver: interrupted\n")


# --- on a server ---------------------------------------------------------------------------


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*SOLVER, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


class Table:
    """A server, a person who comes first, and the solver's agent."""

    def __init__(self, stack: ExitStack, dialect: str, spoken: str) -> None:
        options = ["--port", "0", "--spectator-port", "0", "--dialect", dialect, "-v"]
        self.server = stack.enter_context(running("server", *options))
        assert self.server.stdout is not None
        self.address = self.server.stdout.readline().split()[-1]
        port = self.address.rpartition(":")[2]
        self.person = stack.enter_context(
            running("play", "--server", self.address, "--dialect", spoken, "--nodes", "100")
        )
        assert self.server.stderr is not None
        assert self.server.stderr.readline().startswith("player-1 has come ")
        thinking = ["--move-time", "0.02", "--no-ponder", "-q"]
        self.agent = stack.enter_context(
            running("agent", "--port", port, "--dialect", spoken, *thinking)
        )

    def wait_for_the_game(self) -> None:
        """Who comes first is White."""
        assert self.person.stdout is not None
        assert self.person.stdout.readline() == "you are white\n"

    def type(self, text: str) -> tuple[str, str]:
        """Everything the person types; what is told on the way."""
        assert self.person.stdin is not None
        with self.person.stdin:
            self.person.stdin.write(text)
        told = "".join(self.person.stdout or []), "".join(self.person.stderr or [])
        assert self.person.wait(20) == 0
        return told

    def play_first_moves(self) -> list[str]:
        """Ask for the legal moves, play the first of them, and so on to the end."""
        assert self.person.stdin is not None
        assert self.person.stdout is not None
        self.person.stdin.write("moves\n")
        lines = []
        for line in self.person.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith("legal: "):
                self.person.stdin.write(f"{line.split()[1]}\nmoves\n")
        assert self.person.wait(20) == 0
        return lines


@contextmanager
def table(dialect: str, spoken: str = "auto") -> Iterator[Table]:
    with ExitStack() as stack:
        yield Table(stack, dialect, spoken)


@pytest.mark.parametrize("dialect", ["course", "tournament", "seed", "prompt"])
def test_a_whole_game_on_a_server(dialect: str) -> None:
    with table(dialect, spoken=dialect) as seats:
        seats.wait_for_the_game()
        lines = seats.play_first_moves()
        out, _ = seats.agent.communicate(timeout=20)
        assert seats.agent.returncode == 0
    moves = [line.split()[0] for line in lines if " plays " in line]
    assert moves == [("white", "black")[ply % 2] for ply in range(len(moves))]
    (result,) = [line for line in lines if " has won: " in line]
    assert f"black, {'lost' if result.startswith('white') else 'won'}; " in out


def test_the_dialect_is_found_out() -> None:
    with table("course") as seats:
        assert any(" has won: " in line for line in seats.play_first_moves())


def test_questions_are_answered_on_a_server_too_and_end_of_input_resigns() -> None:
    with table("course") as seats:
        seats.wait_for_the_game()
        out, words = seats.type("undo\nhint\ne9\n")
    assert "\nhint: " in out
    assert out.splitlines()[-1] == "black has won: resignation"
    assert words.startswith("On a server no move can be taken back.\n'e9' is not a legal move.")


def test_an_opponent_who_is_gone_ends_the_game() -> None:
    """On our turn: whether by our fault or the opponent's, this dialect does not tell."""
    with table("course") as seats:
        seats.wait_for_the_game()
        seats.agent.kill()
        out = "".join(seats.person.stdout or [])
        assert seats.person.wait(20) == 0
    assert "the server has ended the game on our turn\n" in out


def test_a_server_that_dies_in_mid_game_is_told() -> None:
    with table("course") as seats:
        seats.wait_for_the_game()
        seats.server.kill()
        assert seats.person.wait(20) == 4
        assert seats.person.stderr is not None
        assert seats.person.stderr.read().startswith(f"solver: {seats.address}: ")
