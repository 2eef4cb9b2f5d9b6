// Threads: the pinned hashes with 1, 2 and 4 of them, in Node and in a page that is isolated; and what happens without.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { fileURLToPath } from "node:url";
import * as pliant from "../package/dist/index.js";
import { withPage } from "./browser.mjs";
import { pinned } from "./pinned.mjs";
import { pinnedHashes } from "./pinned-scenes.mjs";
import { serve } from "./server.mjs";

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const ISOLATED = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

function holdAgainst(hashes, found) {
  assert.deepEqual(
    found.map(({ name, hash }) => `${name}: ${hash}`),
    pinned.names.map((name, i) => `${name}: ${hashes[i]}`),
  );
}

/** A cloth whose loops are long enough to be shared. */
function largeCloth({ World, Mesh }, engine, threads) {
  const world = new World({ threads, substeps: 4 }, engine);
  const mesh = Mesh.grid({ columns: 120, rows: 120 }, engine);
  const cloth = world.createDeformable({ mesh, self_collision: true });
  cloth.createConstraintSet({ type: "distance" });
  cloth.createConstraintSet({ type: "isometric", parameters: { rigidity: 1e-5 } });
  cloth.createAttachment({ particles: [0, 119] });
  for (let i = 0; i < 3; i++) world.step(1 / 60);
  return world;
}

test("Node: the pinned hashes with 1, 2 and 4 threads", async () => {
  const engine = await pliant.load({ threads: 4, log() {} });
  assert.equal(engine.whyOneThread, null);
  assert.equal(engine.threads, 4);
  assert.ok(engine.memory.buffer instanceof SharedArrayBuffer);
  for (const threads of [1, 2, 4]) {
    const share = threads === 4 ? 1 : 0.1;
    holdAgainst(threads === 4 ? pinned.hashes : pinned.firstHashes, pinnedHashes(pliant, engine, { threads, share }));
  }
  const worlds = [1, 2, 4].map((threads) => largeCloth(pliant, engine, threads));
  assert.deepEqual(
    worlds.map((world) => world.threads),
    [1, 2, 4],
  );
  assert.equal(new Set(worlds.map((world) => world.hash())).size, 1);
  assert.equal(new pliant.World({ threads: 8 }, engine).threads, 4, "at most those of the engine");
});

test("workers take part; when they have ended the caller goes on alone", async () => {
  const engine = await pliant.load({ threads: 2, log() {} });
  const world = largeCloth(pliant, engine, 2);
  const { exports } = engine.memory;
  const helped = exports.threads_helped();
  assert.ok(helped > 0, "no item was done by a worker");
  const other = largeCloth(pliant, engine, 1);
  assert.equal(exports.threads_helped(), helped, "a world of one thread has no help");
  engine.endThreads();
  world.step(1 / 60), other.step(1 / 60);
  assert.equal(world.hash(), other.hash());
});

test("a program ends although its workers wait", () => {
  const package_ = new URL("../package/dist/index.js", import.meta.url).href;
  const text = `import { load } from ${JSON.stringify(package_)}; console.log((await load({ threads: 3 })).threads);`;
  const result = spawnSync("node", ["--input-type=module", "-e", text], { encoding: "utf8", timeout: 60000 });
  assert.deepEqual([result.status, result.stdout], [0, "3\n"], result.stderr);
});

test("refusals and reasons", async () => {
  await assert.rejects(pliant.load({ threads: 0 }), /threads is 0; it must be a whole number, 1 to 64/);
  await assert.rejects(pliant.load({ threads: 2, scenes: true }), /no build has scenes and threads together/);
  const scalar = await pliant.load({ threads: 2, simd: "scalar" });
  assert.equal(scalar.threads, 1);
  assert.match(scalar.whyOneThread, /scalar/);
  const one = await pliant.load({ log() {} });
  assert.deepEqual([one.threads, one.whyOneThread], [1, null]);
});

const IN_PAGE = `async (threads) => {
  const pliant = await import("/package/dist/index.js");
  const { pinnedHashes } = await import("/test/pinned-scenes.mjs");
  const engine = await pliant.load({ threads, log() {} });
  return { threads: engine.threads, why: engine.whyOneThread, found: pinnedHashes(pliant, engine, { threads, share: 0.1 }) };
}`;

test("a page that is isolated: the pinned hashes with 1, 2 and 4 threads", async () => {
  const server = await serve({ package: folder("../package"), test: folder(".") }, ISOLATED);
  try {
    await withPage(server.url, async (page) => {
      for (const threads of [1, 2, 4]) {
        const result = await page.evaluate(`(${IN_PAGE})(${threads})`);
        assert.deepEqual([result.threads, result.why], [threads, null]);
        holdAgainst(pinned.firstHashes, result.found);
      }
    });
  } finally {
    server.close();
  }
});

test("a page that is not isolated has one thread, and the reason", async () => {
  const server = await serve({ package: folder("../package"), test: folder(".") });
  try {
    await withPage(server.url, async (page) => {
      const result = await page.evaluate(`(${IN_PAGE})(2)`);
      assert.equal(result.threads, 1);
      assert.match(result.why, /not isolated.*Cross-Origin-Opener-Policy/);
      holdAgainst(pinned.firstHashes, result.found);
    });
  } finally {
    server.close();
  }
});
