// The solver in a worker of the browser: Python by Pyodide, in a folder that `solver site` has written.

const load = self.fetch.bind(self);

/** Pyodide would need the right type from the web space, and an unpacked file. */
self.fetch = async (what, options) => {
  if (!String(what).endsWith("pyodide.asm.wasm")) return load(what, options);
  const { body } = await load("pyodide.asm.bin");
  const headers = { "Content-Type": "application/wasm" };
  return new Response(body.pipeThrough(new DecompressionStream("gzip")), { headers });
};

async function start() {
  const code = load("checkmark.zip").then((response) => response.arrayBuffer());
  const { loadPyodide } = await import("./pyodide.js");
  const createPyodideModule = (await import("./pyodide.asm.js")).default;
  const lockFileContents = { info: { abi_version: "2026_0" }, packages: {} };
  const python = await loadPyodide({ createPyodideModule, indexURL: "./", lockFileContents });
  python.unpackArchive(await code, "zip", { extractDir: "/checkmark" });
  return python.runPython("import sys; sys.path.insert(0, '/checkmark'); from solver.cli.site import hear; hear");
}

const ready = start();

self.onmessage = async ({ data: [kind, body], ports: [port] }) => {
  try {
    (await ready)(kind, body, (words) => port.postMessage(words));
  } catch (error) {
    port.postMessage(JSON.stringify({ error: `The solver cannot run here: ${error.message}`, done: true }));
  }
};
