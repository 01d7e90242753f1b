// The position shown, the moves that led to it, and those that were taken back.

export class GameRecord {
  constructor() {
    this.plies = []; // {position, move}: the move is null for the first
    this.at = 0;
    this.listeners = [];
  }

  get position() {
    return this.plies[this.at]?.position ?? null;
  }

  get move() {
    return this.plies[this.at]?.move ?? null;
  }

  /** Positions from the first to the one shown. */
  get past() {
    return this.plies.slice(0, this.at + 1);
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  load(position) {
    this.plies = [{ position, move: null }];
    this.at = 0;
    this.tell("loaded");
  }

  /** Add a move; moves that were taken back are dropped, unless this one repeats them. */
  play(move, position) {
    if (this.plies[this.at + 1]?.move.text !== move.text) {
      this.plies = [...this.past, { position, move }];
    }
    this.at += 1;
    this.tell("played");
  }

  goTo(at) {
    const target = Math.max(0, Math.min(at, this.plies.length - 1));
    if (target === this.at) return;
    this.at = target;
    this.tell("stepped");
  }

  tell(what) {
    for (const listener of this.listeners) listener(what);
  }
}
