// A search step by step, from its trace.

import { techniqueBox } from "./analyse_mode.js";
import { byId, offer } from "./dom.js";
import { TreeView } from "./tree_view.js";

const MOST_NODES = 2000; // of a trace

export class TreeMode {
  constructor(app) {
    this.app = app;
    this.shows = false; // a trace
    this.job = null;
    this.view = new TreeView((node) => this.showBoard(node));
    this.wire();
  }

  wire() {
    const { orderings, caches, techniques } = this.app.hello;
    offer(byId("tree-ordering"), Object.keys(orderings).map((name) => [name, name]), "none");
    offer(byId("tree-cache"), Object.keys(caches).map((name) => [name, name]), "none");
    const boxes = Object.entries(techniques).map(([name, about]) => techniqueBox(name, about, name === "alpha-beta"));
    byId("tree-techniques").append(...boxes);
    byId("tree-form").addEventListener("change", () => this.showSource());
    byId("tree-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.run();
    });
    byId("tree-stop").addEventListener("click", () => this.job?.stop());
  }

  get source() {
    return document.querySelector("[name=tree-source]:checked").value;
  }

  set source(value) {
    document.querySelector(`[name=tree-source][value=${value}]`).checked = true;
  }

  enter(state) {
    if (state.tree) {
      this.source = "tree";
      byId("tree-text").value = state.tree;
    }
    if (state.depth) byId("tree-depth").value = state.depth;
    this.showSource();
    this.run();
  }

  leave() {
    this.abandon();
    this.view.stepper.pause();
    byId("main").classList.remove("homework");
    this.shows = false;
  }

  key(event, step) {
    return this.shows && this.view.key(event, step);
  }

  address() {
    if (this.app.name !== "tree") return {};
    return { tree: this.source === "tree" ? byId("tree-text").value : "", depth: byId("tree-depth").value };
  }

  mayMove() {
    return !this.shows;
  }

  ownsBoard() {
    return this.source === "position" && this.shows && !this.app.desk.editor.open;
  }

  changed(what) {
    if (what === "reconnected" && this.shows) return;
    if (this.source === "position") this.run();
  }

  showSource() {
    const tree = this.source === "tree";
    byId("tree-text-line").hidden = !tree;
    byId("tree-depth-label").hidden = tree;
    byId("main").classList.toggle("homework", tree);
  }

  fields() {
    const boxes = [...byId("tree-techniques").querySelectorAll("input:checked")].map((input) => input.value);
    const search = {
      max_nodes: MOST_NODES,
      ordering: byId("tree-ordering").value,
      cache: byId("tree-cache").value,
      with: boxes,
      without: boxes.includes("alpha-beta") ? [] : ["alpha-beta"],
    };
    if (this.source === "tree") return { ...search, tree: byId("tree-text").value };
    return { ...search, ...this.app.where(), heuristic: this.app.heuristic, depth: Number(byId("tree-depth").value) };
  }

  async run() {
    this.abandon();
    this.shows = false;
    this.app.write();
    this.app.desk.show("entered");
    if (this.source === "position" && this.app.position.outcome) {
      this.fail("The game is over: there is nothing to search.");
      return;
    }
    let found = null;
    const job = this.app.connection.begin("trace", this.fields(), (message) => (found = message.trace ?? found));
    this.job = job;
    this.busy(true);
    try {
      const last = await job.done;
      if (job === this.job) this.found(last.trace ?? found);
    } catch (error) {
      if (job === this.job) this.fail(error.message, error.faults);
    }
    if (job === this.job) this.busy(false);
  }

  abandon() {
    this.job?.stop();
    this.job = null;
  }

  busy(busy) {
    if (!busy) this.job = null;
    byId("tree-stop").hidden = !busy;
    byId("tree-run").disabled = busy;
  }

  fail(words, faults = []) {
    byId("tree-result").hidden = true;
    byId("tree-settings").open = true;
    const list = faults.map((fault) => `column ${fault.column}: ${fault.rule}`);
    this.say([words, ...list].join("\n"));
  }

  say(words) {
    byId("tree-fault").textContent = words;
    byId("tree-fault").hidden = !words;
  }

  found(trace) {
    if (!trace) {
      this.fail("The search was stopped.");
      return;
    }
    this.say("");
    this.shows = true;
    byId("tree-settings").open = false;
    byId("tree-summary").textContent = trace.method;
    this.app.desk.offerMoves();
    this.view.load(trace);
  }

  showBoard({ rows, mover, parent, move }) {
    if (!rows || !this.ownsBoard()) return;
    const { board } = this.app.desk;
    const { trace, chosen } = this.view;
    const before = trace.byId.get(parent)?.rows ?? rows;
    const squares = rows.flatMap((line, row) => [...line].map((_, column) => [row, column]));
    const changed = squares.filter(([row, column]) => rows[row][column] !== before[row][column]);
    board.show({ rows, mover });
    board.mark({ last: changed });
    const where = move ? `After ${trace.place(chosen)}` : "";
    this.app.desk.showTurn({ outcome: null, mover }, where);
  }
}
