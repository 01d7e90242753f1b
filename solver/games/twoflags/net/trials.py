"""What the steps of a check do: we are an agent's server and opponent, or two players."""

from __future__ import annotations

import shlex
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import lru_cache, partial
from random import Random

from solver.errors import BoardError, FileError, UserError
from solver.games.twoflags import game
from solver.games.twoflags.moves import move_name
from solver.games.twoflags.net import protocol
from solver.games.twoflags.net.program import (
    HOST,
    Failed,
    Peer,
    Process,
    Skipped,
    Subject,
    reserve_port,
)
from solver.games.twoflags.net.protocol import DIALECTS, GREETING_LINE, Message
from solver.games.twoflags.net.referee import Reason, Referee
from solver.games.twoflags.rules import (
    BLACK,
    FILES,
    NO_EN_PASSANT,
    WHITE_LANDED_AT,
    Pawns,
    each_bit,
    name_of,
    other,
)
from solver.games.twoflags.text import parse_setup
from solver.search.position import LOST

QUIET = 0.4  # seconds in which nothing must be said
TICK = 0.01  # seconds to listen to one player before the other has its turn
RETRY = 0.05  # seconds between two attempts to connect
MOVES_LONGER = 3  # times the patience: thinking takes longer than saying OK
LONGEST_CLOCK = 10.0  # seconds to wait until a player's time is up
MOST_HEARD = 1000  # messages, from an agent that floods us
PLAYOUTS = 60
SETUPS = {
    "start": game.start(),
    "few-pawns": "Setup Wa4 Wb5 Bg5 Bh4",  # no move of the usual start is legal here
    "en-passant": "Setup Wd2 We3 Be4",  # after d2d4 Black has only e4d3
    "landing": "Setup Wa7 Bh6",  # White has only a7a8
}


class ComplyTrial:
    """What a check is tried on: the program, the game so far, and what was said."""

    process: Process

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.dialect = DIALECTS[subject.dialect]
        self.end = "\n" if subject.newlines else ""
        self.stack = ExitStack()
        self.transcript: list[str] = []
        self.started = time.monotonic()
        self.referee = Referee(self.parse(game.start()))
        with ExitStack() as opening:
            opening.push(self.stack)
            self.open()
            opening.pop_all()

    def open(self) -> None:
        raise NotImplementedError

    def start_process(self, port: int) -> None:
        try:
            words = shlex.split(self.subject.command)
        except ValueError as error:
            raise UserError(f"{self.subject.command}: {error}") from None
        if not words:
            raise UserError("The command is empty.")
        places = {"host": self.subject.host, "port": port, "dialect": self.subject.dialect}
        for name, value in places.items():
            words = [word.replace(f"{{{name}}}", str(value)) for word in words]
        self.process = Process(words, self.note)
        self.stack.callback(self.process.close)

    def make_peer(self, connected: socket.socket, who: str = "") -> Peer:
        peer = Peer(connected, self.end, self.note, who)
        self.stack.callback(peer.close)
        return peer

    def note(self, sign: str, text: str) -> None:
        """`>` we say, `<` it says, `-` a note; what was said is shown as on the wire."""
        text = text if sign.endswith("-") else ascii(text)[1:-1]
        self.transcript.append(f"{time.monotonic() - self.started:7.3f} {sign} {text}")

    def parse(self, setup: str) -> Pawns:
        return parse_setup(setup, "the check", NO_EN_PASSANT if self.dialect.variant else 0)


