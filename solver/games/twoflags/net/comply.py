"""Checks of an agent or a server for Two Flags: does it keep to the protocol and the rules?

A check is a script of steps, run one after the other until one fails.  Every check starts the
program anew, and keeps a transcript of what was said.
"""

from __future__ import annotations

import shlex
import signal
import socket
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, suppress
from enum import StrEnum
from functools import partial
from random import Random
from typing import NamedTuple

from solver.errors import FileError, UserError
from solver.games.twoflags import game
from solver.games.twoflags.net import protocol
from solver.games.twoflags.net.match import Reason, Referee
from solver.games.twoflags.net.program import (
    HOST,
    RETRY,
    Failed,
    Peer,
    Process,
    ProgramUnderTest,
    Skipped,
    reserve_port,
)
from solver.games.twoflags.net.protocol import DIALECTS, GREETING_LINE, Message
from solver.games.twoflags.rules import NO_EN_PASSANT, WHITE_LANDED_AT, Pawns, other
from solver.games.twoflags.text import child_named, move_name, parse_setup

QUIET = 0.4  # seconds in which nothing must be said
TICK = 0.01  # seconds to listen to one connection before the other has its turn
MOVES_LONGER = 3  # times the patience: thinking takes longer than saying OK
LONGEST_CLOCK = 10.0  # seconds to wait until a player's time is up
CRASHES = ("Traceback (most recent call last)", "Exception in thread", "Unhandled exception")
TELL_WINNER = (protocol.GAME_OVER, protocol.WINNER)
SETUPS = {
    "start": game.start(),
    "few-pawns": "Setup Wa4 Wb5 Bg5 Bh4",  # no move of the usual start is legal here
    "en-passant": "Setup Wd2 We3 Be4",  # after d2d4 Black has only e4d3
    "landing": "Setup Wa7 Bh6",  # White has only a7a8
}


class Check(NamedTuple):
    number: int
    title: str
    why: str
    script: str  # names of a trial's methods, with their arguments


class CheckStatus(StrEnum):
    PASSED = "ok"
    FAILED = "FAILED"
    SKIPPED = "skipped"


class CheckResult(NamedTuple):
    """What has become of one check; the transcript only if it has failed."""

    check: Check
    status: CheckStatus
    reason: str = ""
    transcript: tuple[str, ...] = ()

    def __str__(self) -> str:
        end = f": {self.reason}" if self.reason else ""
        return f"{self.status} {self.check.number}  {self.check.title}{end}"


def _read_checks(text: str) -> list[Check]:
    rows = text.strip().split("\n")
    pairs = enumerate(zip(rows[::2], rows[1::2], strict=True), 1)
    parts = ((number, row.partition(". "), script) for number, (row, script) in pairs)
    return [Check(number, title, why, script) for number, (title, _, why), script in parts]


