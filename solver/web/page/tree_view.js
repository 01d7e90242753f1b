// A search step by step: its trace as a tree that grows, a slider, a drawing and an outline.  It needs only the
// elements in `#tree-result`, dom.js and words.js: `solver trace --format html` writes them as a page of its own.

import { byId, draw, facts, make } from "./dom.js";
import { capital, grouped, windowWords, worth } from "./words.js";

const SIGNS = { exact: "= ", "at most": "≤ ", "at least": "≥ " };
const WORDS = { exact: "", "at most": "at most ", "at least": "at least " };

const ALL_OPEN = 60; // nodes: smaller trees are fully expanded at first

/** Values are for Max, the `hero` of the trace. */
class Trace {
  constructor(trace) {
    this.facts = trace;
    this.nodes = trace.nodes;
    this.byId = new Map(this.nodes.map((node) => [node.id, node]));
    this.below = new Map(this.nodes.map((node) => [node.id, []]));
    for (const node of this.nodes) this.below.get(node.parent)?.push(node);
    this.roots = this.nodes.filter((node) => !this.byId.has(node.parent));
    this.events = this.nodes
      .flatMap((node) => [{ node, step: node.enter }, { node, step: node.leave, leaves: true }])
      .filter(({ step }) => step >= 0)
      .sort((one, other) => one.step - other.step);
  }

  get last() {
    return this.events.length - 1;
  }

  /** Whether a node is `ahead`, `open` or `done` after an event. */
  state(node, at) {
    const { step } = this.events[at];
    if (node.enter > step) return "ahead";
    return node.leave >= 0 && node.leave <= step ? "done" : "open";
  }

  /** The children that the search has reached. */
  reached(node, at) {
    return this.below.get(node.id).filter((child) => this.state(child, at) !== "ahead");
  }

  /** Whether a node is on the principal variation, which is known at the end. */
  isBest(node, at) {
    return node.line && at === this.last;
  }

  /** The counters after an event: names and numbers. */
  counts(at) {
    if (at === this.last) return this.facts.counts;
    const counts = { visited: 0, evaluated: 0, alpha_cuts: 0, beta_cuts: 0, probes: this.facts.counts.probes, hits: 0 };
    for (const { node, leaves } of this.events.slice(0, at + 1)) {
      if (!leaves) counts.visited += 1;
      else if (node.tag === "cut") counts[node.mover === this.roots[0].mover ? "beta_cuts" : "alpha_cuts"] += 1;
      else if (node.kind === "heuristic") counts.evaluated += 1;
      else if (node.kind === "cache") counts.hits += 1;
    }
    return counts;
  }

  above(node) {
    const found = [];
    for (let up = this.byId.get(node.parent); up; up = this.byId.get(up.parent)) found.push(up);
    return found;
  }

  isMax(node) {
    return node.mover === this.facts.hero;
  }

  /** The window of a node after an event, narrowed by its finished children. */
  window(node, at) {
    let { alpha, beta } = node;
    for (const child of this.below.get(node.id)) {
      if (child.value === null || this.state(child, at) !== "done") continue;
      if (this.isMax(node) && child.bound !== "at most") alpha = Math.max(alpha ?? -Infinity, child.value);
      if (!this.isMax(node) && child.bound !== "at least") beta = Math.min(beta ?? Infinity, child.value);
    }
    return [alpha, beta];
  }

  /** The next cut in a direction. */
  cutFrom(at, direction) {
    for (let next = at + direction; next >= 0 && next <= this.last; next += direction) {
      const { node, leaves } = this.events[next];
      if (leaves && node.tag === "cut") return next;
    }
    return at;
  }

  /** A node's value with its bound. */
  value(node) {
    return node.value === null ? "?" : SIGNS[node.bound] + worth(node.value);
  }

  name(node) {
    if (node.move) return node.move;
    return this.roots.length > 1 ? `depth ${node.depth}` : "root";
  }

  /** The moves that lead to a node. */
  place(node) {
    const moves = [...this.above(node).reverse(), node].map((one) => one.move).filter(Boolean);
    return (this.facts.game !== "tree" && moves.join(" ")) || this.name(node);
  }

  role(node) {
    return this.isMax(node) ? "Max" : "Min";
  }

