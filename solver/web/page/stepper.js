// The slider for the steps of a search, and its buttons.

import { byId } from "./dom.js";

const RUN_TIME = 700; // milliseconds per step

export class Stepper {
  /** `stepped(at, node)` after every change. */
  constructor(stepped) {
    this.stepped = stepped;
    this.trace = null;
    this.timer = 0;
    const buttons = {
      "step-first": () => this.go(0),
      "step-back": () => this.go(this.at - 1),
      "step-on": () => this.go(this.at + 1),
      "step-last": () => this.go(this.trace.last),
      "step-cut-back": () => this.go(this.trace.cutFrom(this.at, -1)),
      "step-cut-on": () => this.go(this.trace.cutFrom(this.at, 1)),
    };
    for (const [id, action] of Object.entries(buttons)) {
      byId(id).addEventListener("click", () => {
        this.pause();
        action();
      });
    }
    byId("step").addEventListener("input", () => {
      this.pause();
      this.go(Number(byId("step").value));
    });
    byId("step-run").addEventListener("click", () => (this.timer ? this.pause() : this.run()));
  }

  load(trace) {
    this.pause();
    this.trace = trace;
    byId("step").max = trace.last;
    this.go(trace.last);
  }

  go(at) {
    this.at = Math.max(0, Math.min(at, this.trace.last));
    const words = this.trace.words(this.at);
    const slider = byId("step");
    slider.value = this.at;
    slider.setAttribute("aria-valuetext", `Step ${this.at + 1} of ${this.trace.last + 1}. ${words}`);
    byId("step-number").textContent = `step ${this.at + 1} of ${this.trace.last + 1}`;
    byId("step-words").textContent = words;
    this.stepped(this.at, this.trace.events[this.at].node);
  }

  run() {
    if (this.at === this.trace.last) this.go(0);
    this.timer = setInterval(() => {
      this.go(this.at + 1);
      if (this.at === this.trace.last) this.pause();
    }, RUN_TIME);
    this.showRunning(true);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.showRunning(false);
  }

  showRunning(running) {
    byId("step-run").textContent = running ? "Pause" : "Play";
    byId("step-run").setAttribute("aria-pressed", running);
  }
}
