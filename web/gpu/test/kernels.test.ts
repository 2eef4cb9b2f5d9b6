// Each kernel alone from random states of a sheet of 64 x 64 against its twin: the same bits on the software adapter, and a few
// ULP of what a projection moves elsewhere.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createGpuSimulation, type GpuDescription, type GpuParameters, type GpuStage } from "../src/index.js";
import { compare, type Comparison, words } from "./support/compare.js";
import { isExact, openDevice } from "./support/device.js";
import { makeSheet, randomFrom, type SheetOptions } from "./support/sheet.js";
import { Twin } from "./twin/twin.js";

const DT = 1 / 60;
const device = await openDevice();

/** Runs the same stages on both, and compares what they leave. */
async function run(description: GpuDescription, stages: readonly GpuStage[]): Promise<{ x: Comparison; v: Comparison; gpu: Float32Array }> {
  const twin = new Twin(description);
  const simulation = await createGpuSimulation(device, description);
  twin.begin(DT);
  for (const stage of stages) {
    simulation.runStage(stage, DT);
    if (stage === "predict") twin.predict(0);
    else if (stage === "touch") twin.touch();
    else if (stage === "settle") twin.settle();
    else if (stage === "forces") twin.forces();
    else twin.sweepSet(stage.set, stage);
  }
  const gpu = await simulation.readPositions();
  const x = compare(gpu, twin.x, twin.count);
  const v = compare(await simulation.readVelocities(), twin.v, twin.count);
  simulation.release();
  return { x, v, gpu };
}

/** Bits on an adapter that rounds as the CPU; elsewhere `most` [m], some ULP of a move of a tenth of an edge and of a position. */
function holds({ x, v }: { x: Comparison; v: Comparison }, what: string, most = 4e-7): void {
  console.log(`${what}: positions ${words(x)}; velocities ${words(v)}`);
  if (isExact) assert.deepEqual([x.different, v.different], [0, 0], what);
  else assert.ok(x.largest <= most, `${what}: ${words(x)}`);
}

const soft: GpuParameters = { compliance: 1e-5, damping: 1e-3 };
const cases: [name: string, type: string, parameters: GpuParameters, options?: SheetOptions][] = [
  ["distance, rigid", "distance", {}],
  ["distance, compliant and damped", "distance", soft],
  ["distance, PBD", "distance", { stiffness: 0.7 }, { settings: { method: "pbd", iterations: 3 } }],
  ["stick", "stick", soft],
  ["opposite distance", "opposite_distance", soft],
  ["triangle, rigid", "triangle", {}],
  ["triangle, compliant and damped, kappa", "triangle", { ...soft, kappa: 0.004 }, { isBent: true }],
  ["triangle, at most", "triangle", { ...soft, kappa: 0.001, relation: "at_most" }, { isBent: true }],
  ["triangle, at least, printed weights", "triangle", { kappa: 0.02, relation: "at_least", weights: "printed" }, { isBent: true }],
  ["triangle, rigidity", "triangle", { rigidity: 1e-4 }],
  ["isometric, flat", "isometric", {}],
  ["isometric, flat, damped, rigidity", "isometric", { rigidity: 1e-4, damping: 1e-3 }],
  ["isometric, bent", "isometric", {}, { isBent: true }],
  ["isometric, bent, compliant and damped", "isometric", soft, { isBent: true }],
  ["isometric, PBD", "isometric", { stiffness: 0.3 }, { isBent: true, settings: { method: "pbd", iterations: 2 } }],
  ["dihedral, flat", "dihedral", {}],
  ["dihedral, bent, rigidity and damped", "dihedral", { rigidity: 1e-4, damping: 1e-3 }, { isBent: true }],
  ["dihedral, PBD, changes limited", "dihedral", { stiffness: 0.5, change_limit: 0.01 }, { settings: { method: "pbd" } }],
];

test("each type's projection alone, first sweeps and later ones, forward and backward", async () => {
  for (const [name, type, parameters, options] of cases) {
    const description = makeSheet({ noise: 0.2, isUneven: true, pins: [0, 63, 2000], ...options, sets: [[type, parameters]] });
    const sweeps = [
      { set: 0, first: true, backward: true },
      { set: 0, first: false, backward: false },
    ];
    const result = await run(description, ["predict", ...sweeps]);
    holds(result, name);
    // The state is no trivial one: most particles have moved sideways, which gravity does not do.
    const sideways = result.gpu.filter((x, i) => i % 3 === 0 && x !== Math.fround(description.positions[i]!)).length;
    assert.ok(sideways > 0.8 * description.inverseMasses.length, `${name}: only ${sideways} particles moved`);
  }
});

