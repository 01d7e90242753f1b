// The board: a grid of 64 squares.  Tab reaches one of them, arrow keys the others.

import { draw, make } from "./dom.js";
import { capital, pieceName, squareName, title } from "./words.js";

const EMPTY_ROWS = Array(8).fill("........");
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const PLY_TIME = 220; // milliseconds for each step of an animation
const FADE_TIME = 180;
const SHORTEST_DRAG = 6; // pixels
const SIZES = [0, 1, 2, 3, 4, 5, 6, 7];

export const same = (one, other) => one[0] === other[0] && one[1] === other[1];

export class Board {
  /** `picked(row, column)` on click, Enter and Space, at both ends of a drag; `typed(row, column, key)` on other keys. */
  constructor(element, picked, typed) {
    this.picked = picked;
    this.typed = typed;
    this.shown = { game: "", rows: EMPTY_ROWS, mover: "" };
    this.flipped = false;
    this.focus = [7, 0];
    this.marks = {};
    this.cells = SIZES.map((row) => SIZES.map((column) => this.cell(row, column)));
    this.grid = make("div", { class: "grid", role: "grid" });
    [this.lines, this.hint] = [draw("g"), draw("g", { class: "hinted" })];
    this.arrows = draw("svg", { class: "arrows", viewBox: "0 0 8 8", "aria-hidden": "true" }, this.lines, this.hint);
    this.ranks = make("div", { class: "ranks", "aria-hidden": "true" });
    this.files = make("div", { class: "files", "aria-hidden": "true" });
    element.append(this.ranks, this.grid, this.arrows, this.files);
    this.turn(false);
  }

  cell(row, column) {
    const cell = make("div", {
      class: `square ${(row + column) % 2 ? "dark" : "light"}`,
      role: "gridcell",
      tabindex: "-1",
      "data-square": squareName(row, column),
    });
    cell.addEventListener("click", () => {
      this.moveFocus([row, column]);
      this.picked(row, column);
    });
    cell.addEventListener("keydown", (event) => this.key(event, row, column));
    cell.addEventListener("pointerdown", (event) => this.drag(event, [row, column]));
    return cell;
  }

