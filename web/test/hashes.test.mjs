// The same bits everywhere: the ten pinned scenes give the hashes of the native tests in Node, on the main thread of a browser
// and in a worker.
import assert from "node:assert/strict";
import test from "node:test";
import { fileURLToPath } from "node:url";
import * as pliant from "../package/dist/index.js";
import { withPage } from "./browser.mjs";
import { pinned } from "./pinned.mjs";
import { pinnedHashes, scenes } from "./pinned-scenes.mjs";
import { serve } from "./server.mjs";

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const quiet = () => {};

function holdAgainst(hashes, found) {
  assert.deepEqual(
    found.map(({ name, hash }) => `${name}: ${hash}`),
    pinned.names.map((name, i) => `${name}: ${hashes[i]}`),
  );
}

test("the list of scenes is that of the native test", () => {
  assert.equal(pinned.hashes.length, 10);
  assert.equal(pinned.firstHashes.length, 10);
  assert.deepEqual(
    scenes.map((scene) => scene.name),
    pinned.names,
  );
});

test("Node, with vectors", async () => {
  const engine = await pliant.load({ simd: "wasm", log: quiet });
  assert.equal(engine.simd, "wasm");
  holdAgainst(pinned.hashes, pinnedHashes(pliant, engine));
});

test("Node, scalar, the first tenth of the steps", async () => {
  const engine = await pliant.load({ simd: "scalar", log: quiet });
  assert.equal(engine.simd, "scalar");
  holdAgainst(pinned.firstHashes, pinnedHashes(pliant, engine, { share: 0.1 }));
});

const IN_PAGE = `async (share) => {
  const pliant = await import("/package/dist/index.js");
  const { pinnedHashes } = await import("/test/pinned-scenes.mjs");
  const engine = await pliant.load({ log() {} });
  return { simd: engine.simd, found: pinnedHashes(pliant, engine, { share }) };
}`;

test("a browser, on its main thread and in a worker", async () => {
  const server = await serve({ package: folder("../package"), test: folder(".") });
  try {
    await withPage(server.url, async (page) => {
      const main = await page.evaluate(`(${IN_PAGE})(1)`);
      assert.equal(main.simd, "wasm");
      holdAgainst(pinned.hashes, main.found);
      const worker = await page.evaluate(`new Promise((resolve, reject) => {
        const text = 'onmessage = async () => postMessage(await (${IN_PAGE.replaceAll("\n", " ")})(1))';
        const source = text.replaceAll('import("/', 'import("' + location.origin + '/');
        const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })), { type: "module" });
        worker.onmessage = (event) => resolve(event.data);
        worker.onerror = (event) => reject(new Error(event.message));
        worker.postMessage(0);
      })`);
      holdAgainst(pinned.hashes, worker.found);
    });
  } finally {
    server.close();
  }
});
