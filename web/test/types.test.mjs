// The descriptors are those of the native library, and records have the fields that their types name.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { load, Mesh, World } from "../package/dist/index.js";
import { numberText, textNumber } from "../package/dist/numbers.js";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const engine = await load({ scenes: true });

test("the command line describes the same", { skip: !process.env.PLIANT_BIN && "PLIANT_BIN is not set" }, () => {
  const native = spawnSync(process.env.PLIANT_BIN, ["models", "--json"], { encoding: "utf8" });
  assert.deepEqual(JSON.parse(native.stdout), engine.descriptors);
});

test("numbers become texts as C writes them, and texts numbers", () => {
  const numbers = [0, -0, 1, -1.5, 0.125, 2.5, 1.125, 1.375, 1e5, 1e-5, 999999.5, 99999.95, 1e300, 5e-324, 0.1, 123456789, 1e-4, 9.5, 0.5];
  for (let i = 0, x = 1; i < 2000; i++) numbers.push((x = (x * 16807) % 2147483647) / 2 ** (i % 70) / 1000, x / 1024);
  const asked = numbers.flatMap((x) => [1, 2, 3, 6, 17].map((precision) => [x, precision]));
  const program = "import json, sys\nprint(json.dumps(['%.*g' % (p, x) for x, p in json.load(sys.stdin)]))";
  const input = `[${asked.map(([x, p]) => `[${Object.is(x, -0) ? "-0.0" : x}, ${p}]`)}]`;
  const { stdout } = spawnSync("python3", ["-c", program], { input, encoding: "utf8", maxBuffer: 1e8 });
  assert.deepEqual(asked.map(([x, p]) => numberText(x, p)), JSON.parse(stdout));
  assert.deepEqual([0.5, 1.5, 2.5, 1e15, Infinity, NaN].map((x) => numberText(x, 0, true)), ["0", "2", "2", "1000000000000000", "inf", "nan"]);
  assert.deepEqual(["-1.5e3x", " 7", ".5", "1e", "true", "-inf", ""].map(textNumber), [[-1500, 6], [7, 2], [0.5, 2], [1, 1], [0, 0], [-Infinity, 4], [0, 0]]);
});

test("messages with numbers are those of the native library", async () => {
  const core = await load();
  const tell = (one) => {
    try {
      Mesh.grid({ columns: 3, rows: 3, width: -1.125, depth: 1e-7 }, one);
    } catch (error) {
      return error.message;
    }
  };
  assert.match(tell(core), /-1\.125 and depth 1e-07 \[m\]/);
  assert.equal(tell(core), tell(engine));
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
