"""What is expected of a server; the first checks can share one match, the others end it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial

from solver.twoflags import game
from solver.twoflags.moves import move_name
from solver.twoflags.net import wire
from solver.twoflags.net.comply.checklist import Check, Checklist, Failed, Skipped, Verdict
from solver.twoflags.net.comply.client import Client
from solver.twoflags.net.comply.mover import (
    illegal_move,
    landing_game,
    move_out_of_turn,
)
from solver.twoflags.net.comply.peer import Gone
from solver.twoflags.net.comply.server_trial import ServerTrial, ServerUnderTest
from solver.twoflags.rules import other

LONGEST_CLOCK = 10.0  # seconds to wait for a flag to fall
QUIET = 0.3  # seconds in which nothing must be passed on

SERVER_CHECKS: Checklist[ServerTrial] = Checklist()
check = SERVER_CHECKS.check


def check_server(subject: ServerUnderTest, only: Collection[int] = ()) -> Iterator[Verdict]:
    """Every check with a server of its own if it can be started, else all in one match."""
    if subject.command:
        yield from SERVER_CHECKS.run(lambda _: ServerTrial(subject), only)
        return
    with ServerTrial(subject) as shared:

        def opened(check: Check[ServerTrial]) -> AbstractContextManager[ServerTrial]:
            if check.run in NEED_A_MATCH:
                raise Skipped("needs a match of its own; give the server as --server-cmd")
            return nullcontext(shared)

        yield from SERVER_CHECKS.run(opened, only)


@check("accepts two players", "A game has two.")
def accepts(trial: ServerTrial) -> None:
    trial.connect()
    trial.pump(lambda: False, QUIET)
    for client in trial.clients:
        if client.gone:
            raise Failed("two players to stay", f"player {client.peer.who} was disconnected")


@check("greets the players", "A client may wait for the greeting.", accepts)
def greets(trial: ServerTrial) -> None:
    if trial.dialect.speaks_first:
        raise Skipped(f"the {trial.dialect.name} dialect has no greeting")
    trial.connect()
    for client in trial.clients:
        heard = partial(client.has_heard, wire.GREETING)
        trial.expect(heard, f"a greeting for player {client.peer.who}")


@check("tells one player to begin", "And only one: the other waits for a move.", greets)
def begins(trial: ServerTrial) -> None:
    trial.begin()
    trial.pump(lambda: False, QUIET)
    signal = wire.YOUR_TURN if trial.dialect.asks_turns else wire.BEGIN
    told = sum(client.has_heard(signal) for client in trial.clients)
    if told > 1 and (trial.dialect.asks_turns or not trial.dialect.tells_roles):
        raise Failed(f"one {signal}", f"{told} of them")


@check("announces a position and a time", "Nobody can think without.", begins)
def announces(trial: ServerTrial) -> None:
    trial.begin()
    trial.announced()
    if trial.dialect.name == "course":
        return  # both are optional
    for kinds, name in (((wire.SETUP,), "Setup"), ((wire.TIME, wire.NUMBER), "a time")):
        for client in trial.clients:
            if not client.has_heard(*kinds):
                raise Failed(f"{name} for player {client.peer.who}", "none before the game")


@check("passes moves on", "In both directions, as they are.", begins)
def relays(trial: ServerTrial) -> None:
    trial.begin()
    for _ in range(4):
        trial.move(trial.quiet_move())


@check("understands a move that comes in two pieces", "A read may end anywhere.", relays)
def joins(trial: ServerTrial) -> None:
    trial.begin()
    for _ in range(2):
        trial.move(trial.quiet_move(), cut=True)


@check("lets nobody else disturb a game", "A third client is not a player.", relays)
def ignores_third(trial: ServerTrial) -> None:
    trial.begin()
    third = trial.third()
    third.say(f"OK{trial.end}")
    try:
        while message := third.hear(QUIET):
            if message.kind in (wire.BEGIN, wire.YOUR_TURN):
                raise Failed("no game for a third client", str(message))
    except Gone:
        pass
    third.say(trial.quiet_move() + trial.end)
    third.close()
    for _ in range(2):
        trial.move(trial.quiet_move())


def _land(trial: ServerTrial, suffix: str) -> None:
    """Both play until a pawn lands, as the scripts of winner and loser say."""
    trial.begin()
    line = landing_game(trial.position)
    if not line and game.outcome(trial.position) is None:
        raise Skipped("no pawn can land in this position")
    for child in line:
        name = move_name(trial.position, child)
        trial.move(name + (suffix if child is line[-1] else ""))


@check("understands a landing with a promotion, a7a8q", "Some programs add it.", relays)
def takes_suffix(trial: ServerTrial) -> None:
    _land(trial, "q")


@check("ends a game that was played out", "Both must know that it is over.", relays)
def finishes(trial: ServerTrial) -> None:
    _land(trial, "")
    loser, winner = trial.mover, trial.waiter
    if not trial.pump(lambda: loser.ended, QUIET):  # it may not know the rules
        if trial.dialect.claims:
            winner.say(f"win: {winner.colour.capitalize()}")
        else:
            loser.say("exit")
    trial.expect_end(winner.colour)


@check("understands two messages in one piece", "TCP keeps no borders of messages.", relays)
def unglues(trial: ServerTrial) -> None:
    trial.begin()
    mover, waiter, name = trial.mover, trial.waiter, trial.quiet_move()
    mover.say(name, "exit")
    trial.expect_passed_on(waiter, name)
    trial.expect_end(waiter.colour)


def _begin_with_a_referee(trial: ServerTrial) -> None:
    if trial.subject.relay:
        raise Skipped("a relay passes everything on")
    trial.begin()


def _expect_refusal(trial: ServerTrial, sender: Client, hearer: Client, name: str) -> None:
    """The move must not reach the other; the sender loses, or is told so and may try again."""
    sender.say(name)
    trial.expect(
        lambda: hearer.ended or bool(hearer.new(wire.MOVE)) or sender.has_heard(wire.COMPLAINT),
        f"{name} to be refused or the game to end",
    )
    if hearer.new(wire.MOVE):
        raise Failed(f"{name} not to be passed on", f"player {hearer.peer.who} has got it")
    if hearer.ended or sender.ended:
        trial.expect_end(hearer.colour)


@check("does not pass an illegal move on", "Whoever makes one has lost.", relays)
def refuses(trial: ServerTrial) -> None:
    _begin_with_a_referee(trial)
    _expect_refusal(trial, trial.mover, trial.waiter, illegal_move(trial.position))


@check("does not pass a move out of turn on", "Black cannot begin.", relays)
def keeps_turns(trial: ServerTrial) -> None:
    _begin_with_a_referee(trial)
    _expect_refusal(trial, trial.waiter, trial.mover, move_out_of_turn(trial.position))


@check("ends the game when a player resigns", "By exit; the other has won.", relays)
def takes_resignation(trial: ServerTrial) -> None:
    trial.begin()
    trial.move(trial.quiet_move())
    mover = trial.mover
    mover.say("exit")
    trial.expect_end(other(mover.colour))


@check("ends the game when a player is gone", "Nobody should wait for ever.", relays)
def takes_disconnection(trial: ServerTrial) -> None:
    trial.begin()
    trial.move(trial.quiet_move())
    mover = trial.mover
    mover.hang_up()
    trial.expect_end(other(mover.colour), told=False)


@check("ends the game when a player's time is up", "The time is for the whole game.", relays)
def keeps_time(trial: ServerTrial) -> None:
    trial.begin()
    minutes = trial.minutes()
    if trial.subject.relay or minutes is None:
        raise Skipped("the server keeps no clock")
    if minutes * 60 > LONGEST_CLOCK:
        raise Skipped(f"the server gives {minutes:g} minutes, too long to wait; give it 0.05")
    winner = other(trial.mover.colour)
    trial.expect_end(winner, minutes * 60)


NEED_A_MATCH = (
    *(unglues, refuses, keeps_turns),
    *(takes_resignation, takes_disconnection, keeps_time),
)
