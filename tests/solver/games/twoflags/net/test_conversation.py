"""What a client makes of what it hears: one list of scripts, each with its story."""

from __future__ import annotations

import pytest
from support.scripted_server import read_scripts

from solver.games.twoflags.net.conversation import Conversation
from solver.games.twoflags.net.protocol import Scanner
from solver.games.twoflags.rules import NO_EN_PASSANT
from solver.games.twoflags.text import board_text, child_named

START = "Setup Wa2 Wb2 Wc2 Wd2 We2 Wf2 Wg2 Wh2 Ba7 Bb7 Bc7 Bd7 Be7 Bf7 Bg7 Bh7"

# A dialect and a story, then the script: `<` is heard, `>` must be said and nothing else, `play`
# moves, and `turn`, `wait`, `end` and `note` say how things stand.
SCRIPTS = """
auto: the course's dialect as White
    < Connected to the server! | > OK | < START | > OK | < Time 5 | > OK | wait | < Begin
    | turn white | play e2e4 | > e2e4 | wait white | < e7e5 | turn white
auto: time before setup, and a welcome that wants no answer
    < Welcome | < Time 0.5 | > OK | < START | > OK | < e2e4 | turn black
auto: setup and time are optional
    < Connected to the server! | > OK | < Begin | play a2a3 | > a2a3
auto: in a tournament we speak first, once, and colours alternate after Reset
    silence | > OK | silence | < Setup Wa6 Bh5 | > OK | < Time 10 | > OK | < Begin | turn white
    | play a6a7 | > a6a7 | < h5h4 | play a7a8 | > a7a8 | end white | < GameOver WHITE plies=3
    | < Reset | > Ready | < a6a7 | turn black
tournament: in a tournament the loser says exit
    < Setup Wa3 Bh2 | > OK | < Begin | play a3a4 | > a3a4 | < h2h1 | > exit | end black
tournament: an opponent who does not notice that we have won is answered: silence would lose
    < Setup Wa7 Wb2 Bh5 | > OK | < Begin | play a7a8 | > a7a8 | < h5h4 | > b2b4 | < h4h3
    | > b4b5 | end white
auto: the seed waits for its role and claims its win
    < Connected to the server! | > OK | < Setup Wa2 Bh3 | > OK | < 15 | > OK | < BEGIN | wait
    | < Role Black | wait black | < a2a3 | turn black | play h3h2 | > h3h2 | < a3a4 | play h2h1
    | > h2h1 | > win: Black
auto: a server without a clock is known by its role
    < Connected to the server! | > OK | < BEGIN | < Role White | turn white | dialect seed
course: a bare colour is a role
    < Begin | < Black | wait black | < e2e4 | turn black
course: some servers repeat our own move
    < Begin | play e2e4 | > e2e4 | < OK | < e2e4 | wait white | < e7e5 | turn white
course: a server may say Begin to both: who hears a move first is Black
    < Begin | turn white | < e2e4 | turn black
course: promotions and capital letters
    < Setup Wa2 Bh3 | > OK | < Begin | play a2a3 | > a2a3 | < H3H2 | play a3a4 | > a3a4
    | < h2h1Q | > exit | end black
course: other words change nothing
    < Begin | play e2e4 | > e2e4 | < hello | < \xff\xff | < Illegal move | < OK | < SETUP-ACK
    | < Begin | < White's turn | < TIMER W:30 B:30 | wait white
auto: a prompt begins a game that nothing else has begun, and no other
    < Connected to the server! | > OK | < START | > OK | < ClassicYour turn | turn white
    | note Classic | play e2e4 | > e2e4 | < Your turn | wait white | < OKe7e5Your turn | turn white
auto: who relays may relay every OK, and none of them is ours
    < Connected to the server! | > OK | < OKOK | < START | > OK | < OK | < Begin | < OK | turn white
    | play e2e4 | > e2e4 | < OK | < e7e5OK | turn white
auto: our server says late which role we have, with the move that was made
    < Connected to the server! | > OK | < START | > OK | < e2e4 | turn black | < Role Black
    | < e2e4 | turn black | play e7e5 | > e7e5 | < e2e4 | wait black | dialect course
course: a move out of turn is ignored
    < e2e4 | turn black | < d7d5 | turn black | < e2e4 | turn black
    | note d7d5 comes out of turn
course: when an opponent resigns, the next setup is all that is heard
    < Begin | play e2e4 | > e2e4 | < START | > OK | ends white | wait
course: a setup that cannot be played is noted
    < Setup Wa2 Ba2 | > OK | note a second pawn on a2 | < Begin | turn white
course: no move is asked for in Setup Wa2
    < Setup Wa2 | > OK | < Begin | wait | end white
course: no move is asked for in Setup Bh7
    < Setup Bh7 | > OK | < Begin | wait | end black
course: no move is asked for in Setup Wa2 Ba3
    < Setup Wa2 Ba3 | > OK | < Begin | wait | end black
course: no move is asked for in Setup Wa8 Bb7
    < Setup Wa8 Bb7 | > OK | < Begin | wait | end white
course: an exit on our own turn is not called a win: it may have been our time
    < Begin | play e2e4 | > e2e4 | < e7e5 | < exit | ends ?
course: an opponent who leaves has lost
    < Begin | play e2e4 | > e2e4 | < exit | end white
seed: nothing is claimed before the role is known
    < h1h8 | wait
course: an opponent moves a pawn that we took en passant: it has forgotten to remove it
    < Setup We4 Wa2 Bd7 Bh7 | > OK | < Begin | play e4e5 | > e4e5 | < d7d5 | play e5d6 | > e5d6
    | < d5d4 | note still on the opponent's board | turn white
    | board ......../.......b/...w..../......../...b..../......../w......./........
seed: an opponent takes en passant where we do not
    < Setup Wa2 Wh2 Bb4 Bh7 | > OK | < BEGIN | < Role White | play a2a4 | > a2a4 | < b4a3
    | note takes en passant | turn white
    | board ......../.......b/......../......../......../b......./.......w/........
seed: an illegal move is claimed where that is possible
    < Setup Wa2 Bh7 | > OK | < BEGIN | < Role White | play a2a3 | > a2a3 | < h7h4 | > win: White
    | end white
tournament: where nothing can be claimed, an illegal move ends the game
    < Setup Wa2 Bh7 | > OK | < Begin | play a2a3 | > a2a3 | < h7h4 | end ?
"""