  /** An event in a sentence or two. */
  words(at) {
    const { node, leaves } = this.events[at];
    const where = this.place(node);
    if (!leaves) {
      const begins = node.move ? `Search ${where}` : `Start at the ${this.roots.length > 1 ? `root for ${where}` : "root"}`;
      const scout = node.scout ? ", a scout" : "";
      const turn = node.tag === "leaf" ? "" : ` ${this.role(node)} is to move${this.byMover(node)}.`;
      return `${begins} with the window ${windowWords([node.alpha, node.beta])}${scout}.${turn}`;
    }
    const why = node.reason ? `: ${node.reason}` : "";
    const unseen = node.unseen.length ? ` Not searched: ${node.unseen.join(", ")}.` : "";
    const value = WORDS[node.bound] + worth(node.value);
    if (node === this.roots.at(-1)) return `The search is finished: ${value}${why}. The best move is ${this.facts.move}.`;
    if (!node.move) return `The search to ${where} is finished: ${value}${why}.`;
    return `Return from ${where} with ${value}${why}.${unseen}`;
  }

  byMover(node) {
    return ["Max", "Min"].includes(node.mover) ? "" : `, ${node.mover}`;
  }
}

// The slider for the steps of a search, and its buttons.

const RUN_TIME = 700; // milliseconds per step

class Stepper {
  /** `stepped(at, node)` after every change. */
  constructor(stepped) {
    this.stepped = stepped;
    this.trace = null;
    this.timer = 0;
    const buttons = {
      "step-first": () => this.go(0),
      "step-back": () => this.move(-1),
      "step-on": () => this.move(1),
      "step-last": () => this.go(this.trace.last),
      "step-cut-back": () => this.go(this.trace.cutFrom(this.at, -1)),
      "step-cut-on": () => this.go(this.trace.cutFrom(this.at, 1)),
    };
    for (const [id, action] of Object.entries(buttons)) {
      byId(id).addEventListener("click", () => {
        this.pause();
        action();
      });
    }
    byId("step").addEventListener("input", () => {
      this.pause();
      this.go(Number(byId("step").value));
    });
    byId("step-run").addEventListener("click", () => this.toggle());
  }

  toggle() {
    if (this.timer) this.pause();
    else this.run();
  }

  move(steps) {
    this.pause();
    this.go(this.at + steps);
  }

  load(trace) {
    this.pause();
    this.trace = trace;
    byId("step").max = trace.last;
    this.go(0);
  }

  go(at) {
    this.at = Math.max(0, Math.min(at, this.trace.last));
    const words = this.trace.words(this.at);
    const slider = byId("step");
    slider.value = this.at;
    slider.setAttribute("aria-valuetext", `Step ${this.at + 1} of ${this.trace.last + 1}. ${words}`);
    byId("step-number").textContent = `step ${this.at + 1} of ${this.trace.last + 1}`;
    byId("step-words").textContent = words;
    this.stepped(this.at, this.trace.events[this.at].node);
  }

  run() {
    if (this.at === this.trace.last) this.go(0);
    this.timer = setInterval(() => {
      this.go(this.at + 1);
      if (this.at === this.trace.last) this.pause();
    }, RUN_TIME);
    this.showRunning(true);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.showRunning(false);
  }

  showRunning(running) {
    byId("step-run").textContent = running ? "Pause" : "Play";
    byId("step-run").setAttribute("aria-pressed", running);
  }
}

// The tree as textbooks draw it: Max points up, Min points down, with windows and cuts.

const [WIDE, HIGH] = [78, 84];
const [LEFT, ABOVE] = [48, 26]; // margins around the outermost nodes
const SHAPES = { Max: "M0 -22L28 16H-28z", Min: "M0 22L28 -16H-28z" };
const [ZOOMS, PAN] = [[0.3, 4], 60]; // PAN in pixels
const FITS = [1.15, 1.92]; // so that the smallest text has 12 px
const LECTURE_FITS = [1.92, 3]; // 20 px

