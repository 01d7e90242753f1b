// An arrow along the path of a piece, in units of squares.  SVG markers cannot scale per arrow, so the head is drawn.

import { draw } from "./dom.js";

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
