// Draws in games against the solver.

const TIMES = 3;
const QUIET_PLIES = 80; // forty moves of each side

/** Why the game is a draw, or "".  Plies are {position, move}, beginning with the first position. */
export function findDraw(plies) {
  const last = plies.at(-1).position;
  if (plies.filter(({ position }) => position.text === last.text).length >= TIMES) {
    return "the same position occurred three times";
  }
  return countQuiet(plies) >= QUIET_PLIES ? "forty moves each without progress" : "";
}

/** Plies since the last move that can never be undone. */
function countQuiet(plies) {
  const progress = plies.findLastIndex(({ move }, index) => index > 0 && move.progress);
  return plies.length - 1 - Math.max(progress, 0);
}