class TreeDrawing {
  /** `picked(node)` when a node is clicked. */
  constructor(element, picked) {
    this.element = element;
    this.picked = picked;
    this.zoom = 1;
    this.corner = [0, 0]; // of the part that is seen
    this.picture = draw("svg", { "aria-hidden": "true" });
    element.append(this.picture);
    const fingers = new Map();
    element.addEventListener("pointerdown", (event) => fingers.set(event.pointerId, [event.clientX, event.clientY]));
    for (const kind of ["pointerup", "pointercancel", "pointerleave"]) {
      element.addEventListener(kind, (event) => fingers.delete(event.pointerId));
    }
    element.addEventListener("pointermove", (event) => this.drag(fingers, event));
    element.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY / 500), event.clientX, event.clientY);
    });
    new ResizeObserver(() => this.look()).observe(element);
  }

  /** One finger moves the tree, two also zoom. */
  drag(fingers, event) {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    const length = ([x, y]) => Math.hypot(x - other[0], y - other[1]) || 1;
    if (other) this.zoomBy(length(now) / length(before), ...other);
    else this.moveBy(before[0] - now[0], before[1] - now[1]);
    fingers.set(event.pointerId, now);
  }

  moveBy(x, y) {
    this.corner = [this.corner[0] + x / this.zoom, this.corner[1] + y / this.zoom];
    this.look();
  }

  /** Zoom around a point of the window, or around the middle. */
  zoomBy(factor, clientX, clientY) {
    const box = this.element.getBoundingClientRect();
    const [x, y] = [(clientX ?? box.x + box.width / 2) - box.x, (clientY ?? box.y + box.height / 2) - box.y];
    const zoom = Math.max(ZOOMS[0], Math.min(this.zoom * factor, ZOOMS[1]));
    const shift = 1 / this.zoom - 1 / zoom;
    this.corner = [this.corner[0] + x * shift, this.corner[1] + y * shift];
    this.zoom = zoom;
    this.look();
  }

  get room() {
    return [this.element.clientWidth / this.zoom, this.element.clientHeight / this.zoom];
  }

  look() {
    this.picture.setAttribute("viewBox", [...this.corner, ...this.room].join(" "));
  }

  /** After an event.  A tree that has room stays where it is while it grows. */
  show(trace, at, view) {
    const placed = layout(trace, view.expanded, this.fits(trace, view.expanded) ? trace.last : at);
    const items = placed.items.filter(({ node, above }) => (node ? trace.state(node, at) !== "ahead" : trace.state(above.node, at) === "done"));
    this.size = sizeOf(placed);
    this.picture.replaceChildren(
      ...items.filter((item) => item.above).map((item) => this.branch(trace, at, item)),
      ...items.map((item) => (item.node ? this.node(trace, at, item, view) : this.skipped(item))),
    );
    this.reveal(items.find((item) => item.node === view.chosen));
  }

  /** Whether a tree has room at this zoom. */
  fits(trace, expanded) {
    return sizeOf(layout(trace, expanded, trace.last))[0] <= this.room[0];
  }

  /** Zoom in as far as a whole tree has room. */
  grow(trace, expanded, most) {
    const [width, height] = sizeOf(layout(trace, expanded, trace.last));
    const { clientWidth, clientHeight } = this.element;
    this.zoom = Math.max(this.zoom, Math.min(clientWidth / width, clientHeight / height, most));
  }

  branch(trace, at, item) {
    const [x, y, fromX, fromY] = [item.x * WIDE, item.y * HIGH, item.above.x * WIDE, item.above.y * HIGH];
    const state = item.node ? trace.state(item.node, at) : "done";
    const line = item.node && trace.isBest(item.node, at) ? "line" : "";
    const [middleX, middleY] = [fromX + 0.66 * (x - fromX), fromY + 0.66 * (y - fromY)];
    const name = item.node ? trace.name(item.node) : "";
    return draw("g", { class: `branch ${state} ${line} ${item.node ? "" : "skipped"}` },
      draw("path", { d: `M${fromX} ${fromY + 16}L${x} ${y - 16}` }),
      item.node ? draw("text", { x: middleX, y: middleY, class: "move" }, name)
        : draw("path", { class: "scissors", d: `M${middleX - 8} ${middleY + 3}l16 -7` }),
    );
  }

  node(trace, at, { node, x, y }, { chosen, expanded }) {
    const state = trace.state(node, at);
    const leaf = node.tag === "leaf";
    const max = trace.isMax(node);
    const marks = { now: trace.events[at].node === node, chosen: node === chosen, line: trace.isBest(node, at), scout: node.scout };
    const kinds = ["node", state, state === "done" ? node.tag : "", ...Object.keys(marks).filter((kind) => marks[kind])];
    const shape = leaf ? box() : draw("path", { d: SHAPES[trace.role(node)] });
    const value = state === "done" ? shortValue(trace, node) : "";
    const hidden = expanded.has(node.id) ? 0 : trace.reached(node, at).length;
    const window = leaf ? "" : windowWords(trace.window(node, at));
    const group = draw("g", { class: kinds.join(" "), transform: `translate(${x * WIDE} ${y * HIGH})` },
      draw("title", {}, `${trace.place(node)}${state === "done" && node.reason ? `: ${node.reason}` : ""}`),
      shape,
      draw("text", { class: "value", y: leaf ? 5 : max ? 11 : -2 }, value),
      draw("text", { class: "window", y: max ? 31 : 36 }, window),
      hidden ? draw("text", { class: "more", x: 34, y: 4 }, `+${hidden}`) : null,
    );
    group.addEventListener("click", () => this.picked(node));
    return group;
  }

  skipped({ x, y, label }) {
    const transform = `translate(${x * WIDE} ${y * HIGH})`;
    return draw("g", { class: "node skipped done", transform }, box(), draw("text", { class: "value", y: 5 }, label));
  }

  /** Move as little as possible so that a node is seen; what has room is in the middle. */
  reveal(item) {
    const place = item ? [item.x * WIDE, item.y * HIGH] : [0, 0];
    this.corner = this.corner.map((corner, way) => {
      const [room, size] = [this.room[way], this.size[way]];
      if (size <= room) return -[LEFT, ABOVE][way] - (room - size) / 2;
      const margin = Math.min(way ? HIGH / 2 : 2.5 * WIDE, room / 2);
      return Math.max(place[way] + margin - room, Math.min(corner, place[way] - margin));
    });
    this.look();
  }
}