BASIC_CHECKS = 3  # if one of the first fails, the rest would say nothing new
AGENT_CHECKS = _read_checks("""
connects. The server waits at the host and the port it was given, here 127.0.0.1.
    connect
answers the greeting, Setup and Time with OK. The server goes on only after each OK.
    greet; say setup:start; say time:1
as Black, waits for White's first move. A move out of turn loses.
    start black; expect_quiet
as White, begins with a legal move. White moves when told to, unasked.
    start white; expect_move
as Black, answers a legal move with one. That is the game.
    start black; say move:e2e4; expect_move
plays from the position of Setup. Referees like to begin with few pawns.
    start white few-pawns; expect_move; say move:; expect_move
takes en passant when nothing else is legal. The rule holds for one turn and is often forgotten.
    start black en-passant; say move:d2d4; expect_move
understands two messages in one piece. TCP does not separate messages.
    greet; say setup:start time:1; say begin:white; expect_move
understands a message that comes in two pieces. A read may end anywhere.
    greet; say cut setup:start; say time:1; say begin:black; say cut move:e2e4; expect_move
as White, plays a whole game in three seconds. Time 0.05 is in minutes; using it up loses.
    start white start 0.05; play_on; say over:
as Black, plays a whole game legally. Most mistakes in the rules show only late in a game.
    start black; play_on; say over:
notices that it has lost. A pawn on the last rank ends the game, so no move may follow.
    start black landing; say move:a7a8; expect_exit; expect_quiet
notices that it has won. To say exit loses in the tournament's dialect, even after a landing.
    start white landing; expect_move; expect_quiet
ends when the server says so. A match should leave no process behind.
    start black; say move:e2e4; expect_move; say over:; expect_end
ends in order when the server is gone. Networks break, and a traceback helps nobody.
    start black; say move:e2e4; expect_move; expect_end hang_up
""")
SERVER_CHECKS = _read_checks("""
accepts two players. A game has two.
    connect; stay
greets them and tells one to begin. The other waits for a move.
    begin
passes moves on. In both directions, as they are.
    begin; move; move; move; move
understands a move that comes in two pieces. A read may end anywhere.
    begin; move 2; move 2
understands two messages in one piece. TCP does not separate messages; exit resigns.
    begin; move_and_exit; expect_game_over
ends a game that was played out. Both must know that it is over.
    begin; play_on; expect_game_over
does not pass an illegal move on. The player who makes one has lost.
    begin; send_bad_move backwards; expect_game_over
does not pass a move out of turn on. Black cannot begin.
    begin; send_bad_move out_of_turn; expect_game_over
ends the game when a player is gone. The other should not wait for ever.
    begin; move; disconnect; expect_game_over
ends the game when a player's time is up. The time is for the whole game.
    begin; use_up_time; expect_game_over
""")


def run_checks(subject: ProgramUnderTest, only: Collection[int] = ()) -> Iterator[CheckResult]:
    blamed = 0
    for check in SERVER_CHECKS if subject.is_server else AGENT_CHECKS:
        if only and check.number not in only:
            continue
        if blamed:
            reason = f"could not be checked because check {blamed} failed"
            yield CheckResult(check, CheckStatus.SKIPPED, reason)
            continue
        result = _run_check(check, subject)
        if result.status is CheckStatus.FAILED and check.number <= BASIC_CHECKS:
            blamed = check.number
        yield result


def _run_check(check: Check, subject: ProgramUnderTest) -> CheckResult:
    transcript: list[str] = []
    try:
        with ExitStack() as stack:
            trial = (ServerTrial if subject.is_server else AgentTrial)(subject, stack, transcript)
            for step in check.script.split(";"):
                name, *arguments = step.split()
                getattr(trial, name)(*arguments)
    except Failed as failure:
        return CheckResult(check, CheckStatus.FAILED, str(failure), tuple(transcript))
    except Skipped as skipped:
        return CheckResult(check, CheckStatus.SKIPPED, str(skipped))
    return CheckResult(check, CheckStatus.PASSED)


# --- trials --------------------------------------------------------------------------------


class ComplyTrial:
    """What a check is run on: the program, the game so far, and what was said."""

    def __init__(self, subject: ProgramUnderTest, stack: ExitStack, transcript: list[str]) -> None:
        self.subject = subject
        self.stack = stack
        self.transcript = transcript
        self.dialect = DIALECTS[subject.dialect]
        self.chance = Random(0)
        self.started = time.monotonic()
        self.referee = Referee(self.parse(game.start()))
        try:
            words = shlex.split(subject.command)
        except ValueError as error:
            raise UserError(f"{subject.command}: {error}") from None
        if not words:
            raise UserError("The command is empty.")
        places = {"{host}": HOST, "{port}": str(self.open_port()), "{dialect}": subject.dialect}
        for name, value in places.items():
            words = [word.replace(name, value) for word in words]
        self.note("-", f"start {shlex.join(words)}")
        self.process = Process(words)
        stack.callback(self._close)

    def open_port(self) -> int:
        raise NotImplementedError

    def _close(self) -> None:
        code = self.process.wait(0)
        if code is not None:
            self.note("-", f"the program ended with exit code {code}")
        for line in self.process.close().splitlines():
            self.note("-", f"standard error: {line}")

    def note(self, sign: str, text: str) -> None:
        """`>` we say, `<` it says, `-` a note; what was said is shown as on the wire."""
        text = text if sign.endswith("-") else ascii(text)[1:-1]
        self.transcript.append(f"{time.monotonic() - self.started:7.3f} {sign} {text}")

    def connect_by(self, attempt: Callable[[], socket.socket], what: str) -> socket.socket:
        """Try until it works: either side may take a moment to start."""
        until = time.monotonic() + self.subject.patience
        while True:
            code = self.process.wait(0)  # before the attempt: a last connection still counts
            with suppress(OSError):
                return attempt()
            if code is not None:
                raise Failed(what, f"the program ended, exit code {code}")
            if time.monotonic() > until:
                raise Failed(what, f"none in {self.subject.patience:g} s")
            time.sleep(RETRY)

    def parse(self, setup: str) -> Pawns:
        return parse_setup(setup, "the check", NO_EN_PASSANT if self.dialect.variant else 0)

    def choose_move(self, here: Pawns) -> str:
        """A capture or a landing if there is one, en passant first.  Weak on purpose: an agent
        that gives up against it has not understood the game."""
        children = here.children()
        if not children:
            raise Skipped("the position is too near the end of a game")
        forcing = [c for c in children if c.own != here.enemy or c.state >> WHITE_LANDED_AT]
        passing = [child for child in forcing if child.enemy & here.passed]
        return move_name(here, self.chance.choice(passing or forcing or children))


