// Watch a Two Flags game between two programs on the network (`serve --watch`).

import { announce, byId } from "./dom.js";
import { capital } from "./words.js";

const MOST_LINES = 400;
const RESULT = /^RESULT (\w+) reason=(\S+) plies=(\d+)/;
const PLAYERS = /^# GAME (\d+) WHITE=(.*) BLACK=(.*)$/;

export class WatchMode {
  constructor(app) {
    this.app = app;
    this.job = null;
    this.position = null;
    this.players = "";
    this.result = ""; // of the last game
    byId("watch-start").addEventListener("click", () => this.enter());
    byId("watch-stop").addEventListener("click", () => this.stop());
  }

  leave() {
    this.stop();
    this.position = null;
  }

  mayMove() {
    return false;
  }

  ownsBoard() {
    return this.position !== null;
  }

  changed(what) {
    if (what === "reconnected" && this.app.hello.watch) this.enter();
  }

  say(words) {
    byId("watch-status").textContent = words;
    byId("watch-start").hidden = this.job !== null;
    byId("watch-stop").hidden = this.job === null;
  }

  async enter() {
    this.stop();
    byId("watch-log").textContent = "";
    this.players = this.result = "";
    const job = this.app.connection.begin("watch", {}, (message) => job === this.job && this.hear(message));
    this.job = job;
    this.say("Waiting for a game…");
    try {
      await job.done;
      if (job === this.job) this.ended(this.result || "The server has closed the connection.");
    } catch (error) {
      if (job === this.job) this.ended(error.message);
    }
  }

  stop() {
    if (!this.job) return;
    this.job.stop();
    this.ended("Stopped.");
  }

  ended(words) {
    this.job = null;
    this.say(words);
  }

  hear({ line, position }) {
    if (position) this.show(position);
    const log = byId("watch-log");
    log.hidden = false;
    log.textContent = [...log.textContent.split("\n"), line].filter(Boolean).slice(-MOST_LINES).join("\n");
    log.scrollTop = log.scrollHeight;
    const players = PLAYERS.exec(line);
    const result = RESULT.exec(line);
    if (players) this.players = `Game ${players[1]}: ${players[2]} (white) against ${players[3]} (black)`;
    if (players) this.say(this.players);
    if (!result) return;
    const [, winner, reason, plies] = result;
    const words = `${capital(winner.toLowerCase())} has won after ${plies} plies: ${reason.replaceAll("-", " ")}.`;
    this.result = `${this.players}. ${words}`;
    this.say(this.result);
    announce(words);
  }

  show(position) {
    const moved = this.position?.moves?.find((move) => move.text === position.text);
    this.position = position;
    this.app.desk.board.show(position, moved?.path ?? null);
    this.app.desk.showTurn(position);
    const { game, text, variant } = position;
    byId("watch-analyse").hidden = false;
    byId("watch-analyse").href = this.app.addressOf({ mode: "analyse", game, text, variant });
  }
}
