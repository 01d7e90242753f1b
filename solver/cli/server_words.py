"""What happens at a server, in words."""

from __future__ import annotations

from contextlib import suppress

from solver.cli.words import tell
from solver.twoflags.net import events
from solver.twoflags.net.record import move_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solver.cli.game_log import Log


class Teller:
    """Says what happens: ports and results on standard output, everything else as words."""

    def __init__(self, verbose: bool, log: Log | None) -> None:
        self.verbose = verbose
        self.log = log

    def __call__(self, event: events.Event) -> None:
        match event:
            case events.Listening(host, port, spectator_port):
                self.say(f"listening on {host}:{port}")
                self.say(f"spectators on {host}:{spectator_port}")
            case events.GameFinished(record):
                if self.log is not None:
                    self.log.add(str(record))
                self.say(
                    f"game {record.number}: {record.white} (white) - {record.black} (black): "
                    f"{record.result}; plies: {len(record.moves)}"
                )
            case events.MatchFinished(names, wins, ratings):
                self.say(f"score: {names[0]} {wins[0]}, {names[1]} {wins[1]}")
                self.say(f"Elo: {names[0]} {ratings[0]:.1f}, {names[1]} {ratings[1]:.1f}")
                if self.log is not None:
                    self.log.next_match()
            case _:
                if self.verbose:
                    tell(in_words(event))

    def say(self, line: str) -> None:
        """A reader who has left must not end the match: the players cannot help it."""
        with suppress(OSError):
            print(line, flush=True)


def in_words(event: events.Event) -> str:
    match event:
        case events.Seated(name, dialect):
            return f"{name} has come and speaks {dialect}"
        case events.Departed(name, reason):
            return f"{name} has gone: {reason}"
        case events.TurnedAway(address):
            return f"turned away: {address}"
        case events.GameStarted(record):
            return f"game {record.number}: {record.white} is white, {record.black} is black"
        case events.Moved(ply, move, clocks):
            return move_line(ply, move, clocks)
    return str(event)