class AgentTrial(ComplyTrial):
    """One connection of the agent: we are its server and its opponent."""

    peer: Peer
    colour = ""

    def open_port(self) -> int:
        """Listen before the agent is started: it need not wait for us."""
        port = 0 if "{port}" in self.subject.command else self.subject.port
        try:
            self.listener = self.stack.enter_context(socket.create_server((HOST, port)))
        except OSError as error:
            raise FileError(
                f"{HOST}:{port}: cannot listen there: {error.strerror}. "
                "Put {port} into the command, for any free one."
            ) from None
        self.listener.settimeout(RETRY)
        return int(self.listener.getsockname()[1])

    def connect(self) -> None:
        connected = self.connect_by(lambda: self.listener.accept()[0], "a connection")
        self.peer = Peer(connected, self.subject, self.note)
        self.stack.callback(self.peer.close)

    def greet(self) -> None:
        self.connect()
        if self.dialect.speaks_first:
            self.hear("OK without being asked", protocol.OK)
            return
        self.peer.say(GREETING_LINE)
        may_set_up = (protocol.SETUP,) if self.dialect.tells_roles else ()
        answer = self.hear("OK as answer to greeting", protocol.OK, *may_set_up)
        if answer.kind == protocol.SETUP:
            self.peer.say("SETUP-ACK")

    def start(self, colour: str, setup: str = "start", minutes: str = "1") -> None:
        """Everything before the first move."""
        if setup == "en-passant" and self.dialect.variant:
            raise Skipped(f"the {self.dialect.name} dialect has no en passant")
        self.greet()
        for word in (f"setup:{setup}", f"time:{minutes}", f"begin:{colour}"):
            self.say(word)

    def hear(self, what: str, *kinds: str, times: int = 1) -> Message:
        seconds = self.subject.patience * times
        message = self.peer.hear(seconds)
        if message is None and self.peer.closed:
            self.process.wait(QUIET)  # so that its last words are in the transcript
            raise Failed(what, "the end of the connection")
        if message is None:
            raise Failed(what, f"nothing in {seconds:g} s")
        if message.kind not in kinds:
            shown = ascii(message.value) if message.kind == protocol.UNKNOWN else str(message)
            gives_up = ", which gives the game up" if message.kind == protocol.EXIT else ""
            raise Failed(what, shown + gives_up)
        return message

    def say(self, *words: str) -> None:
        """Say all of it in one piece, or after `cut` in two; what wants an `OK` must get it."""
        cut, words = (2, words[1:]) if words[0] == "cut" else (0, words)
        self.peer.say(*(line for word in words for line in self._lines(word)), cut=cut)
        for word in words:
            if word.startswith(("setup", "time")):
                self.hear(f"OK as answer to {word.partition(':')[0]}", protocol.OK)

    def _lines(self, word: str) -> list[str]:
        """What a word of a script is in this dialect; it moves the game on, too."""
        what, _, value = word.partition(":")
        match what:
            case "setup":
                self.referee = Referee(self.parse(SETUPS[value]))
                return [SETUPS[value]]
            case "time":
                self.referee = Referee(self.referee.position, float(value) * 60)
                return [self.dialect.time_line(float(value))]
            case "begin":
                self.colour = value
                return self.dialect.begin_lines(value, self.referee.mover)
            case "move":
                value = value or self.choose_move(self.referee.position)
                self.referee.play(other(self.colour), value, 0.0)
                return [value]
        result, plies = self.referee.result, len(self.referee.moves)  # the end of the game
        winner = result.winner if result else self.colour
        line = self.dialect.last_word.format(winner=winner.upper(), plies=plies)
        return [line] if line else []

    def expect_move(self) -> None:
        """The agent's move, which must be legal and within its time for the game."""
        what, asked = f"a legal move of {self.colour}", time.monotonic()
        name = self.hear(what, protocol.MOVE, times=MOVES_LONGER).value
        if self.referee.play(self.colour, name, time.monotonic() - asked):
            return
        result, plies = self.referee.result, len(self.referee.moves)
        if result is not None and result.reason == Reason.TIME:
            raise Failed("moves in time", f"{name} too late, after {plies} plies")
        for row in str(self.referee.position).split("\n"):
            self.note("-", row)
        raise Failed(what, f"{name}, which is illegal")

    def play_on(self) -> None:
        while self.referee.result is None:
            if self.referee.mover == self.colour:
                self.expect_move()
            else:
                self.say("move:")

    def expect_exit(self) -> None:
        """The loser of a tournament game must say so; elsewhere it may."""
        if self.dialect.resets:
            self.hear("exit, by which the loser ends the game", protocol.EXIT)

    def expect_quiet(self) -> None:
        """Nothing at all before the game; after it no move, no false claim, and no exit of a
        winner where that would lose the game."""
        result, stop = self.referee.result, time.monotonic() + QUIET
        winner = "" if result is None else result.winner
        while (left := stop - time.monotonic()) > 0 and (message := self.peer.hear(left)):
            kind, value = message
            exits = kind == protocol.EXIT and self.dialect.resets and winner == self.colour
            false = kind == protocol.WINNER and value != winner
            if not winner or kind == protocol.MOVE or exits or false:
                when = "after the end of the game" if winner else "before White's first move"
                raise Failed(f"silence {when}", str(message))
        self.check_no_crash()

    def expect_end(self, how: str = "") -> None:
        """The process must end by itself and in order, in the course at the server's word."""
        if how == "hang_up" or self.dialect.name != "course":
            self.peer.hang_up()
        if self.process.wait(self.subject.patience) is None:
            raise Failed("the program to end", f"it still runs after {self.subject.patience:g} s")
        self.check_no_crash()

    def check_no_crash(self) -> None:
        code = self.process.wait(QUIET if self.peer.closed else 0)
        written = self.process.read_stderr()
        if any(crash in written for crash in CRASHES):
            raise Failed("no crash", f"on standard error: {written.strip().splitlines()[-1]}")
        if code is not None and code < 0:
            raise Failed("no crash", f"the program ended by {signal.strsignal(-code)}")


