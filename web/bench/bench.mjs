// Times of WebAssembly beside the native library and beside Jolt Physics, a package with soft bodies that a web developer
// would take otherwise, in one run: node web/bench/bench.mjs [NATIVE], by default build/release/pliant.
//
// A cloth of n x n vertices, held by two corners, with distances and dihedral bending, 10 substeps of 1/600 s a frame. Pliant
// runs the same scene in all of its builds, and the hashes must agree. Jolt has the same mesh, edges and dihedral bends, and
// as many iterations, each of which projects a constraint once: Pliant is measured with such sweeps too. Times are of the processor, the least of several interleaved rounds, so that a busy machine matters
// little.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import initJolt from "jolt-physics/wasm-compat";
import { load, Scene } from "../package/dist/index.js";

const native = process.argv[2] ?? fileURLToPath(new URL("../../build/release/pliant", import.meta.url));
const SUBSTEPS = 10;
const ROUNDS = 7;
const SIZES = [
  { side: 40, frames: 60 },
  { side: 100, frames: 15 },
];
const WARM_UP = 10;

function sceneText(side, sweeps) {
  return JSON.stringify({
    pliant: 1,
    frames: 1000,
    settings: { substeps: SUBSTEPS, sweeps },
    deformables: [
      {
        name: "cloth",
        mesh: { grid: { columns: side, rows: side, width: 1, depth: 1, pattern: "alternating" } },
        stretch: "swept",
        constraints: [
          { type: "distance", compliance: 1e-7 },
          { type: "dihedral", compliance: 1 },
        ],
        attachments: [{ particles: [0, side - 1] }],
      },
    ],
  });
}

/** Processor time of a call [s]. */
function processorTime(call) {
  const begin = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1e6;
}

/** A run in WebAssembly: a function that goes on by `frames` and gives their time. */
function pliantRun(engine, side, sweeps = "back_and_forth") {
  const scene = Scene.load(sceneText(side, sweeps), {}, engine);
  const world = scene.createWorld();
  let frame = 0;
  const run = (frames) =>
    processorTime(() => {
      for (const end = frame + frames; frame < end; frame++) scene.step(world, frame);
    });
  run(WARM_UP);
  return { run, world, projections: () => world.statistics().projection_count };
}

/** The native command over `frames`: processor time [s] and hash. */
function nativeRun(folder, side, frames) {
  const file = join(folder, "scene.json");
  writeFileSync(file, sceneText(side, "back_and_forth"));
  const command = `TIMEFORMAT='%U %S'; time ${native} run ${file} -o ${folder}/out --frames ${frames} --format pc2 --checkpoint-every 100000 --threads 1 --quiet`;
  const out = execFileSync("bash", ["-c", `{ ${command}; } 2>&1 | tail -1`], { encoding: "utf8" });
  const [user, system] = out.trim().split(/\s+/).slice(-2).map(Number);
  return { seconds: user + system, hash: JSON.parse(readFileSync(join(folder, "out/summary.json"), "utf8")).hash };
}

