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
