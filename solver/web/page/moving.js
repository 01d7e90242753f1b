// Make a move by clicks on squares.

import { same } from "./board.js";
import { announce } from "./notice.js";
import { squareName } from "./words.js";

export class Moving {
  /** `play(move)` with the move made; `choose(moves)` if the clicks fit several moves. */
  constructor(board, play, choose) {
    this.board = board;
    this.play = play;
    this.choose = choose;
    this.begin([]);
  }

  /** Start with these legal moves; none if moves are not allowed. */
  begin(moves) {
    this.moves = moves;
    this.candidates = [];
    this.way = [];
    this.mark();
  }

  pick(row, column) {
    const square = [row, column];
    const ending = this.candidates.filter((move) => same(move.path.at(-1), square));
    const passing = this.candidates.filter((move) => this.passes(move, square));
    if (ending.length === 1) this.done(ending[0]);
    else if (ending.length > 1) this.choose(ending);
    else if (passing.length === 1) this.done(passing[0]);
    else if (passing.length > 1) this.narrow(passing, square);
    else this.start(square);
  }

  /** Whether a move still has to pass this square. */
  passes(move, square) {
    return move.path.slice(this.way.length).some((step) => same(step, square));
  }

  start(square) {
    const again = this.way.length > 0 && same(this.way[0], square);
    const found = again ? [] : this.moves.filter((move) => same(move.path[0], square));
    this.candidates = found;
    this.way = found.length ? [square] : [];
    this.mark();
    if (found.length) {
      const ends = [...new Set(found.map((move) => squareName(...move.path.at(-1))))];
      announce(`${squareName(...square)} chosen; it can go to ${ends.join(", ")}`);
    }
  }

  narrow(moves, square) {
    this.candidates = moves;
    this.way = [...this.way, square];
    this.mark();
  }

  done(move) {
    this.begin([]);
    this.play(move);
  }

  mark() {
    const chosen = this.candidates.length > 0;
    this.board.mark({
      sources: chosen ? [] : this.moves.map((move) => move.path[0]),
      chosen: this.way.slice(0, 1),
      way: this.way.slice(1),
      targets: this.candidates.map((move) => move.path.at(-1)),
      taken: this.candidates.flatMap((move) => move.taken),
    });
  }

  /** Show a move as an arrow; null removes it. */
  hint(move) {
    this.board.point(move ? [move.path] : []);
  }
}
