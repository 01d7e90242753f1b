// The trace of a search as a tree that grows step by step.  Values are for Max, the `hero` of the trace.

import { byId, draw, make } from "./dom.js";
import { capital, windowWords, worth } from "./words.js";

const SIGNS = { exact: "= ", "at most": "≤ ", "at least": "≥ " };
const WORDS = { exact: "", "at most": "at most ", "at least": "at least " };

export class Trace {
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
    return moves.join(" ") || this.name(node);
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

// Homework trees as text, parsed here only to draw the parts that a cut skips.

const TOKEN = /[\s,]+|#[^\n]*|[()[\]]|(?:[\p{L}_]\w*\s*=\s*)?[-+]?\d+|[\p{L}_]\w*/gu;

/** Nested {label, value, children}; null if this is not a tree: the server has the better message. */
export function parseTree(text) {
  const tokens = (text.match(TOKEN) ?? []).filter((token) => !/^[\s,#]/.test(token));
  if (/^(max|min)$/i.test(tokens[0] ?? "")) tokens.shift();
  return parseNode(tokens);
}

function parseNode(tokens) {
  let token = tokens.shift() ?? "";
  if (/\d$/.test(token) && /^[-+\d]|=/.test(token)) {
    const [value, label = ""] = token.split("=").reverse();
    return { label: label.trim(), value: Number(value), children: [] };
  }
  const label = /^[([]/.test(token) ? "" : token;
  if (label) token = tokens.shift() ?? "";
  const children = [];
  while (tokens.length && !/^[)\]]/.test(tokens[0])) children.push(parseNode(tokens));
  tokens.shift();
  return { label, value: null, children };
}

/** The children of the node at a path like 2.1. */
export function childrenAt(tree, path) {
  let here = tree;
  for (const number of path.split(".").filter(Boolean)) here = here?.children[number - 1];
  return here?.children ?? [];
}

/** A subtree as text. */
export function formatTree(tree) {
  const label = tree.label && (tree.value === null ? tree.label : `${tree.label}=`);
  return tree.value === null ? `${label}(${tree.children.map(formatTree).join(" ")})` : `${label}${tree.value}`;
}

// The slider for the steps of a search, and its buttons.

const RUN_TIME = 700; // milliseconds per step

export class Stepper {
  /** `stepped(at, node)` after every change. */
  constructor(stepped) {
    this.stepped = stepped;
    this.trace = null;
    this.timer = 0;
    const buttons = {
      "step-first": () => this.go(0),
      "step-back": () => this.go(this.at - 1),
      "step-on": () => this.go(this.at + 1),
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
    byId("step-run").addEventListener("click", () => (this.timer ? this.pause() : this.run()));
  }

  load(trace) {
    this.pause();
    this.trace = trace;
    byId("step").max = trace.last;
    this.go(trace.last);
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

const [WIDE, HIGH] = [78, 108];
const [LEFT, ABOVE] = [42, 26]; // margins around the outermost nodes
const MOST_DRAWN = 400;
const SMALLEST = 0.75; // of its size, at which a tree is still readable
const SHAPES = { Max: "M0 -22L28 16H-28z", Min: "M0 22L28 -16H-28z" };

export class TreeDrawing {
  /** `picked(node)` when a node is clicked. */
  constructor(element, picked) {
    this.element = element;
    this.picked = picked;
  }

  /** After an event.  `skipped(node)` names what a cut has skipped; values of leaves are shown from the beginning
   * if they are `known`.  If the tree is too large to draw, only the `way` to the chosen node is expanded. */
  show(trace, at, view) {
    const whole = layout(trace, view.expanded, view.skipped);
    const tooMany = whole.items.length > MOST_DRAWN;
    const { items, width, height } = tooMany ? layout(trace, view.way, view.skipped) : whole;
    const words = `${whole.items.length} nodes are too many to draw. This is the way to the chosen node.`;
    const size = [(width - 1) * WIDE + 2 * LEFT, (height - 1) * HIGH + 2 * ABOVE + 20];
    const viewBox = `${-LEFT} ${-ABOVE} ${size.join(" ")}`;
    const picture = draw("svg", { viewBox, width: size[0], height: size[1], "aria-hidden": "true" });
    picture.append(
      ...items.filter((item) => item.above).map((item) => this.branch(trace, at, item)),
      ...items.map((item) => (item.node ? this.node(trace, at, item, view) : this.skipped(trace, at, item))),
    );
    this.element.replaceChildren(...(tooMany ? [make("p", { class: "hint" }, words)] : []), picture);
    this.reveal(items.find((item) => item.node === view.chosen));
  }

  /** Whether the tree is readable when fitted to the width of the page. */
  fits(trace, expanded, skipped) {
    const natural = (layout(trace, expanded, skipped).width - 1) * WIDE + 2 * LEFT;
    return natural * SMALLEST <= this.element.clientWidth;
  }

  branch(trace, at, item) {
    const [x, y, fromX, fromY] = [item.x * WIDE, item.y * HIGH, item.above.x * WIDE, item.above.y * HIGH];
    const state = item.node ? trace.state(item.node, at) : skippedState(trace, at, item);
    const line = item.node?.line && item.above.node.line ? "line" : "";
    const [middleX, middleY] = [fromX + 0.66 * (x - fromX), fromY + 0.66 * (y - fromY)];
    const name = item.node ? trace.name(item.node) : "";
    return draw("g", { class: `branch ${state} ${line} ${item.node ? "" : "skipped"}` },
      draw("path", { d: `M${fromX} ${fromY + 16}L${x} ${y - 16}` }),
      item.node ? draw("text", { x: middleX, y: middleY, class: "move" }, name)
        : draw("path", { class: "scissors", d: `M${middleX - 8} ${middleY + 3}l16 -7` }),
    );
  }

  node(trace, at, { node, x, y }, { chosen, expanded, known }) {
    const state = trace.state(node, at);
    const leaf = node.tag === "leaf";
    const max = trace.isMax(node);
    const marks = { now: trace.events[at].node === node, chosen: node === chosen, line: node.line, scout: node.scout };
    const kinds = ["node", state, state === "done" ? node.tag : "", ...Object.keys(marks).filter((kind) => marks[kind])];
    const shape = leaf ? box() : draw("path", { d: SHAPES[trace.role(node)] });
    const value = state === "done" || (leaf && known) ? shortValue(trace, node) : "";
    const hidden = expanded.has(node.id) ? 0 : trace.below.get(node.id).length;
    const window = state !== "ahead" && !leaf ? windowWords(trace.window(node, at)) : "";
    const group = draw("g", { class: kinds.join(" "), transform: `translate(${x * WIDE} ${y * HIGH})` },
      draw("title", {}, `${trace.place(node)}${node.reason ? `: ${node.reason}` : ""}`),
      shape,
      draw("text", { class: "value", y: leaf ? 5 : max ? 11 : -2 }, value),
      draw("text", { class: "window", y: max ? 31 : 36 }, window),
      hidden ? draw("text", { class: "more", x: 34, y: 4 }, `+${hidden}`) : null,
    );
    group.addEventListener("click", () => this.picked(node));
    return group;
  }

  skipped(trace, at, item) {
    const transform = `translate(${item.x * WIDE} ${item.y * HIGH})`;
    return draw("g", { class: `node skipped ${skippedState(trace, at, item)}`, transform },
      box(),
      draw("text", { class: "value", y: 5 }, item.label));
  }

  /** Scroll the drawing, not the page, to a node. */
  reveal(item) {
    const view = this.element;
    if (!item || view.scrollWidth <= view.clientWidth) return;
    const x = item.x * WIDE + LEFT;
    const seen = x >= view.scrollLeft + WIDE && x <= view.scrollLeft + view.clientWidth - WIDE;
    if (!seen) view.scrollLeft = x - view.clientWidth / 2;
  }
}

/** A leaf. */
const box = () => draw("rect", { x: -25, y: -14, width: 50, height: 28, rx: 7 });

/** A skipped node is drawn as skipped once the search has left its parent. */
const skippedState = (trace, at, item) => (trace.state(item.above.node, at) === "done" ? "done" : "ahead");

/** Short enough for a triangle. */
function shortValue(trace, node) {
  const sign = { exact: "", "at most": "≤", "at least": "≥" }[node.bound] ?? "";
  return sign + worth(node.value).replace("win in ", "W").replace("loss in ", "L");
}

// Where the nodes of a drawn tree go: leaves side by side, parents above the middle of their children.

const MOST_SKIPPED = 4; // moves drawn at a cut; more are only counted

/** Items {node, x, y, above} in units of one leaf and one ply; a skipped move has a label instead of a node. */
export function layout(trace, expanded, skipped) {
  const items = [];
  let column = 0;

  function place(node, above, y) {
    const item = { node, above, y, x: 0 };
    items.push(item);
    const children = expanded.has(node.id) ? trace.below.get(node.id) : [];
    const places = children.map((child) => place(child, item, y + 1));
    if (expanded.has(node.id) || !trace.below.get(node.id).length) places.push(...placeSpared(item, skipped(node)));
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

  for (const root of trace.roots) place(root, null, 0);
  return { items, width: column, height: 1 + Math.max(0, ...items.map((item) => item.y)) };
}

// The nodes as a tree of rows, for the keyboard and for screen readers.

const MOST_SHOWN = 300; // rows, around the chosen one

const span = (kind, words) => make("span", { class: kind }, words);

export class TreeOutline {
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
    for (const [index, root] of trace.roots.entries()) this.collect(root, 1, index, trace.roots.length);
    const middle = this.rows.findIndex(({ node }) => node === chosen);
    const start = Math.max(0, Math.min(middle - MOST_SHOWN / 2, this.rows.length - MOST_SHOWN));
    const shown = this.rows.slice(start, start + MOST_SHOWN);
    const first = shown.find(({ node }) => node === chosen) ?? shown[0]; // reached by Tab
    this.element.replaceChildren(...shown.map((row) => this.row(row, at, row.node === chosen, row === first)));
    const left = (count, where) => make("li", { class: "hint", role: "none" }, `${count} more ${where}`);
    if (start) this.element.prepend(left(start, "before"));
    const after = this.rows.length - start - shown.length;
    if (after > 0) this.element.append(left(after, "after"));
    const current = this.element.querySelector("[aria-selected=true]");
    if (focused) current?.focus({ preventScroll: true });
    this.reveal(current);
  }

  collect(node, level, index, count) {
    this.rows.push({ node, level, index, count });
    if (!this.expanded.has(node.id)) return;
    const children = this.trace.below.get(node.id);
    for (const [place, child] of children.entries()) this.collect(child, level + 1, place, children.length);
  }

  row({ node, level, index, count }, at, chosen, tabbable) {
    const { trace } = this;
    const state = trace.state(node, at);
    const parent = trace.below.get(node.id).length > 0;
    const open = this.expanded.has(node.id);
    const twisty = make("span", { class: "twisty", "aria-hidden": "true" }, parent ? (open ? "▾" : "▸") : "");
    const row = make("li", {
      role: "treeitem", class: `${state}${node.line ? " line" : ""}`, tabindex: tabbable ? "0" : "-1", "data-id": node.id,
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
