// The left side of the page: the board, moves by clicks, tools for the position, and the editor.

import { Board, pieceDrawing, same } from "./board.js";
import { announce, byId, make, notify, offer } from "./dom.js";
import { capital, faultWords, outcomeWords, pieceName, pieces, squareName, title } from "./words.js";

export class Desk {
  constructor(app) {
    this.app = app;
    this.board = new Board(
      byId("board"),
      (row, column) => (this.editor.open ? this.editor.place(row, column) : this.moving.pick(row, column)),
      (row, column, letter) => this.editor.open && this.editor.type(row, column, letter),
    );
    this.moving = new Moving(this.board, (move) => app.play(move), (moves) => this.chooseAmong(moves));
    this.editor = new Editor(app, this.board, () => this.show("edited"));
    this.wireChoices();
    this.wireTools();
  }

  wireChoices() {
    const { games } = this.app.hello;
    offer(byId("game"), Object.keys(games).map((name) => [name, title(name)]));
    byId("game").addEventListener("change", () => {
      const game = byId("game").value;
      this.app.load({ game, text: games[game].start, variant: "" });
    });
    byId("variant").addEventListener("change", () => {
      this.app.load({ ...this.app.where(), variant: byId("variant").value });
    });
    byId("heuristic").addEventListener("change", () => {
      this.app.mode.changed("heuristic");
      this.app.write();
    });
  }

  wireTools() {
    const { record } = this.app;
    byId("first").addEventListener("click", () => record.goTo(0));
    byId("back").addEventListener("click", () => record.goTo(this.before));
    byId("forward").addEventListener("click", () => record.goTo(record.at + 1));
    byId("flip").addEventListener("click", () => this.turn(!this.board.flipped));
    byId("share").addEventListener("click", () => copy(location.href, "The link", byId("share")));
  }

  /** Where “Take back” goes. */
  get before() {
    return this.app.mode?.before?.() ?? this.app.record.at - 1;
  }

  turn(flipped) {
    this.board.turn(flipped);
    byId("flip").setAttribute("aria-pressed", flipped);
  }

  get heuristic() {
    return byId("heuristic").value;
  }

  chooseHeuristic(name) {
    if (name in this.app.game.heuristics) byId("heuristic").value = name;
    else notify("address", `${title(this.app.position.game)} has no heuristic “${name}”.`);
  }

  /** Show the position of the record. */
  show(what = "") {
    const { position, record } = this.app;
    if (!position) return;
    this.showChoices(position);
    this.showRecord(record);
    if (this.app.mode?.ownsBoard?.()) return;
    if (what !== "entered" || this.board.shown.rows !== position.rows) {
      const { path = null, taken } = record.move ?? {};
      this.board.show(position, what === "played" ? path : null, taken);
      if (path) this.board.mark({ last: [path[0], path.at(-1)] });
    }
    this.showTurn(position);
    this.editor.show(position);
    this.offerMoves();
  }

  showChoices(position) {
    const { games } = this.app.hello;
    const game = games[position.game];
    byId("game").value = position.game;
    const variants = game.variants.filter(Boolean);
    const rules = variants.map((name) => [name, name.replaceAll("-", " ")]);
    offer(byId("variant"), [["", "standard"], ...rules], position.variant);
    byId("variant-label").hidden = variants.length === 0;
    const names = Object.keys(game.heuristics);
    if (byId("heuristic").dataset.game !== position.game) {
      byId("heuristic").dataset.game = position.game;
      offer(byId("heuristic"), names.map((name) => [name, name]), game.default_heuristic);
    }
  }

  showTurn(position, words = "") {
    const over = position.outcome;
    const side = over ? over.winner : position.mover;
    const state = over ? outcomeWords(over) : `${capital(position.mover)} to move`;
    byId("turn").replaceChildren(make("span", { class: `side ${side ?? ""}` }), words || state);
  }

  /** Legal moves as buttons and on the board, if moves are allowed in this mode. */
  offerMoves() {
    const { position, mode } = this.app;
    const may = !this.editor.open && (mode?.mayMove?.() ?? true);
    this.moving.begin(may ? position.moves : []);
    byId("legal-title").textContent = `Legal moves (${position.moves.length})`;
    byId("legal-moves").replaceChildren(...position.moves.map((move) => this.moveButton(move, may)));
  }

