// Requests to the solver: each is a POST, answered by a JSON object a line, the last one `done`.

/** An error message of the server. */
export class Refused extends Error {
  constructor(answer) {
    const faults = answer.faults ?? [];
    // A message repeats its faults line by line; the page shows them as a list instead.
    const lines = answer.error.split("\n").filter((line) => !faults.length || !/line \d+, column \d+: /.test(line));
    super(lines.join(" "));
    this.faults = faults;
  }
}

/** The connection was lost before the answer. */
export class Lost extends Error {
  constructor() {
    super("The connection to the solver was lost.");
  }
}

const FIRST_WAIT = 500; // milliseconds
const LONGEST_WAIT = 8000;

/** Every whole line, as far as they come. */
async function* readAnswers(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  const read = () => reader.read().catch(() => ({ done: true }));
  let rest = "";
  for (let part = await read(); !part.done; part = await read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop();
    yield* lines.map((line) => JSON.parse(line));
  }
}

export class Connection {
  /** `opened(hello)` is called when the server answers again, `lost()` when it stops answering. */
  constructor(opened, lost) {
    this.opened = opened;
    this.lost = lost;
    this.wait = FIRST_WAIT;
    this.connect();
  }

  /** Ask until there is an answer. */
  async connect() {
    clearTimeout(this.timer);
    const hello = await this.ask("hello").catch(() => null); // lost again: `failed` goes on
    if (!hello) return;
    this.wait = FIRST_WAIT;
    this.opened(hello);
  }

  failed() {
    this.lost();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  /** Send a request; `heard` gets every message but the last, `stop` ends the job. */
  begin(kind, fields = {}, heard = () => {}) {
    const control = new AbortController();
    return { done: this.read(kind, fields, heard, control.signal), stop: () => control.abort() };
  }

  async read(kind, fields, heard, signal) {
    const options = { method: "POST", body: JSON.stringify(fields), signal };
    const response = await fetch(`/ask/${kind}`, options).catch(() => null);
    for await (const answer of response?.ok ? readAnswers(response.body) : []) {
      if (answer.error !== undefined) throw new Refused(answer);
      if (answer.done) return answer;
      heard(answer);
    }
    if (signal.aborted) return { stopped: true };
    this.failed();
    throw new Lost();
  }

  /** Send a request with one answer. */
  ask(kind, fields = {}) {
    return this.begin(kind, fields).done;
  }
}
