// Puzzles: make a move and get a verdict.

import { byId, make, offer } from "./dom.js";
import { capital, outcomeWords, title } from "./words.js";

const KEPT = "checkmark-solved";
const NONE = "There are no puzzles here. Start the server with --puzzles DIR, a folder with files GAME/NAME.txt.";

export class PuzzleMode {
  constructor(app) {
    this.app = app;
    this.puzzles = null;
    this.name = "";
    this.solved = loadSolved();
    byId("puzzle-group").addEventListener("change", () => this.showNames());
    byId("puzzle-group").addEventListener("change", () => this.open(byId("puzzle-name").value));
    byId("puzzle-name").addEventListener("change", () => this.open(byId("puzzle-name").value));
    byId("puzzle-next").addEventListener("click", () => this.next());
    byId("puzzle-again").addEventListener("click", () => app.record.goTo(0));
  }

  async enter(state) {
    byId("puzzle-card").classList.toggle("empty", !this.app.hello.puzzles);
    if (!this.app.hello.puzzles) {
      byId("puzzle-task").textContent = NONE;
      return;
    }
    try {
      this.puzzles ??= (await this.app.ask("puzzles")).puzzles;
    } catch (error) {
      this.app.complain(error);
      return;
    }
    if (this.app.mode !== this) return;
    const wanted = state.puzzle || this.name;
    const known = this.puzzles.some((one) => one.name === wanted);
    if (state.puzzle && !known) this.app.complain(this.unknown(state.puzzle), "address");
    this.open(known ? wanted : this.firstOf(this.app.position.game));
  }

  leave() {
    this.judging = 0;
  }

  address() {
    return this.app.name === "puzzles" && this.name ? { puzzle: this.name, text: "", game: "", variant: "" } : {};
  }

  unknown(name) {
    return Object.assign(new Error(`There is no puzzle “${name.slice(0, 60)}” here.`), { faults: [] });
  }

  firstOf(game) {
    return (this.puzzles.find((one) => one.game === game) ?? this.puzzles[0])?.name;
  }

  get group() {
    return this.puzzles.find((one) => one.name === this.name);
  }

  showGroups() {
    const words = (one) => `${title(one.game)}: ${groupName(one)}`;
    const groups = new Map(this.puzzles.map((one) => [groupKey(one), words(one)]));
    offer(byId("puzzle-group"), [...groups], groupKey(this.group));
    this.showNames(this.name);
  }

  showNames(chosen) {
    const inside = this.puzzles.filter((one) => groupKey(one) === byId("puzzle-group").value);
    const tick = (one) => (this.solved.has(one.name) ? "✓ " : "");
    const words = (one) => tick(one) + one.name.split("/").at(-1).replaceAll("-", " ");
    offer(byId("puzzle-name"), inside.map((one) => [one.name, words(one)]), chosen);
  }

  async open(name) {
    if (!name) return;
    const mine = ++this.app.asked;
    try {
      const answer = await this.app.ask("puzzle", { name });
      if (mine !== this.app.asked || this.app.mode !== this) return;
      this.name = name;
      this.showGroups();
      this.app.record.load(answer);
    } catch (error) {
      this.app.complain(error);
    }
  }

  next() {
    const at = this.puzzles.findIndex((one) => one.name === this.name);
    this.open(this.puzzles[(at + 1) % this.puzzles.length].name);
  }

  mayMove() {
    return this.app.record.at === 0;
  }

  changed(what) {
    if (!this.name) return;
    const { record, position } = this.app;
    byId("puzzle-again").hidden = record.at === 0;
    byId("puzzle-why").hidden = true;
    if (record.at === 0) {
      byId("verdict").replaceChildren();
      byId("puzzle-task").textContent = position.outcome
        ? `${outcomeWords(position.outcome)}: choose another puzzle.`
        : `${capital(position.mover)} to move. Find the best move and make it on the board.`;
    } else if (record.at === 1 && what !== "reconnected") {
      byId("puzzle-task").textContent = `You played ${record.move.name}.`;
      this.judge(record.move);
    }
  }

  async judge(move) {
    const mine = (this.judging = {});
    this.showVerdict("busy", "Judging…", "");
    try {
      const verdict = await this.app.ask("judge", { name: this.name, answer: `${move.text}\n` });
      if (mine === this.judging && this.app.record.move === move) this.tell(move, verdict);
    } catch (error) {
      if (mine === this.judging) this.showVerdict("bad", "Not judged", error.message);
    }
  }

  tell(move, verdict) {
    const kind = verdict.accepted ? "good" : verdict.verdict === "slower" ? "part" : "bad";
    const words = verdict.accepted ? "Right" : kind === "part" ? "Not the best way" : "Wrong";
    const code = kind === "part" ? "" : ` (${verdict.verdict})`;
    this.showVerdict(kind, `${words}: ${move.name}${code}`, capital(verdict.reason));
    const why = byId("puzzle-why");
    why.hidden = false;
    why.href = byId("modes").querySelector("[data-mode=analyse]").href;
    if (!verdict.accepted) return;
    this.solved.add(this.name);
    storeSolved(this.solved);
    this.showNames(this.name);
  }

  showVerdict(kind, words, reason) {
    const lines = reason.split("\n").filter(Boolean).map((line) => make("p", {}, line));
    const content = make("div", {}, make("p", { class: "big" }, words), lines);
    byId("verdict").replaceChildren(make("div", { class: `notice ${kind}` }, content));
  }
}

/** Puzzles are grouped by the first word of their names. */
const groupName = (one) => one.name.split("/").at(-1).split("-")[0];
const groupKey = (one) => `${one.game} ${groupName(one)}`;

function loadSolved() {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEPT) ?? "[]"));
  } catch {
    return new Set();
  }
}

function storeSolved(solved) {
  try {
    localStorage.setItem(KEPT, JSON.stringify([...solved]));
  } catch {
    // Not stored: forgotten when the page is closed.
  }
}