  moveButton(move, may) {
    const title = move.pdn === move.name ? null : `PDN ${move.pdn}`;
    const button = make("button", { type: "button", disabled: !may, title }, move.name);
    button.addEventListener("click", () => this.app.play(move));
    for (const event of ["mouseenter", "focus"]) button.addEventListener(event, () => this.moving.hint(move));
    for (const event of ["mouseleave", "blur"]) button.addEventListener(event, () => this.moving.hint(null));
    return button;
  }

  /** Several moves with the same first and last square: choose in the list. */
  chooseAmong(moves) {
    const names = moves.map((move) => move.name);
    announce(`${names.length} moves end there. Choose one in the list of legal moves.`);
    const buttons = [...byId("legal-moves").children];
    for (const button of buttons) button.classList.toggle("marked", names.includes(button.textContent));
    buttons.find((button) => names.includes(button.textContent)).focus();
  }

  showRecord(record) {
    byId("first").disabled = record.at === 0;
    byId("back").disabled = record.at === 0 || this.before < 0;
    byId("forward").disabled = record.at === record.plies.length - 1;
    const list = byId("record-moves");
    const focused = list.contains(document.activeElement);
    const cells = record.plies.slice(1).map(({ move }, index) => {
      const current = index + 1 === record.at ? "step" : null;
      return make("button", { type: "button", "aria-current": current, onclick: () => record.goTo(index + 1) }, move.name);
    });
    if (cells.length && record.plies[0].position.mover !== this.app.game.sides[0]) cells.unshift(make("span", {}, "…"));
    const rows = cells.filter((_, index) => index % 2 === 0);
    list.replaceChildren(...rows.map((cell, row) => make("li", {}, cell, cells[2 * row + 1])));
    const current = list.querySelector("[aria-current]");
    if (focused) current?.focus({ preventScroll: true });
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  }
}

/** The button says for a moment that it was done. */
async function copy(text, what, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    notify("copy", `${what} could not be copied. Here it is: ${text}`);
    return;
  }
  announce(`${what} was copied.`);
  const words = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = words), 1500);
}

// Make a move by clicks on squares.

class Moving {
  /** `play(move)` with the move made; `choose(moves)` if the clicks fit several moves. */
  constructor(board, play, choose) {
    this.board = board;
    this.play = play;
    this.choose = choose;
    this.begin([]);
  }

  /** Start with these legal moves; none if moves are not allowed. */
  begin(moves) {
    this.moves = moves;
    this.candidates = [];
    this.way = [];
    this.mark();
  }

  pick(row, column) {
    const square = [row, column];
    const ending = this.candidates.filter((move) => same(move.path.at(-1), square));
    const passing = this.candidates.filter((move) => this.passes(move, square));
    if (ending.length === 1) this.done(ending[0]);
    else if (ending.length > 1) this.choose(ending);
    else if (passing.length === 1) this.done(passing[0]);
    else if (passing.length > 1) this.narrow(passing, square);
    else this.start(square);
  }

  /** Whether a move still has to pass this square. */
  passes(move, square) {
    return move.path.slice(this.way.length).some((step) => same(step, square));
  }

  start(square) {
    const again = this.way.length > 0 && same(this.way[0], square);
    const found = again ? [] : this.moves.filter((move) => same(move.path[0], square));
    this.candidates = found;
    this.way = found.length ? [square] : [];
    this.mark();
    if (found.length) {
      const ends = [...new Set(found.map((move) => squareName(...move.path.at(-1))))];
      announce(`${squareName(...square)} chosen; it can go to ${ends.join(", ")}`);
    }
  }

  narrow(moves, square) {
    this.candidates = moves;
    this.way = [...this.way, square];
    this.mark();
  }

  done(move) {
    this.begin([]);
    this.play(move);
  }

  mark() {
    const chosen = this.candidates.length > 0;
    this.board.mark({
      sources: chosen ? [] : this.moves.map((move) => move.path[0]),
      chosen: this.way.slice(0, 1),
      way: this.way.slice(1),
      targets: this.candidates.map((move) => move.path.at(-1)),
      taken: this.candidates.flatMap((move) => move.taken),
    });
  }

  /** Show a move as an arrow; null removes it. */
  hint(move) {
    this.board.point(move ? [move.path] : [], this.board.hint);
  }
}

// Set up a position, by clicks or by pasted text.