def take_step(conversation: Conversation, verb: str, value: str) -> None:
    if verb == "<":
        scanner = Scanner()
        text = value.replace("START", START).encode("latin-1")
        for message in scanner.feed(text) + scanner.settle():
            conversation.hear(message)
    elif verb == ">":
        assert conversation.outbox.pop(0) == value
    elif verb == "play":
        child = child_named(conversation.position, value)
        assert child is not None
        conversation.play(child)
    elif verb == "silence":
        conversation.hear_silence()
    elif verb in ("turn", "wait"):
        assert conversation.our_turn == (verb == "turn")
        assert value in ("", conversation.colour)
    elif verb in ("end", "ends"):
        ending = conversation.endings[-1]
        assert (ending.winner or "?") == value
        assert len(conversation.endings) == 1
    elif verb == "note":
        assert value in conversation.notes[0]
    elif verb == "board":
        assert "/".join(board_text(conversation.position).split("\n")[:8]) == value
    else:
        assert verb == "dialect"
        assert conversation.dialect.name == value


@pytest.mark.parametrize(("head", "script"), read_scripts(SCRIPTS))
def test_a_conversation(head: str, script: str) -> None:
    conversation = Conversation(head.partition(":")[0])
    for step in script.split("|"):
        verb, _, value = step.strip().partition(" ")
        if verb != ">":
            assert not conversation.outbox, f"said before {step}: {conversation.outbox}"
        take_step(conversation, verb, value)
    assert not conversation.outbox


def test_the_seed_plays_without_en_passant() -> None:
    assert Conversation("seed").position.state & NO_EN_PASSANT
    assert not Conversation("course").position.state & NO_EN_PASSANT
