// A game against the solver, with either side, from any position.

import { announce, byId, offer } from "./dom.js";
import { capital, CERTAIN, outcomeWords } from "./words.js";

const BY_DEPTH = ["tables", "captures"]; // switched off, so that a depth means what it says
const LEVELS = {
  beginner: { options: { depth: 1, without: BY_DEPTH }, lines: 3 }, // any of its best three
  easy: { options: { depth: 2, without: BY_DEPTH } },
  medium: { options: { depth: 5, without: ["tables"] } },
  strong: { words: ": 1 second", options: { seconds: 1 } },
  full: { words: ": 10 seconds", options: { seconds: 10 } },
};

export class PlayMode {
  constructor(app) {
    this.app = app;
    this.side = null; // your side; null without a game
    offer(byId("play-level"), Object.entries(LEVELS).map(([name, { words = "" }]) => [name, name + words]), "strong");
    byId("play-new").addEventListener("click", () => this.restart(app.load({ ...app.where(), text: app.game.start })));
    byId("play-swap").addEventListener("click", () => this.begin(this.other));
    byId("play-rematch").addEventListener("click", () => this.restart(app.record.load(app.record.plies.slice(0, 1)), this.other));
    this.job = null;
    byId("play-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
    byId("play-side").addEventListener("change", () => this.side && this.begin());
    byId("play-end").addEventListener("click", () => this.end());
    byId("play-now").addEventListener("click", () => this.job?.stop());
  }

  enter() {
    this.offerSides();
    this.show();
  }

  leave() {
    this.end();
  }

  mayMove() {
    return !this.side || (this.app.position.mover === this.side && !this.job && !this.over());
  }

  /** Where “Take back” goes: to your previous move. */
  before() {
    const { plies, at } = this.app.record;
    if (!this.side) return at - 1;
    return plies.slice(0, at).findLastIndex(({ position }) => position.mover === this.side);
  }

  changed(what) {
    this.offerSides();
    if (what === "loaded") this.end();
    if (what === "stepped") this.abandon();
    this.show();
    if (this.side && (what !== "stepped" || this.app.record.isLast)) this.answer(); // not while looking back
  }

  offerSides() {
    const { sides } = this.app.game;
    if (this.offered === sides.join()) return;
    this.offered = sides.join();
    offer(byId("play-side"), sides.map((side) => [side, capital(side)]));
  }

  get other() {
    return this.app.game.sides.find((side) => side !== byId("play-side").value);
  }

  /** A new game from the position that is shown then. */
  async restart(shown, side) {
    this.end();
    await shown;
    this.begin(side);
  }

  begin(side = byId("play-side").value) {
    this.abandon();
    this.side = side;
    this.surest = CERTAIN; // the score of the solver's last move, if it wins
    byId("play-side").value = side;
    this.app.desk.turn(this.side !== this.app.game.sides[0]);
    this.show();
    this.app.desk.show("entered");
    this.answer();
  }

  end() {
    this.abandon();
    this.side = null;
    this.show();
    if (this.app.mode === this) this.app.desk.offerMoves();
  }

  /** Stop the search: its result is no longer needed. */
  abandon() {
    const job = this.job;
    this.job = null;
    job?.stop();
  }

  over() {
    const { outcome } = this.app.position;
    if (outcome) return outcomeWords(outcome);
    const why = findDraw(this.app.record.past);
    return why && `A draw: ${why}`;
  }

  async answer() {
    const { app } = this;
    if (this.job || this.over() || app.position.mover === this.side) return;
    const text = await this.think(LEVELS[byId("play-level").value]);
    const move = app.position.moves.find((one) => one.text === text);
    if (move) await app.play(move);
  }

  /** The text of the position after the solver's move; null if it was abandoned. */
  async think({ options, lines }) {
    const { app } = this;
    let best = null;
    const fields = { ...app.where(), lines: lines ?? 2, heuristic: app.heuristic, options };
    const job = app.connection.begin("analyse", fields, (message) => {
      best = message;
      if (message.lines[0].score > this.surest) job.stop(); // a certain win that comes nearer
    });
    this.job = job;
    this.show();
    app.desk.offerMoves();
    try {
      await job.done;
    } catch (error) {
      app.complain(error);
    }
    if (job !== this.job) return null;
    this.job = null;
    this.surest = Math.max(CERTAIN, best?.lines[0].score ?? 0);
    this.show();
    if (best && lines) return best.lines[Math.floor(Math.random() * best.lines.length)].texts[0];
    return best ? this.choice(best.lines) : app.position.moves[0]?.text;
  }

  /** The best move, or one that does not repeat a position if the solver is ahead. */
  choice(lines) {
    const seen = new Set(this.app.record.past.map(({ position }) => position.text));
    const fresh = lines.find((line) => line.score > 0 && !seen.has(line.texts[0]));
    return (lines[0].score > 0 && fresh ? fresh : lines[0]).texts[0];
  }

  show() {
    const playing = Boolean(this.side);
    for (const id of ["play-end", "play-swap"]) byId(id).hidden = !playing || Boolean(this.over());
    byId("play-rematch").hidden = !playing || this.app.record.plies.length < 2;
    byId("play-now").hidden = !this.job;
    byId("play-start").hidden = playing;
    const words = this.words();
    if (byId("play-status").textContent === words) return;
    byId("play-status").textContent = words;
    if (words === this.over()) announce(words);
  }

  words() {
    if (!this.side) return "Choose your side, then start.";
    const over = this.over();
    if (over) return over;
    if (this.job) return "The solver is thinking…";
    return this.app.position.mover === this.side ? `Your move: you play ${this.side}.` : "The solver is to move.";
  }
}

// Draws in games against the solver.

const TIMES = 3;
const QUIET_PLIES = 80; // forty moves of each side

/** Why the game is a draw, or "".  Plies are {position, move}, beginning with the first position. */
export function findDraw(plies) {
  const last = plies.at(-1).position;
  if (plies.filter(({ position }) => position.text === last.text).length >= TIMES) {
    return "the same position occurred three times";
  }
  const progress = plies.findLastIndex(({ move }) => move?.progress); // a move that can never be undone
  return plies.length - 1 - Math.max(progress, 0) >= QUIET_PLIES ? "forty moves each without progress" : "";
}
