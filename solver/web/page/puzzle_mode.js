// Puzzles: find the best move; then the defence answers, and the solver plays the rest.

import { byId, make, offer } from "./dom.js";
import { capital, outcomeWords, title } from "./words.js";

const KEPT = "checkmark-solved";
const NONE = "There are no puzzles here. Start the server with --puzzles DIR, a folder with files GAME/NAME.txt.";
const MOST_STARS = 5;
const SMALLEST_THEME = 3; // puzzles
const PLY_PAUSE = 900; // milliseconds
const LINE_TIME = 10; // seconds
const DRAW_PLIES = 12; // after which a draw counts as held
const GOALS = { win: "and win", draw: "and hold the draw", loss: "and hold out as long as possible" };

export class PuzzleMode {
  constructor(app) {
    this.app = app;
    this.puzzles = null;
    this.name = "";
    this.trying = null; // changes with every move and puzzle, so that late answers are not shown
    this.solved = new Set(stored());
    for (const id of ["puzzle-theme", "puzzle-stars"]) {
      byId(id).addEventListener("change", () => {
        this.showNames();
        this.open(this.easiest(this.chosen)?.name ?? this.name);
      });
    }
    byId("puzzle-name").addEventListener("change", () => this.open(byId("puzzle-name").value));
    byId("puzzle-next").addEventListener("click", () => this.next());
    byId("puzzle-again").addEventListener("click", () => app.record.goTo(0));
  }

  async enter(state) {
    if (!this.app.hello.puzzles) {
      byId("puzzle-progress").textContent = NONE;
      return;
    }
    try {
      this.puzzles ??= (await this.app.ask("puzzles")).puzzles;
    } catch (error) {
      this.app.complain(error);
      return;
    }
    if (this.app.mode !== this) return;
    if (!this.themes) this.offerFilters();
    const ofGame = this.puzzles.filter((one) => one.game === this.app.position.game);
    this.open(state.puzzle || this.name || (this.easiest(ofGame) ?? this.easiest(this.puzzles))?.name);
  }

  leave() {
    this.trying = null;
  }

  address() {
    const nothing = { text: "", game: "", variant: "", moves: "", at: "" };
    return this.app.name === "puzzles" && this.name ? { ...nothing, puzzle: this.name } : {};
  }

  /** The first that is not solved, of puzzles from easy to hard. */
  easiest(puzzles) {
    return puzzles.find((one) => !this.solved.has(one.name)) ?? puzzles[0];
  }

  /** A theme is what the names of several puzzles begin with. */
  offerFilters() {
    const groups = Map.groupBy(this.puzzles, (one) => `${one.game} ${wordsOf(one)[0]}`);
    this.themes = new Map([...groups].filter(([, inside]) => inside.length >= SMALLEST_THEME).map(([key, inside]) => {
      const [first, ...others] = inside.map(wordsOf);
      const end = first.findIndex((word, at) => others.some((words) => words[at] !== word));
      return [key, `${title(inside[0].game)}: ${first.slice(0, end).join(" ")}`];
    }));
    offer(byId("puzzle-theme"), [["", "any"], ...[...this.themes].sort((one, other) => (one[1] < other[1] ? -1 : 1))]);
    const stars = Array.from({ length: MOST_STARS }, (_, at) => [String(at + 1), "★".repeat(at + 1)]);
    offer(byId("puzzle-stars"), [["", "any"], ...stars]);
  }

  /** The puzzles that fit the filters. */
  get chosen() {
    const [theme, stars] = [byId("puzzle-theme").value, byId("puzzle-stars").value];
    return this.puzzles.filter((one) =>
      (!theme || `${one.game} ${wordsOf(one)[0]}` === theme) && (!stars || String(one.stars) === stars));
  }

  /** Names say what to look for: they are shown when the puzzle is solved. */
  showNames() {
    const words = (one, at) => (this.solved.has(one.name) ? `✓ ${wordsOf(one).join(" ")}` : `No. ${at + 1}`);
    const chosen = this.chosen.map((one, at) => [one.name, `${words(one, at)} ${"★".repeat(one.stars)}`]);
    offer(byId("puzzle-name"), chosen.length ? chosen : [["", "none"]], this.name);
    const solved = this.puzzles.filter((one) => this.solved.has(one.name)).length;
    byId("puzzle-progress").textContent = `${solved} of ${this.puzzles.length} solved in this browser.`;
  }

