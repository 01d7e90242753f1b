// The pieces, drawn in a square of 100 by 100; their colours are in board.css.

import { draw } from "./dom.js";
import { pieceName } from "./words.js";

const CROWN = "M29 64V37l11 11 10-18 10 18 11-11v27z";
const PAWN =
  "M50 15a14.5 14.5 0 0 1 9.4 25.6h5.1v6h-6.2c1.2 12 5 19.6 13.2 27.4h-43" +
  "c8.2-7.8 12-15.4 13.2-27.4h-6.2v-6h5.1A14.5 14.5 0 0 1 50 15z";

function man(colour) {
  return [
    draw("circle", { class: `rim ${colour}`, cx: 50, cy: 52, r: 37 }),
    draw("circle", { class: `face ${colour}`, cx: 50, cy: 48, r: 36.5 }),
    draw("circle", { class: `groove ${colour}`, cx: 50, cy: 48, r: 28 }),
  ];
}

function pawn(colour) {
  return [
    draw("path", { class: `face ${colour} pawn`, d: PAWN }),
    draw("rect", { class: `face ${colour} pawn`, x: 24, y: 74, width: 52, height: 11, rx: 4 }),
  ];
}

export function pieceDrawing(game, piece) {
  const [colour, kind] = pieceName(game, piece).split(" ");
  const parts = kind === "pawn" ? pawn(colour) : man(colour);
  if (kind === "king") {
    parts.push(draw("path", { class: "crown", d: CROWN }));
  } else if (kind === "man") {
    parts.push(draw("circle", { class: `groove ${colour}`, cx: 50, cy: 48, r: 16.5 }));
  }
  return draw("svg", { class: "piece", viewBox: "0 0 100 100", "aria-hidden": "true" }, parts);
}
