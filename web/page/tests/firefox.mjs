// The site in Firefox, where that is installed: apt-get install firefox-esr xvfb, then
//
//     xvfb-run -a node tests/firefox.mjs [FOLDER]      pictures go to FOLDER
//
// It speaks Marionette, Firefox's own protocol. Without a display there is no WebGL in it, which is said in a sentence then. CI has no
// Firefox, so this is run by hand.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "../serve.mjs";
import { folder, root } from "./site.mjs";

const PORT = 2828, STEPS = 10, wait = (ms) => new Promise((done) => setTimeout(done, ms));
const picturesTo = process.argv[2], profile = mkdtempSync(join(tmpdir(), "pliant-firefox-"));
writeFileSync(join(profile, "user.js"), 'user_pref("webgl.force-enabled", true);\n');
const server = await serve(folder), base = `http://127.0.0.1:${server.address().port}/`;
const firefox = spawn("firefox-esr", ["--marionette", "--profile", profile, "--no-remote", "--width", "1280", "--height", "720"], { stdio: "ignore", env: { ...process.env, HOME: profile } });

/** A connection, once the browser listens. */
async function connected() {
  for (let i = 0; i < 120; i++) {
    const socket = await new Promise((done) => { const made = connect(PORT, "127.0.0.1", () => done(made)); made.on("error", () => done(null)); });
    if (socket) return socket;
    await wait(500);
  }
  throw new Error("Firefox does not answer");
}

/** Commands of Marionette: lengths, a colon, and JSON of [type, number, name or error, arguments or result]. */
function speak(socket) {
  const waiting = new Map();
  let kept = Buffer.alloc(0), number = 0;
  socket.on("data", (data) => {
    kept = Buffer.concat([kept, data]);
    for (let colon = kept.indexOf(":"); colon >= 0; colon = kept.indexOf(":")) {
      const end = colon + 1 + Number(kept.subarray(0, colon));
      if (kept.length < end) return;
      const message = JSON.parse(kept.subarray(colon + 1, end));
      kept = kept.subarray(end);
      if (!Array.isArray(message)) continue;
      const { done, fail } = waiting.get(message[1]);
      if (message[2]) fail(new Error(JSON.stringify(message[2]).slice(0, 400)));
      else done(message[3] && "value" in message[3] ? message[3].value : message[3]);
    }
  });
  return (name, args = {}) => new Promise((done, fail) => {
    const text = JSON.stringify([0, ++number, name, args]);
    waiting.set(number, { done, fail });
    socket.write(`${Buffer.byteLength(text)}:${text}`);
  });
}

const call = speak(await connected()), run = (script) => call("WebDriver:ExecuteScript", { script, args: [] });
/** Opens a page, and waits for an expression to be there. */
async function visit(path, ready) {
  await call("WebDriver:Navigate", { url: base + path });
  for (let i = 0; i < 60; i++) {
    const found = await run(`return ${ready}`);
    if (found) return found;
    await wait(500);
  }
  throw new Error(`${path}: ${await run("return document.querySelector('.toast')?.textContent ?? 'it does not come'")}`);
}
async function picture(name) {
  if (picturesTo) writeFileSync(join(picturesTo, `firefox-${name}.png`), Buffer.from(await call("WebDriver:TakeScreenshot", { full: false }), "base64"));
}

try {
  await call("WebDriver:NewSession", { capabilities: {} });
  console.log(await run("return navigator.userAgent"));
  const page = "window.pliant";
  await visit("", `${page}?.state().frame > 5`);
  await picture("landing");
  for (const scene of ["flag", "walker", "shipped-first"]) {
    await visit(`play/?clock=manual#1;${scene}`, `${page}?.state().scene === "${scene}"`);
    const hash = await run(`${page}.advance(${STEPS}); return ${page}.state().hash`), binary = process.env.PLIANT ?? `${root}/build/release/pliant`;
    if (existsSync(binary)) {
      const file = `${folder}/scenes/${scene.replace("shipped-", "shipped/")}.json`, out = join(profile, "run");
      assert.equal(hash, JSON.parse(execFileSync(binary, ["run", file, "-n", String(STEPS), "-o", out, "-f", "pc2", "--json"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })).hash, scene);
    }
    console.log(`${scene}: ${hash} after ${STEPS} frames, as the command`);
  }
  await picture("play");
  if (!(await run("return Boolean(navigator.gpu)"))) assert.match(await run("return document.querySelector('[data-testid=engine-reading]').textContent"), /No WebGPU here/);
  assert.equal(await visit("compare/?clock=manual", `${page}?.state().cells?.length`), 4);
  for (const name of ["learn", "gallery", "install"]) assert.equal(await visit(`${name}/`, "document.documentElement.dataset.ready"), name);
  console.log("landing, play, compare, learn, gallery and install are there");
} finally {
  firefox.kill();
  server.close();
}
process.exit();