/** A leaf. */
const box = () => draw("rect", { x: -25, y: -14, width: 50, height: 28, rx: 7 });

/** Short enough for a triangle. */
function shortValue(trace, node) {
  const sign = { exact: "", "at most": "≤", "at least": "≥" }[node.bound] ?? "";
  return sign + worth(node.value).replace("win in ", "W").replace("loss in ", "L");
}

/** In pixels, at zoom 1. */
const sizeOf = ({ width, height }) => [(width - 1) * WIDE + 2 * LEFT, (height - 1) * HIGH + 2 * ABOVE + 20];

// Where the nodes of a drawn tree go: leaves side by side, parents above the middle of their children.

const MOST_SKIPPED = 4; // moves drawn at a cut; more are only counted

/** What is reached after an event: items {node, x, y, above} in units of one leaf and one ply; what a cut skips has a label instead of a node. */
function layout(trace, expanded, at) {
  const items = [];
  let column = 0;

  function place(node, above, y) {
    const item = { node, above, y, x: 0 };
    items.push(item);
    const open = expanded.has(node.id);
    const children = open ? trace.reached(node, at) : [];
    const places = children.map((child) => place(child, item, y + 1));
    if (open && trace.state(node, at) === "done") places.push(...placeSpared(item, node.spared));
    item.x = places.length ? (places[0].x + places.at(-1).x) / 2 : column++;
    return item;
  }

  function placeSpared(above, labels) {
    const left = labels.length - MOST_SKIPPED + 1; // beyond what there is room for
    const shown = left > 1 ? [...labels.slice(0, MOST_SKIPPED - 1), `+${left}`] : labels;
    return shown.map((label) => {
      const item = { label, above, y: above.y + 1, x: column++ };
      items.push(item);
      return item;
    });
  }

  for (const root of trace.roots) if (trace.state(root, at) !== "ahead") place(root, null, 0);
  return { items, width: column, height: 1 + Math.max(0, ...items.map((item) => item.y)) };
}

// The nodes as a tree of rows, for the keyboard and for screen readers.

const span = (kind, words) => make("span", { class: kind }, words);

class TreeOutline {
  /** `chosen(node)` when a row is chosen, `toggled(node, open)` to show or hide its children. */
  constructor(element, chosen, toggled) {
    this.element = element;
    this.onChosen = chosen;
    this.onToggled = toggled;
    element.addEventListener("keydown", (event) => this.key(event));
  }