class AgentTrial(ComplyTrial):
    """One connection of the agent: we are its server and its opponent."""

    peer: Peer
    colour = ""

    def open(self) -> None:
        """Listen first, then start the agent: it need not wait for us."""
        self.chance = Random(0)
        port = 0 if "{port}" in self.subject.command else self.subject.port
        try:
            self.listener = self.stack.enter_context(socket.create_server((HOST, port)))
        except OSError as error:
            raise FileError(
                f"{HOST}:{port}: cannot listen there: {error.strerror}. "
                "Put {port} into the command, for any free one."
            ) from None
        self.start_process(self.listener.getsockname()[1])

    def connect(self) -> None:
        until = time.monotonic() + self.subject.patience
        self.listener.settimeout(RETRY)
        while True:
            try:
                self.peer = self.make_peer(self.listener.accept()[0])
            except TimeoutError:
                code = self.process.exit_code()
                if code is not None:
                    raise Failed("a connection", f"the program ended, exit code {code}") from None
                if time.monotonic() > until:
                    got = f"none in {self.subject.patience:g} s"
                    raise Failed("a connection", got) from None
            else:
                return self.note("-", "it has connected")

    def greet(self) -> None:
        """Say hello, or wait for it where the agent speaks first."""
        self.connect()
        if self.dialect.speaks_first:
            self.expect("OK without being asked", protocol.OK)
        else:
            self.ask(GREETING_LINE)

    def set_up(self, setup: str = "start", cut: str = "0") -> None:
        self.referee = Referee(self.parse(SETUPS[setup]))
        self.ask(SETUPS[setup], cut=int(cut))

    def set_time(self, minutes: str = "") -> None:
        time_left = float(minutes or self.subject.minutes)
        self.referee = Referee(self.referee.position, time_left * 60)
        self.ask(self.dialect.time_line(time_left))

    def set_up_glued(self) -> None:
        self.ask(SETUPS["start"], self.dialect.time_line(self.subject.minutes))

    def begin(self, colour: str) -> None:
        self.colour = colour
        for line in self.dialect.begin_lines(colour, self.referee.mover):
            self.peer.say(line)

    def start(self, colour: str, setup: str = "start", minutes: str = "") -> None:
        """Everything before the first move."""
        self.greet()
        self.set_up(setup)
        self.set_time(minutes)
        self.begin(colour)

    def ask(self, *lines: str, cut: int = 0) -> None:
        """Say something that wants an `OK`; in one dialect a setup may answer the greeting."""
        self.peer.say(*lines, cut=cut)
        for line in lines:
            proposes = line == GREETING_LINE and self.dialect.tells_roles
            kinds = (protocol.OK, protocol.SETUP) if proposes else (protocol.OK,)
            answer = self.expect(f"OK as answer to {line.split()[0]}", *kinds)
            if answer.kind == protocol.SETUP:
                self.peer.say("SETUP-ACK")

    def expect(self, what: str, *kinds: str, times: int = 1) -> Message:
        seconds = self.subject.patience * times
        message = self.peer.hear(seconds)
        if message is None and self.peer.closed:
            self.process.ends_within(QUIET)  # so that its last words are in the transcript
            raise Failed(what, "the end of the connection")
        if message is None:
            raise Failed(what, f"nothing in {seconds:g} s")
        if message.kind not in kinds:
            shown = ascii(message.value) if message.kind == protocol.UNKNOWN else str(message)
            gives_up = ", which gives the game up" if message.kind == protocol.EXIT else ""
            raise Failed(what, shown + gives_up)
        return message

    def expect_move(self) -> None:
        """The agent's move, which must be legal and within its time for the game."""
        what, asked = f"a legal move of {self.colour}", time.monotonic()
        name = self.expect(what, protocol.MOVE, times=MOVES_LONGER).value
        if not self.referee.play(self.colour, name, time.monotonic() - asked):
            result, plies = self.referee.result, len(self.referee.moves)
            if result is not None and result.reason == Reason.TIME:
                raise Failed("moves in time", f"{name} too late, after {plies} plies")
            for row in str(self.referee.position).split("\n"):
                self.note("-", row)
            raise Failed(what, f"{name}, which is illegal")

    def move(self, name: str = "", cut: str = "0") -> None:
        """Our move, for which no clock runs."""
        name = name or choose_move(self.referee.position, self.chance)
        stands = self.referee.play(other(self.colour), name, 0.0)
        assert stands, name
        self.peer.say(name, cut=int(cut))

    def play_on(self) -> None:
        while self.referee.result is None:
            if self.referee.mover == self.colour:
                self.expect_move()
            else:
                self.move()

    def hear_unasked(self, seconds: float, until: str = "") -> list[Message]:
        """What the agent says now without being asked, up to a message of that kind."""
        stop, heard = time.monotonic() + seconds, list[Message]()
        while message := self.peer.hear(max(0.0, stop - time.monotonic())):
            heard.append(message)
            if message.kind == until or time.monotonic() >= stop or len(heard) > MOST_HEARD:
                break
        if self.peer.closed:
            self.process.ends_within(QUIET)
        return heard

    def expect_silence(self) -> None:
        for message in self.hear_unasked(QUIET):
            raise Failed("silence before White's first move", str(message))

    def expect_loss(self) -> None:
        must_exit = self.dialect.name == "tournament"
        heard = self.hear_unasked(self.subject.patience if must_exit else QUIET, protocol.EXIT)
        for message in heard:
            if message.kind == protocol.MOVE or message == (protocol.WINNER, "black"):
                raise Failed("no move and no claim after the game is lost", str(message))
        if must_exit and (protocol.EXIT, "") not in heard:
            raise Failed("exit, by which the loser ends the game", "nothing of the kind")
        self.process.check_no_crash()

    def expect_win(self) -> None:
        for message in self.hear_unasked(QUIET):
            exits = message.kind == protocol.EXIT and self.dialect.name == "tournament"
            if exits or message.kind == protocol.MOVE or message == (protocol.WINNER, "black"):
                raise Failed("no move and no false claim after the game is won", str(message))
        self.process.check_no_crash()

    def finish(self) -> None:
        """Say that the game is over: won by the agent, if it has not ended by itself."""
        winner = self.referee.result.winner if self.referee.result else self.colour
        if self.dialect.name == "course":
            self.peer.say("exit")
        elif self.dialect.name == "tournament":
            self.peer.say(f"GameOver {winner.upper()} plies={len(self.referee.moves)}")

    def hang_up(self) -> None:
        self.peer.hang_up()

    def expect_end(self) -> None:
        """The process must end by itself and in order, if need be at the end of the stream."""
        if self.dialect.name != "course" and not self.peer.hung_up:
            self.peer.hang_up()
        if not self.process.ends_within(self.subject.patience):
            raise Failed("the program to end", f"it still runs after {self.subject.patience:g} s")
        self.process.check_no_crash()

    def skip_unless_optional(self) -> None:
        if self.dialect.name != "course":
            raise Skipped(f"the {self.dialect.name} dialect always has both")

    def skip_without_en_passant(self) -> None:
        if self.dialect.variant:
            raise Skipped(f"the {self.dialect.name} dialect has no en passant")


