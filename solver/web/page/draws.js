// When a game between you and the solver is called a draw.

const TIMES = 3;
const QUIET_PLIES = 80; // forty moves of each side

/** Why the game is a draw, empty if it is not; plies are {position, move} from the first on. */
export function draw(plies) {
  const last = plies.at(-1).position;
  if (plies.filter(({ position }) => position.text === last.text).length >= TIMES) {
    return "the same position for the third time";
  }
  return quiet(plies) >= QUIET_PLIES ? "forty moves each without a capture or a step of a man" : "";
}

/** Plies since something could last be not undone: a capture, or a step of anything but a king. */
function quiet(plies) {
  const progress = plies.findLastIndex(({ move }, index) => index > 0 && forGood(move, plies[index - 1].position));
  return plies.length - 1 - Math.max(progress, 0);
}

function forGood(move, before) {
  const [row, column] = move.path[0];
  const piece = before.rows[row][column];
  return move.taken.length > 0 || piece !== piece.toUpperCase();
}
