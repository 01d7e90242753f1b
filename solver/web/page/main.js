// Connect, then start the page.

import { App } from "./app.js";
import { Connection } from "./connection.js";
import { byId } from "./dom.js";
import { announce } from "./notice.js";
import { learn } from "./words.js";

let app = null;

function opened(hello) {
  learn(hello.games);
  const build = hello.compiled ? "compiled" : "interpreted";
  byId("about").textContent = `Checkmark ${hello.version}, ${build}. Everything runs on this machine.`;
  const back = !byId("lost").hidden;
  byId("lost").hidden = true;
  if (app) app.reconnected(hello);
  else app = new App(connection, hello);
  if (back) announce("Connected again.");
}

function lost() {
  byId("lost").hidden = false;
  app?.lost();
}

const connection = new Connection(opened, lost);
byId("retry").addEventListener("click", () => connection.connect());
byId("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address holds the position
  byId("panels").focus();
});