  async open(name) {
    if (!name) return;
    const mine = ++this.app.asked;
    try {
      const answer = await this.app.ask("puzzle", { name });
      if (mine !== this.app.asked || this.app.mode !== this) return;
      this.name = name;
      this.showNames();
      this.app.desk.turn(answer.mover !== this.app.hello.games[answer.game].sides[0]);
      this.app.record.load([{ position: answer, move: null }]);
    } catch (error) {
      this.app.complain(error, "address");
      if (!this.name) this.open(this.easiest(this.puzzles)?.name);
    }
  }

  next() {
    const at = this.chosen.findIndex((one) => one.name === this.name);
    this.open(this.easiest([...this.chosen.slice(at + 1), ...this.chosen.slice(0, at + 1)])?.name);
  }

  get puzzle() {
    return this.puzzles.find((one) => one.name === this.name);
  }

  mayMove() {
    return this.app.record.at === 0;
  }

  changed(what) {
    if (!this.name || what === "reconnected") return;
    const { record, position } = this.app;
    byId("puzzle-again").disabled = record.at === 0;
    if (what !== "played") this.trying = null;
    if (what === "loaded" && record.at > 0) return; // a line of the explanation
    if (record.at === 0) {
      const goal = GOALS[this.puzzle?.goal] ?? "and find the best move";
      const task = position.outcome ? outcomeWords(position.outcome) : `${capital(position.mover)} to move ${goal}.`;
      this.showVerdict("", task, "Make your move on the board.");
    } else if (record.at === 1 && what === "played") {
      this.judge(record.move);
    }
  }

  async judge(move) {
    const mine = (this.trying = {});
    this.showVerdict("", `${move.name}: judging…`, "");
    try {
      const verdict = await this.app.ask("judge", { name: this.name, answer: `${move.text}\n` });
      if (mine === this.trying) this.tell(move, verdict);
    } catch (error) {
      if (mine === this.trying) this.showVerdict("bad", "Not judged", error.message);
    }
  }

  tell(move, verdict) {
    const kind = verdict.accepted ? "good" : verdict.verdict === "slower" ? "part" : "bad";
    const words = { good: "Right", part: "Not the best way", bad: "Wrong" }[kind];
    this.showVerdict(kind, `${words}: ${move.name}`, capital(verdict.reason));
    if (!verdict.accepted) return;
    this.solved.add(this.name);
    stored([...this.solved]);
    this.showNames();
    this.playOut(move);
  }

  /** Play the best moves of both sides until the game is over or the draw is held. */
  async playOut(found) {
    const { app, trying } = this;
    const name = capital(this.name.split("/").at(-1).replaceAll("-", " "));
    const say = (words) => this.showVerdict("good", `Right: ${found.name}. ${name}`, words);
    const goesOn = () => trying === this.trying && !app.position.outcome;
    let line = [];
    for (let plies = 0; goesOn() && (this.puzzle?.goal !== "draw" || plies < DRAW_PLIES); plies++) {
      say("The solver plays on for both sides…");
      const pause = new Promise((resolve) => setTimeout(resolve, PLY_PAUSE));
      if (!line.length) line = await this.bestLine().catch(() => []);
      await pause;
      if (!line.length || !goesOn()) break;
      await app.playLine([line.shift()]);
    }
    if (trying !== this.trying) return;
    const { outcome } = app.position;
    say(outcome ? `${outcomeWords(outcome)}.` : this.puzzle?.goal === "draw" ? "The draw is held." : "The game goes on.");
  }

  async bestLine() {
    let found = [];
    const fields = { ...this.app.where(), lines: 1, options: { seconds: LINE_TIME } };
    await this.app.connection.begin("analyse", fields, (message) => (found = message.lines?.[0].texts ?? found)).done;
    return found;
  }

  showVerdict(kind, words, reason) {
    const lines = reason.split("\n").filter(Boolean).map((line) => make("p", {}, line));
    const content = make("div", {}, make("p", { class: "big" }, words), lines);
    byId("verdict").replaceChildren(make("div", { class: `notice ${kind}` }, content));
  }
}

const wordsOf = (puzzle) => puzzle.name.split("/").at(-1).split("-");

/** What the browser has stored, or now stores; without that it is forgotten when the page is closed. */
function stored(names) {
  try {
    if (names) localStorage.setItem(KEPT, JSON.stringify(names));
    return JSON.parse(localStorage.getItem(KEPT) ?? "[]");
  } catch {
    return [];
  }
}
