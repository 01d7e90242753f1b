// Puzzles: find the best move; then the defence answers, and you play on until the game is over or the draw is held.

import { byId, make, offer } from "./dom.js";
import { capital, outcomeWords, title } from "./words.js";

const KEY = "checkmark-puzzles";
const NONE = "There are no puzzles here. Start the server with --puzzles DIR, a folder with files GAME/NAME.txt.";
const MOST_STARS = 5;
const SMALLEST_THEME = 3; // puzzles
const PLY_PAUSE = 900; // milliseconds
const LINE_TIME = 10; // seconds
const DRAW_PLIES = 12; // after which a draw counts as held
const GOALS = { win: "and win", draw: "and hold the draw", loss: "and hold out as long as possible" };
const KEPT = { win: "The win is kept", draw: "The draw is kept", loss: "It holds out as long as possible" };

export class PuzzleMode {
  constructor(app) {
    this.app = app;
    this.puzzles = null;
    this.name = "";
    this.trying = null; // changes with every move and puzzle, so that late answers are not shown
    this.done = stored(); // 1 for those whose first move was found, 2 for those played out
    this.asked = 0; // the ply in question
    for (const id of ["puzzle-theme", "puzzle-stars"]) {
      byId(id).addEventListener("change", () => {
        this.showNames();
        this.open(this.easiest(this.chosen)?.name ?? this.name);
      });
    }
    byId("puzzle-name").addEventListener("change", () => this.open(byId("puzzle-name").value));
    byId("puzzle-next").addEventListener("click", () => this.next());
    byId("puzzle-again").addEventListener("click", () => app.record.goTo(app.record.at > this.asked ? this.asked : this.before()));
    byId("puzzle-rest").addEventListener("click", () => this.showRest());
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
    return puzzles.find((one) => !this.done[one.name]) ?? puzzles[0];
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
    const words = (one, at) => (this.done[one.name] ? `✓ ${wordsOf(one).join(" ")}` : `No. ${at + 1}`);
    const chosen = this.chosen.map((one, at) => [one.name, `${words(one, at)} ${"★".repeat(one.stars)}`]);
    offer(byId("puzzle-name"), chosen.length ? chosen : [["", "none"]], this.name);
    const [solved, finished] = [1, 2].map((stage) => this.puzzles.filter((one) => this.done[one.name] >= stage).length);
    byId("puzzle-progress").textContent = `${solved} of ${this.puzzles.length} solved in this browser, ${finished} played out.`;
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

  keep(name, stage) {
    this.done[name] = Math.max(stage, this.done[name] ?? 0);
    stored(this.done);
    this.showNames();
  }

  get puzzle() {
    return this.puzzles.find((one) => one.name === this.name);
  }

  get hero() {
    return this.app.record.plies[0].position.mover;
  }

  mayMove() {
    return this.app.position.mover === this.hero && !this.trying?.rest;
  }

  /** Where your last move was made. */
  before() {
    const { plies, at } = this.app.record;
    return plies.slice(0, at).findLastIndex(({ position }) => position.mover === this.hero);
  }

  changed(what) {
    if (!this.name || what === "reconnected") return;
    const { record, position } = this.app;
    if (what !== "played") this.trying = null;
    byId("puzzle-again").disabled = record.at === 0;
    byId("puzzle-rest").disabled = !this.done[this.name] || record.at === 0 || Boolean(position.outcome);
    if (record.at === 0) this.asked = 0;
    if (what === "played") {
      if (this.before() === record.at - 1 && !this.trying?.rest) this.judge(record.move);
    } else if (record.at === 0 || (what === "stepped" && this.mayMove())) {
      const goal = GOALS[this.puzzle?.goal] ?? "and find the best move";
      const task = position.outcome ? outcomeWords(position.outcome) : `${capital(position.mover)} to move ${goal}.`;
      this.showVerdict("", task, "Make your move on the board.");
    }
  }

  /** The first move is judged by what is proven about the puzzle, those after it by a search. */
  async judge(move) {
    const mine = (this.trying = {});
    this.asked = this.app.record.at - 1;
    this.showVerdict("", `${move.name}: judging…`, "");
    try {
      const found = this.asked ? await this.judgeLater(move) : await this.judgeFirst(move);
      if (mine !== this.trying) return;
      this.showVerdict(found.kind, `${found.words}: ${move.name}`, capital(found.reason));
      if (found.goesOn) await this.defend(found.reply);
    } catch (error) {
      if (mine === this.trying) this.showVerdict("bad", "Not judged", error.message);
    }
  }

  async judgeFirst(move) {
    const { name } = this;
    const verdict = await this.app.ask("judge", { name, answer: `${move.text}\n` });
    const kind = verdict.accepted ? "good" : verdict.verdict === "slower" ? "part" : "bad";
    if (verdict.accepted) this.keep(name, 1);
    const words = { good: "Right", part: "Not the best way", bad: "Wrong" }[kind];
    const reason = verdict.accepted ? "Now play it out, or go to the next puzzle." : verdict.reason;
    return { kind, words, reason, goesOn: verdict.accepted };
  }

  async judgeLater(move) {
    const found = await this.app.why.ask();
    byId("why-text").replaceChildren();
    if (!found) return { kind: "part", words: "Not judged", reason: "" };
    const [best] = found.lines;
    const tried = found.lines.find(({ names }) => names[0] === move.name) ?? best;
    const kind = judgeValues(best.value, tried.value);
    const goal = best.value.split(" ")[0];
    const words = { good: KEPT[goal] ?? "Good", part: "Not the best way", bad: `The ${goal} is thrown away` }[kind];
    return { kind, words, reason: kind === "good" ? `${tried.value}.` : tried.change.replace(/^.* thrown away: /, ""), goesOn: kind !== "bad", reply: tried.texts[1] };
  }

  /** The defence makes its best move, unless the puzzle is played out. */
  async defend(reply) {
    const { app, trying } = this;
    const pause = new Promise((resolve) => setTimeout(resolve, PLY_PAUSE));
    const text = reply ?? (this.isOver() ? null : (await this.bestLine())[0]);
    await pause;
    if (text && trying === this.trying && !this.isOver()) await app.playLine([text]);
    if (trying === this.trying && this.isOver()) this.finish("Finished");
  }

  isOver() {
    return this.app.position.outcome || (this.puzzle?.goal === "draw" && this.app.record.at >= DRAW_PLIES);
  }

  finish(how) {
    const { outcome } = this.app.position;
    if (how === "Finished") this.keep(this.name, 2);
    this.asked = 0;
    this.app.why.changed();
    const name = capital(wordsOf(this.puzzle).join(" "));
    this.showVerdict("good", `${how}: ${outcome ? outcomeWords(outcome) : "the draw is held"}`, name);
  }

  /** Play the best moves of both sides until the game is over or the draw is held. */
  async showRest() {
    const { app } = this;
    const mine = (this.trying = { rest: true });
    this.showVerdict("", "The solver plays on for both sides…", "");
    app.desk.offerMoves();
    let line = [];
    while (mine === this.trying && !this.isOver()) {
      const pause = new Promise((resolve) => setTimeout(resolve, PLY_PAUSE));
      if (!line.length) line = await this.bestLine().catch(() => []);
      await pause;
      if (!line.length || mine !== this.trying) return;
      await app.playLine([line.shift()]);
    }
    if (mine === this.trying) this.finish("Shown");
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

const RANKS = ["loss", "draw", "win"];

/** `bad` if a move throws something away, `part` if it is slower or nobody knows; values such as `win in 9`. */
export function judgeValues(best, tried) {
  const [[before, plies], [after, others]] = [best, tried].map((value) => {
    const [, kind, number] = /^(win|draw|loss)(?: in (\d+)$)?/.exec(value) ?? [];
    return [RANKS.indexOf(kind), Number(number)];
  });
  if (before < 0 || after > before) return "good";
  if (after < 0) return "part";
  if (after < before) return "bad";
  return (after === 2 && others > plies) || (after === 0 && others < plies) ? "part" : "good";
}

const wordsOf = (puzzle) => puzzle.name.split("/").at(-1).split("-");

/** What the browser has stored, or now stores; without that it is forgotten when the page is closed. */
function stored(done) {
  try {
    if (done) localStorage.setItem(KEY, JSON.stringify(done));
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}
