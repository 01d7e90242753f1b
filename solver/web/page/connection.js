// Requests to the solver, on a server or in this browser: each is answered by JSON objects, the last one `done`.

import { notify } from "./dom.js";

/** An error message of the server. */
export class Refused extends Error {
  constructor(answer) {
    const faults = answer.faults ?? [];
    // A message repeats its faults line by line; the page shows them as a list instead.
    const lines = answer.error.split("\n").filter((line) => !faults.length || !/line \d+, column \d+: /.test(line));
    super(lines.join("\n"));
    this.faults = faults;
  }
}

/** The connection was lost before the answer. */
export class Lost extends Error {
  constructor() {
    super("The connection to the solver was lost.");
  }
}

const WAIT = 1000; // milliseconds until the next try

/** Ask the server; `say(answer)` as answers come. */
async function askServer(kind, fields, signal, say) {
  const response = await fetch(`/ask/${kind}`, { method: "POST", body: JSON.stringify(fields), signal }).catch(() => null);
  if (!response?.ok) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const read = () => reader.read().catch(() => ({ done: true }));
  let rest = "";
  for (let part = await read(); !part.done; part = await read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop();
    for (const line of lines) say(JSON.parse(line));
  }
}

// The quick requests share a worker; each job has its own, and is stopped by ending it.  One is always spare, and the
// one that was used last serves again, since they take seconds to start.

const QUICK = ["hello", "position", "evaluate", "puzzles", "puzzle"];
const MOST_IDLE = 2;
const idle = [];
let quick = null;

const begin = () => new Worker("worker.js", { type: "module" });
const keepSpare = () => idle.length || idle.push(begin());

/** Ask a worker of this browser, on a page without a server. */
function askWorker(kind, fields, signal, say) {
  const own = QUICK.includes(kind) ? null : (idle.pop() ?? begin());
  if (!own) quick ??= begin();
  const { port1, port2 } = new MessageChannel();
  (own ?? quick).postMessage([kind, JSON.stringify(fields)], [port2]);
  return new Promise((resolve) => {
    const stop = () => {
      own?.terminate();
      port1.close(); // it may have more to say
      keepSpare();
      resolve();
    };
    signal.addEventListener("abort", stop);
    port1.onmessage = ({ data }) => {
      const answer = JSON.parse(data);
      keepSpare(); // now that this one has started
      say(answer);
      if (!answer.done) return;
      signal.removeEventListener("abort", stop);
      if (own && idle.length < MOST_IDLE) idle.push(own);
      else own?.terminate();
      resolve();
    };
  });
}

const askSolver = document.querySelector("meta[name=solver]") ? askWorker : askServer;

export class Connection {
  /** `opened(hello)` is called when the server answers again, `lost()` when it stops answering. */
  constructor(opened, lost) {
    this.opened = opened;
    this.lost = lost;
    this.connect();
  }

  /** Ask until there is an answer. */
  async connect() {
    clearTimeout(this.timer);
    const hello = await this.ask("hello").catch((error) => error instanceof Refused && notify("ask", error.message));
    if (hello) this.opened(hello); // or lost again: `failed` goes on
  }

  failed() {
    this.lost();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), WAIT);
  }

  /** Send a request; `heard` gets every message but the last, `stop` ends the job. */
  begin(kind, fields = {}, heard = () => {}) {
    const control = new AbortController();
    return { done: this.read(kind, fields, heard, control.signal), stop: () => control.abort() };
  }

  async read(kind, fields, heard, signal) {
    let last = null;
    await askSolver(kind, fields, signal, (answer) => (answer.done ? (last = answer) : heard(answer)));
    if (last?.error !== undefined) throw new Refused(last);
    if (last || signal.aborted) return last ?? { stopped: true };
    this.failed();
    throw new Lost();
  }

  /** Send a request with one answer. */
  ask(kind, fields = {}) {
    return this.begin(kind, fields).done;
  }
}
