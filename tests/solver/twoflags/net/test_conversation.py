"""What a client makes of what it hears, in every dialect and in none."""

from __future__ import annotations

import pytest

from solver.twoflags.moves import child_named, move_name
from solver.twoflags.net.conversation import Conversation
from solver.twoflags.net.protocol import Scanner
from solver.twoflags.rules import NO_EN_PASSANT, Pawns

START = "Setup Wa2 Wb2 Wc2 Wd2 We2 Wf2 Wg2 Wh2 Ba7 Bb7 Bc7 Bd7 Be7 Bf7 Bg7 Bh7"


class Client:
    """A conversation and what it has said."""

    def __init__(self, dialect: str = "auto", variant: str | None = None) -> None:
        self.conversation = Conversation(dialect, variant)

    def hear(self, text: str) -> list[str]:
        """What is answered to a text."""
        scanner = Scanner()
        for message in scanner.feed(text.encode()) + scanner.settle():
            self.conversation.hear(message)
        return self.said()

    def said(self) -> list[str]:
        words, self.conversation.outbox = self.conversation.outbox, []
        return words

    def play(self, name: str) -> list[str]:
        child = child_named(self.conversation.position, name)
        assert child is not None
        self.conversation.play(child)
        return self.said()


def playing(setup: str, name: str, dialect: str = "course", variant: str | None = None) -> Client:
    """We are White in this position and have just played that move."""
    client = Client(dialect, variant)
    client.hear(f"{setup}\n")
    client.hear("Begin\n" + ("Role White\n" if dialect == "seed" else ""))
    assert client.play(name)[0] == name
    return client


# --- each dialect from its first word --------------------------------------------------------


def test_course_as_white() -> None:
    client = Client()
    assert client.hear("Connected to the server!\n") == ["OK"]
    assert client.hear(f"{START}\n") == ["OK"]
    assert client.hear("Time 5\n") == ["OK"]
    assert not client.conversation.our_turn
    assert client.hear("Begin\n") == []
    assert client.conversation.our_turn
    assert (client.conversation.colour, client.conversation.minutes) == ("white", 5.0)
    assert client.play("e2e4") == ["e2e4"]
    assert client.hear("e7e5\n") == []
    assert client.conversation.our_turn


def test_course_as_black_with_time_before_setup_and_a_welcome() -> None:
    client = Client()
    assert client.hear("Welcome\n") == []
    assert client.hear("Time 0.5\n") == ["OK"]
    assert client.hear(f"{START}\n") == ["OK"]
    assert client.hear("e2e4\n") == []
    assert client.conversation.our_turn
    assert client.conversation.colour == "black"


def test_course_without_setup_and_time() -> None:
    client = Client()
    assert client.hear("Connected to the server!\n") == ["OK"]
    client.hear("Begin\n")
    assert client.conversation.our_turn
    assert client.play("a2a3") == ["a2a3"]


def test_tournament_begins_after_silence_and_alternates_colours() -> None:
    client = Client()
    client.conversation.hear_silence()
    assert client.said() == ["OK"]
    client.conversation.hear_silence()
    assert client.said() == []  # once is enough
    assert client.hear("Setup Wa6 Bh5\nTime 10\n") == ["OK", "OK"]
    client.hear("Begin\n")
    assert client.conversation.colour == "white"
    client.play("a6a7")
    client.hear("h5h4\n")
    client.play("a7a8")
    assert client.conversation.ending is not None
    assert client.hear("GameOver WHITE plies=3\n") == []
    assert client.hear("Reset\n") == ["Ready"]
    assert client.hear("a6a7\n") == []
    assert client.conversation.colour == "black"
    assert client.conversation.minutes == 10.0
    assert client.conversation.our_turn


def test_tournament_says_exit_only_when_it_has_lost() -> None:
    won = playing("Setup Wa7 Bh3", "a7a8", "tournament")
    assert won.said() == []
    lost = playing("Setup Wa3 Bh2", "a3a4", "tournament")
    assert lost.hear("h2h1\n") == ["exit"]


