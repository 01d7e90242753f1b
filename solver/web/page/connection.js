// One WebSocket for everything: a request has a number, which its answers repeat.

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

export class Connection {
  /** `opened()` is called after every connection, `lost()` after every failure.  It keeps trying. */
  constructor(address, opened, lost) {
    this.address = address;
    this.opened = opened;
    this.lost = lost;
    this.pending = new Map();
    this.last = 0;
    this.wait = FIRST_WAIT;
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    this.socket = new WebSocket(this.address);
    this.socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.opened();
    });
    this.socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => this.closed());
  }

  closed() {
    const pending = [...this.pending.values()];
    this.pending.clear();
    for (const one of pending) one.refuse(new Lost());
    this.lost();
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  hear(answer) {
    const one = this.pending.get(answer.id);
    if (!one) return;
    if (answer.done) this.pending.delete(answer.id);
    if (answer.error !== undefined) one.refuse(new Refused(answer));
    else if (answer.done) one.settle(answer);
    else one.heard(answer);
  }

  /** Send a request; `heard` gets every message but the last, `stop` ends the job. */
  begin(kind, fields = {}, heard = () => {}) {
    const id = ++this.last;
    const done = new Promise((settle, refuse) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        refuse(new Lost());
        return;
      }
      this.pending.set(id, { heard, settle, refuse });
      this.socket.send(JSON.stringify({ ...fields, id, ask: kind }));
    });
    return { id, done, stop: () => this.ask("stop", { job: id }).catch(() => {}) };
  }

  /** Send a request with one answer. */
  ask(kind, fields = {}) {
    return this.begin(kind, fields).done;
  }
}
