"""The sequential probability ratio test: play until one of two strengths explains the games much
better than the other.

The log-likelihood ratio (LLR) compares the likeliest chances of results with strength `elo1` to
the likeliest with strength `elo0`, in normalized Elo.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import log

from grader.lab.elo import Pentanomial, chances_with_t_value, t_value_of_nelo

MOST_ELO = 1000.0  # of a bound; beyond that the chances are too close to 0 and 1


class Decision(StrEnum):
    H1 = "H1 accepted"
    H0 = "H0 accepted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class SprtVerdict:
    decision: Decision
    llr: float
    lower: float
    upper: float
    words: str


@dataclass(frozen=True)
class Sprt:
    """H0: the strength is `elo0`.  H1: it is `elo1`.

    Of matches whose true strength is H0 or less, at most a share of `alpha` ends with H1; of those
    whose true strength is H1 or more, at most a share of `beta` ends with H0.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"  # Elo, in records

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise ValueError(
                f"{self.elo0:g} must be less than {self.elo1:g}, and both between"
                f" {-MOST_ELO:g} and {MOST_ELO:g}"
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

    def llr(self, pairs: Pentanomial) -> float:
        if not pairs.pairs:
            return 0.0
        shares = pairs.shares
        null, alternative = (
            chances_with_t_value(shares, t_value_of_nelo(elo)) for elo in (self.elo0, self.elo1)
        )
        chances = zip(shares, null, alternative, strict=True)
        return pairs.pairs * sum(share * log(h1 / h0) for share, h0, h1 in chances)

    def verdict(self, pairs: Pentanomial) -> SprtVerdict:
        llr = self.llr(pairs)
        if llr >= self.upper:
            decision = Decision.H1
            claim = f"stronger by more than {self.elo0:g} nElo"
            if self.elo0 < 0.0:
                claim = f"not weaker by {-self.elo0:g} nElo or more"
            words = f"accepted: {claim} (H1, {self.elo1:g} nElo, rather than H0, {self.elo0:g}"
        elif llr <= self.lower:
            decision = Decision.H0
            claim = f"weaker by more than {abs(self.elo1):g} nElo"
            if self.elo1 > 0.0:
                claim = f"not stronger by {self.elo1:g} nElo or more"
            words = f"rejected: {claim} (H0, {self.elo0:g} nElo, rather than H1, {self.elo1:g}"
        else:
            decision = Decision.UNDECIDED
            words = (
                f"undecided: the LLR of {llr:.2f} is between {self.lower:.2f} and "
                f"{self.upper:.2f}; play more games"
            )
        if decision is not Decision.UNDECIDED:
            risk = self.alpha if decision is Decision.H1 else self.beta
            words += f"; wrong in at most about {100 * risk:g} % of such tests)"
        return SprtVerdict(decision, llr, self.lower, self.upper, words)
