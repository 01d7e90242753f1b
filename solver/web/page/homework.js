// Trees of numbers as homework gives them, read only to draw what a cut has spared.

const TOKEN = /[\s,]+|#[^\n]*|[()[\]]|(?:[\p{L}_]\w*\s*=\s*)?[-+]?\d+|[\p{L}_]\w*/gu;

/** Nested {label, value, children}; null if this is no tree, which the server then says better. */
export function homework(text) {
  const tokens = (text.match(TOKEN) ?? []).filter((token) => !/^[\s,#]/.test(token));
  if (/^(max|min)$/i.test(tokens[0] ?? "")) tokens.shift();
  return node(tokens);
}

function node(tokens) {
  let token = tokens.shift() ?? "";
  if (/\d$/.test(token) && /^[-+\d]|=/.test(token)) {
    const [value, label = ""] = token.split("=").reverse();
    return { label: label.trim(), value: Number(value), children: [] };
  }
  const label = /^[([]/.test(token) ? "" : token;
  if (label) token = tokens.shift() ?? "";
  const children = [];
  while (tokens.length && !/^[)\]]/.test(tokens[0])) children.push(node(tokens));
  tokens.shift();
  return { label, value: null, children };
}

/** The children of the node at a path like 2.1. */
export function childrenAt(tree, path) {
  let here = tree;
  for (const number of path.split(".").filter(Boolean)) here = here?.children[number - 1];
  return here?.children ?? [];
}

/** A subtree as it was written. */
export function written(tree) {
  const label = tree.label && (tree.value === null ? tree.label : `${tree.label}=`);
  return tree.value === null ? `${label}(${tree.children.map(written).join(" ")})` : `${label}${tree.value}`;
}