  show(trace, at, { expanded, chosen }) {
    this.trace = trace;
    this.expanded = expanded;
    const focused = this.element.contains(document.activeElement);
    this.rows = [];
    const roots = trace.roots.filter((root) => trace.state(root, at) !== "ahead");
    for (const [index, root] of roots.entries()) this.collect(root, at, 1, index, roots.length);
    const first = this.rows.find(({ node }) => node === chosen) ?? this.rows[0]; // reached by Tab
    this.element.replaceChildren(...this.rows.map((row) => this.row(row, at, row.node === chosen, row === first)));
    const current = this.element.querySelector("[aria-selected=true]");
    if (focused) current?.focus({ preventScroll: true });
    this.reveal(current);
  }

  collect(node, at, level, index, count) {
    this.rows.push({ node, level, index, count });
    if (!this.expanded.has(node.id)) return;
    const children = this.trace.reached(node, at);
    for (const [place, child] of children.entries()) this.collect(child, at, level + 1, place, children.length);
  }

  row({ node, level, index, count }, at, chosen, tabbable) {
    const { trace } = this;
    const state = trace.state(node, at);
    const parent = trace.reached(node, at).length > 0;
    const open = this.expanded.has(node.id);
    const twisty = make("span", { class: "twisty", "aria-hidden": "true" }, parent ? (open ? "▾" : "▸") : "");
    const row = make("li", {
      role: "treeitem", class: `${state}${trace.isBest(node, at) ? " line" : ""}`, tabindex: tabbable ? "0" : "-1", "data-id": node.id,
      "aria-level": level, "aria-posinset": index + 1, "aria-setsize": count, "aria-selected": chosen,
      "aria-expanded": parent ? open : null,
    },
      twisty,
      span("what", trace.name(node)), span("role", trace.role(node)), span("window", windowWords([node.alpha, node.beta])),
      ...(state === "done" ? this.result(node) : []),
    );
    row.style.setProperty("--level", Math.min(level - 1, 8));
    row.addEventListener("click", () => this.onChosen(node));
    twisty.addEventListener("click", () => parent && this.onToggled(node, !open));
    return row;
  }

  /** What is known about a node after the search has left it. */
  result(node) {
    const skipped = node.unseen.length ? `not searched: ${node.unseen.join(" ")}` : "";
    const why = [node.kind === "heuristic" ? "" : node.reason, skipped].filter(Boolean).join("; ");
    return [
      span("worth", this.trace.value(node)),
      node.tag === "leaf" ? null : span(`badge tag-${node.tag}`, node.tag),
      node.scout ? span("badge", "scout") : null,
      why ? span("why", capital(why)) : null,
    ];
  }

  /** Scroll the list, not the page. */
  reveal(row) {
    if (!row) return;
    const { element } = this;
    const top = row.offsetTop; // relative to the list
    const lowest = top + row.offsetHeight - element.clientHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (lowest > element.scrollTop) element.scrollTop = lowest;
  }

  key(event) {
    const row = event.target.closest("[role=treeitem]");
    if (!row) return;
    const at = this.rows.findIndex(({ node }) => String(node.id) === row.dataset.id);
    const { node } = this.rows[at];
    const parent = this.trace.below.get(node.id).length > 0;
    const open = this.expanded.has(node.id);
    const go = (index) => this.rows[index] && this.onChosen(this.rows[index].node);
    const above = this.rows.findIndex((one) => one.node.id === node.parent);
    const steps = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(this.rows.length - 1),
      ArrowRight: () => (parent && !open ? this.onToggled(node, true) : parent && go(at + 1)),
      ArrowLeft: () => (parent && open ? this.onToggled(node, false) : go(above)),
      Enter: () => parent && this.onToggled(node, !open),
    };
    if (!steps[event.key]) return;
    event.preventDefault();
    steps[event.key]();
  }
}

/** The whole view of a search. */
export class TreeView {
  /** `chose(node)` when a node is chosen, or stepped to. */
  constructor(chose) {
    this.chose = chose;
    this.stepper = new Stepper((at, node) => this.stepped(at, node));
    this.drawing = new TreeDrawing(byId("drawing"), (node) => this.pickDrawn(node));
    this.outline = new TreeOutline(
      byId("outline"), (node) => this.choose(node), (node, open) => this.toggle(node, open),
    );
    byId("fit").addEventListener("click", () => this.fit());
    byId("zoom-in").addEventListener("click", () => this.drawing.zoomBy(1.25));
    byId("zoom-out").addEventListener("click", () => this.drawing.zoomBy(0.8));
    byId("lecture").addEventListener("click", () => this.lecture(!this.inLecture));
    addEventListener("fullscreenchange", () => (document.fullscreenElement ? this.fit() : this.lecture(false)));
  }

