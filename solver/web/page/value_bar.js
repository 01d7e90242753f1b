// A value as a share of a bar: empty is lost, half is even, full is won.

const CERTAIN = 900000; // scores beyond this are wins and losses
const USUAL_PIECE = 100;

/** The share of the side that the score is for; a lead of two pieces fills three quarters. */
export function share(score, piece = USUAL_PIECE) {
  if (Math.abs(score) > CERTAIN) return score > 0 ? 1 : 0;
  return 0.5 + (0.5 * score) / (Math.abs(score) + 2 * piece);
}

/** The value of a piece: the weight of the first term for `pieces` such as men. */
export function pieceWorth(tables, pieces) {
  const term = tables?.[0]?.terms.find((one) => one.title.replace("other ", "") === pieces);
  return Math.abs(term?.weight ?? USUAL_PIECE) || USUAL_PIECE;
}

export class ValueBar {
  constructor(element) {
    this.element = element;
    [this.fill, this.words] = element.children;
  }

  /** `part` of the bar, from the bottom, belongs to the first side. */
  show(part, words, sides, flipped) {
    this.element.hidden = false;
    this.element.className = `value-bar ${sides[1]}${flipped ? " flipped" : ""}`;
    this.fill.className = sides[0];
    this.fill.style.height = `${(100 * part).toFixed(1)}%`;
    this.words.textContent = words;
    this.words.className = part >= 0.5 ? `low ${sides[0]}` : `high ${sides[1]}`;
  }

  hide() {
    this.element.hidden = true;
  }
}
