// The trace of a search as a tree that grows step by step.  Values are for Max, the `hero` of the trace.

import { windowWords, worth } from "./words.js";

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