def test_after_a_win_an_opponent_who_goes_on_is_answered() -> None:
    """To fall silent would lose the game that was won."""
    client = playing("Setup Wa7 Wb2 Bh5", "a7a8", "tournament")
    assert client.hear("h5h4\n") == ["b2b4"]
    assert client.hear("h4h3\n") == ["b4b5"]
    assert client.conversation.ending is not None
    assert client.conversation.ending.winner == "white"


def test_seed_waits_for_its_role_and_claims_its_win() -> None:
    client = Client()
    assert client.hear("Connected to the server!\n") == ["OK"]
    assert client.hear("Setup Wa2 Bh3\n") == ["OK"]
    assert client.hear("15\n") == ["OK"]
    assert client.hear("BEGIN\n") == []
    assert not client.conversation.our_turn
    client.hear("Role Black\n")
    assert not client.conversation.our_turn
    client.hear("a2a3\n")
    assert client.conversation.our_turn
    client.play("h3h2")
    client.hear("a3a4\n")
    assert client.play("h2h1") == ["h2h1", "win: Black"]


def test_seed_plays_without_en_passant_unless_told_otherwise() -> None:
    plain = Client("seed")
    plain.hear("Setup Wa2 Bb4\n")
    assert plain.conversation.position.state & NO_EN_PASSANT
    told = Client("seed", variant="")
    told.hear("Setup Wa2 Bb4\n")
    assert not told.conversation.position.state & NO_EN_PASSANT


# --- tolerance -------------------------------------------------------------------------------


def test_an_echo_of_our_own_move_is_ignored() -> None:
    client = playing(START, "e2e4")
    client.hear("OK\ne2e4\n")
    assert client.conversation.position.mover() == "black"
    client.hear("e7e5\n")
    assert client.conversation.our_turn


def test_whoever_hears_a_move_first_is_not_white_after_all() -> None:
    """A server may say Begin to both."""
    client = Client("course")
    client.hear("Begin\n")
    assert client.conversation.our_turn
    client.hear("e2e4\n")
    assert client.conversation.colour == "black"
    assert client.conversation.our_turn


def test_promotions_and_capital_letters_are_understood() -> None:
    client = playing("Setup Wa2 Bh3", "a2a3")
    client.hear("H3H2\n")
    client.play("a3a4")
    client.hear("h2h1Q\n")
    assert client.conversation.ending is not None
    assert client.conversation.ending.winner == "black"


@pytest.mark.parametrize("word", ["hello", "\xff\xff", "Illegal move", "OK", "SETUP-ACK"])
def test_other_words_change_nothing(word: str) -> None:
    client = playing(START, "e2e4")
    position = client.conversation.position
    assert client.hear(f"{word}\n") == []
    assert client.conversation.position == position
    assert client.conversation.ending is None


@pytest.mark.parametrize("words", ["d7d5\n", "e2e4\n"])
def test_a_move_out_of_turn_is_ignored(words: str) -> None:
    """We are Black and to move; White repeats its move, or moves for us."""
    client = Client("course")
    client.hear("e2e4\n")
    position = client.conversation.position
    client.hear(words)
    assert client.conversation.position == position
    assert (client.conversation.colour, client.conversation.our_turn) == ("black", True)
    assert "out of turn" in client.conversation.notes[0]


def test_a_game_that_ends_without_a_word_is_counted() -> None:
    """In the course's dialect the next setup is all that is heard when an opponent resigns."""
    client = playing(START, "e2e4")
    client.hear(f"{START}\n")
    (ending,) = client.conversation.endings
    assert (ending.winner, ending.colour) == ("white", "white")
    assert not client.conversation.our_turn