test("particles far from rest: folded, collapsed and overstretched stencils", async () => {
  for (const [name, type, parameters, options] of cases) {
    const description = makeSheet({ noise: 3, isUneven: true, ...options, sets: [[type, parameters]] });
    const positions = Array.from(description.positions);
    for (let i = 0; i < 64; i++) for (let k = 0; k < 3; k++) positions[3 * (i + 320) + k] = positions[3 * (i + 321) + k]!;
    holds(await run({ ...description, positions }, ["predict", { set: 0, first: true, backward: false }]), name, 1e-4);
  }
});

test("dihedral angles whose way from rest passes the fold", async () => {
  const description = makeSheet({ noise: 3, sets: [["dihedral"]] });
  const [set] = description.sets as [GpuDescription["sets"][0]];
  const rest = Array.from(set.rest, (_, i) => (i % 2 ? 2.5 : -2.5));
  holds(await run({ ...description, sets: [{ ...set, rest }] }, [{ set: 0, first: true, backward: false }]), "rest at 2.5 and -2.5 rad", 1e-4);
});

test("prediction and velocities, with a limit of speeds", async () => {
  const random = randomFrom(7);
  for (const speed_limit of [Infinity, 1.5]) {
    const description = makeSheet({ noise: 1, isUneven: true, pins: [5, 17], settings: { speed_limit } });
    const velocities = Array.from(description.positions, () => 4 * random() - 2);
    const stages: GpuStage[] = ["predict", { set: 0, first: true, backward: false }, "settle"];
    holds(await run({ ...description, velocities }, stages), `speeds up to ${speed_limit} m/s`);
  }
});

test("moves lost to rounding in short substeps", async () => {
  const description = makeSheet({ noise: 0.2, sets: [["distance", soft], ["isometric", soft], ["dihedral", soft]], settings: { substeps: 120 } });
  const stages: GpuStage[] = ["predict", ...[0, 1, 2].map((set) => ({ set, first: true, backward: false })), "settle"];
  holds(await run(description, stages), "substeps of 1/7200 s", 4e-7);
});

test("air and damping alone and together, with a body that turns", async () => {
  const random = randomFrom(11);
  const air = { air_density: 1.2, air_friction: 0.05, wind: [3, -1, 2] } as const;
  for (const settings of [air, { ...air, air_friction: 0 }, { damping: 30.6 }, { ...air, damping: 6.3 }]) {
    const description = makeSheet({ noise: 0.3, isUneven: true, pins: [9, 2000, 3700], height: 3, settings });
    const velocities = Array.from(description.positions, (_, i) => [2 * description.positions[i + 2 - (i % 3)]!, 1, -4][i % 3]! + random());
    const triangles: number[] = [];
    for (let i = 0; i < 63 * 64; i++) if (i % 64 < 63) triangles.push(i, i + 64, i + 1, i + 1, i + 64, i + 65);
    const result = await run({ ...description, velocities, triangles }, ["forces", "predict", { set: 0, first: true, backward: false }, "settle"]);
    holds(result, `forces ${JSON.stringify(settings)}`);
  }
});

test("contacts with balls, capsules and planes, at rest and turned, with friction and restitution", async () => {
  const random = randomFrom(3);
  const half = Math.SQRT1_2;
  const colliders = [
    { shape: "sphere", radius: 0.2, position: [0.1, 0.01, 0], friction: 0.5, restitution: 0.6 },
    { shape: "plane", position: [0, -0.02, 0], friction: 0, thickness: 0.01 },
    { shape: "plane", position: [0.3, 0, 0], rotation: [0, 0, half, half], friction: 1.5, restitution: 1 },
    { shape: "sphere", radius: 0.05, position: [-0.3, 0.02, 0.2] },
    { shape: "capsule", radius: 0.08, half_height: 0.15, position: [-0.2, 0, -0.3], rotation: [0, 0, 0.6, 0.8], restitution: 0.2 },
  ] as const;
  const description = makeSheet({ noise: 3, isUneven: true, pins: [9], rest: { colliders, thickness: 0.004 }, settings: { substeps: 2 } });
  const velocities = Array.from(description.positions, () => 12 * random() - 6);
  const result = await run({ ...description, velocities }, ["predict", "touch", { set: 0, first: true, backward: false }, "touch", "settle"]);
  holds(result, "contacts", 1e-5);
});
