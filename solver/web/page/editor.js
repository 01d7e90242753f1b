// Set up a position, by clicks or by pasted text.

import { pieceDrawing } from "./board.js";
import { copy } from "./desk.js";
import { byId, make, offer } from "./dom.js";
import { capital, faultWords, pieceName, pieces } from "./words.js";

const EMPTY = Array(8).fill("........");
const CROWNING = { r: 0, b: 7 }; // rows in which a man becomes a king

export class Editor {
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