def test_seed_is_told_by_its_role_where_there_is_no_clock() -> None:
    client = Client()
    client.hear("Connected to the server!\nSetup Wa2 Bb4\nBEGIN\nRole White\n")
    assert client.conversation.dialect is not None
    assert client.conversation.dialect.name == "seed"
    assert client.conversation.position.state & NO_EN_PASSANT


def test_a_setup_that_cannot_be_played_is_noted() -> None:
    client = Client("course")
    client.hear("Setup Wa2 Ba2\n")
    assert "a second pawn on a2" in client.conversation.notes[0]
    assert client.conversation.position.mover() == "white"


@pytest.mark.parametrize("setup", ["Setup Wa2", "Setup Bh7", "Setup Wa2 Ba3", "Setup Wa8 Bb7"])
def test_a_setup_in_which_the_game_is_over_asks_for_no_move(setup: str) -> None:
    client = Client("course")
    client.hear(f"{setup}\nBegin\n")
    assert not client.conversation.our_turn
    assert client.conversation.ending is not None


def test_an_end_on_our_own_turn_is_not_called_a_win() -> None:
    """It may have been our time: the course's dialect says exit to both."""
    client = playing(START, "e2e4")
    client.hear("e7e5\nexit\n")
    (ending,) = client.conversation.endings
    assert ending.winner == ""


def test_a_second_begin_changes_nothing() -> None:
    client = playing(START, "e2e4")
    client.hear("Begin\n")
    assert (client.conversation.colour, client.conversation.our_turn) == ("white", False)


def test_nothing_is_claimed_before_the_role_is_known() -> None:
    client = Client("seed")
    assert client.hear("h1h8\n") == []


def test_an_opponent_who_leaves_has_lost() -> None:
    client = playing(START, "e2e4")
    client.hear("exit\n")
    assert str(client.conversation.ending) == "white has won: the opponent has left the game"
    assert client.conversation.finished


# --- moves that are illegal on our board -----------------------------------------------------


def test_an_opponent_who_forgets_the_pawn_taken_en_passant() -> None:
    """It moves a pawn that we have taken: on its own board the pawn is still there."""
    client = Client("course")
    client.hear("Setup We4 Wa2 Bd7 Bh7\nBegin\n")
    client.play("e4e5")
    client.hear("d7d5\n")
    client.play("e5d6")
    client.hear("d5d4\n")
    assert "still on the opponent's board" in client.conversation.notes[0]
    assert client.conversation.our_turn
    assert client.conversation.position.enemy == Pawns(0, 1 << 19 | 1 << 47, 0, 0).enemy


def test_an_opponent_who_takes_en_passant_where_we_do_not() -> None:
    client = playing("Setup Wa2 Wh2 Bb4 Bh7", "a2a4", variant="no-en-passant")
    client.hear("b4a3\n")
    assert "takes en passant" in client.conversation.notes[0]
    assert str(client.conversation.position).split("\n")[5] == "b......."
    assert client.conversation.our_turn


def test_an_illegal_move_is_claimed_where_that_is_possible() -> None:
    client = playing("Setup Wa2 Bh7", "a2a3", "seed")
    assert client.hear("h7h4\n") == ["win: White"]
    assert client.conversation.ending is not None
    assert client.conversation.ending.winner == "white"


def test_an_illegal_move_that_nobody_checks_is_taken_at_its_word() -> None:
    client = playing("Setup Wa2 Bh7", "a2a3", "tournament")
    client.hear("h7h4\n")
    assert "accepted (no referee)" in client.conversation.notes[0]
    assert client.conversation.our_turn
    here = client.conversation.position
    assert [move_name(here, child) for child in here.children()] == ["a3a4"]


def test_a_move_of_no_pawn_at_all_ends_the_game_without_a_crash() -> None:
    client = playing("Setup Wa2 Bh7", "a2a3", "tournament")
    client.hear("c4c3\n")
    assert client.conversation.ending is not None
    assert client.conversation.ending.winner == ""
