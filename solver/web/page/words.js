// Names of things, and numbers as text.

const games = {};

/** Keep what the server says about its games. */
export const learn = (found) => Object.assign(games, found);

export const title = (game) => capital(games[game]?.title ?? game);

export const pieces = (game) => games[game]?.pieces ?? {};

export const pieceName = (game, piece) => pieces(game)[piece] ?? "empty";

export const squareName = (row, column) => "abcdefgh"[column] + (8 - row);

export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** 1,234,567 */
export const grouped = (number) => Math.round(number).toLocaleString("en");

/** 73.3 k, 141 k, 1.7 M: for numbers that change all the time. */
export function short(number) {
  const [part, unit] = number < 1e6 ? [number / 1e3, "k"] : [number / 1e6, "M"];
  return number < 1000 ? String(Math.round(number)) : `${part.toFixed(part < 100 ? 1 : 0)} ${unit}`;
}

export const signed = (number) => (number > 0 ? `+${number}` : String(number || 0).replace("-", "−"));

export const seconds = (time) => (time < 10 ? `${time.toFixed(2)} s` : `${Math.round(time)} s`);

/** A fault with its place; warnings are already texts. */
export const faultWords = (fault) =>
  typeof fault === "string" ? fault : `line ${fault.line}, column ${fault.column}: ${fault.rule}`;

export function outcomeWords(outcome) {
  return outcome.winner ? `${capital(outcome.winner)} has won: ${outcome.reason}` : capital(outcome.reason);
}

/** The value of a line for `mover`, in words that need no side to move: `Red wins in 9`, `+12` for the first side. */
export function fixedWorth({ value, score }, mover, sides) {
  const [kind, ...rest] = value.split(" ");
  const winner = kind === "win" ? mover : sides.find((side) => side !== mover);
  if (kind === "win" || kind === "loss") return `${capital(winner)} wins ${rest.join(" ")}`;
  return kind === "draw" ? "Draw" : signed(mover === sides[0] ? score : -score);
}

const WIN = 1000000; // minus the plies to the win
export const CERTAIN = 900000; // scores beyond this are wins and losses

/** A value as text; wins and losses in words. */
export function worth(value) {
  if (value === null) return "?";
  if (Math.abs(value) <= CERTAIN) return String(value).replace("-", "−");
  return `${value > 0 ? "win" : "loss"} in ${WIN - Math.abs(value)}`;
}

/** A window; null is infinite. */
export const windowWords = ([alpha, beta]) =>
  `[${alpha === null ? "−∞" : worth(alpha)}, ${beta === null ? "+∞" : worth(beta)}]`;
