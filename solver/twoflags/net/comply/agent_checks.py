"""What is expected of an agent, in the order in which its author will get there."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from solver.twoflags import game
from solver.twoflags.net import wire
from solver.twoflags.net.comply.agent_trial import HOST, AgentTrial, AgentUnderTest
from solver.twoflags.net.comply.checklist import Checklist, Failed, Skipped, Verdict
from solver.twoflags.net.comply.mover import Mover

EARLY = 0.4  # seconds in which an agent must not move yet
SHORT_MINUTES = 0.05
FEW_PAWNS = "Setup Wa4 Wb5 Bg5 Bh4"  # nobody has a legal move of the usual start
ONLY_EN_PASSANT = "Setup Wd2 We3 Be4"  # after d2d4 Black has nothing but e4d3
LANDING = "Setup Wa7 Bh6"  # White has nothing but a7a8

AGENT_CHECKS: Checklist[AgentTrial] = Checklist()
check = AGENT_CHECKS.check


def check_agent(subject: AgentUnderTest, only: Collection[int] = ()) -> Iterator[Verdict]:
    """Every check with a process of its own."""
    return AGENT_CHECKS.run(lambda _: AgentTrial(subject), only)


@check("connects", f"The server waits at the host and the port it was given, here {HOST}.")
def connects(trial: AgentTrial) -> None:
    trial.connect()


@check("answers the greeting with OK", "The server goes on only after the OK.", connects)
def greets(trial: AgentTrial) -> None:
    trial.greet()


@check("answers Setup with OK", "Every game may begin from another position.", greets)
def sets_up(trial: AgentTrial) -> None:
    trial.greet()
    trial.set_up()


@check("answers Time with OK", "The time is in minutes, for the whole game.", sets_up)
def takes_time(trial: AgentTrial) -> None:
    trial.greet()
    trial.set_up()
    trial.set_time()


@check("as Black, waits for White's first move", "A move out of turn loses.", takes_time)
def waits(trial: AgentTrial) -> None:
    trial.start("black")
    for message in trial.last_words(EARLY):
        raise Failed("silence before White's first move", str(message))


@check("as White, begins with a legal move", "White moves when told to, unasked.", waits)
def begins(trial: AgentTrial) -> None:
    trial.start("white")
    trial.expect_move()


@check("as Black, answers a legal move with one", "That is the game.", begins)
def answers(trial: AgentTrial) -> None:
    trial.start("black")
    trial.move("e2e4")
    trial.expect_move()


@check("plays from the position of Setup", "Referees like to begin with few pawns.", answers)
def respects_setup(trial: AgentTrial) -> None:
    trial.start("white", FEW_PAWNS)
    trial.expect_move()
    trial.move(Mover()(trial.position))
    trial.expect_move()


@check("needs neither Setup nor Time", "In the course's dialect both are optional.", answers)
def needs_nothing(trial: AgentTrial) -> None:
    if not trial.voice.optional:
        raise Skipped(f"the {trial.voice.name} dialect always has both")
    trial.greet()
    trial.begin("white")
    trial.expect_move()


@check(
    "takes en passant when nothing else is legal",
    "The rule holds for one turn only and is often forgotten.",
    respects_setup,
)
def knows_en_passant(trial: AgentTrial) -> None:
    if trial.voice.dialect.variant:
        raise Skipped(f"the {trial.voice.name} dialect has no en passant")
    trial.start("black", ONLY_EN_PASSANT)
    trial.move("d2d4")
    trial.expect_move()


@check("understands two messages in one piece", "TCP keeps no borders of messages.", answers)
def unglues(trial: AgentTrial) -> None:
    trial.greet()
    trial.say_at_once(trial.voice.setup(game.start()), trial.time_line())
    trial.begin("white")
    trial.expect_move()


@check("understands a message that comes in two pieces", "A read may end anywhere.", answers)
def joins(trial: AgentTrial) -> None:
    trial.greet()
    trial.say_in_pieces(trial.voice.setup(game.start()), 3)
    trial.set_time()
    trial.begin("black")
    trial.move("e2e4", cut=True)
    trial.expect_move()


def _plays_a_game(trial: AgentTrial, colour: str, minutes: float | None = None) -> None:
    mover = Mover()
    trial.start(colour, minutes=minutes)
    while not trial.over:
        if trial.position.mover() == colour:
            trial.expect_move()
        else:
            trial.move(mover(trial.position))
    trial.finish()


GAME_WHY = "Most mistakes in the rules show only late in a game."


@check("as White, plays a whole game legally", GAME_WHY, answers, knows_en_passant)
def plays_white(trial: AgentTrial) -> None:
    _plays_a_game(trial, "white")


@check("as Black, plays a whole game legally", GAME_WHY, answers, knows_en_passant)
def plays_black(trial: AgentTrial) -> None:
    _plays_a_game(trial, "black")


@check(
    "plays a whole game in three seconds",
    "Time 0.05 is in minutes; whoever uses it up has lost.",
    plays_white,
)
def plays_fast(trial: AgentTrial) -> None:
    _plays_a_game(trial, "white", SHORT_MINUTES)


def _loses(trial: AgentTrial, landing: str) -> None:
    """Let a pawn of ours land and see how the agent takes it."""
    trial.start("black", LANDING)
    trial.move(landing)
    words = trial.last_words(
        trial.subject.patience if trial.voice.loser_must_exit else EARLY, wire.EXIT
    )
    for message in words:
        if message.kind == wire.MOVE or message == (wire.WINNER, "black"):
            raise Failed("no move and no claim after the game is lost", str(message))
    if trial.voice.loser_must_exit and (wire.EXIT, "") not in words:
        raise Failed("exit, by which the loser ends the game", "nothing of the kind")
    trial.process.check_no_crash()


@check(
    "notices that it has lost",
    "A pawn on the last rank ends the game; who moves on has not noticed.",
    respects_setup,
)
def loses(trial: AgentTrial) -> None:
    _loses(trial, "a7a8")


@check("understands a landing with a promotion, a7a8q", "Some programs add it.", loses)
def takes_suffix(trial: AgentTrial) -> None:
    _loses(trial, "a7a8q")


@check(
    "notices that it has won",
    "Who says exit has lost in the tournament's dialect, even after a landing.",
    respects_setup,
)
def wins(trial: AgentTrial) -> None:
    trial.start("white", LANDING)
    trial.expect_move()
    for message in trial.last_words(EARLY):
        exits = message.kind == wire.EXIT and trial.voice.winner_must_not_exit
        if exits or message.kind == wire.MOVE or message == (wire.WINNER, "black"):
            raise Failed("no move and no false claim after the game is won", str(message))
    trial.process.check_no_crash()


@check("ends when the server says so", "A match should leave no process behind.", answers)
def ends(trial: AgentTrial) -> None:
    trial.start("black")
    trial.move("e2e4")
    trial.expect_move()
    trial.finish()
    if trial.voice.name in ("tournament", "seed"):
        trial.hang_up()  # they have no other last word
    trial.expect_end()


@check("ends in order when the server is gone", "Networks break; a traceback tells nobody.", ends)
def survives(trial: AgentTrial) -> None:
    trial.start("black")
    trial.move("e2e4")
    trial.expect_move()
    trial.hang_up()
    trial.expect_end()
