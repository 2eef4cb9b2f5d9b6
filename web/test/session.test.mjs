// A recorded session gives the bits of the native test (tests/session), and its log, undo and redo work from JavaScript.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import * as pliant from "../package/dist/index.js";

const file = (name) => readFileSync(new URL(`../../tests/session/${name}`, import.meta.url), "utf8");
const engine = await pliant.load({ scenes: true, log() {} });
const open = (options) => new pliant.Session(pliant.Scene.load(file("cloth.json"), {}, engine), options);

test("a recorded session gives the pinned hash", () => {
  const log = file("all-events.txt");
  for (const options of [{}, { budget: 1e6, interval: 16 }]) {
    const session = open(options);
    session.readLog(log);
    session.goTo(session.state.last);
    assert.equal(session.message, "");
    assert.equal(`# hash ${session.world.hash()}`, log.slice(0, log.indexOf("\n")));
    session.goTo(20);
    session.goTo(session.state.last);
    assert.equal(`# hash ${session.world.hash()}\n${session.log}`, log);
    session.dispose();
  }
});

test("undo and redo restore the bits; another scene makes another world", () => {
  const session = open();
  let rebuilds = 0;
  session.onRebuild = () => rebuilds++;
  for (let i = 0; i < 6; i++) assert.ok(session.step());
  const before = session.world.hash();
  assert.ok(session.act({ kind: "pin", indices: [0], vertices: [60, 61] }, "pin"));
  assert.ok(session.set("cloth/distance.compliance", 1e-3));
  for (let i = 0; i < 6; i++) session.step();
  const after = session.world.hash(), { world } = session;
  assert.ok(session.changeScene(pliant.Scene.load(file("cloth.json").replace("1e-05", "0.01"), {}, engine), "model"));
  assert.notEqual(session.world, world);
  assert.ok(world.disposed);
  session.step();
  assert.equal(session.state.edits, 3);
  for (let i = 0; i < 3; i++) session.undo();
  assert.equal(session.state.frame, 6);
  assert.equal(session.world.hash(), before);
  session.redo();
  session.redo();
  assert.equal(session.world.hash(), after);
  assert.ok(rebuilds > 3);
  assert.equal(session.set("cloth/distance.compliance", -1), false);
  assert.match(session.message, /compliance/);
  assert.throws(() => session.act({ kind: "fly" }), pliant.PliantError);
  session.dispose();
});

test("a pointer pins and frees", () => {
  const session = open();
  const pointer = { eye: [0, 4, 0], ray: [0, -1, 0], ahead: [0, -1, 0], seconds: 0 };
  const fixed = () => session.world.statistics().fixed_count, start = fixed();
  for (const more of [true, false]) {
    assert.ok(session.press(0, "pin", pointer));
    session.release(0, pointer);
    session.step();
    assert.equal(fixed() > start, more);
  }
  assert.equal(session.press(0, "grab", { ...pointer, eye: [9, 4, 0] }), false);
  session.dispose();
});