  load(facts) {
    this.trace = new Trace(facts);
    this.followed = new Set();
    this.chosen = this.trace.roots[0];
    byId("tree-result").hidden = false;
    const foe = facts.hero === facts.mover ? facts.other : facts.mover;
    const sides = facts.hero === "Max" ? "Max is ▲, Min is ▼." : `Values are for ${facts.hero}, Max (▲); ${foe} is Min (▼).`;
    const shown = facts.complete ? "" : ` Only the first ${facts.nodes.length} nodes are shown.`;
    byId("tree-legend").textContent = sides + shown;
    this.at = 0;
    this.fit();
    this.stepper.load(this.trace);
  }

  get inLecture() {
    return byId("tree-result").classList.contains("lecture");
  }

  /** The view alone, with text for the last row; in full screen where the browser allows it. */
  lecture(on) {
    if (on === this.inLecture) return;
    byId("tree-result").classList.toggle("lecture", on);
    byId("lecture").setAttribute("aria-pressed", on);
    if (on) byId("tree-result").requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement) document.exitFullscreen();
    this.fit();
  }

  /** Whether a key was for this view: arrows step, with Shift they move the tree; space runs, + and - zoom. */
  key(event, step) {
    const move = (x, y) => this.drawing.moveBy(PAN * x, PAN * y);
    const sideways = () => (event.shiftKey ? move(step, 0) : this.stepper.move(step));
    const spare = !event.target.closest("button, a, [role=treeitem]");
    const keys = {
      ArrowLeft: sideways,
      ArrowRight: sideways,
      ...(event.shiftKey && { ArrowUp: () => move(0, -1), ArrowDown: () => move(0, 1) }),
      "+": () => this.drawing.zoomBy(1.25),
      "-": () => this.drawing.zoomBy(0.8),
      0: () => this.fit(),
      ...(spare && { " ": () => this.stepper.toggle() }),
      ...(this.inLecture && { Escape: () => this.lecture(false) }),
    };
    keys[event.key]?.();
    return event.key in keys;
  }

  /** All nodes of a small tree, of a large one the principal variation; less if there is no room.  Whether all are open. */
  fold() {
    const { nodes, roots } = this.trace;
    const open = nodes.length <= ALL_OPEN ? nodes : nodes.filter((node) => node.line || node === roots.at(-1));
    this.opened = new Set(open.map((node) => node.id));
    for (const node of [...open].sort((one, other) => other.ply - one.ply || other.enter - one.enter)) {
      if (this.drawing.fits(this.trace, this.opened)) break;
      this.opened.delete(node.id);
    }
    return this.opened.size === nodes.length;
  }

  fit() {
    const [least, most] = this.inLecture ? LECTURE_FITS : FITS;
    this.drawing.zoom = least;
    if (this.fold()) this.drawing.grow(this.trace, this.opened, most);
    this.show();
  }

  showCounts() {
    const counts = this.trace.counts(this.at);
    const pairs = ["visited", "evaluated", "alpha_cuts", "beta_cuts"].map((name) => [name.replace("_", " "), grouped(counts[name])]);
    if (counts.probes) pairs.push(["cache hits", grouped(counts.hits)]);
    const end = this.at === this.trace.last;
    const { move, value } = this.trace.facts;
    facts(byId("tree-counts"), [["best", end ? move : "–"], ["value", end ? worth(value) : "–"], ...pairs]);
  }

  stepped(at, node) {
    this.at = at;
    this.chosen = node;
    this.followed = new Set([node, ...this.trace.above(node)].map((one) => one.id));
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

  get expanded() {
    return new Set([...this.opened, ...this.followed]);
  }

  show() {
    const view = { expanded: this.expanded, chosen: this.chosen };
    this.drawing.show(this.trace, this.at, view);
    this.outline.show(this.trace, this.at, view);
    this.showCounts();
    this.chose(this.chosen);
  }
}

/** A page of its own for one trace. */
export function showTrace(trace) {
  const view = new TreeView(() => {});
  view.load(trace);
  addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0;
    const other = event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, [role=tree]");
    if (!other && view.key(event, step)) event.preventDefault();
  });
}