/** A soft body of Jolt with the same edges and bends. */
async function joltRun(side) {
  const Jolt = await initJolt();
  const settings = new Jolt.JoltSettings();
  const layers = new Jolt.ObjectLayerPairFilterTable(1);
  layers.EnableCollision(0, 0);
  settings.mObjectLayerPairFilter = layers;
  const broad = new Jolt.BroadPhaseLayerInterfaceTable(1, 1);
  broad.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0));
  settings.mBroadPhaseLayerInterface = broad;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 1, layers, 1);
  const jolt = new Jolt.JoltInterface(settings);
  const shared = new Jolt.SoftBodySharedSettings();
  const mass = 0.2 / (side * side);
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const vertex = new Jolt.SoftBodySharedSettingsVertex();
      vertex.mPosition = new Jolt.Float3(column / (side - 1) - 0.5, 0, row / (side - 1) - 0.5);
      vertex.mInvMass = row === 0 && (column === 0 || column === side - 1) ? 0 : 1 / mass;
      shared.mVertices.push_back(vertex);
    }
  }
  const at = (column, row) => row * side + column;
  const face = (a, b, c) => shared.AddFace(new Jolt.SoftBodySharedSettingsFace(a, b, c, 0));
  for (let row = 0; row + 1 < side; row++) {
    for (let column = 0; column + 1 < side; column++) {
      const [a, b, c, d] = [at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1)];
      if ((row + column) % 2) face(a, d, b), face(b, d, c);
      else face(a, d, c), face(a, c, b);
    }
  }
  const attributes = new Jolt.SoftBodySharedSettingsVertexAttributes();
  attributes.mCompliance = attributes.mShearCompliance = 1e-7;
  attributes.mBendCompliance = 1;
  shared.CreateConstraints(attributes, 1, Jolt.SoftBodySharedSettings_EBendType_Dihedral);
  shared.Optimize();
  const body = new Jolt.SoftBodyCreationSettings(shared, new Jolt.RVec3(0, 0, 0), Jolt.Quat.prototype.sIdentity(), 0);
  body.mNumIterations = SUBSTEPS;
  body.mLinearDamping = 0;
  body.mUpdatePosition = false;
  body.mAllowSleeping = false;
  jolt.GetPhysicsSystem().GetBodyInterface().CreateAndAddSoftBody(body, Jolt.EActivation_Activate);
  const constraints = shared.mEdgeConstraints.size() + shared.mDihedralBendConstraints.size();
  const run = (frames) =>
    processorTime(() => {
      for (let i = 0; i < frames; i++) jolt.Step(1 / 60, 1);
    });
  run(WARM_UP);
  return { run, projections: constraints * SUBSTEPS };
}

const joltVersion = createRequire(import.meta.url)("jolt-physics/package.json").version;
const engines = { simd: await load({ simd: "wasm", scenes: true }), scalar: await load({ simd: "scalar", scenes: true }) };
const folder = mkdtempSync(join(tmpdir(), "pliant-bench-"));
const rows = [];
for (const { side, frames } of SIZES) {
  const runs = {
    simd: pliantRun(engines.simd, side),
    forward: pliantRun(engines.simd, side, "forward"),
    scalar: pliantRun(engines.scalar, side),
  };
  const jolt = await joltRun(side);
  const least = {};
  const note = (name, seconds) => (least[name] = Math.min(least[name] ?? Infinity, seconds));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of Object.keys(runs)) note(name, runs[name].run(frames) / frames);
    note("jolt", jolt.run(frames) / frames);
    const short = nativeRun(folder, side, WARM_UP).seconds;
    note("native", (nativeRun(folder, side, WARM_UP + frames).seconds - short) / frames);
  }
  const { hash } = nativeRun(folder, side, WARM_UP + ROUNDS * frames);
  for (const name of ["simd", "scalar"])
    if (runs[name].world.hash() !== hash) throw new Error(`${name}: ${runs[name].world.hash()}, native ${hash}`);
  const projections = runs.simd.projections();
  const row = (label, seconds, count) =>
    rows.push([`${side} x ${side}`, label, count, (1e9 * seconds) / count, 1e3 * seconds, 1 / seconds]);
  row("Pliant, native, one thread", least.native, projections);
  row("Pliant, WebAssembly with vectors", least.simd, projections);
  row("Pliant, WebAssembly, scalar", least.scalar, projections);
  row("Pliant, WebAssembly with vectors, sweeps forward only, as Jolt's", least.forward, runs.forward.projections());
  row(`Jolt Physics ${joltVersion}, WebAssembly`, least.jolt, jolt.projections);
}
rmSync(folder, { recursive: true, force: true });
console.log("| cloth | build | projections a frame | ns per projection, whole step | ms a frame | frames/s |");
console.log("| --- | --- | --- | --- | --- | --- |");
for (const [cloth, label, count, each, frame, rate] of rows)
  console.log(`| ${cloth} | ${label} | ${count} | ${each.toFixed(1)} | ${frame.toFixed(2)} | ${rate.toFixed(0)} |`);
