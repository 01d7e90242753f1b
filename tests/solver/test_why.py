"""`solver analyse --why` sees a position alike for both sides."""

from __future__ import annotations

from support.command import solver


def test_black_sees_it_the_other_way_round() -> None:
    """The same position with the colours swapped and the board turned."""
    red = solver("analyse", "-", "--depth", "4", "--why", text="B:W6,18,28:B1,9,K12")
    black = solver("analyse", "-", "--depth", "4", "--why", text="W:B27,15,5:W32,24,K21")
    table = [text.stdout.rpartition(":\n\n")[2] for text in (red, black)]
    numbers = [[line.split()[-4:] for line in text.splitlines()[2:-1]] for text in table]
    assert numbers[0] == numbers[1]
