"""Which bug, if any, explains all answers of a program.  Every hypothesis is fitted to them: its
best depth, evaluation and share of noise.  Its score is the logarithm of how much more likely it
makes the answers than the best fit of a right program; a bug must also pass `_is_convincing`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import log
from operator import attrgetter

from grader.grading.records import Diagnosis, FoundBug, Record, Verdict
from grader.judge.hypotheses import (
    ALSO_RIGHT,
    DEPTHS,
    RIGHT,
    SEARCH_BUGS,
    find_answer_sets,
    hypotheses,
)
from solver.errors import UserError
from solver.games import GAMES, Game, game_named
from solver.games.bugs import Bug

NOISES = (0.01, 0.03, 0.06, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0)  # share of answers by chance
LEGAL_NOISE = 0.9  # the part of them that is legal
# Answers that tell; more for a bug of the search, which no illegal answer can show.
LEAST_MATCHING, LEAST_MATCHING_SEARCH = 3, 5
# In nats, and of the telling answers that match; more, if no illegal answer shows the bug.
LEAST_SCORE, LEAST_SCORE_LEGAL = 12.0, 16.0
LEAST_SHARE, LEAST_SHARE_LEGAL = 0.6, 0.85
MOST_NOISE = 0.6
LEAST_EXPLAINED = 0.75  # of the illegal answers
CLOSE = 4.0  # nats
CLEARLY = 4.0  # times as likely: an answer tells one hypothesis from another
MOST_NAMED = 2
LIKELIHOOD = attrgetter("likelihood")


@dataclass(frozen=True)
class AnswerEvidence:
    """One answer to one puzzle."""

    record: Record
    chosen: Mapping[str, Sequence[int]]  # as in `AnswerSets`
    chances: tuple[float, ...]  # how likely the answer is in each of the puzzle's sets
    by_chance: float  # how likely it is by noise
    by_truth: float  # how likely it is for perfect play

    @property
    def is_illegal(self) -> bool:
        return self.record.verdict is Verdict.ILLEGAL

    @property
    def pieces(self) -> int:
        return sum(letter.isalpha() for letter in self.record.input_board)

    def is_explained_by(self, key: str) -> bool:
        """Whether a program with this bug gives the answer in any setting."""
        return any(self.chances[number] for number in self.chosen[key])


@dataclass(frozen=True)
class Fit:
    """How well a hypothesis explains all answers in its best setting."""

    key: str
    setting: int  # counts evaluations and depths; the last depth stands for all of them
    chances: Sequence[float]  # of each answer
    likelihood: float  # its logarithm
    noise: float

    @property
    def depth(self) -> int | None:
        at = self.setting % (len(DEPTHS) + 1)
        return DEPTHS[at] if at < len(DEPTHS) else None


@dataclass(frozen=True)
class Fits:
    """How well everything explains the answers of one program."""

    evidence: Sequence[AnswerEvidence]
    settings: Sequence[Fit]  # of right rules
    right: Fit  # the best search by the right rules
    null: Fit  # the best right program, which may also play perfectly, on all boards or on some
    bugs: Sequence[tuple[Bug, Fit]]  # each in its best setting, the most likely first


def diagnose(records: Sequence[Record], leave_out: Collection[str] = ()) -> Diagnosis:
    """Of one submission.  Runs without an answer are no evidence; of several games, the one counts
    that the program knows best.  Bugs are left out by their names."""
    fits = fit_all(records, leave_out)
    if fits is None:
        return Diagnosis()
    named: list[tuple[str, FoundBug]] = []
    best, best_fit = fits.bugs[0]
    for bug, fit in fits.bugs:
        found = _weigh(bug, fit, fits)
        is_close = _is_close(fit, best_fit) or bug.twin == best.key
        is_close |= bool(named) and found.illegal > named[0][1].illegal
        if is_close and _is_convincing(found, fit, fits, alone=not named):
            named.append((bug.key, found))
        if not named:  # if the most likely bug is not convincing, no other one is
            break
    named = named[:MOST_NAMED]
    return Diagnosis(
        tuple(found for _, found in named),
        _list_unexplained(fits.evidence, [key for key, _ in named]),
        fits.right.depth if fits.right.noise <= MOST_NOISE else None,
    )


def fit_all(records: Sequence[Record], leave_out: Collection[str] = ()) -> Fits | None:
    """None if there are too few wrong answers to say anything."""
    game, evidence = _collect_evidence(records)
    if not evidence:
        return None
    settings = _fit_settings(RIGHT, evidence)
    also = [fit for key in ALSO_RIGHT for fit in _fit_settings(key, evidence)]
    right = max(*settings, *also, key=LIKELIHOOD)
    perfect = [each.by_truth for each in evidence]
    both = [(one + other) / 2 for one, other in zip(right.chances, perfect, strict=True)]
    others = [_fit(RIGHT, right.setting, chances, evidence) for chances in (perfect, both)]
    bugs = [
        (bug, max(_fit_settings(bug.key, evidence), key=LIKELIHOOD))
        for bug in hypotheses(game)
        if bug.name not in leave_out
    ]
    # A bug that changes nothing is as likely as a right program, and last.
    bugs.sort(
        key=lambda pair: (pair[1].chances == settings[pair[1].setting].chances, -pair[1].likelihood)
    )
    return Fits(evidence, settings, right, max(right, *others, key=LIKELIHOOD), bugs)


def _collect_evidence(records: Sequence[Record]) -> tuple[Game, list[AnswerEvidence]]:
    """The game that the program plays and the answers that count; none if no bug can be named."""
    answered = [each for each in records if each.mode == "move" and each.given_board]
    legal = Counter(each.game for each in answered if each.verdict is not Verdict.ILLEGAL)
    name = max({each.game for each in answered}, key=lambda each: (legal[each], each), default="")
    own = [each for each in answered if each.game == name]
    weak = sum(not each.verdict.accepted for each in own)
    game = game_named(name or GAMES[0])
    if weak < LEAST_MATCHING or not game.bugs():
        return game, []
    found = (_weigh_answer(game, each) for each in own)
    return game, [each for each in found if each is not None]


def _weigh_answer(game: Game, record: Record) -> AnswerEvidence | None:
    try:
        board = game.read(record.input_board, record.puzzle, False)
    except UserError:  # of a variant, or from another version
        return None
    if game.outcome(board.position) is not None:  # many right programs play on
        return None
    position = game.with_side(board.position).replace("\n", "")
    given = record.given_board.replace("\n", "")[:64]
    sets = find_answer_sets(game.NAME, position)
    legal = {after[:64] for after in game.plain_rules().moves(position)}
    by_chance = LEGAL_NOISE / len(legal)
    if given not in legal:
        by_chance = (1 - LEGAL_NOISE) / (1 + len(set(sets.boards) - legal))
    number = sets.boards.index(given) if given in sets.boards else -1
    chances = tuple(1 / len(each) if number in each else 0.0 for each in sets.sets)
    by_truth = 1 / max(1, len(record.best)) if record.verdict.accepted else 0.0
    return AnswerEvidence(record, sets.chosen, chances, by_chance, by_truth)


def _is_close(fit: Fit, best: Fit) -> bool:
    """Whether a bug cannot be told from the best one: it is about as likely, or only less likely
    because it leaves more choice."""
    return best.likelihood - fit.likelihood < CLOSE or fit.chances.count(0) <= best.chances.count(0)


def _fit_settings(key: str, evidence: Sequence[AnswerEvidence]) -> list[Fit]:
    """For each evaluation every depth, and then a depth that changes from board to board."""
    rows = [[each.chances[number] for number in each.chosen[key]] for each in evidence]
    columns = list(zip(*rows, strict=True))
    settings: list[Sequence[float]] = []
    for first in range(0, len(columns), len(DEPTHS)):
        depths = columns[first : first + len(DEPTHS)]
        settings += depths
        settings.append(tuple(sum(each) / len(DEPTHS) for each in zip(*depths, strict=True)))
    return [_fit(key, number, each, evidence) for number, each in enumerate(settings)]


def _fit(
    key: str, setting: int, chances: Sequence[float], evidence: Sequence[AnswerEvidence]
) -> Fit:
    """With the best share of noise."""
    alike = Counter(zip(chances, [each.by_chance for each in evidence], strict=True))

    def likelihood(noise: float) -> float:
        return sum(
            times * log((1 - noise) * chance + noise * by_chance)
            for (chance, by_chance), times in alike.items()
        )

    missed = chances.count(0) / len(chances)
    at = min(range(len(NOISES)), key=lambda number: abs(NOISES[number] - missed))
    best = likelihood(NOISES[at])
    for step in (-1, 1):  # concave: uphill from anywhere leads to the top
        while 0 <= at + step < len(NOISES) and (more := likelihood(NOISES[at + step])) > best:
            best, at = more, at + step
    return Fit(key, setting, chances, best, NOISES[at])


def _weigh(bug: Bug, fit: Fit, fits: Fits) -> FoundBug:
    """The answers for and against a bug: those by which it differs from right rules searched in
    the same setting."""
    right = fits.settings[fit.setting].chances
    triples = zip(fits.evidence, fit.chances, right, strict=True)
    telling = [
        (each, chance > other)
        for each, chance, other in triples
        if max(chance, other) > CLEARLY * min(chance, other)
    ]
    matching = sorted((each for each, match in telling if match), key=lambda each: each.pieces)
    illegal = [each for each in matching if each.is_illegal]
    first = next(iter(illegal or matching), None)
    return FoundBug(
        bug.name,
        shown=bool(illegal),
        matching=len(matching),
        telling=len(telling),
        illegal=len(illegal),
        first=first.record.puzzle if first else "",
        rule=bug.rule,
        doubt=bug.doubt,
    )


def _is_convincing(found: FoundBug, fit: Fit, fits: Fits, alone: bool) -> bool:
    """A bug that is named beside a more likely one has less to prove than one `alone`."""
    illegal = [each for each in fits.evidence if each.is_illegal]
    explained = sum(each.is_explained_by(fit.key) for each in illegal)
    in_search = any(bug.key == fit.key for bug in SEARCH_BUGS)
    least_matching = LEAST_MATCHING_SEARCH if in_search else LEAST_MATCHING
    least_share = LEAST_SHARE if found.shown else LEAST_SHARE_LEGAL
    least_score = LEAST_SCORE if found.shown or not alone else LEAST_SCORE_LEGAL
    return (
        fit.likelihood - fits.null.likelihood >= least_score
        and found.matching >= least_matching
        and found.matching >= least_share * found.telling
        and fit.noise <= MOST_NOISE
        and explained >= LEAST_EXPLAINED * len(illegal)
    )


def _list_unexplained(evidence: Sequence[AnswerEvidence], bugs: Sequence[str]) -> tuple[str, ...]:
    """Puzzles with illegal answers that no named bug explains.  None if the judge sees the same
    cause in all of them: then its words say enough."""
    left = [
        each.record
        for each in evidence
        if each.is_illegal and not any(each.is_explained_by(key) for key in bugs)
    ]
    causes = {record.cause for record in left}
    return () if len(causes) == 1 and all(causes) else tuple(record.puzzle for record in left)
