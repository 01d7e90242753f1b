// A search step by step, from its trace.

import { techniqueBox } from "./analyse_mode.js";
import { byId, facts, offer } from "./dom.js";
import { Stepper, Trace, TreeDrawing, TreeOutline, childrenAt, formatTree, parseTree } from "./tree_view.js";
import { grouped, worth } from "./words.js";

const MOST_NODES = 2000; // of a trace
const ALL_OPEN = 60; // nodes: smaller trees are fully expanded at first
const COUNTS = ["visited", "evaluated", "alpha_cuts", "beta_cuts"];

export class TreeMode {
  constructor(app) {
    this.app = app;
    this.trace = null;
    this.job = null;
    this.stepper = new Stepper((at, node) => this.stepped(at, node));
    this.drawing = new TreeDrawing(byId("drawing"), (node) => this.pickDrawn(node));
    this.outline = new TreeOutline(
      byId("outline"), (node) => this.choose(node), (node, open) => this.toggle(node, open),
    );
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
    byId("fit").addEventListener("click", () => this.fit(!byId("drawing").classList.contains("fit")));
    byId("outline-all").addEventListener("click", () => this.expandAll());
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
    this.stepper.pause();
    byId("main").classList.remove("homework");
    this.trace = null;
  }

  lost() {
    this.stepper.pause();
  }

  address() {
    if (this.app.name !== "tree") return {};
    return { tree: this.source === "tree" ? byId("tree-text").value : "", depth: byId("tree-depth").value };
  }

  mayMove() {
    return this.trace === null;
  }

  ownsBoard() {
    return this.source === "position" && this.trace !== null && !this.app.desk.editor.open;
  }

  changed(what) {
    if (what === "reconnected" && this.trace) return;
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
    this.trace = null;
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
    const list = faults.map((fault) => `column ${fault.column}: ${fault.rule}`);
    this.say([words, ...list].join(" "));
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
    this.trace = new Trace(trace);
    this.homework = this.source === "tree" ? parseTree(byId("tree-text").value) : null;
    this.opened = new Set(this.firstOpen().map((node) => node.id));
    byId("tree-result").hidden = false;
    this.showCounts(trace);
    this.app.desk.offerMoves();
    this.fit(this.drawing.fits(this.trace, this.opened, (node) => this.skipped(node)));
    this.stepper.load(this.trace);
  }

  /** All nodes of a small tree; of a large one, the root and the principal variation. */
  firstOpen() {
    const { nodes, roots } = this.trace;
    if (nodes.length <= ALL_OPEN) return nodes;
    return nodes.filter((node) => node.line || node === roots.at(-1));
  }

  showCounts(trace) {
    const { counts } = trace;
    const pairs = COUNTS.map((name) => [name.replace("_", " "), grouped(counts[name])]);
    if (counts.probes) pairs.push(["cache hits", grouped(counts.hits)]);
    facts(byId("tree-counts"), [["best", trace.move], ["value", worth(trace.value)], ...pairs]);
    const foe = trace.hero === trace.mover ? trace.other : trace.mover;
    const sides = trace.hero === "Max" ? "Max is ▲, Min is ▼." : `Values are for ${trace.hero}, Max (▲); ${foe} is Min (▼).`;
    const shown = trace.complete ? "" : ` Only the first ${trace.nodes.length} nodes are shown.`;
    byId("tree-legend").textContent = sides + shown;
  }

  /** What a cut has skipped at a node: subtrees if they are known, else names of moves. */
  skipped(node) {
    if (!this.homework) return node.unseen;
    const seen = new Set(this.trace.below.get(node.id).map((child) => Number(child.path.split(".").at(-1))));
    const left = childrenAt(this.homework, node.path).filter((_, index) => !seen.has(index + 1));
    return node.tag === "leaf" ? [] : left.map((tree) => (tree.value === null ? "(…)" : formatTree(tree)));
  }

  stepped(at, node) {
    this.at = at;
    this.chosen = node;
    this.followed = new Set(this.trace.above(node).map((one) => one.id));
    this.show();
  }

  choose(node) {
    this.chosen = node;
    this.show();
  }

  pickDrawn(node) {
    if (this.trace.below.get(node.id).length && !this.expanded.has(node.id)) this.opened.add(node.id);
    this.choose(node);
  }

  toggle(node, open) {
    if (open) this.opened.add(node.id);
    else this.opened.delete(node.id);
    this.followed.delete(node.id);
    this.choose(node);
  }

  fit(whole) {
    byId("drawing").classList.toggle("fit", whole);
    byId("fit").setAttribute("aria-pressed", whole);
  }

  expandAll() {
    const all = this.trace.nodes.every((node) => this.opened.has(node.id));
    this.opened = new Set(all ? this.trace.roots.map((node) => node.id) : this.trace.nodes.map((node) => node.id));
    this.followed = new Set();
    this.show();
  }

  get expanded() {
    return new Set([...this.opened, ...this.followed]);
  }

  show() {
    const view = {
      expanded: this.expanded,
      chosen: this.chosen,
      way: new Set(this.trace.above(this.chosen).map((node) => node.id)),
      skipped: (node) => this.skipped(node),
      known: this.homework !== null,
    };
    this.drawing.show(this.trace, this.at, view);
    this.outline.show(this.trace, this.at, view);
    const all = this.trace.nodes.every((node) => this.opened.has(node.id));
    byId("outline-all").textContent = all ? "Collapse all" : "Expand all";
    if (this.ownsBoard() && this.chosen.rows) this.showBoard();
  }

  showBoard() {
    const { board } = this.app.desk;
    const { rows, mover, parent } = this.chosen;
    const before = this.trace.byId.get(parent)?.rows ?? rows;
    const squares = rows.flatMap((line, row) => [...line].map((_, column) => [row, column]));
    const changed = squares.filter(([row, column]) => rows[row][column] !== before[row][column]);
    board.show({ rows, mover });
    board.mark({ last: changed });
    const where = this.chosen.move ? `After ${this.trace.place(this.chosen)}` : "";
    this.app.desk.showTurn({ outcome: null, mover }, where);
  }
}