class ServerTrial(ComplyTrial):
    """One match of two players, each of which follows the game by itself."""

    winner = ""  # expected

    def open_port(self) -> int:
        if "{port}" not in self.subject.command:
            raise UserError("--server needs {port}, where the number of the port goes.")
        self.players: list[Peer] = []
        self.port = reserve_port(self.stack)
        return self.port

    def connect(self) -> None:
        for who in ("1", "2"):
            what, place = f"a connection for player {who}", (HOST, self.port)
            connected = self.connect_by(partial(socket.create_connection, place), what)
            self.players.append(Peer(connected, self.subject, self.note, who))
            self.stack.callback(self.players[-1].close)
            self.players[-1].conversation.greet()
            self.listen(lambda: bool(self.players[0].heard), RETRY)

    def listen(self, done: Callable[[], bool], seconds: float) -> bool:
        """Let both players listen and answer until that is so; False if it is not in time."""
        until = time.monotonic() + seconds
        while not done():
            if time.monotonic() > until or all(player.gone for player in self.players):
                return False
            for player in self.players:
                message = player.hear(TICK)
                if message is not None:
                    player.conversation.hear(message)
                while player.conversation.outbox:
                    player.say(player.conversation.outbox.pop(0))
        return True

    def expect(self, done: Callable[[], bool], what: str) -> None:
        if not self.listen(done, self.subject.patience):
            gone = [player.who for player in self.players if player.gone]
            end = f", player {' and '.join(gone)} disconnected" if gone else ""
            raise Failed(what, f"nothing of the kind in {self.subject.patience:g} s{end}")

    def stay(self) -> None:
        if self.listen(lambda: any(player.gone for player in self.players), QUIET):
            raise Failed("two players to stay", "a disconnection")

    @property
    def here(self) -> Pawns:
        return self.players[0].conversation.position

    @property
    def sides(self) -> list[Peer]:
        """Who is to move, and who waits."""
        return sorted(self.players, key=lambda player: not player.conversation.our_turn)

    def begin(self) -> None:
        """Wait until one player may move; the other must not hear that it may as well."""
        self.connect()
        first, second = (player.conversation for player in self.players)
        what = "one player to be told to move first"
        self.expect(lambda: first.our_turn or second.our_turn, what)
        if self.listen(lambda: first.our_turn and second.our_turn, QUIET):
            raise Failed(what, "both of them")
        for player in self.players:
            greeted = any(message.kind == protocol.GREETING for message in player.heard)
            if not greeted and not self.dialect.speaks_first:
                raise Failed(f"a greeting for player {player.who}", "none")
        if first.position != second.position or first.notes or second.notes:
            raise Failed("a Setup that can be played, the same for both", "something else")

    def move(self, cut: str = "0", *more: str) -> None:
        """The mover's move and perhaps more; the other must hear exactly this move."""
        mover, waiter = self.sides
        here = mover.conversation.position
        name = self.choose_move(here)
        mover.say(name, *more, cut=int(cut))
        mover.conversation.play(child_named(here, name) or here)
        mover.conversation.outbox.pop(0)
        what = f"{name} to be passed on to player {waiter.who}"
        self.expect(lambda: bool(waiter.moves_heard()) or waiter.ended, what)
        if waiter.moves_heard() != [name]:
            raise Failed(what, " ".join(waiter.moves_heard()) or "the end of the game")
        waiter.seen = len(waiter.heard)

    def move_and_exit(self) -> None:
        self.winner = other(self.here.mover())
        self.move("0", "exit")

    def play_on(self) -> None:
        """To the end, when one player says that it has lost, or the other that it has won."""
        while (ending := self.players[0].conversation.ending) is None:
            self.move()
        self.winner = ending.winner

    def send_bad_move(self, how: str) -> None:
        """A pawn moves backwards, which no variant allows; or the wrong player moves."""
        mover, waiter = self.sides
        name = self.choose_move(self.here)
        if how == "backwards":
            mover.say(name[2:] + name[:2])
            self.winner = other(self.here.mover())
        else:
            waiter.say(self.choose_move(game.passed(self.here)))
            self.winner = self.here.mover()

    def disconnect(self) -> None:
        self.winner = other(self.here.mover())
        self.sides[0].hang_up()

    def use_up_time(self) -> None:
        seconds = 60 * (self.players[0].conversation.minutes or 0)
        if not 0 < seconds <= LONGEST_CLOCK:
            raise Skipped(f"the server gives {seconds / 60:g} minutes; give it 0.05")
        self.winner = other(self.here.mover())
        self.listen(lambda: all(player.ended for player in self.players), seconds)

    def expect_game_over(self) -> None:
        """Both hear that the game is over, unless we hung up; no more moves, no wrong winner."""
        here = [player for player in self.players if not player.hung_up]
        what = f"both to hear that the game is over, won by {self.winner}"
        self.expect(lambda: any(p.moves_heard() for p in here) or all(p.ended for p in here), what)
        for player in here:
            for name in player.moves_heard():
                raise Failed(f"{name} not to be passed on", f"player {player.who} has got it")
            told = [value for kind, value in player.heard if kind in TELL_WINNER and value]
            if told and told[-1] != self.winner:
                raise Failed(f"player {player.who} to hear that {self.winner} has won", told[-1])
