"""Checks of an agent or a server for Two Flags: does it keep to the protocol and the rules?

A check is a script: steps that a trial carries out, one after the other, until one fails.
Checks that need a failed one are skipped: their failure would say nothing new.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from solver.games.twoflags.net.program import Failed, Skipped, Subject
from solver.games.twoflags.net.trials import AgentTrial, ComplyTrial, ServerTrial


class Check(NamedTuple):
    number: int
    title: str
    why: str
    needs: tuple[int, ...]
    script: str  # names of a trial's methods, with their arguments


def _read_checks(text: str) -> list[Check]:
    checks: list[Check] = []
    rows = iter(text.strip().split("\n"))
    for number, row in enumerate(rows, 1):
        title, why = row.split(". ", 1)
        needs, script = next(rows).split(":")
        numbers = tuple(int(word) for word in needs.split() if word.isdigit())
        checks.append(Check(number, title, why, numbers, script))
    return checks


AGENT_CHECKS = _read_checks("""
connects. The server waits at the host and the port it was given, here 127.0.0.1.
    needs nothing: connect
answers the greeting with OK. The server goes on only after the OK.
    needs 1: greet
answers Setup with OK. Every game may begin from another position.
    needs 2: greet; set_up
answers Time with OK. The time is in minutes, for the whole game.
    needs 3: greet; set_up; set_time
as Black, waits for White's first move. A move out of turn loses.
    needs 4: start black; expect_silence
as White, begins with a legal move. White moves when told to, unasked.
    needs 5: start white; expect_move
as Black, answers a legal move with one. That is the game.
    needs 6: start black; move e2e4; expect_move
plays from the position of Setup. Referees like to begin with few pawns.
    needs 7: start white few-pawns; expect_move; move; expect_move
needs neither Setup nor Time. In the course's dialect both are optional.
    needs 7: skip_unless_optional; greet; begin white; expect_move
takes en passant when nothing else is legal. The rule holds for one turn and is often forgotten.
    needs 8: skip_without_en_passant; start black en-passant; move d2d4; expect_move
understands two messages in one piece. TCP does not separate messages.
    needs 7: greet; set_up_glued; begin white; expect_move
understands a message that comes in two pieces. A read may end anywhere.
    needs 7: greet; set_up start 3; set_time; begin black; move e2e4 2; expect_move
as White, plays a whole game legally. Most mistakes in the rules show only late in a game.
    needs 7 10: start white; play_on; finish
as Black, plays a whole game legally. Most mistakes in the rules show only late in a game.
    needs 7 10: start black; play_on; finish
plays a whole game in three seconds. Time 0.05 is in minutes; using it up loses.
    needs 13: start white start 0.05; play_on; finish
notices that it has lost. A pawn on the last rank ends the game, so no move may follow.
    needs 8: start black landing; move a7a8; expect_loss
understands a landing with a promotion, a7a8q. Some programs add it.
    needs 16: start black landing; move a7a8q; expect_loss
notices that it has won. To say exit loses in the tournament's dialect, even after a landing.
    needs 8: start white landing; expect_move; expect_win
ends when the server says so. A match should leave no process behind.
    needs 7: start black; move e2e4; expect_move; finish; expect_end
ends in order when the server is gone. Networks break, and a traceback helps nobody.
    needs 19: start black; move e2e4; expect_move; hang_up; expect_end
""")
SERVER_CHECKS = _read_checks("""
accepts two players. A game has two.
    needs nothing: connect; expect_players
greets the players. A client may wait for the greeting.
    needs 1: expect_greeting
tells one player to begin. And only one: the other waits for a move.
    needs 2: begin; expect_one_begin
announces a position and a time. Players need both.
    needs 3: begin; expect_announcement
passes moves on. In both directions, as they are.
    needs 3: begin; move; move; move; move
understands a move that comes in two pieces. A read may end anywhere.
    needs 5: begin; move_cut; move_cut
keeps a third client out of the game. It is not a player.
    needs 5: begin; connect_third; move; move
understands a landing with a promotion, a7a8q. Some programs add it.
    needs 5: begin; land q
ends a game that was played out. Both must know that it is over.
    needs 5: begin; land; expect_finish
understands two messages in one piece. TCP does not separate messages.
    needs 5: skip_in_shared_match; begin; move_and_exit
does not pass an illegal move on. The player who makes one has lost.
    needs 5: skip_in_shared_match; skip_relay; begin; send_illegal_move
does not pass a move out of turn on. Black cannot begin.
    needs 5: skip_in_shared_match; skip_relay; begin; send_move_out_of_turn
ends the game when a player resigns. By exit; the other has won.
    needs 5: skip_in_shared_match; begin; move; resign
ends the game when a player is gone. The other should not wait for ever.
    needs 5: skip_in_shared_match; begin; move; disconnect
ends the game when a player's time is up. The time is for the whole game.
    needs 5: skip_in_shared_match; begin; use_up_time
""")


class CheckStatus(StrEnum):
    PASSED = "ok"
    FAILED = "FAILED"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class CheckResult:
    """What has become of one check; the transcript only if it has failed."""

    check: Check
    status: CheckStatus
    reason: str = ""
    transcript: tuple[str, ...] = ()

    def __str__(self) -> str:
        end = f": {self.reason}" if self.reason else ""
        return f"{self.status} {self.check.number}  {self.check.title}{end}"


def check_agent(subject: Subject, only: Collection[int] = ()) -> Iterator[CheckResult]:
    """Every check with a process of its own."""
    return _run_checks(AGENT_CHECKS, lambda: AgentTrial(subject), only)


def check_server(subject: Subject, only: Collection[int] = ()) -> Iterator[CheckResult]:
    """Every check with a server of its own if it can be started, else all in one match."""
    if not subject.running:
        yield from _run_checks(SERVER_CHECKS, lambda: ServerTrial(subject), only)
        return
    shared = ServerTrial(subject)
    try:
        yield from _run_checks(SERVER_CHECKS, lambda: shared, only)
    finally:
        shared.stack.close()


def _run_checks(
    checks: list[Check], make_trial: Callable[[], ComplyTrial], only: Collection[int]
) -> Iterator[CheckResult]:
    broken: dict[int, int] = {}  # a check that failed or was not tried: the one to blame
    for check in checks:
        if only and check.number not in only:
            continue
        blamed = next((broken[number] for number in check.needs if number in broken), None)
        if blamed is None:
            result = _run_check(check, make_trial())
        else:
            reason = f"could not be checked because check {blamed} failed"
            result = CheckResult(check, CheckStatus.SKIPPED, reason)
        if result.status is CheckStatus.FAILED or blamed is not None:
            broken[check.number] = blamed or check.number
        yield result


def _run_check(check: Check, trial: ComplyTrial) -> CheckResult:
    status, reason = CheckStatus.PASSED, ""
    try:
        for step in check.script.split(";"):
            name, *arguments = step.split()
            getattr(trial, name)(*arguments)
    except Failed as failure:
        status, reason = CheckStatus.FAILED, str(failure)
    except Skipped as skipped:
        status, reason = CheckStatus.SKIPPED, str(skipped)
    finally:
        if not trial.subject.running:
            trial.stack.close()  # what is noted now belongs to the evidence too
    lines = tuple(trial.transcript) if status is CheckStatus.FAILED else ()
    return CheckResult(check, status, reason, lines)
