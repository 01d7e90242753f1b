"""The sequential probability ratio test: play until one of two strengths explains the games much
better than the other.

The log-likelihood ratio (LLR) compares the likeliest chances of results with strength `elo1` to
the likeliest with strength `elo0`, in normalized or logistic Elo.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import log

from grader.lab.elo import Tally, score_of_elo, shares_of, t_value_of_nelo, with_mean, with_t_value

MOST_ELO = 1000.0  # of a bound; beyond that the chances are too near to certainty to compute with


class Model(StrEnum):
    """What the bounds are given in."""

    NORMALIZED = "normalized"
    LOGISTIC = "logistic"

    @property
    def unit(self) -> str:
        return "nElo" if self is Model.NORMALIZED else "Elo"


class Decision(StrEnum):
    H1 = "H1 accepted"
    H0 = "H0 accepted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Verdict:
    decision: Decision
    llr: float
    lower: float
    upper: float
    words: str


@dataclass(frozen=True)
class Sprt:
    """H0: the strength is `elo0`.  H1: it is `elo1`.

    Of matches whose truth is H0, or worse, a share of `alpha` at most ends with H1; of those whose
    truth is H1, or better, a share of `beta` at most ends with H0.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = Model.NORMALIZED

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise ValueError(
                f"the bounds {self.elo0:g} and {self.elo1:g} are not in order, "
                f"or not from {-MOST_ELO:g} to {MOST_ELO:g}"
            )
        if not (0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5):
            raise ValueError("the risks alpha and beta are between 0 and 0.5")

    @property
    def lower(self) -> float:
        """H0 is accepted here."""
        return log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """H1 is accepted here."""
        return log((1.0 - self.beta) / self.alpha)

    def llr(self, counts: Tally) -> float:
        if not counts.number:
            return 0.0
        shares = shares_of(counts)
        chances = zip(
            shares,
            self._chances(counts, shares, self.elo0),
            self._chances(counts, shares, self.elo1),
            strict=True,
        )
        return counts.number * sum(share * log(h1 / h0) for share, h0, h1 in chances)

    def verdict(self, counts: Tally) -> Verdict:
        llr = self.llr(counts)
        if llr >= self.upper:
            decision, words = Decision.H1, self._accepted()
        elif llr <= self.lower:
            decision, words = Decision.H0, self._rejected()
        else:
            decision = Decision.UNDECIDED
            words = (
                f"undecided: the LLR of {llr:.2f} is between {self.lower:.2f} and "
                f"{self.upper:.2f}; play on"
            )
        return Verdict(decision, llr, self.lower, self.upper, words)

    def _chances(self, counts: Tally, shares: list[float], elo: float) -> list[float]:
        if self.model is Model.LOGISTIC:
            return with_mean(shares, counts.values, score_of_elo(elo))
        return with_t_value(shares, counts.values, t_value_of_nelo(elo, counts.GAMES))

    def _accepted(self) -> str:
        unit = self.model.unit
        if self.elo0 < 0.0:
            claim = f"not weaker by {-self.elo0:g} {unit} or more"
        else:
            claim = f"stronger by more than {self.elo0:g} {unit}"
        return (
            f"accepted: {claim} (H1, {self.elo1:g} {unit}, rather than H0, {self.elo0:g}; "
            f"wrong in at most about {100 * self.alpha:g} % of such tests)"
        )

    def _rejected(self) -> str:
        unit = self.model.unit
        if self.elo1 > 0.0:
            claim = f"not stronger by {self.elo1:g} {unit} or more"
        else:
            claim = f"weaker by more than {abs(self.elo1):g} {unit}"
        return (
            f"rejected: {claim} (H0, {self.elo0:g} {unit}, rather than H1, {self.elo1:g}; "
            f"wrong in at most about {100 * self.beta:g} % of such tests)"
        )