class ServerTrial(ComplyTrial):
    """One match of two scripted players; the checks of a running server share it."""

    def open(self) -> None:
        self.port = self.subject.port
        self.players: list[Peer] = []
        self.begun = False
        if not self.subject.running:
            if "{port}" not in self.subject.command:
                raise UserError("--server-cmd needs {port}, where the number of the port goes.")
            self.port = reserve_port(self.subject.host, self.stack)
            self.start_process(self.port)

    def connect(self) -> None:
        """Both players; a server that has just been started may take a moment."""
        while len(self.players) < 2:
            self.players.append(self.connect_one(str(len(self.players) + 1)))
            if self.dialect.speaks_first:
                self.players[-1].say("OK")
            if len(self.players) == 1:
                self.listen(lambda: bool(self.players[0].heard), RETRY)

    def connect_one(self, who: str) -> Peer:
        until = time.monotonic() + self.subject.patience
        while True:
            try:
                address = (self.subject.host, self.port)
                connected = socket.create_connection(address, self.subject.patience)
                return self.make_peer(connected, who)
            except OSError as error:
                ended = not self.subject.running and self.process.exit_code() is not None
                if ended or time.monotonic() > until:
                    got = "the program ended" if ended else str(error.strerror or error)
                    raise Failed(f"a connection for player {who}", got) from None
            time.sleep(RETRY)

    def begin(self) -> None:
        """Wait until both know the game and White may move."""
        self.connect()
        if self.begun:
            return
        told = all if self.dialect.tells_roles else any
        kinds = (protocol.ROLE, protocol.COLOUR) if told is all else (protocol.BEGIN,)
        self.expect(
            lambda: told(player.has_heard(*kinds) for player in self.players),
            "one player to be told to move first",
        )
        self.begun = True
        self.referee = Referee(self.read_setup())
        mover = self.referee.mover
        for player in self.players:
            player.colour = mover if player.has_heard(protocol.BEGIN) else other(mover)
            if self.dialect.tells_roles:
                player.colour = player.value_of(*kinds) or ""
            player.seen = len(player.heard)
        colours = sorted(player.colour for player in self.players)
        if colours != ["black", "white"]:
            raise Failed("one White and one Black", " and ".join(colours))

    def read_setup(self) -> Pawns:
        """The position that the players were told, the start if they were not."""
        setups = {player.value_of(protocol.SETUP) for player in self.players}
        if len(setups) > 1:
            raise Failed("the same Setup for both", "two that differ")
        setup = setups.pop() or game.start()
        try:
            position = self.parse(setup)
        except BoardError as error:
            raise Failed("a Setup that can be played", str(error).split("\n")[0]) from None
        if game.outcome(position) is not None:
            raise Failed("a Setup that can be played", f"{setup}: the game is over")
        return position

    def listen(self, done: Callable[[], bool], seconds: float) -> bool:
        """Listen to both until that is so; False if it is not in time."""
        until = time.monotonic() + seconds
        while not done():
            if time.monotonic() > until or all(player.gone for player in self.players):
                return False
            for player in self.players:
                message = player.hear(TICK)
                if message is not None and self.dialect.wants_ok(message):
                    player.say("OK")
        return True

    def expect(self, done: Callable[[], bool], what: str, seconds: float = 0.0) -> None:
        """It must be so within the patience, and so many seconds more."""
        seconds += self.subject.patience
        if not self.listen(done, seconds):
            gone = [player.who for player in self.players if player.gone]
            end = f", player {' and '.join(gone)} disconnected" if gone else ""
            raise Failed(what, f"nothing of the kind in {seconds:g} s{end}")

    @property
    def sides(self) -> tuple[Peer, Peer]:
        """Who is to move, and who waits."""
        first, second = self.players
        return (first, second) if first.colour == self.referee.mover else (second, first)

    def move(self, name: str = "", cut: int = 0) -> None:
        """The mover's move, by default one after which the game goes on; the other must hear
        exactly this move."""
        name = name or self.choose_quiet_move()
        mover, waiter = self.sides
        mover.say(name, cut=cut)
        stands = self.referee.play(mover.colour, name, 0.0)
        assert stands, name
        self.expect_passed_on(waiter, name[:4])
        for player in self.players:
            player.seen = len(player.heard)

    def move_cut(self) -> None:
        self.move(cut=2)

    def choose_quiet_move(self) -> str:
        position = self.referee.position
        for child in reversed(position.children()):
            if child.status() != LOST:
                return move_name(position, child)
        raise Skipped("the server's position is too near the end of a game")

    def expect_passed_on(self, waiter: Peer, name: str) -> None:
        what = f"{name} to be passed on to player {waiter.who}"
        self.expect(lambda: bool(waiter.new_moves()) or waiter.ended, what)
        if waiter.new_moves() != [name]:
            raise Failed(what, " ".join(waiter.new_moves()) or "the end of the game")

    def expect_game_over(self, winner: str, seconds: float = 0.0, told: bool = True) -> None:
        """Both hear that the game is over, unless we hung up, and neither anything wrong."""
        here = [player for player in self.players if not player.hung_up]
        what = f"both to hear that the game is over, won by {winner}"
        self.expect(lambda: all(player.ended for player in here), what, seconds)
        must_tell = told and self.dialect.name == "tournament"
        for player in here:
            if player.told_winner != winner and (must_tell or player.told_winner):
                got = player.told_winner or "the end without a word"
                raise Failed(f"player {player.who} to hear that {winner} has won", got)

    def expect_players(self) -> None:
        self.listen(lambda: False, QUIET)
        for player in self.players:
            if player.gone:
                raise Failed("two players to stay", f"player {player.who} was disconnected")

    def expect_greeting(self) -> None:
        if self.dialect.speaks_first:
            raise Skipped(f"the {self.dialect.name} dialect has no greeting")
        self.connect()
        for player in self.players:
            heard = partial(player.has_heard, protocol.GREETING)
            self.expect(heard, f"a greeting for player {player.who}")

    def expect_one_begin(self) -> None:
        self.listen(lambda: False, QUIET)
        told = sum(player.has_heard(protocol.BEGIN) for player in self.players)
        if told > 1 and not self.dialect.tells_roles:
            raise Failed("one Begin", f"{told} of them")

    def expect_announcement(self) -> None:
        """In the course's dialect both are optional."""
        wanted = {"Setup": (protocol.SETUP,), "a time": (protocol.TIME, protocol.NUMBER)}
        for name, kinds in wanted.items():
            for player in self.players:
                if self.dialect.name != "course" and not player.has_heard(*kinds):
                    raise Failed(f"{name} for player {player.who}", "none before the game")

    def connect_third(self) -> None:
        third = self.connect_one("3")
        third.say("OK")
        while message := third.hear(QUIET):
            if message.kind == protocol.BEGIN:
                raise Failed("no game for a third client", str(message))
        third.say(self.choose_quiet_move())
        third.close()

    def land(self, suffix: str = "") -> None:
        """Play until a pawn lands, unless it has in a match that the checks share."""
        if self.referee.result is None:
            *names, last = find_landing(self.referee.position)
            for name in names:
                self.move(name)
            self.move(last + suffix)

    def expect_finish(self) -> None:
        loser, winner = self.sides
        if not self.listen(lambda: loser.ended, QUIET):  # it may not know the rules
            if self.dialect.claims:
                winner.say(f"win: {winner.colour.capitalize()}")
            else:
                loser.say("exit")
        self.expect_game_over(winner.colour)

    def move_and_exit(self) -> None:
        mover, waiter = self.sides
        name = self.choose_quiet_move()
        mover.say(name, "exit")
        self.expect_passed_on(waiter, name)
        self.expect_game_over(waiter.colour)

    def send_illegal_move(self) -> None:
        """A pawn steps sideways, which no variant allows."""
        square = name_of(each_bit(self.referee.position.own)[0])
        beside = FILES[abs(FILES.index(square[0]) - 1)]
        self.expect_refusal(*self.sides, f"{square}{beside}{square[1]}")

    def send_move_out_of_turn(self) -> None:
        here = self.referee.position
        turned = Pawns(here.enemy, here.own, 0, here.state ^ BLACK)
        mover, waiter = self.sides
        self.expect_refusal(waiter, mover, move_name(turned, turned.children()[-1]))

    def expect_refusal(self, sender: Peer, hearer: Peer, name: str) -> None:
        """The other must not hear it; the sender loses, or is told so and may try again."""
        sender.say(name)
        self.expect(
            lambda: (
                hearer.ended or bool(hearer.new_moves()) or sender.has_heard(protocol.COMPLAINT)
            ),
            f"{name} to be refused or the game to end",
        )
        if hearer.new_moves():
            raise Failed(f"{name} not to be passed on", f"player {hearer.who} has got it")
        if hearer.ended or sender.ended:
            self.expect_game_over(hearer.colour)

    def resign(self) -> None:
        mover, waiter = self.sides
        mover.say("exit")
        self.expect_game_over(waiter.colour)

    def disconnect(self) -> None:
        mover, waiter = self.sides
        mover.hang_up()
        self.expect_game_over(waiter.colour, told=False)

    def use_up_time(self) -> None:
        minutes = float(self.players[0].value_of(protocol.TIME, protocol.NUMBER) or 0)
        if self.subject.relay or not minutes:
            raise Skipped("the server keeps no clock")
        if minutes * 60 > LONGEST_CLOCK:
            raise Skipped(f"the server gives {minutes:g} minutes, too long to wait; give it 0.05")
        self.expect_game_over(other(self.referee.mover), minutes * 60)

    def skip_in_shared_match(self) -> None:
        if self.subject.running:
            raise Skipped("needs a match of its own; give the server as --server-cmd")

    def skip_relay(self) -> None:
        if self.subject.relay:
            raise Skipped("a relay passes everything on")


# --- how the scripts move ------------------------------------------------------------------


def choose_move(position: Pawns, chance: Random) -> str:
    """A capture or a landing if there is one, en passant first.  Weak on purpose: an agent
    that gives up against it has not understood the game."""
    children = position.children()
    forcing = [
        child for child in children if child.own != position.enemy or child.state >> WHITE_LANDED_AT
    ]
    passing = [child for child in forcing if child.enemy & position.passed]
    return move_name(position, chance.choice(passing or forcing or children))


@lru_cache
def find_landing(position: Pawns) -> list[str]:
    """The moves of a short game that ends with a landing, legal with en passant and without."""
    best: list[str] = []
    for seed in range(PLAYOUTS):
        here = Pawns(position.own, position.enemy, 0, position.state | NO_EN_PASSANT)
        names, chance = [], Random(seed)
        while children := here.children():
            landed = [child for child in children if child.state >> WHITE_LANDED_AT]
            child = landed[0] if landed else chance.choice(children)
            names.append(move_name(here, child))
            here = child
        if here.state >> WHITE_LANDED_AT and (not best or len(names) < len(best)):
            best = names
    if not best:
        raise Skipped("no pawn can land in this position")
    return best
