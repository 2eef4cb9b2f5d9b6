// The types of properties are those that the library describes, and its records have the fields that their types name.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { load, Mesh, World } from "../package/dist/index.js";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const engine = await load({ scenes: true });

test("generated/properties.ts is fresh", () => {
  const made = spawnSync("node", [file("../package/tools/make-types.mjs")], {
    input: JSON.stringify(engine.descriptors),
    encoding: "utf8",
  });
  assert.equal(made.status, 0, made.stderr);
  assert.equal(made.stdout, readFileSync(file("../package/src/generated/properties.ts"), "utf8"));
});

test("the command line describes the same", { skip: !process.env.PLIANT_BIN && "PLIANT_BIN is not set" }, () => {
  const native = spawnSync(process.env.PLIANT_BIN, ["models", "--json"], { encoding: "utf8" });
  assert.deepEqual(JSON.parse(native.stdout), engine.descriptors);
});

/** Names of the fields of an interface in a source. */
function fieldsOf(source, name) {
  const text = readFileSync(file(`../package/src/${source}`), "utf8");
  const body = text.split(`export interface ${name} {`)[1].split("\n}")[0];
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??:/gm)].map((match) => match[1]).sort();
}

test("records have the fields of their types", () => {
  const world = new World({}, engine);
  const mesh = Mesh.grid({ columns: 3, rows: 3 }, engine);
  const cloth = world.createDeformable({ mesh });
  const keys = (record) => Object.keys(record).sort();
  assert.deepEqual(keys(world.statistics()), fieldsOf("world.ts", "Statistics"));
  assert.deepEqual(keys(cloth.statistics()), fieldsOf("deformable.ts", "DeformableStatistics"));
  assert.deepEqual(keys(mesh.report), fieldsOf("mesh.ts", "MeshReport"));
  assert.deepEqual(keys(mesh.topology), fieldsOf("mesh.ts", "MeshTopology"));
});

test("every export of the library has its line in exports.ts, and every line its export", () => {
  const module = new WebAssembly.Module(readFileSync(file("../package/wasm/pliant-scenes.wasm")));
  const exported = WebAssembly.Module.exports(module).map((item) => item.name);
  const known = fieldsOf("exports.ts", "WasmExports");
  assert.deepEqual(known, exported.filter((name) => name !== "_initialize").sort());
});