  /** Drag a piece that may move; without a move of the pointer, this is a click. */
  drag(start, square) {
    const piece = this.at(square).querySelector(".piece");
    const may = ["sources", "chosen"].some((kind) => this.marks[kind]?.some((one) => same(one, square)));
    if (!piece || !may || start.button || !start.isPrimary) return;
    let dragging = false;
    const end = new AbortController();
    const move = (event) => {
      const [x, y] = [event.clientX - start.clientX, event.clientY - start.clientY];
      if (!dragging && Math.hypot(x, y) < SHORTEST_DRAG) return;
      if (!dragging && !this.marks.chosen?.some((one) => same(one, square))) this.picked(...square);
      dragging = true;
      this.at(square).classList.add("dragged");
      piece.style.transform = `translate(${x}px, ${y}px)`;
    };
    const drop = (event) => {
      end.abort();
      this.at(square).classList.remove("dragged");
      piece.style.transform = "";
      if (!dragging) return;
      const target = document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".square");
      const found = event.type === "pointerup" && this.marks.targets?.find((one) => this.at(one) === target);
      this.dropped = Boolean(found);
      if (found) this.picked(...found);
      else if (target !== this.at(square)) this.picked(...square); // a click follows where it started
    };
    for (const [kind, heard] of [["pointermove", move], ["pointerup", drop], ["pointercancel", drop]]) {
      addEventListener(kind, heard, { signal: end.signal });
    }
  }

  key(event, row, column) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = STEPS[event.key];
    const sign = this.flipped ? -1 : 1;
    if (step) this.moveFocus([row + sign * step[0], column + sign * step[1]]);
    else if (event.key === "Home") this.moveFocus([row, this.flipped ? 7 : 0]);
    else if (event.key === "End") this.moveFocus([row, this.flipped ? 0 : 7]);
    else if (event.key === "Enter" || event.key === " ") this.picked(row, column);
    else if (!this.typed(row, column, event.key)) return;
    event.preventDefault();
  }

  moveFocus([row, column]) {
    if (!this.cells[row]?.[column]) return;
    this.at(this.focus).tabIndex = -1;
    this.focus = [row, column];
    this.at(this.focus).tabIndex = 0;
    this.at(this.focus).focus();
  }

  at([row, column]) {
    return this.cells[row][column];
  }

  /** Turn the board; the order of elements follows what is seen. */
  turn(flipped) {
    this.flipped = flipped;
    const order = flipped ? SIZES.toReversed() : SIZES;
    const cells = (row) => order.map((column) => this.cells[row][column]);
    this.grid.replaceChildren(...order.map((row) => make("div", { role: "row", class: "row" }, cells(row))));
    this.ranks.replaceChildren(...order.map((row) => make("span", {}, String(8 - row))));
    this.files.replaceChildren(...order.map((column) => make("span", {}, "abcdefgh"[column])));
    this.at(this.focus).tabIndex = 0;
    this.draw();
    this.point([]);
  }

  /** Show a position; `path` is that of the piece that has just moved, `taken` the squares it has cleared. */
  show(shown, path = null, taken = []) {
    const ghosts = path ? taken.map((square) => [square, this.at(square).querySelector(".piece")?.cloneNode(true)]) : [];
    this.shown = { ...this.shown, ...shown };
    this.marks = path ? { last: [path[0], path.at(-1)] } : {};
    this.point([]);
    this.point([], this.hint);
    this.draw();
    const { dropped } = this;
    this.dropped = false;
    if (!path || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    if (!dropped) this.slide(path);
    for (const [square, ghost] of ghosts) if (ghost) this.fade(square, ghost, dropped ? 0 : stepsTo(path, square));
  }

  /** Mark squares by kind: `sources`, `targets`, `taken`, `way`, `chosen`, `last`. */
  mark(marks) {
    this.marks = { last: this.marks.last, ...marks };
    this.draw();
  }

  draw() {
    const { game, rows, mover } = this.shown;
    const turn = mover ? `, ${mover} to move` : "";
    this.grid.setAttribute("aria-label", `${title(game)} board${turn}`);
    for (const [row, cells] of this.cells.entries()) {
      for (const [column, cell] of cells.entries()) this.drawSquare(cell, row, column, game, rows);
    }
  }

  drawSquare(cell, row, column, game, rows) {
    const piece = rows[row][column];
    if (cell.dataset.piece !== `${game} ${piece}`) {
      cell.dataset.piece = `${game} ${piece}`;
      cell.replaceChildren(...(piece === "." ? [] : [pieceDrawing(game, piece)]));
    }
    const has = (kind) => (this.marks[kind] ?? []).some((square) => same(square, [row, column]));
    for (const kind of ["sources", "targets", "taken", "way", "chosen", "last"]) {
      cell.classList.toggle(kind, has(kind));
    }
    const words = [squareName(row, column), pieceName(game, piece)];
    if (has("chosen")) words.push("chosen");
    else if (has("targets")) words.push("move here");
    else if (has("taken")) words.push("would be taken");
    else if (has("sources")) words.push("can move");
    cell.setAttribute("aria-label", capital(words.join(", ")));
  }

  /** Draw arrows along paths, the best first. */
  point(paths, layer = this.lines) {
    const seen = ([row, column]) => (this.flipped ? [7 - row, 7 - column] : [row, column]);
    layer.replaceChildren(...paths.map((path, rank) => arrow(path.map(seen), rank)).reverse());
  }

  slide(path) {
    const piece = this.at(path.at(-1)).querySelector(".piece");
    const sign = this.flipped ? -100 : 100;
    const [endRow, endColumn] = path.at(-1);
    const frames = path.map(([row, column]) => ({
      transform: `translate(${sign * (column - endColumn)}%, ${sign * (row - endRow)}%)`,
      zIndex: 3,
      easing: "ease-in-out", // from square to square
    }));
    piece?.animate(frames, PLY_TIME * (path.length - 1));
  }

  /** A captured piece stays until so many steps of the move are over. */
  fade(square, ghost, steps) {
    this.at(square).append(ghost);
    const gone = ghost.animate([{ opacity: 1 }, { opacity: 0 }], { delay: PLY_TIME * steps, duration: FADE_TIME });
    gone.finished.finally(() => ghost.remove()).catch(() => {});
  }
}

/** The steps of a path until it has passed a square, or all of them. */
function stepsTo(path, [row, column]) {
  const over = (at) => same([(path[at][0] + path[at + 1][0]) / 2, (path[at][1] + path[at + 1][1]) / 2], [row, column]);
  const found = path.slice(1).findIndex((_, at) => over(at));
  return found < 0 ? path.length - 1 : found + 1;
}

// An arrow along the path of a piece, in units of squares.  SVG markers cannot scale per arrow, so the head is drawn.

const WIDTHS = [0.16, 0.1, 0.07];

export function arrow(path, rank) {
  const width = WIDTHS[Math.min(rank, WIDTHS.length - 1)];
  const points = path.map(([row, column]) => [column + 0.5, row + 0.5]);
  const [x, y] = points.at(-1);
  const [fromX, fromY] = points.at(-2);
  const length = Math.hypot(x - fromX, y - fromY);
  const [dx, dy] = [(x - fromX) / length, (y - fromY) / length];
  const size = 2.2 * width;
  const neck = [x - dx * size * 1.2, y - dy * size * 1.2];
  const side = (sign) => [neck[0] - sign * dy * size, neck[1] + sign * dx * size];
  const text = (list) => list.map((point) => point.map((part) => part.toFixed(3)).join(",")).join(" ");
  return draw("g", { class: `arrow rank-${rank}` },
    draw("polyline", { points: text([...points.slice(0, -1), neck]), "stroke-width": width }),
    draw("polygon", { points: text([[x, y], side(1), side(-1)]) }),
  );
}

/** One of the drawings in index.html; the colours are in board.css. */
export function pieceDrawing(game, piece) {
  const [colour, kind] = pieceName(game, piece).split(" ");
  return draw("svg", { class: `piece ${colour} ${kind}`, "aria-hidden": "true" }, draw("use", { href: `#${kind}` }));
}