const EMPTY = Array(8).fill("........");
const CROWNING = { r: 0, b: 7 }; // rows in which a man becomes a king

class Editor {
  /** `toggled()` after it was opened or closed. */
  constructor(app, board, toggled) {
    this.app = app;
    this.board = board;
    this.open = false;
    this.piece = ".";
    this.rows = EMPTY;
    byId("edit").addEventListener("click", () => {
      this.setOpen(!this.open);
      toggled();
    });
    byId("mover").addEventListener("change", () => this.loadRows());
    byId("clear").addEventListener("click", () => this.change(EMPTY));
    byId("start").addEventListener("click", () => {
      this.app.load({ ...this.app.where(), text: this.app.game.start });
    });
    byId("paste").addEventListener("submit", (event) => this.paste(event));
    byId("copy-text").addEventListener("click", () => {
      const { game, position } = this.app;
      copy(position[game.line_format] ?? position.text, "The position", byId("copy-text"));
    });
  }

  setOpen(open) {
    this.open = open;
    byId("editor").hidden = !open;
    byId("edit").setAttribute("aria-expanded", open);
    byId("main").classList.toggle("editing", open);
  }

  /** Show a position that was read, and clear the message. */
  show(position) {
    if (this.game !== position.game) this.showPalette(position.game);
    this.game = position.game;
    this.rows = position.rows;
    offer(byId("mover"), this.app.game.sides.map((side) => [side, capital(side)]), position.mover);
    this.complain("");
  }

  showPalette(game) {
    const choice = (piece, content) => {
      const name = piece === "." ? "Remove pieces" : capital(pieceName(game, piece));
      const input = make("input", { type: "radio", name: "piece", value: piece, "aria-label": name });
      input.addEventListener("change", () => (this.piece = piece));
      return make("label", { title: name }, input, content);
    };
    const letters = Object.keys(pieces(game));
    byId("palette").replaceChildren(
      ...letters.map((piece) => choice(piece, pieceDrawing(game, piece))),
      choice(".", make("span", { class: "eraser", "aria-hidden": "true" }, "✕")),
    );
    this.piece = letters[0];
    byId("palette").querySelector("input").checked = true;
  }

  place(row, column) {
    const there = this.rows[row][column];
    const crowned = CROWNING[this.piece] === row && there === this.piece.toUpperCase();
    this.put(row, column, there === this.piece || crowned ? "." : this.piece);
  }

  type(row, column, letter) {
    const known = [".", ...Object.keys(pieces(this.game))];
    const piece = [letter, letter.toLowerCase(), letter.toUpperCase()].find((each) => known.includes(each));
    if (!piece) return false;
    this.put(row, column, piece);
    return true;
  }

  put(row, column, piece) {
    const changed = (line) => line.slice(0, column) + piece + line.slice(column + 1);
    this.change(this.rows.map((line, index) => (index === row ? changed(line) : line)));
  }

  change(rows) {
    this.rows = rows;
    this.board.show({ rows });
    this.loadRows();
  }

  loadRows() {
    const side = byId("mover").value;
    this.load({ ...this.app.where(), text: [...this.rows, side].join("\n") });
  }

  paste(event) {
    event.preventDefault();
    this.load({ game: "", text: byId("paste-text").value, variant: "" });
  }

  /** Errors are shown in the editor, not at the top of the page. */
  async load(fields) {
    const mine = ++this.app.asked;
    try {
      const position = await this.read(fields);
      if (mine !== this.app.asked) return;
      this.app.record.load([{ position, move: null }]);
      this.complain("", position.warnings);
    } catch (error) {
      if (mine === this.app.asked) this.complain(error.message, error.faults);
    }
  }

  /** The variant stays as long as the game does. */
  async read(fields) {
    const { game, variant } = this.app.position;
    const found = await this.app.ask("position", fields);
    if (found.game !== game || found.variant === variant) return found;
    return this.app.ask("position", { ...fields, variant });
  }

  complain(words, faults = []) {
    const list = faults.map((one) => make("li", {}, faultWords(one)));
    byId("editor-fault").hidden = !words && !list.length;
    byId("editor-fault").className = words ? "notice bad" : "notice part";
    const message = make("p", {}, words || "Read with a warning.");
    byId("editor-fault").replaceChildren(make("div", {}, message, make("ul", {}, list)));
  }
}
