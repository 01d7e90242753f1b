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
